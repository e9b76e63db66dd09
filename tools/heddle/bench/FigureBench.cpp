//===- FigureBench.cpp - Experiments on graphs ----------------------------===//

#include "FigureBench.h"

#include "Chosen.h"
#include "Level.h"

#include "../command/Interrupt.h"
#include "../output/ResultFile.h"

#include "heddle/graph/Generate.h"
#include "heddle/graph/ReadGraph.h"
#include "heddle/graph/ToCsr.h"

#include <fmt/format.h>
#include <functional>
#include <omp.h>
#include <utility>

namespace heddle::bench {

namespace {

/// A graph that is made when it is measured, so that there is one at a time.
struct GraphSource {
  std::string name;
  std::function<graph::Csr<>()> build;
};

graph::Csr<> generate(const std::string &kind, unsigned scale,
                      std::uint64_t degree) {
  const std::uint64_t vertices = std::uint64_t(1) << scale;
  if (kind == "kronecker")
    return buildCsr(
        graph::generateKronecker({.scale = scale, .edgesPerVertex = degree}));
  if (kind == "uniform")
    return buildCsr(graph::generateUniform(
        {.vertices = vertices, .edges = vertices * degree}));
  const std::uint64_t rows = std::uint64_t(1) << (scale / 2);
  return buildCsr(graph::generateGrid(rows, vertices / rows));
}

std::vector<GraphSource> sourcesFor(const Figure &figure,
                                    const FigureOptions &options) {
  std::vector<GraphSource> sources;
  const auto &scales =
      options.scales.empty() ? figure.usualScales : options.scales;
  const auto &degrees =
      options.degrees.empty() ? figure.usualDegrees : options.degrees;
  for (const std::string &kind : options.kinds)
    for (const unsigned scale : scales) {
      if (kind == "grid")
        sources.push_back({fmt::format("grid-{}", scale),
                           [=] { return generate(kind, scale, 0); }});
      else
        for (const std::uint64_t degree : degrees)
          sources.push_back({fmt::format("{}-{}-{}", kind, scale, degree),
                             [=] { return generate(kind, scale, degree); }});
    }
  for (const std::string &file : options.files)
    sources.push_back({file.substr(file.rfind('/') + 1), [file] {
                         // Copied, so that it is on huge pages like all the
                         // others.
                         return graph::readGraph(file, {.map = false});
                       }});
  return sources;
}

} // namespace

std::vector<Standing>
FigureInput::compete(const std::vector<FigureVersion> &versions,
                     const std::string &what) const {
  std::vector<Rival> rivals;
  for (const FigureVersion &version : versions) {
    version.rival();
    version.check();
    rivals.push_back(version.rival);
  }
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

void FigureInput::addRows(const JsonObject &row,
                          const std::vector<FigureVersion> &versions,
                          const std::vector<Standing> &standings,
                          const char *unit, double operations) const {
  for (std::size_t i = 0; i < versions.size(); ++i)
    rows.push_back(JsonObject(row)
                       .add("version", versions[i].name)
                       .add(unit, standings[i].seconds * 1e9 / operations)
                       .add("speed", standings[i].speed));
}

std::vector<std::string> generatedKinds() {
  return {"kronecker", "uniform", "grid"};
}

void runFigures(const std::vector<Figure> &figures,
                const FigureOptions &options) {
  ResultFile json(options.jsonPath);
  catchInterrupts();
  printLevel();

  const int mostThreads = omp_get_max_threads();
  std::vector<JsonObject> rows;
  bool first = true;
  for (const Figure &figure : chosenOf(figures, options.figures)) {
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
  json.write(arrayWithLevel(std::move(rows)));
  json.commit();
}

} // namespace heddle::bench
