//===- ReadLigra.cpp - Adjacency graphs of Ligra -------------------------===//
//
// A word that says whether there are weights, then numbers: of vertices, of
// edges, for each vertex where its edges begin, for each edge its target, and
// perhaps for each edge its weight. What a number means follows from how many
// come before it: each chunk is gone through twice, to count and to parse.
//
//===----------------------------------------------------------------------===//

#include "Digits.h"
#include "EdgeText.h"
#include "Formats.h"
#include "GrowingArray.h"
#include "Instantiate.h"
#include "Quote.h"
#include "Words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace heddle::graph {
namespace {

struct Header {
  bool hasWeights = false;
  std::uint64_t vertices = 0, edges = 0;
};

/// The first three words, which lines of their own may separate.
class HeaderReader {
public:
  explicit HeaderReader(TextFile &text) : text(text) {}

  Header read() {
    constexpr std::string_view plain = "AdjacencyGraph",
                               weighted = "WeightedAdjacencyGraph";
    const std::string_view word = nextWord();
    if (word != plain && word != weighted)
      fail("'AdjacencyGraph' or 'WeightedAdjacencyGraph'", word);
    Header header;
    header.hasWeights = word == weighted;
    header.vertices = nextNumber("the number of vertices");
    header.edges = nextNumber("the number of edges");
    if (const std::string_view more = takeWord(line); !more.empty())
      fail("nothing more", more);
    return header;
  }

private:
  std::string_view nextWord() {
    std::string_view word = takeWord(line);
    while (word.empty()) {
      const auto next = text.nextLine();
      if (!next)
        return {};
      line = *next;
      word = takeWord(line);
    }
    return word;
  }

  std::uint64_t nextNumber(const char *what) {
    const std::string_view word = nextWord();
    const auto number = wholeNumber(word);
    // Three times as many must still be a number.
    if (!number || *number > std::numeric_limits<std::uint64_t>::max() / 4)
      fail(what, word);
    return *number;
  }

  [[noreturn]] void fail(const std::string &expected, std::string_view found) {
    text.fail(std::max<std::uint64_t>(text.linesRead(), 1),
              "expected " + expected + ", found " +
                  (found.empty() ? "the end of the file" : quoted(found)));
  }

  TextFile &text;
  std::string_view line;
};

bool isSpace(char byte) {
  return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

std::size_t countWords(std::string_view text) {
  std::size_t words = 0;
  bool wasSpace = true;
  for (const char byte : text) {
    const bool space = isSpace(byte);
    words += wasSpace && !space;
    wasSpace = space;
  }
  return words;
}

/// A chunk, and where its numbers belong.
struct Chunk {
  std::string_view text;
  std::uint64_t firstIndex = 0, words = 0;
  std::uint64_t lines = 0; ///< up to and including that of a mistake
  std::uint64_t lineOfFirstWord = 0;
  bool isFirstWordGood = false;
  std::string mistake;
};

template <VertexIdentifier VertexId, EdgeWeight Weight> class LigraParser {
public:
  LigraParser(TextFile &text, const Header &header)
      : text(text), header(header), firstTarget(header.vertices),
        firstWeight(firstTarget + header.edges),
        total(firstWeight + (header.hasWeights ? header.edges : 0)) {}

  EdgeList<VertexId, Weight> parse() {
    for (const auto *texts = &text.nextChunks(); !texts->empty();
         texts = &text.nextChunks()) {
      countChunks(*texts);
      parseChunks();
      text.reportProgress();
    }
    if (words < total)
      text.fail(text.linesRead() + 1, "expected " + std::to_string(total) +
                                          " numbers after the header, found "
                                          "the end of the file after " +
                                          std::to_string(words));
    return fillInSources();
  }

private:
  using EdgeType = Edge<VertexId, Weight>;

  void countChunks(const std::vector<std::string_view> &texts) {
    chunks.assign(texts.size(), {});
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < texts.size(); ++i) {
      chunks[i].text = texts[i];
      chunks[i].words = countWords(texts[i]);
    }
    for (Chunk &chunk : chunks) {
      chunk.firstIndex = words;
      words += chunk.words;
    }
    extendTo(offsets, std::min(words, firstTarget));
    extendTo(edges,
             std::min(std::max(words, firstTarget), firstWeight) - firstTarget);
  }

  template <typename T>
  void extendTo(GrowingArray<T> &array, std::uint64_t size) {
    if (size > array.size())
      array.extend(size - array.size(), text.expectedTotal(size));
  }

  void parseChunks() {
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < chunks.size(); ++i)
      parseChunk(chunks[i]);
    for (const Chunk &chunk : chunks) {
      checkFirstOffset(chunk);
      text.countLines(chunk.lines);
      if (!chunk.mistake.empty())
        text.fail(text.linesRead(), chunk.mistake);
    }
  }

  void parseChunk(Chunk &chunk) {
    const char *position = chunk.text.data(),
               *end = position + chunk.text.size();
    std::uint64_t index = chunk.firstIndex;
    while (position != end) {
      if (isSpace(*position)) {
        chunk.lines += *position++ == '\n';
        continue;
      }
      const bool isFirst = index == chunk.firstIndex;
      if (!parseWord(position, end, index, isFirst)) {
        ++chunk.lines;
        chunk.mistake = mistake(position, end, index);
        return;
      }
      if (isFirst) {
        chunk.lineOfFirstWord = chunk.lines + 1;
        chunk.isFirstWordGood = true;
      }
      ++index;
    }
    chunk.lines += end[-1] != '\n';
  }

