#include <algorithm>
#include <heddle/graph/VectorSparse.h>
#include <heddle/graph/detail/Bitmap.h>

using namespace heddle::graph;

void shorten(const VectorSparse<std::uint32_t, 16, float> &graph,
             const Bitmap &active, const float *distance, float *next) {
  const std::uint32_t vertices = graph.vertexCount();
#pragma omp parallel for
#pragma heddle vectorsparse
  for (std::uint32_t v = 0; v < vertices; ++v) {
    //! [row]
    float least = distance[v];
    for (const auto [u, weight] : graph.inEdges(v))
      if (active.test(u))                              // a frontier
        least = std::min(least, distance[u] + weight); // gathers, and weights
    next[v] = least;
    //! [row]
  }
}
