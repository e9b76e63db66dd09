#include <cstdio>
#include <heddle/graph/ReadGraph.h>

using namespace heddle::graph;

static std::uint64_t sumOfDegrees(const Csr<> &graph) {
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async
  for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
    for (auto [target, weight] : graph.outEdges(v))
      sum += graph.outDegree(target);
  return sum;
}

int main(int, char **arguments) {
  try {
    const Csr<> graph = readGraph(arguments[1], {.build = {.directed = false}});
    std::printf("%u vertices, %llu edges, %llu edges of neighbours\n",
                graph.vertexCount(), (unsigned long long)graph.edgeCount(),
                (unsigned long long)sumOfDegrees(graph));
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
