// A pull nest over arrays of your own: each vertex adds up the values of the
// vertices that have an edge to it. The hub in the middle of a star has half of
// all edges, and still all threads have the same amount of work.

#include <cstdint>
#include <cstdio>
#include <vector>

//! [nest]
// The edges to v come from sources[offsets[v]] to sources[offsets[v + 1] - 1].
void pull(std::int64_t vertices, const std::int64_t *offsets,
          const std::int32_t *sources, const double *value, double *sum) {
#pragma omp parallel for
#pragma heddle pull
  for (std::int64_t v = 0; v < vertices; ++v) {
    sum[v] = 0;
    for (std::int64_t e = offsets[v]; e < offsets[v + 1]; ++e)
      sum[v] += value[sources[e]];
  }
}
//! [nest]

int main() {
  // Vertex 0 has an edge to every other one, and each of them one back.
  constexpr std::int32_t Vertices = 1 << 20;
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> sources;
  for (std::int32_t v = 1; v < Vertices; ++v)
    sources.push_back(v);
  for (std::int32_t v = 1; v < Vertices; ++v) {
    offsets.push_back(static_cast<std::int64_t>(sources.size()));
    sources.push_back(0);
  }
  offsets.push_back(static_cast<std::int64_t>(sources.size()));

  const std::vector<double> value(Vertices, 0.5);
  std::vector<double> sum(Vertices);
  pull(Vertices, offsets.data(), sources.data(), value.data(), sum.data());
  std::printf("the hub takes %.1f, a leaf %.1f\n", sum[0], sum[1]);
}
