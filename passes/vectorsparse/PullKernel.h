//===- PullKernel.h - An inner loop over edges as vector code ---*- C++ -*-===//
//
// The inner loop of a pull nest visits the in-edges of one vertex. If these are
// stored in the Vector-Sparse format, it becomes a call of a kernel that takes
// an edge vector at a time:
//
//   loop:                                      sum = call @heddle.pull(
//     sum  = phi [init], [sum.next]                edges, 0, edge vectors,
//     lane = load edges[i]                  =>     init, x)
//     u    = and lane, neighbour mask
//     sum.next = fadd sum, load x[u]
//
// The message, all operations between a lane and the combination, is mapped to
// the body of a heddle.pull, which MLIR lowers to code for the target.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_VECTORSPARSE_PULLKERNEL_H
#define HEDDLE_PASSES_VECTORSPARSE_PULLKERNEL_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace llvm {
class TargetTransformInfo;
}

namespace heddle {

/// The inner loop of a pull nest. It has a preheader and its latch as the only
/// exit; other branches go forward.
struct PullLoop {
  llvm::Loop *Inner;
  /// The accumulator. Its latch value is its value combined with a message, or
  /// its value if an edge has none.
  llvm::PHINode *Accumulator;
  llvm::RecurKind Kind;
  /// Lanes of an edge vector, and bits of a lane.
  unsigned Lanes;
  unsigned LaneBits;
  /// Reads the lane of the edge.
  llvm::LoadInst *Lane;
  /// Reads the weight of the edge, or null.
  llvm::LoadInst *Weight;
};

/// The features that vector code may use.
struct PullTarget {
  /// Vectors of the target's own length.
  bool Scalable = false;
  /// Bits of the narrowest elements that are gathered under a mask, 0 if none.
  unsigned NarrowestGather = 0;

  /// Returns the capabilities of the target of \p TTI for edge vectors of
  /// \p Lanes lanes.
  static PullTarget of(const llvm::TargetTransformInfo &TTI,
                       llvm::LLVMContext &Context, unsigned Lanes);
};

/// A function for any run of edge vectors that belong to one vertex:
///
///   T Function(ptr edges, i64 lo, i64 hi, [ptr weights,] T init,
///   invariants...)
///
/// Edge vectors are counted from `edges`, and so are their weights from
/// `weights`, which is there if the loop reads weights.
struct PullKernel {
  llvm::Function *Function;
  llvm::SmallVector<llvm::Value *> Invariants;
};

/// Adds to \p M, which contains the loop, a kernel for rows of edge vectors
/// that is equivalent but for the order in which messages are combined. The
/// loop is not changed. An error says why the loop has no kernel, in words that
/// follow "the loop"; then \p M is unchanged.
llvm::Expected<PullKernel> lowerPull(llvm::Module &M, const PullLoop &Loop,
                                     const PullTarget &Target);

/// lowerPull as HeddleVectorSparse.so exports it, for the target of \p TTI.
using LowerPullFunction = void(llvm::Module &M, const PullLoop &Loop,
                               const llvm::TargetTransformInfo &TTI,
                               std::optional<llvm::Expected<PullKernel>> &);
constexpr char LowerPullName[] = "heddleLowerPull";

} // namespace heddle

#endif
