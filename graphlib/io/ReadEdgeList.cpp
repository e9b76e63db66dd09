//===- ReadEdgeList.cpp - Edge lists, parsed in parallel -----------------===//
//
// Blocks of whole lines are read one after the other; each is cut at line ends
// into chunks that threads parse. A chunk counts its lines and stops at its
// first mistake, so that the first chunk with one has the first of the file.
//
//===----------------------------------------------------------------------===//

#include "heddle/graph/ReadEdgeList.h"

#include "ByteSource.h"
#include "EdgeLineParser.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string_view>
#include <vector>

namespace heddle::graph {
namespace {

constexpr std::size_t ChunksInBlock = 32;
constexpr std::size_t MostLineBytes = std::size_t(1) << 24;

[[noreturn]] void failAt(const std::string &path, std::uint64_t line,
                         const std::string &problem) {
  throw Error(path + ":" + std::to_string(line) + ": " + problem);
}

/// Cuts a file into blocks of whole lines.
class BlockReader {
public:
  BlockReader(ByteSource &source, std::size_t blockBytes)
      : source(source), buffer(blockBytes) {}

  /// The next lines; empty at the end of the data or before damage. Valid until
  /// the next call.
  std::string_view next() {
    // What the last block left of a line begins the next.
    std::copy(buffer.begin() + used, buffer.begin() + filled, buffer.begin());
    filled -= used;
    used = 0;
    while (true) {
      const std::size_t room = buffer.size() - filled;
      const std::size_t got = source.read(std::span(buffer).subspan(filled));
      filled += got;
      const std::string_view text(buffer.data(), filled);
      // The last line may lack its end, but not where the rest was lost.
      if (got < room && source.damage().empty())
        used = filled;
      else
        used = text.rfind('\n') + 1;
      if (used > 0 || got < room)
        return text.substr(0, used);
      if (filled > MostLineBytes) {
        isLineTooLong = true;
        return {};
      }
      grow();
    }
  }

  /// Whether next() stopped at a line that is out of all proportion.
  bool lineTooLong() const { return isLineTooLong; }

private:
  void grow() {
    Array<char> larger(2 * buffer.size());
    std::copy(buffer.begin(), buffer.end(), larger.begin());
    buffer = std::move(larger);
  }

