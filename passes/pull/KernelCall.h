//===- KernelCall.h - A kernel in place of an inner loop --------*- C++ -*-===//
//
// If the edges of a pull nest are stored in the Vector-Sparse format, its inner
// loop becomes the call of a kernel that takes an edge vector at a time:
//
//   preheader -> call of the kernel -> rest of the row
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_KERNELCALL_H
#define HEDDLE_PASSES_PULL_KERNELCALL_H

#include "loop/LoopContext.h"
#include "loop/Refusal.h"

namespace llvm {
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace heddle {

struct PullNest;

/// Replaces the inner loop of \p Nest by the call of a kernel, or leaves it
/// unchanged and returns the reason.
MaybeRefusal callKernel(PullNest &Nest, const LoopContext &C);

} // namespace heddle

#endif
