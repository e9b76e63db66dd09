//===- WriteGraph.cpp - The writer that a file calls for -----------------===//

#include "heddle/graph/WriteGraph.h"

#include "../files/Instantiate.h"
#include "../files/OutputFile.h"
#include "Writers.h"

namespace heddle::graph {
namespace {

GraphFormat formatOf(const std::string &path,
                     const WriteGraphOptions &options) {
  if (options.format)
    return *options.format;
  if (const auto format = formatOfName(path))
    return *format;
  for (const char *text : {".txt", ".txt.gz", ".txt.zst"})
    if (path.ends_with(text))
      return GraphFormat::EdgeList;
  throw Error(path +
              ": expected a name that ends in .el, .wel, .txt, .csv, "
              ".tsv, .edges, .pairs, .mtx, .adj, .wadj, .sg, .wsg or .hgraph");
}

/// What programs that know the name expect of the lines.
EdgeLineForm edgeLineForm(const std::string &path) {
  const auto isNamed = [&](std::string end) {
    return path.ends_with(end) || path.ends_with(end + ".gz") ||
           path.ends_with(end + ".zst");
  };
  EdgeLineForm form;
  form.withWeights = !isNamed(".el");
  form.withComment = isNamed(".txt");
  if (isNamed(".csv"))
    form.separator = ',';
  if (isNamed(".tsv"))
    form.separator = '\t';
  return form;
}

template <EdgeWeight Weight>
GraphFormat checkFormat(const std::string &path,
                        const WriteGraphOptions &options) {
  const GraphFormat format = formatOf(path, options);
  if (format == GraphFormat::Native &&
      (path.ends_with(".gz") || path.ends_with(".zst")))
    throw Error(path + ": expected a name without .gz or .zst for a file that "
                       "is to be mapped");
  if (format == GraphFormat::GapWeighted && !std::same_as<Weight, std::int32_t>)
    throw Error(path + ": expected integer weights of 32 bits for this "
                       "format, found none or others");
  if (format == GraphFormat::Pairs && std::is_arithmetic_v<Weight> &&
      sizeof(Weight) != sizeof(std::uint32_t))
    throw Error(path + ": expected weights of 32 bits for this format, or "
                       "none, found others");
  return format;
}

} // namespace

template <EdgeWeight Weight>
void checkWritable(const std::string &path, const WriteGraphOptions &options) {
  checkFormat<Weight>(path, options);
  if (!OutputFile::isWrittenAtOnce(path))
    OutputFile unused(path);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeGraph(const std::string &path, const Csr<VertexId, Weight> &graph,
                const WriteGraphOptions &options) {
  const GraphFormat format = checkFormat<Weight>(path, options);
  OutputFile file(path);
  switch (format) {
  case GraphFormat::EdgeList:
    writeEdgeList(file, graph, edgeLineForm(path));
    break;
  case GraphFormat::Pairs:
    writePairs(file, graph, path);
    break;
  case GraphFormat::MatrixMarket:
    writeMatrixMarket(file, graph);
    break;
  case GraphFormat::Ligra:
    writeLigra(file, graph);
    break;
  case GraphFormat::Gap:
  case GraphFormat::GapWeighted:
    writeGap(file, graph, format == GraphFormat::GapWeighted, path);
    break;
  case GraphFormat::Native:
    writeNative(file, graph);
    break;
  }
  file.commit();
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template void writeGraph(const std::string &, const Csr<VertexId, Weight> &, \
                           const WriteGraphOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template void checkWritable<Weight>(const std::string &,                     \
                                      const WriteGraphOptions &);
HEDDLE_FOR_ALL_WEIGHTS(HEDDLE_INSTANTIATE, std::uint32_t)

} // namespace heddle::graph