  ByteSource &source;
  Array<char> buffer;
  std::size_t filled = 0, used = 0;
  bool isLineTooLong = false;
};

/// Cuts a block at the line ends that follow each `chunkBytes`.
std::vector<std::string_view> cutIntoChunks(std::string_view block,
                                            std::size_t chunkBytes) {
  std::vector<std::string_view> chunks;
  while (!block.empty()) {
    const std::size_t lineEnd = chunkBytes < block.size()
                                    ? block.find('\n', chunkBytes - 1)
                                    : std::string_view::npos;
    const std::size_t size =
        lineEnd == std::string_view::npos ? block.size() : lineEnd + 1;
    chunks.push_back(block.substr(0, size));
    block.remove_prefix(size);
  }
  return chunks;
}

/// What a thread has found in a chunk.
template <VertexIdentifier VertexId, EdgeWeight Weight> struct ParsedChunk {
  std::vector<Edge<VertexId, Weight>> edges;
  VertexId vertexCount = 0; ///< one more than the highest vertex
  std::uint64_t lines = 0;  ///< up to and including that of the mistake
  std::string mistake;
  std::exception_ptr failure;

  void parse(std::string_view text, VertexId vertexLimit) {
    edges.reserve(static_cast<std::size_t>(
        std::count(text.begin(), text.end(), '\n') + 1));
    EdgeLineParser<VertexId, Weight> parser(vertexLimit);
    const char *position = text.data(), *end = position + text.size();
    while (position != end) {
      const void *found =
          std::memchr(position, '\n', static_cast<std::size_t>(end - position));
      const char *lineEnd = found ? static_cast<const char *>(found) : end;
      ++lines;
      Edge<VertexId, Weight> edge;
      const LineContent content = parser.parse(position, lineEnd, edge);
      if (content == LineContent::Mistake) {
        mistake = parser.mistake();
        return;
      }
      if (content == LineContent::Edge) {
        edges.push_back(edge);
        vertexCount = std::max(
            {vertexCount, edge.from + VertexId(1), edge.to + VertexId(1)});
      }
      position = lineEnd == end ? end : lineEnd + 1;
    }
  }
};

template <VertexIdentifier VertexId, EdgeWeight Weight> class EdgeListReader {
public:
  using Chunk = ParsedChunk<VertexId, Weight>;

  EdgeListReader(const std::string &path, const ReadOptions &options)
      : path(path), options(options),
        chunkBytes(std::max<std::size_t>(options.chunkBytes, 1)) {}

  EdgeList<VertexId, Weight> read() {
    const VertexId limit = vertexLimit();
    const auto source = openByteSource(path);
    BlockReader blocks(*source, ChunksInBlock * chunkBytes);
    for (std::string_view block = blocks.next(); !block.empty();
         block = blocks.next()) {
      parseBlock(block, limit);
      if (options.progress)
        options.progress(source->doneBytes(), source->totalBytes());
    }
    if (blocks.lineTooLong())
      failAt(path, lines + 1,
             "expected a line of at most " + std::to_string(MostLineBytes) +
                 " bytes, found a longer one");
    if (!source->damage().empty())
      failAt(path, lines + 1, source->damage());
    return join();
  }

private:
  /// Vertices of the file must be below this.
  VertexId vertexLimit() const {
    const std::uint64_t count =
        options.vertexCount.value_or(MostVertices<VertexId>);
    if (count > MostVertices<VertexId>)
      throw Error(path + ": expected at most " +
                  std::to_string(MostVertices<VertexId>) +
                  " vertices, found a vertex count of " +
                  std::to_string(count));
    return static_cast<VertexId>(count);
  }

  void parseBlock(std::string_view block, VertexId limit) {
    const auto texts = cutIntoChunks(block, chunkBytes);
    const std::size_t first = chunks.size();
    chunks.resize(first + texts.size());
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < texts.size(); ++i) {
      Chunk &chunk = chunks[first + i];
      // Nothing may be thrown out of a parallel loop.
      try {
        chunk.parse(texts[i], limit);
      } catch (...) {
        chunk.failure = std::current_exception();
      }
    }
    for (std::size_t i = first; i < chunks.size(); ++i) {
      if (chunks[i].failure)
        std::rethrow_exception(chunks[i].failure);
      lines += chunks[i].lines;
      if (!chunks[i].mistake.empty())
        failAt(path, lines, chunks[i].mistake);
    }
  }

  EdgeList<VertexId, Weight> join() {
    std::vector<std::size_t> begin(chunks.size());
    std::size_t total = 0;
    EdgeList<VertexId, Weight> list;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      begin[i] = total;
      total += chunks[i].edges.size();
      list.vertexCount = std::max(list.vertexCount, chunks[i].vertexCount);
    }
    if (options.vertexCount)
      list.vertexCount = static_cast<VertexId>(*options.vertexCount);
    list.edges = Array<Edge<VertexId, Weight>>(total);
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      std::copy(chunks[i].edges.begin(), chunks[i].edges.end(),
                list.edges.begin() + begin[i]);
      chunks[i] = Chunk();
    }
    return list;
  }

  const std::string &path;
  const ReadOptions &options;
  const std::size_t chunkBytes;
  std::vector<Chunk> chunks;
  std::uint64_t lines = 0; ///< in the blocks that have been parsed
};

} // namespace

template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgeList<VertexId, Weight> readEdgeList(const std::string &path,
                                        const ReadOptions &options) {
  return EdgeListReader<VertexId, Weight>(path, options).read();
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template EdgeList<VertexId, Weight> readEdgeList<VertexId, Weight>(          \
      const std::string &, const ReadOptions &);
#define HEDDLE_INSTANTIATE_WEIGHTS(VertexId)                                   \
  HEDDLE_INSTANTIATE(VertexId, Unweighted)                                     \
  HEDDLE_INSTANTIATE(VertexId, std::int32_t)                                   \
  HEDDLE_INSTANTIATE(VertexId, std::int64_t)                                   \
  HEDDLE_INSTANTIATE(VertexId, float)                                          \
  HEDDLE_INSTANTIATE(VertexId, double)
HEDDLE_INSTANTIATE_WEIGHTS(std::uint32_t)
HEDDLE_INSTANTIATE_WEIGHTS(std::uint64_t)

} // namespace heddle::graph
