//===- FigureBench.cpp - Experiments on graphs ----------------------------===//

#include "FigureBench.h"

#include "../command/Interrupt.h"
#include "../output/ResultFile.h"

#include "heddle/graph/Generate.h"
#include "heddle/graph/ReadGraph.h"
#include "heddle/graph/ToCsr.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <omp.h>
#include <optional>

namespace heddle::bench {

namespace {

/// A graph that is made when it is measured, so that there is one at a time.
struct GraphSource {
  std::string name;
  std::function<graph::Csr<>()> build;
};

void addGenerated(const std::string &kind, unsigned scale,
                  const std::vector<std::uint64_t> &degrees,
                  std::vector<GraphSource> &sources) {
  if (kind == "grid") {
    const std::uint64_t rows = std::uint64_t(1) << (scale / 2);
    const std::uint64_t columns = std::uint64_t(1) << (scale - scale / 2);
    sources.push_back({fmt::format("grid-{}", scale), [=] {
                         return buildCsr(graph::generateGrid(rows, columns));
                       }});
    return;
  }
  for (const std::uint64_t degree : degrees) {
    const std::string name = fmt::format("{}-{}-{}", kind, scale, degree);
    if (kind == "kronecker")
      sources.push_back({name, [=] {
                           return buildCsr(graph::generateKronecker(
                               {.scale = scale, .edgesPerVertex = degree}));
                         }});
    else
      sources.push_back(
          {name, [=] {
             const std::uint64_t vertices = std::uint64_t(1) << scale;
             return buildCsr(graph::generateUniform(
                 {.vertices = vertices, .edges = vertices * degree}));
           }});
  }
}

std::vector<GraphSource> sourcesFor(const Figure &figure,
                                    const FigureOptions &options) {
  std::vector<GraphSource> sources;
  for (const std::string &kind : options.kinds)
    for (const unsigned scale :
         options.scales.empty() ? figure.usualScales : options.scales)
      addGenerated(kind, scale,
                   options.degrees.empty() ? figure.usualDegrees
                                           : options.degrees,
                   sources);
  for (const std::string &file : options.files)
    sources.push_back({file.substr(file.rfind('/') + 1), [file] {
                         // Copied, so that it is on huge pages like all the
                         // others.
                         return graph::readGraph(file, {.map = false});
                       }});
  return sources;
}

} // namespace

std::vector<Standing> FigureInput::compete(const std::vector<Rival> &rivals,
                                           const std::string &what) const {
  const std::vector<Standing> standings = bench::compete(
      rivals, options.repetitions, [&](const std::string &activity) {
        progress.show(fmt::format("{}, {}", what, activity));
      });
  progress.clear();
  return standings;
}

JsonObject FigureInput::row(const char *figure, int threads) const {
  return JsonObject()
      .add("figure", figure)
      .add("graph", name)
      .add("threads", threads);
}

std::vector<std::string> generatedKinds() {
  return {"kronecker", "uniform", "grid"};
}

void runFigures(const std::vector<Figure> &figures,
                const FigureOptions &options) {
  std::optional<ResultFile> json;
  if (!options.jsonPath.empty())
    json.emplace(options.jsonPath);
  catchInterrupts();

  const int mostThreads = omp_get_max_threads();
  std::vector<JsonObject> rows;
  bool first = true;
  for (const Figure &figure : figures) {
    if (!options.figures.empty() &&
        std::ranges::find(options.figures, figure.name) ==
            options.figures.end())
      continue;
    fmt::print("{}{}\n", first ? "" : "\n", figure.header);
    first = false;
    const std::vector<GraphSource> sources = sourcesFor(figure, options);
    Progress progress(sources.size());
    for (const GraphSource &source : sources) {
      checkInterrupts();
      progress.begin(fmt::format("{}, {}", figure.name, source.name));
      progress.show("making the graph");
      omp_set_num_threads(mostThreads);
      const graph::Csr<> graph = source.build();
      figure.measure({source.name, graph, options, progress, rows});
    }
  }
  if (json) {
    json->write(arrayOf(rows));
    json->commit();
  }
}

} // namespace heddle::bench
