//===- WriteGraph.cpp - Graphs to files of any format --------------------===//

#include "heddle/graph/WriteGraph.h"

#include "Formats.h"

namespace heddle::graph {
namespace {

template <EdgeWeight Weight>
GraphFormat checkFormat(const std::string &path,
                        const WriteGraphOptions &options) {
  const std::optional<GraphFormat> format =
      options.format ? options.format : formatOfOutput(path);
  if (!format)
    throw Error(path + ": expected a name that ends in " +
                outputEndingsInWords());
  const FormatDescription &description = descriptionOf(*format);
  if (description.isMapped && (path.ends_with(".gz") || path.ends_with(".zst")))
    throw Error(path + ": expected a name without .gz or .zst for a file that "
                       "is to be mapped");
  if (description.weightProblem)
    if (const char *problem =
            description.weightProblem(WeightKind::of<Weight>()))
      throw Error(path + ": " + problem);
  return *format;
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
  visitFormat(format, [&](auto chosen) { chosen.write(file, graph, path); });
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
#undef HEDDLE_INSTANTIATE

} // namespace heddle::graph
