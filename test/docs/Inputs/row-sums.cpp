#include <heddle/graph/VectorSparse.h>

using Store = heddle::graph::VectorSparse<std::uint32_t, 16>;

//! [loop]
void sums(const Store &graph, const float *value, float *sum) {
  const std::uint32_t vertices = graph.vertexCount();
#pragma heddle vectorsparse
  for (std::uint32_t v = 0; v < vertices; ++v) {
    float s = 0;
    for (const auto [source, weight] : graph.inEdges(v))
      s += value[source];
    sum[v] = s;
  }
}
//! [loop]
