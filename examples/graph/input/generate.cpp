//===- generate.cpp - Kronecker and uniform random graphs -----------------===//
//
// Every edge draws from a random sequence of its own, seeded by its number, so
// that a graph is the same whatever the number of threads.
//
//===----------------------------------------------------------------------===//

#include "input.h"
#include "progress.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace {

constexpr int Degree = 16;

/// Steele, Lea and Flood's SplitMix64.
class RandomSequence {
public:
  explicit RandomSequence(uint64_t seed) : state(mix(seed)) {}

  uint64_t next() { return mix(state += 0x9e3779b97f4a7c15); }

private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t state;
};

/// Renumbers vertices, one to one, so that a number says nothing of the degree.
int32_t scramble(uint64_t v, int scale) {
  uint64_t mask = (uint64_t(1) << scale) - 1;
  for (uint64_t factor : {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9}) {
    v = (v * factor + (factor >> 40)) & mask;
    v ^= v >> (scale / 2 + 1);
  }
  return static_cast<int32_t>(v);
}

/// The initiator matrix of Graph500: quadrants with probability .57, .19, .19
/// and .05.
Edge kroneckerEdge(RandomSequence &random, int scale) {
  uint64_t from = 0, to = 0, bits = 0;
  for (int level = 0; level < scale; ++level) {
    bits = level % 2 ? bits >> 32 : random.next();
    uint64_t percent = ((bits & 0xffffffff) * 100) >> 32;
    from = from << 1 | (percent >= 76);
    to = to << 1 | ((percent >= 57 && percent < 76) || percent >= 95);
  }
  return {scramble(from, scale), scramble(to, scale), 0};
}

Edge uniformEdge(RandomSequence &random, int scale) {
  uint64_t bits = random.next(), mask = (uint64_t(1) << scale) - 1;
  return {static_cast<int32_t>(bits & mask),
          static_cast<int32_t>(bits >> 32 & mask), 0};
}

/// Refuses a scale whose graph would not fit, rather than be killed for it.
void checkMemory(int scale) {
  // The list of edges, the unsorted rows and the sorted rows, all at once.
  int64_t needed = (int64_t(Degree) << scale) * (12 + 2 * 8 + 2 * 8);
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

Graph generate(const std::string &kind, int scale,
               Edge (*draw)(RandomSequence &, int)) {
  checkMemory(scale);
  std::string name = fmt::format("{} {}", kind, scale);
  Array<Edge> edges(int64_t(Degree) << scale);
  {
    Progress progress(fmt::format("Generating {}", name), edges.size());
    constexpr int64_t Block = 1 << 14;
#pragma omp parallel for schedule(dynamic)
    for (int64_t begin = 0; begin < edges.size(); begin += Block) {
      int64_t end = std::min(begin + Block, edges.size());
      for (int64_t i = begin; i < end; ++i) {
        RandomSequence random(i + 1);
        edges[i] = draw(random, scale);
        edges[i].weight = generatedWeight(edges[i].from, edges[i].to);
      }
      progress.advance(end - begin);
    }
  }
  return buildGraph(name, int32_t(1) << scale, edges, true);
}

} // namespace

int32_t generatedWeight(int32_t a, int32_t b) {
  uint64_t ends = uint64_t(std::min(a, b)) << 32 | uint64_t(std::max(a, b));
  return static_cast<int32_t>(RandomSequence(ends + 1).next() % 255) + 1;
}

Graph generateKronecker(int scale) {
  return generate("kronecker", scale, kroneckerEdge);
}

Graph generateUniform(int scale) {
  return generate("uniform", scale, uniformEdge);
}
