//===- PullNest.h - Rows, their edges and combined values -------*- C++ -*-===//
//
// Recognises the nest under `#pragma heddle pull`: an outer loop over rows, in
// whose body one inner loop runs over the row's edges and combines their
// values,
//
//   for (v = 0; v < rows; ++v) {
//     sum = 0;                                            // before the edges
//     for (e = offsets[v]; e < offsets[v + 1]; ++e)
//       sum += contribution[targets[e]];
//     rank[v] = base + damping * sum;                     // behind the edges
//   }
//
// for any types and any way to step through the edges, as long as the edges of
// a row begin where those of the previous row end. Nothing is changed.
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

/// A header phi of the outer loop that holds a value which the previous row has
/// loaded from its element of an array: above all the end of its edges.
struct CarriedLoad {
  llvm::PHINode *Phi;
  llvm::LoadInst *Load;
  const llvm::SCEVAddRecExpr *Address;
};

struct Accumulator {
  llvm::Type *Ty;
  /// Null once a kernel has replaced the inner loop.
  llvm::PHINode *Phi;
  /// Its value at the end of an inner iteration.
  llvm::Value *Latest;
  Combine How;
  /// Set for a first writer; then `How` is meaningless.
  std::optional<FirstWriter> First;
  /// The outer loop's variable in which it is accumulated from row to row, or
  /// null: it is the row's own.
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
  /// Null once a kernel has replaced it: a call whose operand KernelStart is
  /// the start of the row's combined value.
  llvm::Loop *Inner = nullptr;
  llvm::CallInst *Kernel = nullptr;
  unsigned KernelStart = 0;
  /// The blocks in front of, in and behind the outer loop.
  llvm::BasicBlock *RowsPreheader = nullptr, *RowsHeader = nullptr,
                   *RowsLatch = nullptr, *RowsExit = nullptr;
  /// The blocks in front of, in and behind the inner loop or its replacement.
  llvm::BasicBlock *EdgesPreheader = nullptr, *EdgesHeader = nullptr,
                   *EdgesLatch = nullptr, *EdgesExit = nullptr;
  /// The number of rows minus one.
  const llvm::SCEV *LastRow = nullptr;

  // The outer loop's header phis.
  llvm::SmallVector<SteppedVariable, 4> RowSteps;
  llvm::SmallVector<CarriedLoad, 2> CarriedLoads;
  llvm::SmallVector<llvm::PHINode *, 2> Reductions;

  // The inner loop's.
  llvm::SmallVector<SteppedVariable, 4> EdgeSteps;
  llvm::SmallVector<Accumulator, 2> Accumulators;

  /// The load of the end of a row's edges, and its address as a recurrence.
  llvm::LoadInst *End = nullptr;
  const llvm::SCEVAddRecExpr *EndAddress = nullptr;
  /// The beginning of a row's edges: a load, or a phi of CarriedLoads.
  llvm::Value *Begin = nullptr;
  /// Set where Begin and End count edge vectors.
  std::optional<EdgeVectors> Vectors;
  /// The distance from one edge to the next, in the units of Begin and End: 1
  /// if these are numbers, the size of an edge if pointers.
  uint64_t Unit = 1;
  /// The comparison that ends the inner loop, and the operand of it that does
  /// not change there.
  llvm::ICmpInst *Finish = nullptr;
  unsigned FinishBound = 0;
  /// The growth of the compared value with an edge, and with all edges of a
  /// row.
  uint64_t FinishStep = 0;
  const llvm::SCEV *Span = nullptr;

  /// Blocks of the outer loop that lead to the inner loop.
  llvm::SmallSetVector<llvm::BasicBlock *, 8> Before;

  /// Returns the value of \p A at the row's first edge.
  llvm::Value *startOf(const Accumulator &A) const;
  void setStart(const Accumulator &A, llvm::Value *Start);
};

/// Recognises the nest of \p Outer, which is in simplified, rotated and LCSSA
/// form, as are the loops in it; or returns the reason why it is no pull nest.
MaybeRefusal recognizeNest(const LoopContext &C, PullNest &Nest);

/// Whether the array at \p First, with an element of \p Bytes bytes for each
/// lane, has the layout of the edge vectors of a row, of which \p Vector is the
/// first.
bool beginsAtVector(const PullNest &Nest, const llvm::SCEV *First,
                    const llvm::SCEV *Vector, uint64_t Bytes,
                    llvm::ScalarEvolution &SE);

} // namespace heddle

#endif
