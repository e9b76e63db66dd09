//===- KernelSuite.cpp - The kernels of `heddle bench kernels` -----------===//
//
// The benchmarks of CoroAMU's table II, and two kinds of look-ups in linked
// structures.
//
//===----------------------------------------------------------------------===//

#include "../Suite.h"
#include "Kernels.h"

namespace heddle::bench {

Suite kernelSuite() {
  return {"kernels",
          "eleven loops: plain, with the directive, and interleaved by hand",
          {gupsKernel(), binarySearchKernel(), bfsKernel(), streamKernel(),
           hashJoinKernel(), hashJoinOfFourKernel(), mcfKernel(), lbmKernel(),
           integerSortKernel(), linkedListKernel(), bptreeKernel()}};
}

} // namespace heddle::bench
