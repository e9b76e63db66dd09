//===- LigraParser.h - The numbers of an adjacency graph -------*- C++ -*-===//
//
// The meaning of a number depends on the number of those before it: each chunk
// is read twice, to count and to parse. A store receives the numbers and
// decides which of them are wanted, so that a graph may be read at once, or its
// offsets, targets and weights in parallel.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_LIGRAPARSER_H
#define HEDDLE_GRAPHLIB_FORMATS_LIGRAPARSER_H

#include "../files/Quote.h"
#include "../files/Words.h"
#include "headers/LigraHeader.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::graph {

inline bool isLigraSpace(char byte) {
  return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

inline std::size_t countLigraWords(std::string_view text) {
  std::size_t words = 0;
  bool wasSpace = true;
  for (const char byte : text) {
    const bool space = isLigraSpace(byte);
    words += wasSpace && !space;
    wasSpace = space;
  }
  return words;
}

/// A chunk, and where its numbers belong.
struct LigraChunk {
  std::string_view text;
  std::uint64_t firstIndex = 0, words = 0;
  std::uint64_t lines = 0; ///< up to and including that of a mistake
  std::uint64_t lineOfFirstWord = 0;
  bool isFirstWordGood = false;
  std::string mistake;
};

/// Parses the text behind a header. A store has these functions, of which those
/// that take a number are called by several threads:
///
///   void makeRoom(uint64_t begin, uint64_t end); // for these numbers
///   bool wants(uint64_t index) const;            // of a number
///   uint64_t offset(uint64_t vertex) const;
///   void setOffset(uint64_t vertex, uint64_t offset);
///   void setTarget(uint64_t edge, VertexId target);
///   void setWeight(uint64_t edge, Weight weight);
///
/// Numbers that are not wanted are not parsed. If any offsets are wanted then
/// all are.
template <VertexIdentifier VertexId, EdgeWeight Weight, typename Store>
class LigraParser {
public:
  LigraParser(TextFile &text, const LigraHeader &header, Store &store)
      : text(text), header(header), store(store) {}

  /// Parses the next lines. Returns false after the last. Throws Error for the
  /// first number that is wrong, or if there are too few.
  bool parseLines() {
    const std::vector<std::string_view> &texts = text.nextChunks();
    if (texts.empty()) {
      expectAll();
      return false;
    }
    const std::uint64_t before = words;
    countChunks(texts);
    store.makeRoom(before, words);
    parseChunks();
    text.reportProgress();
    return true;
  }

private:
  void expectAll() const {
    if (words < header.total())
      text.fail(text.linesRead() + 1,
                "expected " + std::to_string(header.total()) +
                    " numbers after the header, found the end of the file "
                    "after " +
                    std::to_string(words));
  }

  void countChunks(const std::vector<std::string_view> &texts) {
    chunks.assign(texts.size(), {});
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < texts.size(); ++i) {
      chunks[i].text = texts[i];
      chunks[i].words = countLigraWords(texts[i]);
    }
    for (LigraChunk &chunk : chunks) {
      chunk.firstIndex = words;
      words += chunk.words;
    }
  }

  void parseChunks() {
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < chunks.size(); ++i)
      parseChunk(chunks[i]);
    for (const LigraChunk &chunk : chunks) {
      checkFirstOffset(chunk);
      text.countLines(chunk.lines);
      if (!chunk.mistake.empty())
        text.fail(text.linesRead(), chunk.mistake);
    }
  }

  void parseChunk(LigraChunk &chunk) {
    const char *position = chunk.text.data(),
               *end = position + chunk.text.size();
    std::uint64_t index = chunk.firstIndex;
    while (position != end) {
      if (isLigraSpace(*position)) {
        chunk.lines += *position++ == '\n';
        continue;
      }
      if (!store.wants(index)) {
        position = std::find_if(position, end, isLigraSpace);
        ++index;
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
  void checkFirstOffset(const LigraChunk &chunk) {
    const std::uint64_t index = chunk.firstIndex;
    if (index >= header.firstTarget() || !chunk.isFirstWordGood)
      return;
    const std::uint64_t line = text.linesRead() + chunk.lineOfFirstWord;
    const std::string found =
        ", found " + graph::quoted(std::to_string(store.offset(index)));
    if (index == 0 && store.offset(0) != 0)
      text.fail(line, "expected the offset 0" + found);
    if (index > 0 && store.offset(index) < store.offset(index - 1))
      text.fail(line, "expected " + expected(index) + found);
  }

  bool parseWord(const char *&position, const char *end, std::uint64_t index,
                 bool isFirstOfChunk) {
    const char *next = position;
    if (index < header.firstTarget()) {
      std::uint64_t offset;
      if (!parseWhole(next, end, offset) || offset > header.edges ||
          (!isFirstOfChunk && offset < store.offset(index - 1)))
        return false;
      store.setOffset(index, offset);
    } else if (index < header.firstWeight()) {
      std::uint64_t target;
      if (!parseWhole(next, end, target) || target >= header.vertices)
        return false;
      store.setTarget(index - header.firstTarget(),
                      static_cast<VertexId>(target));
    } else if (index < header.total()) {
      Weight weight = {};
      if (!parseWeight(next, end, weight))
        return false;
      store.setWeight(index - header.firstWeight(), weight);
    } else {
      return false;
    }
    if (next != end && !isLigraSpace(*next))
      return false;
    position = next;
    return true;
  }

  std::string mistake(const char *position, const char *end,
                      std::uint64_t index) {
    const std::string_view word(
        position, static_cast<std::size_t>(
                      std::find_if(position, end, isLigraSpace) - position));
    return "expected " + expected(index) + ", found " + quoted(word);
  }

  std::string expected(std::uint64_t index) {
    if (index < header.firstTarget())
      return "an offset, not below the last and of at most " +
             std::to_string(header.edges);
    if (index < header.firstWeight())
      return "a vertex below " + std::to_string(header.vertices);
    if (index < header.total() && std::same_as<Weight, Unweighted>)
      return "a weight";
    if (index < header.total())
      return "a weight of " + std::to_string(8 * sizeof(Weight)) + " bits";
    return "nothing more";
  }

  TextFile &text;
  const LigraHeader header;
  Store &store;
  std::vector<LigraChunk> chunks;
  std::uint64_t words = 0;
};

} // namespace heddle::graph

#endif
