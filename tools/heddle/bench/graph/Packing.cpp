//===- Packing.cpp - Figure 9: the fill of edge vectors -------------------===//

#include "Figures.h"

#include "heddle/graph/detail/PackingEfficiency.h"

#include <cstdio>
#include <fmt/format.h>

namespace heddle::bench {

namespace {

constexpr const char *Line = "{:<24}{:>12}{:>14}";
constexpr unsigned LaneCounts[] = {4, 8, 16};

std::string header() {
  std::string text =
      "Packing efficiency (figure 9): the share of lanes that hold an edge, "
      "of edges\ngrouped by destination.\n\n";
  text += fmt::format(fmt::runtime(Line), "graph", "vertices", "edges");
  for (const unsigned lanes : LaneCounts)
    text += fmt::format("{:>11}", fmt::format("{} lanes", lanes));
  return text;
}

void measure(const FigureInput &input) {
  input.progress.clear();
  fmt::print(fmt::runtime(Line), input.name, input.graph.vertexCount(),
             input.graph.edgeCount());
  for (const unsigned lanes : LaneCounts) {
    const double efficiency = graph::packingEfficiency(input.graph, lanes).in;
    fmt::print("{:>10.1f}%", 100 * efficiency);
    input.rows.push_back(JsonObject()
                             .add("figure", "packing")
                             .add("graph", input.name)
                             .add("vertices", input.graph.vertexCount())
                             .add("edges", input.graph.edgeCount())
                             .add("lanes", lanes)
                             .add("packing_efficiency", efficiency));
  }
  fmt::print("\n");
  std::fflush(stdout);
}

} // namespace

Figure packingFigure() {
  return {.name = "packing",
          .description = "figure 9: packing efficiency of 4, 8 and 16 lanes",
          .header = header(),
          .measure = measure,
          .usualScales = {16, 18, 20},
          .usualDegrees = {2, 8, 32}};
}

} // namespace heddle::bench
