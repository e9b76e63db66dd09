//===- LatencyAnalysis.h - Accesses that wait for memory --------*- C++ -*-===//
//
// Classifies the memory accesses of a loop by how their addresses are computed.
// The hardware prefetcher covers addresses that are affine in an induction
// variable; it cannot predict addresses that depend on a value loaded in the
// same iteration, on a hash, or on an opaque call.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_LATENCYANALYSIS_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_LATENCYANALYSIS_H

#include "async/analysis/FrameValues.h"
#include "loop/LoopContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instruction.h"
#include <optional>

namespace llvm {
class Loop;
class LoopInfo;
class MemIntrinsic;
class PHINode;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace heddle {

enum class AddressKind {
  Invariant,   ///< the same in every iteration
  Affine,      ///< a stream that the hardware prefetches
  StreamStart, ///< affine in an inner loop that starts somewhere unpredictable
  Irregular    ///< unpredictable at every execution
};

struct Access {
  llvm::Instruction *I;
  llvm::Value *Address;
  uint64_t Bytes;
  bool Writes;
  AddressKind Kind;
  /// The number of unpredictable loads of the same iteration that the address
  /// waits for; EndlessChain if it is known only at run time.
  unsigned Depth;
  /// The clauses remote(p) and near(p).
  bool Remote, Near;
  /// The iteration has accessed the line before.
  bool IsVisited = false;
  /// Where, in bytes from the address, accesses to the object begin that are
  /// made by who has handed it here.
  int64_t Least = 0, Most = 0;

  /// What the address is known to be a multiple of.
  llvm::Align alignment() const;
  bool isLongLatency() const { return !IsVisited && isUnpredictable(); }
  /// True if the line, when it was first accessed, had to be waited for.
  bool isUnpredictable() const {
    return !Near && (Remote || Kind == AddressKind::StreamStart ||
                     Kind == AddressKind::Irregular);
  }
};

constexpr unsigned EndlessChain = 100;

class LatencyAnalysis {
public:
  /// If \p OnlyFar, accesses to memory that is not far count as near.
  LatencyAnalysis(const LoopContext &C, bool OnlyFar);

  /// In program order (reverse post-order of blocks).
  llvm::ArrayRef<Access> accesses() const { return Accesses; }
  const Access *find(const llvm::Instruction *I) const;
  bool isLongLatency(const llvm::Instruction *I) const {
    const Access *A = find(I);
    return A && A->isLongLatency();
  }
  bool isUnpredictable(const llvm::Instruction *I) const {
    const Access *A = find(I);
    return A && A->isUnpredictable();
  }
  /// Returns the number of unpredictable loads that \p V waits for.
  unsigned depth(llvm::Value *V);

private:
  llvm::Loop &L;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  FrameValues Frames;
  const bool OnlyFar;
  const unsigned LineBytes;
  llvm::SmallVector<Access> Accesses;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Index;
  llvm::DenseMap<llvm::Value *, unsigned> Depths;

  AddressKind classify(llvm::Value *Address) const;
  void addAccess(llvm::Instruction &I);
  /// Adds a copy or fill of far memory, if one request is enough for it.
  void addFarObject(llvm::MemIntrinsic &I, llvm::Value &Address);
  /// True if each iteration of \p Phi's loop waits for memory to know the next
  /// value of \p Phi, as in a linked list.
  bool isChased(const llvm::PHINode &Phi) const;
};

/// The variable of \p L by which each iteration leads to the next one through
/// memory, as through a linked list; nullptr if there is none.
const llvm::PHINode *findChased(const llvm::Loop &L);

} // namespace heddle

#endif
