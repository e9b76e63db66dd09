//===- PullNest.h - Rows, their edges and what they combine -----*- C++ -*-===//
//
// Recognises the nest that `#pragma heddle pull` stands in front of: an outer
// loop over rows, in whose body one inner loop runs over the row's edges and
// combines what they bring,
//
//   for (v = 0; v < rows; ++v) {
//     sum = 0;                                            // before the edges
//     for (e = offsets[v]; e < offsets[v + 1]; ++e)
//       sum += contribution[targets[e]];
//     rank[v] = base + damping * sum;                     // behind the edges
//   }
//
// whatever the types and however the edges are stepped through, as long as the
// edges of a row begin where those of the row before end. Nothing is changed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_PULLNEST_H
#define HEDDLE_PASSES_PULL_PULLNEST_H

#include "loop/LoopContext.h"
#include "loop/Refusal.h"
#include "pull/Combine.h"
#include "pull/FirstWriter.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

namespace heddle {

/// A header phi that grows by the same amount every iteration.
struct SteppedVariable {
  llvm::PHINode *Phi;
  const llvm::SCEVAddRecExpr *Value;
};

/// A header phi of the outer loop that holds what the row before has loaded
/// from its place of an array: where its edges end, above all.
struct CarriedLoad {
  llvm::PHINode *Phi;
  llvm::LoadInst *Load;
  const llvm::SCEVAddRecExpr *Address;
};

struct Accumulator {
  llvm::Type *Ty;
  /// Null once a kernel has taken the inner loop's place.
  llvm::PHINode *Phi;
  /// Its value at the end of an inner iteration.
  llvm::Value *Latest;
  Combine How;
  /// Set where the first writer counts; then `How` means nothing.
  std::optional<FirstWriter> First;
  /// The outer loop's variable that it goes on with from row to row, or null:
  /// it is the row's own.
  llvm::PHINode *Total = nullptr;
};

/// The edges of a row in the Vector-Sparse format, as the call of
/// `heddle_edge_vectors` in front of them says: a whole number of edge vectors
/// of `Lanes` lanes, without edges in the last lanes of the last.
struct EdgeVectors {
  llvm::CallInst *Marker;
  llvm::Value *FirstLane;
  unsigned LaneBits, Lanes;
};

struct PullNest {
  llvm::Loop *Outer = nullptr;
  /// Null once a kernel has taken its place: a call whose operand KernelStart
  /// is what the row's combined value starts from.
  llvm::Loop *Inner = nullptr;
  llvm::CallInst *Kernel = nullptr;
  unsigned KernelStart = 0;
  /// In front of, in and behind the outer loop.
  llvm::BasicBlock *RowsPreheader = nullptr, *RowsHeader = nullptr,
                   *RowsLatch = nullptr, *RowsExit = nullptr;
  /// In front of, in and behind the inner loop or what took its place.
  llvm::BasicBlock *EdgesPreheader = nullptr, *EdgesHeader = nullptr,
                   *EdgesLatch = nullptr, *EdgesExit = nullptr;
  /// One less than there are rows.
  const llvm::SCEV *LastRow = nullptr;

  // The outer loop's header phis.
  llvm::SmallVector<SteppedVariable, 4> RowSteps;
  llvm::SmallVector<CarriedLoad, 2> CarriedLoads;
  llvm::SmallVector<llvm::PHINode *, 2> Reductions;

  // The inner loop's.
  llvm::SmallVector<SteppedVariable, 4> EdgeSteps;
  llvm::SmallVector<Accumulator, 2> Accumulators;

  /// The load that tells where a row's edges end, and what its value is
  /// extended to 64 bits by.
  llvm::LoadInst *End = nullptr;
  const llvm::SCEVAddRecExpr *EndAddress = nullptr;
  /// Where they begin: a load, or a phi of CarriedLoads.
  llvm::Value *Begin = nullptr;
  /// Set where Begin and End count edge vectors.
  std::optional<EdgeVectors> Vectors;
  /// By how much an edge is further than the one before it, in the units of
  /// Begin and End: 1 if these are numbers, the size of an edge if pointers.
  uint64_t Unit = 1;
  /// The comparison that ends the inner loop, and the operand of it that does
  /// not change there.
  llvm::ICmpInst *Finish = nullptr;
  unsigned FinishBound = 0;
  /// By how much what is compared with it grows with an edge, and how much that
  /// is for all edges of a row.
  uint64_t FinishStep = 0;
  const llvm::SCEV *Span = nullptr;

  /// Blocks of the outer loop that lead to the inner loop.
  llvm::SmallSetVector<llvm::BasicBlock *, 8> Before;

  /// Returns the value of \p A at the row's first edge.
  llvm::Value *startOf(const Accumulator &A) const;
  void setStart(const Accumulator &A, llvm::Value *Start);
};

/// Recognises the nest of \p Outer, which is in simplified, rotated and LCSSA
/// form, as are the loops in it; or says why it is none.
MaybeRefusal recognizeNest(const LoopContext &C, PullNest &Nest);

/// Whether the array at \p First, with an element of \p Bytes bytes for each
/// lane, lies lane by lane like the edge vectors of a row, of which \p Vector
/// is the first.
bool beginsAtVector(const PullNest &Nest, const llvm::SCEV *First,
                    const llvm::SCEV *Vector, uint64_t Bytes,
                    llvm::ScalarEvolution &SE);

} // namespace heddle

#endif
