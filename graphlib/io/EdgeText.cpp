//===- EdgeText.cpp - Lines that are edges, parsed in parallel -----------===//
//
// Each chunk counts its lines and stops at its first mistake, so that the first
// chunk with one has the first of the file.
//
//===----------------------------------------------------------------------===//

#include "EdgeText.h"

#include "EdgeLineParser.h"
#include "GrowingArray.h"
#include "Instantiate.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <string_view>
#include <vector>

namespace heddle::graph {
namespace {

/// What a thread has found in a chunk. Is used again for other chunks, to keep
/// its memory.
template <VertexIdentifier VertexId, EdgeWeight Weight> struct ParsedChunk {
  Array<Edge<VertexId, Weight>> edges;
  std::size_t edgeCount = 0;
  VertexId vertexCount = 0;              ///< one more than the highest vertex
  std::uint64_t lineOfHighestVertex = 0; ///< within the chunk, from 1
  std::uint64_t otherLines = 0;          ///< that are no edges
  std::string mistake;
  std::exception_ptr failure;

  /// Parses at most `mostEdges` of the edges in `text`.
  void parse(std::string_view text, EdgeLineParser<VertexId, Weight> parser,
             std::size_t mostEdges = std::numeric_limits<std::size_t>::max()) {
    makeRoom(text.size());
    edgeCount = otherLines = lineOfHighestVertex = 0;
    vertexCount = 0;
    const char *position = text.data(), *end = position + text.size();
    while (position != end && mistake.empty() && edgeCount < mostEdges)
      position = parseWindow(position, end, parser, mostEdges);
  }

  /// Up to and including that of the mistake.
  std::uint64_t lines() const { return edgeCount + otherLines; }

private:
  void makeRoom(std::size_t textBytes) {
    constexpr std::size_t fewestBytesOfLine = 4; // two digits, blank, LF
    const std::size_t mostEdges = textBytes / fewestBytesOfLine + 1;
    if (edges.size() < mostEdges)
      edges = Array<Edge<VertexId, Weight>>(mostEdges);
  }

  /// Parses what it can without looking far ahead, a line at least, and returns
  /// where the next begins.
  const char *parseWindow(const char *begin, const char *end,
                          EdgeLineParser<VertexId, Weight> &parser,
                          std::size_t mostEdges) {
    NumberEnds ends;
    const char *windowEnd =
        begin + ends.find(begin, static_cast<std::size_t>(end - begin));
    NumberCursor cursor(begin, ends);
    while (true) {
      parseUsualLines(cursor, parser, mostEdges);
      const char *line = cursor.position();
      const bool isCutOff = windowEnd != end && line != begin &&
                            !cursor.hasEnds(parser.Columns + 1);
      if (edgeCount == mostEdges || line >= windowEnd || isCutOff)
        return line;
      const char *next = parseLine(line, end, parser);
      if (next == end)
        return end;
      cursor.skipTo(next);
    }
  }

  void parseUsualLines(NumberCursor &cursor,
                       EdgeLineParser<VertexId, Weight> &parser,
                       std::size_t mostEdges) {
    // What other functions see lies in memory, this edge in registers.
    NumberCursor next = cursor;
    for (Edge<VertexId, Weight> edge;
         edgeCount < mostEdges && parser.parseUsual(next, edge);)
      add(edge);
    cursor = next;
  }

  /// Parses any line and returns where the next begins; after a mistake there
  /// is none.
  const char *parseLine(const char *line, const char *end,
                        EdgeLineParser<VertexId, Weight> &parser) {
    const void *found =
        std::memchr(line, '\n', static_cast<std::size_t>(end - line));
    const char *lineEnd = found ? static_cast<const char *>(found) : end;
    Edge<VertexId, Weight> edge;
    const LineContent content = parser.parse(line, lineEnd, edge);
    if (content == LineContent::Edge)
      add(edge);
    else
      ++otherLines;
    if (content == LineContent::Mistake) {
      mistake = parser.mistake();
      return end;
    }
    return lineEnd == end ? end : lineEnd + 1;
  }

  void add(const Edge<VertexId, Weight> &edge) {
    edges[edgeCount++] = edge;
    const VertexId highest = std::max(edge.from, edge.to);
    if (highest >= vertexCount) {
      vertexCount = highest + 1;
      lineOfHighestVertex = lines();
    }
  }
};

template <VertexIdentifier VertexId, EdgeWeight Weight> class EdgeTextParser {
public:
  EdgeTextParser(TextFile &text, const EdgeTextForm<VertexId> &form)
      : text(text), form(form), lineParser(form.vertexLimit, form.firstVertex) {
  }

  ParsedEdges<VertexId, Weight> parse() {
    for (const auto *texts = &text.nextChunks(); !texts->empty();
         texts = &text.nextChunks()) {
      parseChunks(*texts);
      appendChunks(*texts);
      text.reportProgress();
    }
    if (form.edgeCount && edges.size() < *form.edgeCount)
      text.fail(text.linesRead() + 1,
                "expected " + std::to_string(*form.edgeCount) +
                    " entries, found the end of the file after " +
                    std::to_string(edges.size()));
    result.list.edges = edges.take();
    return std::move(result);
  }

private:
  using Chunk = ParsedChunk<VertexId, Weight>;

  void parseChunks(const std::vector<std::string_view> &texts) {
    chunks.resize(std::max(chunks.size(), texts.size()));
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < texts.size(); ++i) {
      // Nothing may be thrown out of a parallel loop.
      try {
        chunks[i].parse(texts[i], lineParser);
      } catch (...) {
        chunks[i].failure = std::current_exception();
      }
    }
  }

