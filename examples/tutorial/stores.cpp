// One loop over two stores: for every vertex, the mean degree of the vertices
// that have an edge to it. Prints the highest.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <heddle/graph/ReadGraph.h>
#include <heddle/graph/ToVectorSparse.h>
#include <heddle/graph/VertexArray.h>

using namespace heddle::graph;

//! [loop]
template <Graph Store> VertexArray<float> meanDegrees(const Store &graph) {
  using VertexId = typename Store::VertexId;
  const VertexId vertices = graph.vertexCount();
  VertexArray<float> degree(vertices), mean(vertices);
#pragma omp parallel for
  for (VertexId v = 0; v < vertices; ++v)
    degree[v] = static_cast<float>(graph.outDegree(v));

#pragma omp parallel for
#pragma heddle vectorsparse
  for (VertexId v = 0; v < vertices; ++v) {
    float sum = 0;
    for (const auto [source, weight] : graph.inEdges(v))
      sum += degree[source];
    const auto sources = static_cast<float>(graph.inDegree(v));
    mean[v] = sources > 0 ? sum / sources : 0;
  }
  return mean;
}
//! [loop]

template <Graph Store> float highestMeanDegree(const Store &graph) {
  const auto mean = meanDegrees(graph);
  return mean.empty() ? 0 : *std::max_element(mean.begin(), mean.end());
}

int main(int count, char **arguments) try {
  if (count != 2) {
    std::fprintf(stderr, "usage: stores GRAPH\n");
    return 2;
  }
  //! [stores]
  const Csr<> csr = readGraph(arguments[1]);
  const auto vectors = toVectorSparse<VectorSparse<std::uint32_t, 16>>(csr);
  std::printf("rows of edges: %g\n", highestMeanDegree(csr));
  std::printf("edge vectors:  %g\n", highestMeanDegree(vectors));
  //! [stores]
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
