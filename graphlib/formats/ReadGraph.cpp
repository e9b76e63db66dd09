//===- ReadGraph.cpp - The reader that a file calls for ------------------===//

#include "heddle/graph/ReadGraph.h"

#include "../files/ByteSource.h"
#include "../files/Instantiate.h"
#include "Formats.h"
#include "NativeFormat.h"
#include "heddle/graph/RandomWeights.h"

#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

namespace heddle::graph {
namespace {

GraphFormat formatOfContent(const std::string &path) {
  // What is read from a pipe would be missing later.
  std::error_code isNoFile;
  if (!std::filesystem::is_regular_file(path, isNoFile))
    return GraphFormat::EdgeList;
  std::array<char, 32> bytes;
  const std::size_t got = openByteSource(path)->read(bytes);
  std::string_view start(bytes.data(), got);
  constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
  if (start.starts_with(byteOrderMark))
    start.remove_prefix(byteOrderMark.size());
  if (start.starts_with("%%MatrixMarket"))
    return GraphFormat::MatrixMarket;
  if (start.starts_with("AdjacencyGraph") ||
      start.starts_with("WeightedAdjacencyGraph"))
    return GraphFormat::Ligra;
  if (start.starts_with(
          std::string_view(native::Magic.data(), native::Magic.size())))
    return GraphFormat::Native;
  return GraphFormat::EdgeList;
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> build(EdgesOfFile<VertexId, Weight> edges,
                            BuildOptions options) {
  options.directed = edges.directed.value_or(options.directed);
  return buildCsr(edges.list, options);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> readFile(const std::string &path,
                               const ReadGraphOptions &options) {
  switch (options.format ? *options.format : formatOfFile(path)) {
  case GraphFormat::EdgeList:
    return build<VertexId, Weight>(
        {readEdgeList<VertexId, Weight>(path, options.text)}, options.build);
  case GraphFormat::Pairs:
    return build<VertexId, Weight>(
        {readPairs<VertexId, Weight>(path, options.text)}, options.build);
  case GraphFormat::MatrixMarket:
    return build(readMatrixMarket<VertexId, Weight>(path, options.text),
                 options.build);
  case GraphFormat::Ligra:
    return build(readLigra<VertexId, Weight>(path, options.text),
                 options.build);
  case GraphFormat::Gap:
    return readGap<VertexId, Weight>(path, false, options.text);
  case GraphFormat::GapWeighted:
    return readGap<VertexId, Weight>(path, true, options.text);
  case GraphFormat::Native:
    return readNative<VertexId, Weight>(path, options);
  }
  __builtin_unreachable();
}

} // namespace

GraphFormat formatOfFile(const std::string &path) {
  if (const auto format = formatOfName(path))
    return *format;
  return formatOfContent(path);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> readGraph(const std::string &path,
                                const ReadGraphOptions &options) {
  if constexpr (!std::same_as<Weight, Unweighted>)
    if (options.randomWeightSeed)
      return withRandomWeights<Weight>(
          readFile<VertexId, Unweighted>(path, options),
          *options.randomWeightSeed);
  return readFile<VertexId, Weight>(path, options);
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template Csr<VertexId, Weight> readGraph(const std::string &,                \
                                           const ReadGraphOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)

} // namespace heddle::graph
