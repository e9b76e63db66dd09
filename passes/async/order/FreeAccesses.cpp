//===- FreeAccesses.cpp - Accesses to variables of any order --------------===//

#include "async/order/FreeAccesses.h"
#include "ir/Instructions.h"
#include "mark/Marks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// Calls \p Add with each access to \p Place of the kind \p Kind that may be
/// the next one behind \p I in its iteration.
template <class Kind>
static void findNext(Instruction &I, const Value *Place, const Loop &L,
                     function_ref<void(Instruction *)> Add) {
  auto FindIn = [&](BasicBlock::iterator From, BasicBlock::iterator To) {
    for (Instruction &Later : make_range(From, To))
      if (auto *Found = dyn_cast<Kind>(&Later);
          Found && Found->getPointerOperand() == Place) {
        Add(Found);
        return true;
      }
    return false;
  };
  BasicBlock *Block = I.getParent();
  if (FindIn(std::next(I.getIterator()), Block->end()))
    return;
  SmallSetVector<BasicBlock *, 16> Reached;
  auto Reach = [&](BasicBlock *From) {
    for (BasicBlock *To : successors(From))
      if (L.contains(To) && To != L.getHeader())
        Reached.insert(To);
  };
  Reach(Block);
  for (unsigned Next = 0; Next < Reached.size(); ++Next)
    if (!FindIn(Reached[Next]->begin(), Reached[Next]->end()))
      Reach(Reached[Next]);
}

FreeAccesses::FreeAccesses(const Loop &L) : L(L) {
  for (Instruction &I : instructionsIn(L.blocks()))
    if (const MDNode *Free = I.getMetadata(FreeMetadata)) {
      (isa<LoadInst>(I) ? Reads : Writes).push_back(&I);
      if (isa<LoadInst>(I) && Free->getNumOperands())
        Tables.insert(&I);
    }
  if (Reads.empty())
    return;
  for (const Instruction &I : instructionsIn(L.blocks()))
    if (const Value *Address = isa<LoadInst>(I) ? nullptr : accessedAddress(I);
        Address && isChosen(*Address) && !isOfTable(I))
      Objects.insert(getUnderlyingObject(Address));
}

/// True if \p V , or an operand of it, is computed from what an instruction has
/// read for which \p IsRead is true.
static bool isComputedFrom(const Value &V, const Loop &L,
                           function_ref<bool(const Instruction &)> IsRead) {
  return findOperand(&V, L, [&](const Instruction &From) {
    if (IsRead(From))
      return OperandWalk::Found;
    const bool IsOther =
        isa<PHINode>(From) && From.getParent() == L.getHeader();
    return IsOther || (&From != &V && From.mayReadOrWriteMemory())
               ? OperandWalk::Pass
               : OperandWalk::GoOn;
  });
}

/// True if the value of such a variable is part of \p Address, or of an operand
/// of an instruction.
bool FreeAccesses::isChosen(const Value &Address) const {
  return isComputedFrom(Address, L, [&](const Instruction &From) {
    return is_contained(Reads, &From);
  });
}

/// True if \p I accesses an element of a table.
bool FreeAccesses::isOfTable(const Instruction &I) const {
  return !Tables.empty() && isComputedFrom(I, L, [&](const Instruction &From) {
    return Tables.contains(const_cast<Instruction *>(&From));
  });
}

void FreeAccesses::findUpdates(
    function_ref<void(Instruction *, Instruction *)> Add) const {
  SmallSetVector<const Value *, 2> Places;
  for (const Instruction *Write : Writes)
    Places.insert(accessedAddress(*Write));
  for (Instruction *Read : Reads)
    for (const Value *Place : Places)
      findNext<StoreInst>(*Read, Place, L,
                          [&](Instruction *Write) { Add(Read, Write); });
  for (Instruction *Write : Writes)
    if (Write->getMetadata(FreeMetadata)->getNumOperands())
      findNext<LoadInst>(*Write, accessedAddress(*Write), L,
                         [&](Instruction *Read) { Add(Write, Read); });
  // When others make the table grow, its elements go elsewhere.
  for (Instruction *Table : Tables)
    for (Instruction &I : instructionsIn(L.blocks()))
      if (&I != Table && I.mayReadOrWriteMemory() &&
          isComputedFrom(
              I, L, [&](const Instruction &From) { return &From == Table; }))
        Add(Table, &I);
}

bool FreeAccesses::areKeptApart(const Instruction &First,
                                const Instruction &Last) const {
  return !Reads.empty() && isPlaced(First) && isPlaced(Last) &&
         !isOfTable(First) && !isOfTable(Last);
}

bool FreeAccesses::isPlaced(const Instruction &I) const {
  if (is_contained(Reads, &I) || is_contained(Writes, &I))
    return true;
  if (const Value *Address = accessedAddress(I))
    return isChosen(*Address) || Objects.contains(getUnderlyingObject(Address));
  return isChosen(I) || any_of(I.operand_values(), [&](const Value *Operand) {
           return Operand->getType()->isPointerTy() &&
                  Objects.contains(getUnderlyingObject(Operand));
         });
}
