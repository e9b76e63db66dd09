//===- OocContext.cpp - The context of `heddle bench ooc` -----------------===//

#include "OocContext.h"

#include "../../command/Error.h"
#include "../Report.h"
#include "../measure/Isolate.h"

#include "heddle/graph/Generate.h"
#include "heddle/graph/ReadGraph.h"
#include "heddle/graph/ToCsr.h"
#include "heddle/graph/WriteGraph.h"
#include "heddle/graph/ooc/Prepare.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <omp.h>

namespace heddle::bench {

namespace {

graph::Csr<> makeGraph(const std::string &file, unsigned scale, unsigned degree,
                       bool hasLongPaths) {
  const graph::BuildOptions build = {.directed = false, .dropSelfLoops = true};
  if (!file.empty()) {
    graph::Csr<> graph = graph::readGraph(file, {.build = build});
    if (graph.isDirected())
      throw Error(file + ": expected a graph whose edges lead both ways");
    return graph;
  }
  if (hasLongPaths) {
    // About as long as the railways of the world, if there are enough vertices.
    const unsigned columns = std::min(scale, 11u);
    return buildCsr(graph::generateGrid(std::uint64_t(1) << (scale - columns),
                                        std::uint64_t(1) << columns),
                    build);
  }
  return buildCsr(
      graph::generateKronecker({.scale = scale, .edgesPerVertex = degree}),
      build);
}

OocGraphSize sizeOf(const graph::Csr<> &graph) {
  OocGraphSize size = {graph.vertexCount(), graph.edgeCount(), 0};
  if (size.vertices == 0)
    throw Error("expected a graph with vertices");
  for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
    if (graph.outDegree(v) >
        graph.outDegree(static_cast<std::uint32_t>(size.source)))
      size.source = v;
  return size;
}

template <graph::EdgeWeight Weight>
OocPreparedSize prepareGraph(const std::string &path,
                             const std::string &directory,
                             std::uint64_t memoryBytes) {
  graph::ooc::EdgeSourceOptions source;
  if constexpr (!std::same_as<Weight, graph::Unweighted>)
    source.randomWeightSeed = 1;
  const graph::ooc::GraphLayout layout = graph::ooc::prepare(
      *graph::ooc::openEdgeSource<Weight>(path, source), directory,
      {.memoryBytes = memoryBytes,
       .threads = static_cast<unsigned>(omp_get_max_threads())});
  OocPreparedSize size = {layout.edges, 0};
  for (const graph::ooc::PartFileInfo &file : layout.files)
    size.bytes += file.bytes;
  return size;
}

void dropDirectoryFromPageCache(const std::string &directory) {
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(directory))
    if (entry.is_regular_file())
      dropFromPageCache(entry.path());
}

} // namespace

OocContext::OocContext(const OocOptions &options, Progress &progress)
    : options(options), files(options.directory), progress(progress),
      controller(memoryControllerOrWarning()) {}

const OocInput &OocContext::input(bool hasLongPaths) {
  if (const auto known = inputs.find(hasLongPaths); known != inputs.end())
    return known->second;
  const std::string &file = hasLongPaths ? options.longGraph : options.graph;
  const unsigned scale = hasLongPaths ? options.longScale : options.scale;
  OocInput input;
  input.name = !file.empty() ? file.substr(file.rfind('/') + 1)
               : hasLongPaths
                   ? fmt::format("grid-{}", scale)
                   : fmt::format("kronecker-{}-{}", scale, options.degree);
  input.path = files.path(hasLongPaths ? "long.hgraph" : "graph.hgraph");
  progress.show("making the graph");
  static_cast<OocGraphSize &>(input) = runInChildFor([&] {
    const graph::Csr<> graph =
        makeGraph(file, scale, options.degree, hasLongPaths);
    graph::writeGraph(input.path, graph);
    return sizeOf(graph);
  });
  return inputs.emplace(hasLongPaths, input).first->second;
}

const OocPrepared &OocContext::prepared(const OocInput &input, bool hasWeights,
                                        std::uint64_t memoryBytes) {
  const std::string name = fmt::format(
      "{}-{}-{}", input.name, hasWeights ? "weights" : "plain", memoryBytes);
  if (const auto known = graphs.find(name); known != graphs.end())
    return known->second;
  const std::string what =
      fmt::format("preparing the graph for {}", formatBytes(memoryBytes));
  progress.show(what);
  const std::string directory = files.path(name);
  const OocPreparedSize size =
      runWithin(controller, memoryBytes, what, [&](const MemoryGroup *) {
        omp_set_num_threads(options.threads);
        return hasWeights ? prepareGraph<std::int32_t>(input.path, directory,
                                                       memoryBytes)
                          : prepareGraph<graph::Unweighted>(
                                input.path, directory, memoryBytes);
      });
  return graphs.emplace(name, OocPrepared{size, directory}).first->second;
}

void OocContext::run(const OocRival &rival, const Program &program,
                     const OocInput &input, const std::string &what,
                     OocStanding &result) {
  const std::string values = files.path("values");
  progress.show(what);
  dropDirectoryFromPageCache(rival.directory);
  result.last = runWithin(
      controller, rival.memoryBytes, what, [&](const MemoryGroup *group) {
        omp_set_num_threads(options.threads);
        const std::string path = result.isVerified ? std::string() : values;
        return rival.run ? rival.run(path, group)
                         : runOoc(program, rival.directory, rival.memoryBytes,
                                  path, group);
      });
  result.peakBytes = std::max(result.peakBytes, result.last.peakBytes);
  result.isCutOff |= result.last.isCutOff;
  if (result.isVerified || result.last.isCutOff)
    return;
  progress.show(what + ": checking the result");
  try {
    runInChild([&] {
      verifyOoc(program, input.path, values);
      return std::string();
    });
  } catch (const Error &error) {
    throw Error(fmt::format("{}: {}", what, error.what()));
  }
  result.isVerified = true;
}

std::vector<OocStanding>
OocContext::compete(const std::vector<OocRival> &rivals, const Program &program,
                    const OocInput &input) {
  std::vector<OocStanding> results(rivals.size());
  std::string repetition;
  std::vector<Rival> runs;
  for (std::size_t i = 0; i < rivals.size(); ++i)
    runs.push_back([&, i] {
      run(rivals[i], program, input,
          fmt::format("{}, {}", rivals[i].name, repetition), results[i]);
      return results[i].last.seconds;
    });
  const std::vector<Standing> standings =
      bench::compete(runs, options.repetitions,
                     [&](const std::string &text) { repetition = text; });
  for (std::size_t i = 0; i < rivals.size(); ++i)
    results[i].standing = standings[i];
  progress.clear();
  return results;
}

std::string OocContext::peakText(std::uint64_t peakBytes) const {
  return controller
             ? fmt::format("{:.1f}", static_cast<double>(peakBytes) / (1 << 20))
             : "-";
}

} // namespace heddle::bench
