//===- Triangles.cpp - `heddle run triangles` ----------------------------===//

#include "Algorithms.h"

#include "heddle/graph/algorithms/TriangleCount.h"
#include "heddle/graph/verify/TriangleCount.h"

namespace heddle {

namespace {

template <typename Store> class Triangles final : public Task {
public:
  Triangles(const Store &graph, const Parameters &) : graph(graph) {}

  void run() override { triangles = triangleCount(graph); }

  void describe(Facts &facts) const override {
    facts.add("triangles", "triangles", triangles);
  }

  graph::Violation verify() const override {
    return verifyTriangleCount(graph, triangles);
  }

private:
  const Store &graph;
  std::uint64_t triangles = 0;
};

} // namespace

Algorithm trianglesAlgorithm() {
  return {.name = "triangles",
          .description = "Triangle count, of an undirected graph",
          .hasValues = false,
          .prepare = makeTask<Triangles>};
}

} // namespace heddle
