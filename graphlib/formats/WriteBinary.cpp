//===- WriteBinary.cpp - .pairs, .sg, .wsg and .hgraph -------------------===//

#include "../files/Checksum.h"
#include "../files/Instantiate.h"
#include "NativeFormat.h"
#include "PairsFile.h"
#include "Writers.h"
#include "heddle/graph/Error.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace heddle::graph {
namespace {

template <typename T> std::span<const char> bytesOf(std::span<const T> values) {
  return {reinterpret_cast<const char *>(values.data()), values.size_bytes()};
}
template <typename T> std::span<const T> spanOf(const Array<T> &array) {
  return {array.data(), array.size()};
}

/// Offsets of a graph without vertices may be missing.
std::span<const std::uint64_t> offsetsOf(const Array<std::uint64_t> &offsets) {
  static constexpr std::uint64_t zero = 0;
  if (offsets.empty())
    return {&zero, 1};
  return spanOf(offsets);
}

/// Targets as .sg has them, each with its weight in a .wsg.
template <bool WithWeights, VertexIdentifier VertexId, EdgeWeight Weight>
void writeGapTargets(OutputFile &file, const CsrRows<VertexId, Weight> &rows) {
  constexpr std::size_t edgeBytes = WithWeights ? 8 : 4;
  constexpr std::uint64_t edgesInPiece = (std::uint64_t(1) << 20) / edgeBytes;
  const std::uint64_t edges = rows.targets.size();
  file.writePieces(
      (edges + edgesInPiece - 1) / edgesInPiece,
      [&](std::uint64_t piece, std::vector<char> &bytes) {
        const std::uint64_t begin = piece * edgesInPiece;
        const std::uint64_t end = std::min(begin + edgesInPiece, edges);
        bytes.resize((end - begin) * edgeBytes);
        char *to = bytes.data();
        for (std::uint64_t i = begin; i < end; ++i, to += edgeBytes) {
          const auto target = static_cast<std::uint32_t>(rows.targets[i]);
          std::memcpy(to, &target, sizeof(target));
          if constexpr (WithWeights)
            std::memcpy(to + 4, &rows.weights[i], 4);
        }
      });
}

template <bool WithWeights, VertexIdentifier VertexId, EdgeWeight Weight>
void writeGapRows(OutputFile &file, const Csr<VertexId, Weight> &graph) {
  const auto writeRows = [&](const CsrRows<VertexId, Weight> &rows) {
    file.write(bytesOf(offsetsOf(rows.offsets)));
    writeGapTargets<WithWeights>(file, rows);
  };
  writeRows(graph.outRows());
  if (graph.isDirected())
    writeRows(graph.inRows());
}

/// Lays the arrays of a graph out in a file.
template <VertexIdentifier VertexId, EdgeWeight Weight> class NativeWriter {
public:
  NativeWriter(OutputFile &file, const Csr<VertexId, Weight> &graph)
      : file(file), graph(graph) {}

  void write() {
    header.magic = native::Magic;
    header.byteOrder = native::ByteOrder;
    header.version = native::Version;
    header.vertexBytes = sizeof(VertexId);
    header.weightType = native::weightTypeOf<Weight>();
    header.directed = graph.isDirected();
    header.vertices = graph.vertexCount();
    header.edges = graph.edgeCount();
    layOutRows(native::OutOffsets, graph.outRows());
    if (graph.isDirected())
      layOutRows(native::InOffsets, graph.inRows());
    header.checksum = checksum(std::as_bytes(std::span(&header, 1))
                                   .first(offsetof(native::Header, checksum)));

    file.write(bytesOf(std::span<const native::Header>(&header, 1)));
    for (std::size_t i = 0; i < native::SectionCount; ++i) {
      const std::vector<char> gap(
          std::max(header.sections[i].offset, file.size()) - file.size());
      file.write(gap);
      file.write(contents[i]);
    }
  }

private:
  void layOutRows(std::size_t first, const CsrRows<VertexId, Weight> &rows) {
    layOut(first, bytesOf(offsetsOf(rows.offsets)));
    layOut(first + 1, bytesOf(spanOf(rows.targets)));
    if constexpr (!std::same_as<Weight, Unweighted>)
      layOut(first + 2, bytesOf(spanOf(rows.weights)));
  }

  void layOut(std::size_t index, std::span<const char> bytes) {
    constexpr std::uint64_t alignment = native::SectionAlignment;
    contents[index] = bytes;
    header.sections[index] = {.offset =
                                  (end + alignment - 1) / alignment * alignment,
                              .bytes = bytes.size(),
                              .checksum = checksum(std::as_bytes(bytes)),
                              .padding = 0};
    end = header.sections[index].offset + bytes.size();
  }

  OutputFile &file;
  const Csr<VertexId, Weight> &graph;
  native::Header header = {};
  std::array<std::span<const char>, native::SectionCount> contents;
  std::uint64_t end = sizeof(native::Header);
};

} // namespace

template <VertexIdentifier VertexId, EdgeWeight Weight>
void writePairs(OutputFile &file, const Csr<VertexId, Weight> &graph,
                const std::string &path) {
  if (graph.vertexCount() > MostVertices<std::uint32_t>)
    throw Error(path + ": expected at most " +
                std::to_string(MostVertices<std::uint32_t>) +
                " vertices for this format, found " +
                std::to_string(graph.vertexCount()));
  const bool directed = graph.isDirected();
  const auto &rows = graph.outRows();
  writeWantedEdges(
      file, rows, sizeof(PairWords<Weight>),
      [&](std::uint64_t from, std::uint64_t to) {
        return directed || from <= to;
      },
      [&](std::uint64_t from, std::uint64_t target,
          [[maybe_unused]] std::uint64_t index, char *to) {
        PairWords<Weight> words = {
            pairWord(static_cast<std::uint32_t>(from)),
            pairWord(static_cast<std::uint32_t>(target))};
        if constexpr (std::same_as<PairWeight<Weight>, Weight>)
          words[2] =
              pairWord(std::bit_cast<std::uint32_t>(rows.weights[index]));
        std::memcpy(to, words.data(), sizeof(words));
        return to + sizeof(words);
      });
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeGap(OutputFile &file, const Csr<VertexId, Weight> &graph,
              bool withWeights, const std::string &path) {
  if (graph.vertexCount() > INT32_MAX)
    throw Error(path + ": expected at most " + std::to_string(INT32_MAX) +
                " vertices for this format, found " +
                std::to_string(graph.vertexCount()));
  std::array<char, 17> header;
  const std::uint64_t edges = graph.edgeCount(), vertices = graph.vertexCount();
  header[0] = graph.isDirected();
  std::memcpy(&header[1], &edges, sizeof(edges));
  std::memcpy(&header[9], &vertices, sizeof(vertices));
  file.write(header);
  if (!withWeights)
    return writeGapRows<false>(file, graph);
  if constexpr (std::same_as<Weight, std::int32_t>)
    writeGapRows<true>(file, graph);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeNative(OutputFile &file, const Csr<VertexId, Weight> &graph) {
  NativeWriter<VertexId, Weight>(file, graph).write();
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template void writePairs(OutputFile &, const Csr<VertexId, Weight> &,        \
                           const std::string &);                               \
  template void writeGap(OutputFile &, const Csr<VertexId, Weight> &, bool,    \
                         const std::string &);                                 \
  template void writeNative(OutputFile &, const Csr<VertexId, Weight> &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)

} // namespace heddle::graph
