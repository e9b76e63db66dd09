//===- Stream.cpp - STREAM: copy, scale, add, triad ----------------------===//
//
// Sequential accesses, which the hardware prefetches: nothing to interleave.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "../Random.h"

#include <bit>

namespace heddle::bench {

namespace {

class Stream final : public SequentialWorkload {
public:
  Stream(Arena &arena, WorkloadSize size)
      : length(static_cast<int64_t>(size.bytes / 3 / sizeof(double))),
        a(arena.allocate<double>(length)), b(arena.allocate<double>(length)),
        c(arena.allocate<double>(length)) {}

  int64_t operations() const override { return 4 * length; }

  void reset() override {
    for (int64_t i = 0; i < length; ++i) {
      a[i] = 1 + static_cast<double>(i % 1000) / 1000;
      b[i] = c[i] = 0;
    }
  }

  uint64_t checksum(uint64_t) override {
    uint64_t sum = 0;
    for (const double *array : {a, b, c})
      for (int64_t i = 0; i < length; ++i)
        sum += scramble(std::bit_cast<uint64_t>(array[i]) ^ i);
    return sum;
  }

  uint64_t runLoop(const Loops &loops) override {
    // With this scalar a run negates a, exactly, however often it is run.
    loops.stream(a, b, c, -1, length);
    return 0;
  }

private:
  int64_t length;
  double *a, *b, *c;
};

} // namespace

Kernel streamKernel() {
  return {"stream", "element", "copy, scale, add and triad of arrays (STREAM)",
          build<Stream>};
}

} // namespace heddle::bench
