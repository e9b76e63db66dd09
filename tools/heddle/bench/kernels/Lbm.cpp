//===- Lbm.cpp - A lattice Boltzmann fluid, as 519.lbm -------------------===//
//
// A stencil over two grids of 19 values a cell: sequential accesses on many
// streams, nothing to interleave.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "../Random.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::bench {

Workload buildLbm(Arena &arena, WorkloadSize size) {
  const auto cells = static_cast<double>(
      size.bytes / (2 * Lattice::Directions * sizeof(double)));
  const auto side = std::max<int64_t>(3, std::llround(std::cbrt(cells)));
  const auto depth =
      std::max<int64_t>(3, static_cast<int64_t>(cells) / (side * side));
  Lattice lattice = {side, side, side * side * depth, nullptr};
  const int64_t values = lattice.cells * Lattice::Directions; // in each grid
  double *source = arena.allocate<double>(values);
  double *destination = arena.allocate<double>(values);
  uint8_t *obstacle = arena.allocate<uint8_t>(lattice.cells);
  lattice.obstacle = obstacle;
  for (int64_t i = 0; i < values; ++i)
    source[i] =
        1.0 / Lattice::Directions *
        (1 + 0.01 * static_cast<double>(randomBelow(10, i, 1000)) / 1000);
  // A cylinder across the flow.
  for (int64_t cell = 0; cell < lattice.cells; ++cell) {
    const int64_t x = 2 * (cell % side) - side;
    const int64_t y = 2 * (cell / side % side) - side;
    obstacle[cell] = x * x + y * y < side * side / 9;
  }
  const auto run = [=](Version version) {
    loopsOf(version).lbm(lattice, source, destination);
    return 0;
  };
  const auto reset = [=] { std::fill(destination, destination + values, 0); };
  const auto checksum = [=](uint64_t) { return sumOf(destination, values); };
  return {lattice.cells, run, reset, checksum, SequentialVersions};
}

} // namespace heddle::bench
