//===- ElementRemovals.cpp - Elements that iterations unlink --------------===//

#include "async/regions/ElementRemovals.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/ObjectAddress.h"
#include "async/analysis/SameElement.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

ElementRemovals::ElementRemovals(const LoopContext &C,
                                 const LatencyAnalysis &Latency,
                                 const TaskLocals &Locals,
                                 const FrameValues &Frames,
                                 const ReadDependences &Dependences,
                                 ArrayRef<InstructionUse> Hidden)
    : L(C.L), Frames(Frames), SE(C.SE), AA(C.AA), Dependences(Dependences) {
  findLinks(Latency, Locals);
  for (const Access *Store : Replacements)
    if (isRemoval(*Store))
      Removals.push_back(Store);
  auto MayUnlink = [&](const Access &Link) {
    return any_of(Removals,
                  [&](const Access *Store) {
                    return areSameLink(Link, *Store);
                  }) ||
           (isCarried(Link) && any_of(Hidden, [&](const InstructionUse &Use) {
              return mayUnlink(Use, Link);
            }));
  };
  for (const Access *Link : Links)
    if (MayUnlink(*Link))
      Unlinked.insert(Link->I);
}

/// True if \p Use is by a call that is handed an element that \p Link leads
/// to, and that may write more than a counter.
bool ElementRemovals::mayUnlink(const InstructionUse &Use,
                                const Access &Link) const {
  if (!Use.What.Writes || Use.What.IsUpdate)
    return false;
  const ObjectAddress Place(Link.Address);
  return any_of(cast<CallBase>(Use.I)->args(), [&](Value *Argument) {
    return Argument->getType()->isPointerTy() &&
           Dependences.addressDependsOn(Argument, Link.I) &&
           sameExpression(ObjectAddress(Argument).base(), Place.base(), Frames);
  });
}

/// The addresses that \p Address is merged from or kept as, and itself.
static SmallSetVector<Value *, 8> waysOf(Value *Address, const Loop &L,
                                         const FrameValues &Frames) {
  SmallSetVector<Value *, 8> Ways;
  Ways.insert(Address);
  auto Add = [&](const Value *Way) {
    if (Way->getType()->isPointerTy())
      Ways.insert(const_cast<Value *>(Way));
  };
  for (unsigned I = 0; I < Ways.size(); ++I) {
    auto *Merge = dyn_cast<Instruction>(Ways[I]);
    if (!Merge || !L.contains(Merge))
      continue;
    if (isa<PHINode, SelectInst>(Merge))
      for_each(Merge->operand_values(), Add);
    for_each(Frames.kept(Merge), Add);
    for_each(Frames.saved(Merge), Add);
  }
  return Ways;
}

/// True if \p A and \p B are computed alike in one array or, if
/// \p OfPointers, from pointers to elements. The number of an element is a link
/// in its own array only.
static bool areAlike(Value *A, Value *B, bool OfPointers, const Loop &L,
                     const FrameValues &Frames) {
  const ObjectAddress First(A), Second(B);
  if (First.constant() != Second.constant() ||
      First.variables().size() != Second.variables().size())
    return false;
  const bool AreElements = OfPointers && !L.isLoopInvariant(First.base()) &&
                           !L.isLoopInvariant(Second.base());
  return (AreElements || sameExpression(First.base(), Second.base(), Frames)) &&
         all_of(zip(First.variables(), Second.variables()), [](auto Pair) {
           return std::get<0>(Pair).second == std::get<1>(Pair).second;
         });
}

/// True if \p A and \p B access the same field of elements of one kind.
bool ElementRemovals::areSameLink(const Access &A, const Access &B) const {
  const bool OfPointers = getLoadStoreType(A.I)->isPointerTy() &&
                          getLoadStoreType(B.I)->isPointerTy();
  return mayBeSameField(A, B, L, Frames, AA) &&
         any_of(waysOf(A.Address, L, Frames), [&](Value *Way) {
           return any_of(waysOf(B.Address, L, Frames), [&](Value *Other) {
             return areAlike(Way, Other, OfPointers, L, Frames);
           });
         });
}

void ElementRemovals::findLinks(const LatencyAnalysis &Latency,
                                const TaskLocals &Locals) {
  SmallVector<const Access *> Stores;
  for (const Access &A : Latency.accesses()) {
    if (isLocal(A.Address, Locals, Frames) ||
        distinctPerIteration(A.Address, A.Bytes, L, SE))
      continue;
    auto *Store = dyn_cast<StoreInst>(A.I);
    if (Store && !isCommutativeUpdate(*Store))
      Stores.push_back(&A);
    if (isa<LoadInst>(A.I) && A.I->getType()->isIntOrPtrTy() &&
        any_of(Latency.accesses(), [&](const Access &Behind) {
          return Dependences.addressDependsOn(Behind.Address, A.I);
        }))
      Links.push_back(&A);
  }
  for (const Access *Store : Stores)
    if (any_of(Links,
               [&](const Access *Link) { return areSameLink(*Link, *Store); }))
      Replacements.push_back(Store);
}

/// True if \p Link reads the next link from where the last one has led to.
bool ElementRemovals::isCarried(const Access &Link) const {
  return Dependences.addressDependsOn(Link.Address, Link.I);
}

/// True if \p Store replaces what \p Link reads by what lies behind it.
bool ElementRemovals::skips(const Access &Link, const Access &Store) const {
  return sameAddress(Link.Address, Store.Address, SE, Frames) &&
         any_of(Links, [&](const Access *Behind) {
           return Dependences.addressDependsOn(Behind->Address, Link.I) &&
                  Dependences.valueDependsOn(Store.I, Behind->I);
         });
}

/// True if \p Way leads to the element that \p Store links to another one of
/// the structure, or to none.
bool ElementRemovals::joins(const Access &Way, const Access &Store) const {
  if (!Dependences.addressDependsOn(Store.Address, Way.I))
    return false;
  const bool IsSame = areSameLink(Way, Store);
  if (isa<Constant>(cast<StoreInst>(Store.I)->getValueOperand()))
    return IsSame;
  return any_of(Links, [&](const Access *To) {
    return Dependences.valueDependsOn(Store.I, To->I) &&
           areSameLink(*To, Store) &&
           (IsSame || mayBeOneElement(Way.Address, To->Address, L, Frames));
  });
}

bool ElementRemovals::isRemoval(const Access &Store) const {
  return any_of(Links, [&](const Access *Link) {
    return skips(*Link, Store) || joins(*Link, Store);
  });
}

bool ElementRemovals::leadsOn(const Instruction *Link) const {
  return Unlinked.contains(Link) && any_of(Links, [&](const Access *A) {
           return A->I == Link && isCarried(*A);
         });
}

void ElementRemovals::find(
    function_ref<void(Instruction *, Instruction *)> Add) const {
  for (const Access *Link : Links) {
    if (!Unlinked.contains(Link->I))
      continue;
    for (const Access *Store : Replacements)
      if (Dependences.addressDependsOn(Store->Address, Link->I) &&
          any_of(Removals, [&](const Access *Removal) {
            return areSameLink(*Removal, *Store);
          }))
        Add(Link->I, Store->I);
  }
}
