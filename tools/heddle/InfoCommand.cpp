//===- InfoCommand.cpp - `heddle info` -----------------------------------===//

#include "command/Commands.h"

#include "command/GroupSizes.h"
#include "command/Options.h"
#include "output/Facts.h"
#include "output/FactsOutput.h"

#include "heddle/graph/algorithms/ConnectedComponents.h"
#include "heddle/graph/detail/PackingEfficiency.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <vector>

namespace heddle {

namespace {

using graph::Csr;

struct Request {
  InputOptions input;
  std::string jsonPath;
};

/// Adds the distribution of degrees in one direction.
void addDegrees(Facts &facts, const std::string &key, const std::string &label,
                std::vector<std::uint64_t> degrees) {
  if (degrees.empty())
    return;
  std::ranges::sort(degrees);
  // The least value that at least this share of all values do not exceed.
  const auto percentile = [&](double share) {
    const auto rank = static_cast<std::size_t>(
        std::ceil(share / 100 * static_cast<double>(degrees.size())));
    return degrees[std::max<std::size_t>(rank, 1) - 1];
  };
  double sum = 0;
  for (const std::uint64_t degree : degrees)
    sum += static_cast<double>(degree);
  const double mean = sum / static_cast<double>(degrees.size());
  facts.add(key, label,
            JsonObject()
                .add("min", degrees.front())
                .add("mean", mean)
                .add("p50", percentile(50))
                .add("p90", percentile(90))
                .add("p99", percentile(99))
                .add("max", degrees.back()),
            fmt::format("least {}, mean {:.2f}, most {}; 50% have at most {}, "
                        "90% {}, 99% {}",
                        degrees.front(), mean, degrees.back(), percentile(50),
                        percentile(90), percentile(99)));
}

std::vector<std::uint64_t> degreesOf(const Csr<>::Rows &rows,
                                     std::size_t vertices) {
  std::vector<std::uint64_t> degrees(vertices);
#pragma omp parallel for
  for (std::size_t v = 0; v < vertices; ++v)
    degrees[v] = rows.offsets[v + 1] - rows.offsets[v];
  return degrees;
}

void addLoopsAndIsolated(Facts &facts, const Csr<> &graph) {
  std::size_t loops = 0, isolated = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : loops, isolated)
  for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
    isolated += graph.outDegree(v) == 0 && graph.inDegree(v) == 0;
    for (auto [target, weight] : graph.outEdges(v))
      loops += target == v;
  }
  facts.add("self_loops", "self-loops", loops);
  facts.add("isolated", "isolated vertices", isolated);
}

void addComponents(Facts &facts, const Csr<> &graph) {
  const GroupSizes groups = groupSizes(connectedComponents(graph));
  facts.add("components", graph.isDirected() ? "weak components" : "components",
            groups.count,
            fmt::format("{}, the largest of {} vertices", groups.count,
                        groups.largest));
  facts.addSilently("largest_component", groups.largest);
}

void addPacking(Facts &facts, const Csr<> &graph) {
  JsonObject out, in;
  std::string outText, inText;
  for (const unsigned lanes : {4u, 8u, 16u}) {
    const graph::PackingEfficiency share = packingEfficiency(graph, lanes);
    const std::string key = fmt::format("{}", lanes);
    out.add(key, share.out);
    in.add(key, share.in);
    const char *separator = lanes == 4 ? "" : ", ";
    outText +=
        fmt::format("{}{:.1f}% of {}", separator, 100 * share.out, lanes);
    inText += fmt::format("{}{:.1f}% of {}", separator, 100 * share.in, lanes);
  }
  if (graph.isDirected()) {
    facts.add("out_packing", "lanes used, out", out, outText);
    facts.add("in_packing", "lanes used, in", in, inText);
  } else {
    facts.add("packing", "lanes used", out, outText);
  }
}

void execute(const Request &request) {
  FactsOutput output(request.jsonPath);
  const Csr<> graph = readInput<graph::Unweighted>(request.input);

  Facts facts;
  facts.add("graph", "graph", baseName(request.input.path));
  facts.add("vertices", "vertices", graph.vertexCount());
  facts.add("edges", "edges", graph.edgeCount());
  facts.add("directed", "directed", graph.isDirected());
  addLoopsAndIsolated(facts, graph);
  const std::size_t vertices = graph.vertexCount();
  if (graph.isDirected()) {
    addDegrees(facts, "out_degree", "out-degrees",
               degreesOf(graph.outRows(), vertices));
    addDegrees(facts, "in_degree", "in-degrees",
               degreesOf(graph.inRows(), vertices));
  } else {
    addDegrees(facts, "degree", "degrees",
               degreesOf(graph.outRows(), vertices));
  }
  addComponents(facts, graph);
  addPacking(facts, graph);
  output.show(facts);
}

} // namespace

void addInfoCommand(CLI::App &app) {
  auto request = std::make_shared<Request>();
  CLI::App *command =
      app.add_subcommand("info", "Show the size and shape of a graph");
  addInputOptions(*command, request->input);
  addThreadsOption(*command);
  addJsonOption(*command, request->jsonPath);
  command->callback([request] { execute(*request); });
}

} // namespace heddle
