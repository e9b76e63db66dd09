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

namespace {

class Lbm final : public SequentialWorkload {
public:
  Lbm(Arena &arena, WorkloadSize size) {
    const auto cells = static_cast<double>(
        size.bytes / (2 * Lattice::Directions * sizeof(double)));
    const auto side = std::max<int64_t>(3, std::llround(std::cbrt(cells)));
    const auto depth =
        std::max<int64_t>(3, static_cast<int64_t>(cells) / (side * side));
    lattice = {side, side, side * side * depth, nullptr};
    values = lattice.cells * Lattice::Directions;
    source = arena.allocate<double>(values);
    destination = arena.allocate<double>(values);
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
  }

  int64_t operations() const override { return lattice.cells; }

  void reset() override { std::fill(destination, destination + values, 0); }

  uint64_t checksum(uint64_t) override {
    uint64_t sum = 0;
    for (int64_t i = 0; i < values; ++i)
      sum += scramble(std::bit_cast<uint64_t>(destination[i]) ^ i);
    return sum;
  }

  uint64_t runLoop(const Loops &loops) override {
    loops.lbm(lattice, source, destination);
    return 0;
  }

private:
  Lattice lattice;
  int64_t values; ///< in each grid
  double *source;
  double *destination;
};

} // namespace

Kernel lbmKernel() {
  return {"lbm", "cell", "a time step of a D3Q19 lattice fluid (519.lbm)",
          build<Lbm>};
}

} // namespace heddle::bench
