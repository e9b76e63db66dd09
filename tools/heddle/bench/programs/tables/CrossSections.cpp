//===- CrossSections.cpp - A Monte Carlo cross-section lookup -------------===//
//
// As in XSBench: a particle of random energy in a random material. For every
// nuclide of the material the energy is searched in the nuclide's grid, and the
// cross sections of the two points around it are interpolated.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <vector>

namespace heddle::bench {

namespace {

constexpr int Nuclides = 64, Channels = 5, Materials = 12;

struct Point {
  std::uint64_t energy;
  std::uint32_t section[Channels];
};

class CrossSections {
public:
  explicit CrossSections(Scale scale) : points(scale.of(30000)) {
    grid.resize(points * Nuclides);
    for (std::int64_t i = 0; i < points * Nuclides; ++i) {
      // In order, and apart by random distances.
      grid[i].energy = i % points * 64 + randomBelow(1, i, 64);
      for (int k = 0; k < Channels; ++k)
        grid[i].section[k] = randomBelow(2, Channels * i + k, 1 << 10);
    }
    for (int material = 0; material < Materials; ++material)
      for (int k = 0; k < 2 + material; ++k)
        nuclidesOf[material].push_back(
            randomBelow(3, 100 * material + k, Nuclides));
    lookups = scale.of(120000);
  }

  std::uint64_t run() {
    std::uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : sum)
#pragma heddle async
    for (std::int64_t i = 0; i < lookups; ++i) {
      const std::uint64_t energy = energyOf(i);
      std::uint64_t total[Channels] = {};
      for (const int nuclide : nuclidesOf[materialOf(i)]) {
        const Point *below = grid.data() + nuclide * points;
        for (std::int64_t left = points; left > 1;) {
          const std::int64_t half = left / 2;
          if (below[half].energy <= energy)
            below += half;
          left -= half;
        }
        addInterpolated(below, energy, total);
      }
      sum += *std::max_element(total, total + Channels);
    }
    return sum;
  }

  // One search a nuclide of the lookup, side by side in a group.
  std::uint64_t runByHand() {
    std::uint64_t sum = 0;
    inGroups<4>(lookups, [&](std::int64_t first, auto size) {
      const Point *below[4 * (Materials + 1)];
      std::uint64_t energies[4 * (Materials + 1)];
      int count = 0;
      for (int i = 0; i < size; ++i)
        for (const int nuclide : nuclidesOf[materialOf(first + i)]) {
          below[count] = grid.data() + nuclide * points;
          energies[count++] = energyOf(first + i);
        }
      for (std::int64_t left = points; left > 1;) {
        const std::int64_t half = left / 2;
        left -= half;
        for (int k = 0; k < count; ++k) {
          below[k] += below[k][half].energy <= energies[k] ? half : 0;
          prefetch(&below[k][left / 2]);
        }
      }
      count = 0;
      for (int i = 0; i < size; ++i) {
        std::uint64_t total[Channels] = {};
        for (std::size_t k = nuclidesOf[materialOf(first + i)].size(); k > 0;
             --k, ++count)
          addInterpolated(below[count], energies[count], total);
        sum += *std::max_element(total, total + Channels);
      }
    });
    return sum;
  }

private:
  std::uint64_t energyOf(std::int64_t lookup) const {
    return randomBelow(4, lookup, 64 * (points - 1));
  }
  static int materialOf(std::int64_t lookup) {
    return static_cast<int>(randomBelow(5, lookup, Materials));
  }

  static void addInterpolated(const Point *below, std::uint64_t energy,
                              std::uint64_t *total) {
    const std::uint64_t width = below[1].energy - below->energy;
    const std::uint64_t part =
        energy < below->energy ? 0 : energy - below->energy;
    for (int k = 0; k < Channels; ++k)
      total[k] +=
          below->section[k] * (width - part) + below[1].section[k] * part;
  }

  std::int64_t points;
  std::vector<Point> grid;
  std::vector<int> nuclidesOf[Materials];
  std::int64_t lookups;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(CrossSections, "monte-carlo",
                     "Monte Carlo cross-section lookup")
