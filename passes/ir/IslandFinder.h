//===- IslandFinder.h - Follows the pointers of an iteration ----*- C++ -*-===//
//
// The search behind Islands.h: goes through the code of a loop, and through the
// functions that are handed memory of the iteration, until no set of places
// grows any more.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_IR_ISLANDFINDER_H
#define HEDDLE_PASSES_IR_ISLANDFINDER_H

#include "ir/IslandPlaces.h"
#include "ir/LibraryLinks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

namespace llvm {
class AtomicRMWInst;
class AllocaInst;
class AnyMemTransferInst;
class CallBase;
class Function;
class GEPOperator;
class Instruction;
class Loop;
class MDNode;
} // namespace llvm

namespace heddle {

class IslandFinder {
  const llvm::Loop &L;
  llvm::SmallPtrSet<const llvm::AllocaInst *, 8> Variables;
  IslandPlaces Places;
  /// Where values lead to.
  llvm::DenseMap<const llvm::Value *, PlaceSet> Points;
  /// The functions that are handed memory of the iteration, and where what they
  /// return leads to.
  llvm::SetVector<const llvm::Function *> Callees;
  llvm::DenseMap<const llvm::Function *, PlaceSet> Returned;
  unsigned Instructions = 0;
  bool Changed = false;
  /// It is not certain yet which calls are handed memory of the iteration.
  bool IsWaiting = true;

public:
  IslandFinder(const llvm::Loop &L,
               llvm::ArrayRef<const llvm::AllocaInst *> Variables);

  /// False if it is not worth it, or would take too long.
  bool run();

  const IslandPlaces &places() const { return Places; }
  const llvm::DenseMap<const llvm::Value *, PlaceSet> &points() const {
    return Points;
  }
  /// The functions that access memory of the iteration only.
  llvm::SmallPtrSet<const llvm::Function *, 8> ownFunctions() const;
  /// True if the function that \p Call calls does, of which \p OwnFunctions are
  /// known.
  bool isOwnCall(
      const llvm::CallBase &Call,
      const llvm::SmallPtrSet<const llvm::Function *, 8> &OwnFunctions) const;
  /// Where \p V leads to.
  PlaceSet placesOf(const llvm::Value *V) const;

private:
  bool mayHaveIslands() const;
  bool isInside(const llvm::Instruction &I) const;
  void add(const llvm::Value *To, const PlaceSet &What);
  void visit(const llvm::Instruction &I);
  void visitOther(const llvm::Instruction &I);
  void visitPhi(const llvm::Instruction &I);
  void visitDifference(const llvm::Instruction &I);
  uint64_t multipleOf(const llvm::Value *Number) const;
  void visitAddress(const llvm::GEPOperator &Address);
  void visitLoad(const llvm::Instruction &I, const llvm::Value *Address);
  void visitUpdate(const llvm::AtomicRMWInst &I);
  void visitStore(const llvm::Instruction &I, const llvm::Value *Address,
                  const llvm::Value *What);
  void visitCall(const llvm::CallBase &Call);
  bool visitIntrinsic(const llvm::CallBase &Call);
  void visitCopy(const llvm::AnyMemTransferInst &Copy);
  bool visitAllocation(const llvm::CallBase &Call);
  void visitLinks(const llvm::CallBase &Call, const LibraryLinks &Known);
  bool enter(const llvm::CallBase &Call);
  void visitUnknown(const llvm::CallBase &Call);
  bool accessesOwn(
      const llvm::Instruction &I,
      const llvm::SmallPtrSet<const llvm::Function *, 8> &OwnFunctions) const;
};

} // namespace heddle

#endif
