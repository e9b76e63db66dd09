//===- Kernels.h - The kernels of `heddle bench kernels` -------*- C++ -*-===//
//
// One function for each kernel, which makes its workload. Each is defined in
// the file of its name, with the kernel's data and its hand-written versions.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_KERNELS_KERNELS_H
#define HEDDLE_TOOLS_BENCH_KERNELS_KERNELS_H

#include "../measure/Workload.h"
#include "Loops.h"

#include <bit>
#include <stdexcept>

namespace heddle::bench {

Kernel gupsKernel();
Kernel binarySearchKernel();
Kernel bfsKernel();
Kernel streamKernel();
Kernel hashJoinKernel();
Kernel hashJoinOfFourKernel();
Kernel mcfKernel();
Kernel lbmKernel();
Kernel integerSortKernel();
Kernel linkedListKernel();
Kernel bptreeKernel();

/// A workload of which `serial` and `heddle` are the two compilations of one
/// plain loop and the rest, if there is any, is written by hand.
class LoopWorkload : public Workload {
public:
  uint64_t run(Version version) final {
    if (isHandWritten(version))
      return runByHand(version);
    return runLoop(version == Version::Heddle ? heddleLoops : serialLoops);
  }

protected:
  virtual uint64_t runLoop(const Loops &loops) = 0;
  virtual uint64_t runByHand(Version version) = 0;
};

/// A workload with sequential accesses, for which interleaving does not apply.
class SequentialWorkload : public LoopWorkload {
public:
  bool has(Version version) const final { return !isHandWritten(version); }

protected:
  uint64_t runByHand(Version version) final {
    throw std::logic_error(std::string("there is no version ") +
                           nameOf(version));
  }
};

/// The power of two next to `value`, for data structures that need one.
inline uint64_t nearestPowerOfTwo(uint64_t value) {
  const uint64_t above = std::bit_ceil(value);
  return above - value > value - above / 2 ? above / 2 : above;
}

/// The `build` function of a kernel.
template <class Derived>
std::unique_ptr<Workload> build(Arena &arena, WorkloadSize size) {
  return std::make_unique<Derived>(arena, size);
}

} // namespace heddle::bench

#endif