  /// The offset before the first of a chunk may be another thread's.
  void checkFirstOffset(const Chunk &chunk) {
    const std::uint64_t index = chunk.firstIndex;
    if (index >= firstTarget || !chunk.isFirstWordGood)
      return;
    const std::uint64_t line = text.linesRead() + chunk.lineOfFirstWord;
    const std::string found =
        ", found " + quoted(std::to_string(offsets[index]));
    if (index == 0 && offsets[0] != 0)
      text.fail(line, "expected the offset 0" + found);
    if (index > 0 && offsets[index] < offsets[index - 1])
      text.fail(line, "expected " + expected(index) + found);
  }

  bool parseWord(const char *&position, const char *end, std::uint64_t index,
                 bool isFirstOfChunk) {
    const char *next = position;
    if (index < firstTarget) {
      std::uint64_t offset;
      if (!parseWhole(next, end, offset) || offset > header.edges ||
          (!isFirstOfChunk && offset < offsets[index - 1]))
        return false;
      offsets[index] = offset;
    } else if (index < firstWeight) {
      std::uint64_t target;
      if (!parseWhole(next, end, target) || target >= header.vertices)
        return false;
      edges[index - firstTarget].to = static_cast<VertexId>(target);
    } else if (index < total) {
      if (!parseWeight(next, end, edges[index - firstWeight].weight))
        return false;
    } else {
      return false;
    }
    if (next != end && !isSpace(*next))
      return false;
    position = next;
    return true;
  }

  static bool parseWhole(const char *&position, const char *end,
                         std::uint64_t &number) {
    if constexpr (CanParseWords) {
      const char *next = position;
      if (parseDigits(next, number) && next < end) {
        position = next;
        return true;
      }
    }
    const auto [stop, error] = std::from_chars(position, end, number);
    position = stop;
    return error == std::errc();
  }

  static bool parseWeight(const char *&position, const char *end,
                          Weight &weight) {
    if constexpr (std::same_as<Weight, Unweighted>) {
      double ignored = 0;
      const auto [stop, error] = std::from_chars(position, end, ignored);
      position = stop;
      return error != std::errc::invalid_argument && std::isfinite(ignored);
    } else {
      const auto [stop, error] = std::from_chars(position, end, weight);
      position = stop;
      if constexpr (std::is_floating_point_v<Weight>)
        if (!std::isfinite(weight))
          return false;
      return error == std::errc();
    }
  }

  std::string mistake(const char *position, const char *end,
                      std::uint64_t index) {
    const std::string_view word(
        position, static_cast<std::size_t>(
                      std::find_if(position, end, isSpace) - position));
    return "expected " + expected(index) + ", found " + quoted(word);
  }

  std::string expected(std::uint64_t index) {
    if (index < firstTarget)
      return "an offset, not below the last and of at most " +
             std::to_string(header.edges);
    if (index < firstWeight)
      return "a vertex below " + std::to_string(header.vertices);
    if (index < total)
      return "a weight of " + std::to_string(8 * sizeof(Weight)) + " bits";
    return "nothing more";
  }

  EdgeList<VertexId, Weight> fillInSources() {
    EdgeList<VertexId, Weight> list;
    list.vertexCount = static_cast<VertexId>(header.vertices);
    list.edges = edges.take();
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t v = 0; v < header.vertices; ++v) {
      const std::uint64_t end =
          v + 1 < header.vertices ? offsets[v + 1] : header.edges;
      for (std::uint64_t i = offsets[v]; i < end; ++i)
        list.edges[i].from = static_cast<VertexId>(v);
    }
    return list;
  }

  TextFile &text;
  const Header header;
  const std::uint64_t firstTarget, firstWeight, total;
  std::vector<Chunk> chunks;
  GrowingArray<std::uint64_t> offsets;
  GrowingArray<EdgeType> edges;
  std::uint64_t words = 0;
};

} // namespace

template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgesOfFile<VertexId, Weight> readLigra(const std::string &path,
                                        const ReadOptions &options) {
  const VertexId limit = vertexLimit<VertexId>(path, options);
  TextFile text(path, options);
  const Header header = HeaderReader(text).read();
  if (header.vertices > limit)
    text.fail(text.linesRead(), "expected at most " + std::to_string(limit) +
                                    " vertices, found " +
                                    std::to_string(header.vertices));
  if (header.vertices == 0 && header.edges > 0)
    text.fail(text.linesRead(), "expected no edges among no vertices, found " +
                                    std::to_string(header.edges));
  if (!std::same_as<Weight, Unweighted> && !header.hasWeights)
    text.fail(1, "expected 'WeightedAdjacencyGraph', found 'AdjacencyGraph'");
  EdgesOfFile<VertexId, Weight> result;
  result.list = LigraParser<VertexId, Weight>(text, header).parse();
  if (options.vertexCount)
    result.list.vertexCount = limit;
  return result;
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template EdgesOfFile<VertexId, Weight> readLigra(const std::string &,        \
                                                   const ReadOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)

} // namespace heddle::graph
