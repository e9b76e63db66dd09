//===- generate.cpp - Kronecker and uniform random graphs -----------------===//

#include "input.h"

#include "graphlib/generate/EdgeWeights.h"
#include "heddle/graph/detail/Kronecker.h"
#include "output/ProgressBar.h"

#include <fmt/format.h>
#include <fstream>

namespace {

using heddle::graph::RandomSequence;

constexpr int Degree = 16;
constexpr uint64_t Seed = 1;

/// Refuses a scale whose graph would not fit, rather than be killed for it.
void checkMemory(int scale) {
  // The list of edges, with both of its directions in buckets and in rows.
  int64_t needed = (int64_t(Degree) << scale) *
                   (sizeof(Edge) + 2 * sizeof(Edge) + 2 * 2 * sizeof(int32_t));
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  int64_t kilobytes;
  while (file >> key >> kilobytes) {
    std::getline(file, unit);
    if (key == "MemAvailable:" && needed > kilobytes * 1024)
      throw InputError(fmt::format(
          "a graph of scale {} needs {:.1f} GB of memory, {:.1f} GB are free",
          scale, needed / 1e9, kilobytes * 1024 / 1e9));
  }
}

/// The graph whose edge number i is draw(i), a pair of vertices.
template <typename Draw>
Graph generate(const std::string &kind, int scale, Draw draw) {
  checkMemory(scale);
  std::string name = fmt::format("{} {}", kind, scale);
  Array<Edge> edges(size_t(Degree) << scale);
  heddle::ProgressBar bar(fmt::format("Generating {}", name),
                          heddle::ProgressUnit::Edges);
  constexpr size_t Block = size_t(1) << 20;
  for (size_t begin = 0; begin < edges.size(); begin += Block) {
    size_t end = std::min(begin + Block, edges.size());
#pragma omp parallel for
    for (size_t i = begin; i < end; ++i) {
      const auto [from, to] = draw(i);
      edges[i] = {static_cast<uint32_t>(from), static_cast<uint32_t>(to),
                  generatedWeight(from, to)};
    }
    bar(end, edges.size());
  }
  return buildGraph(name, int32_t(1) << scale, std::move(edges), true);
}

} // namespace

int32_t generatedWeight(uint32_t a, uint32_t b) {
  return heddle::graph::randomWeight<int32_t>(RandomSequence(Seed), a, b);
}

Graph generateKronecker(int scale) {
  heddle::graph::detail::KroneckerEdges edges(static_cast<unsigned>(scale),
                                              Seed);
  return generate("kronecker", scale, [&](uint64_t i) { return edges[i]; });
}

Graph generateUniform(int scale) {
  RandomSequence random(Seed);
  const uint64_t vertices = uint64_t(1) << scale;
  return generate("uniform", scale, [&](uint64_t i) {
    return std::pair(random.below(vertices, 2 * i),
                     random.below(vertices, 2 * i + 1));
  });
}
