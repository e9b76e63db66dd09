// Graphs with vertices of high degree and with many that have no edge, pulled
// by edge vectors in chunks of several sizes, against plain loops.

#include "MemRef.h"

#include <algorithm>
#include <cstdio>
#include <random>

struct Packed {
  MemRef<std::int64_t> rows;
  MemRef<std::uint32_t, 2> edges;
  MemRef<std::int64_t, 2> weights;
};

extern "C" {
void _mlir_ciface_pack(Packed *, MemRef<std::int64_t> *,
                       MemRef<std::uint32_t> *, MemRef<std::int64_t> *);
void _mlir_ciface_weighted(MemRef<std::int64_t> *, MemRef<std::uint32_t, 2> *,
                           MemRef<std::int64_t, 2> *, MemRef<std::uint32_t> *,
                           MemRef<std::int64_t> *, MemRef<std::int64_t> *,
                           std::int64_t, std::int64_t);
void _mlir_ciface_least(MemRef<std::int64_t> *, MemRef<std::uint32_t, 2> *,
                        MemRef<std::uint32_t> *, MemRef<std::uint32_t> *,
                        std::int64_t);
}

static int same = 0;

template <typename T>
static bool compare(const char *what, const std::vector<T> &expected,
                    const std::vector<T> &found) {
  for (std::size_t v = 0; v < expected.size(); ++v)
    if (expected[v] != found[v]) {
      std::printf("%s: vertex %zu: expected %lld, found %lld\n", what, v,
                  (long long)expected[v], (long long)found[v]);
      return false;
    }
  ++same;
  return true;
}

int main() {
  std::mt19937 random(1);
  // The last but one has long rows alone, and the last is not in any cache.
  for (std::size_t vertices : {0, 1, 2, 50, 1000, 4000, 1500, 300000}) {
    std::vector<std::int64_t> positions{0};
    for (std::size_t v = 0; v < vertices; ++v) {
      const unsigned kind = random() % 10;
      const std::int64_t degree = vertices == 50     ? 0
                                  : vertices == 1500 ? 60 + kind
                                  : kind < 4         ? 0
                                  : v % 997 == 7     ? 5000
                                                     : random() % 40;
      positions.push_back(positions.back() + degree);
    }
    std::vector<std::uint32_t> coordinates(positions.back());
    std::vector<std::int64_t> weights(positions.back());
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      coordinates[k] = random() % vertices;
      weights[k] = random() % 100;
    }
    std::vector<std::int64_t> x(vertices), sums(vertices);
    std::vector<std::uint32_t> labels(vertices), least(vertices, ~0u);
    std::vector<std::uint32_t> frontier(vertices / 32 + 1);
    for (std::uint32_t &word : frontier)
      word = random();
    for (std::size_t v = 0; v < vertices; ++v) {
      x[v] = random();
      labels[v] = random();
    }
    for (std::size_t v = 0; v < vertices; ++v) {
      std::int64_t sum = 1;
      for (std::int64_t k = positions[v]; k < positions[v + 1]; ++k) {
        const std::uint32_t u = coordinates[k];
        if (frontier[u / 32] >> u % 32 & 1)
          sum += weights[k] * x[u];
        least[v] = std::min(least[v], labels[u]);
      }
      sums[v] = std::int64_t(v) + 3 * sum;
    }

    Packed packed;
    MemRef<std::int64_t> p(positions), xs(x), w(weights);
    MemRef<std::uint32_t> c(coordinates), bits(frontier), ls(labels);
    _mlir_ciface_pack(&packed, &p, &c, &w);
    for (std::int64_t chunk : {1, 2, 7, 100, 100000}) {
      std::vector<std::int64_t> foundSums(vertices, -1);
      std::vector<std::uint32_t> foundLeast(vertices, 17);
      MemRef<std::int64_t> intoSums(foundSums);
      MemRef<std::uint32_t> intoLeast(foundLeast);
      _mlir_ciface_weighted(&packed.rows, &packed.edges, &packed.weights, &bits,
                            &xs, &intoSums, chunk, 3);
      _mlir_ciface_least(&packed.rows, &packed.edges, &ls, &intoLeast, chunk);
      if (!compare("weighted", sums, foundSums) ||
          !compare("least", least, foundLeast))
        return 1;
    }
  }
  std::printf("%d times the same\n", same);
}