  /// Moves what was parsed from `texts` behind the edges before it.
  void appendChunks(const std::vector<std::string_view> &texts) {
    std::vector<std::size_t> begin(texts.size());
    std::size_t fresh = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      begin[i] = fresh;
      checkChunk(texts[i], chunks[i], edges.size() + fresh);
      fresh += chunks[i].edgeCount;
    }
    Edge<VertexId, Weight> *first =
        edges.extend(fresh, text.expectedTotal(edges.size() + fresh));
    // Fewer are copied sooner than threads are woken.
    constexpr std::size_t enoughForThreads = std::size_t(1) << 12;
#pragma omp parallel for schedule(dynamic, 1) if (fresh > enoughForThreads)
    for (std::size_t i = 0; i < texts.size(); ++i)
      std::copy_n(chunks[i].edges.begin(), chunks[i].edgeCount,
                  first + begin[i]);
  }

  void checkChunk(std::string_view chunkText, Chunk &chunk,
                  std::size_t edgesBefore) {
    if (chunk.failure)
      std::rethrow_exception(chunk.failure);
    const std::uint64_t linesBefore = text.linesRead();
    if (form.edgeCount && chunk.edgeCount > *form.edgeCount - edgesBefore) {
      chunk.parse(chunkText, lineParser, *form.edgeCount - edgesBefore + 1);
      text.fail(linesBefore + chunk.lines(),
                "expected no more than " + std::to_string(*form.edgeCount) +
                    " entries, found another");
    }
    text.countLines(chunk.lines());
    if (!chunk.mistake.empty())
      text.fail(text.linesRead(), chunk.mistake);
    if (chunk.vertexCount > result.list.vertexCount) {
      result.list.vertexCount = chunk.vertexCount;
      result.lineOfHighestVertex = linesBefore + chunk.lineOfHighestVertex;
    }
  }

  TextFile &text;
  const EdgeTextForm<VertexId> &form;
  const EdgeLineParser<VertexId, Weight> lineParser;
  std::vector<Chunk> chunks;
  GrowingArray<Edge<VertexId, Weight>> edges;
  ParsedEdges<VertexId, Weight> result;
};

} // namespace

template <VertexIdentifier VertexId, EdgeWeight Weight>
ParsedEdges<VertexId, Weight> parseEdges(TextFile &text,
                                         const EdgeTextForm<VertexId> &form) {
  return EdgeTextParser<VertexId, Weight>(text, form).parse();
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template ParsedEdges<VertexId, Weight> parseEdges(                           \
      TextFile &, const EdgeTextForm<VertexId> &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)

} // namespace heddle::graph
