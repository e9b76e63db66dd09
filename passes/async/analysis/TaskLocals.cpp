//===- TaskLocals.cpp - Stack variables of one iteration ------------------===//

#include "async/analysis/TaskLocals.h"
#include "names/SourceNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace heddle;

namespace {

/// The uses of a stack variable in and outside a loop.
struct VariableUses {
  bool Inside = false, Outside = false;
  /// Addresses into the variable and other values computed from its address
  /// outside the loop, without memory accesses; operands come first.
  SetVector<Instruction *> Addresses;

  VariableUses(AllocaInst &Variable, const Loop &L, const Directive &D,
               ArrayRef<BasicBlock *> Ends) {
    collect(Variable, L, D, Ends);
    for (unsigned I = 0; I < Addresses.size(); ++I)
      collect(*Addresses[I], L, D, Ends);
  }

private:
  void collect(Instruction &Address, const Loop &L, const Directive &D,
               ArrayRef<BasicBlock *> Ends) {
    for (Use &U : Address.uses()) {
      auto *User = cast<Instruction>(U.getUser());
      if (User == D.Marker || User->isLifetimeStartOrEnd())
        continue;
      auto *Phi = dyn_cast<PHINode>(User);
      if (L.contains(User)) {
        // A pointer in a header phi is carried from iteration to iteration.
        bool Enters = Phi && !L.contains(Phi->getIncomingBlock(U));
        (Enters ? Outside : Inside) = true;
        continue;
      }
      // Each task has ends of its own.
      if (is_contained(Ends, User->getParent()))
        continue;
      if (!Phi && !User->isTerminator() && !User->mayReadOrWriteMemory())
        Addresses.insert(User);
      else
        // A condition is no access.
        Outside |= Address.getType()->isPointerTy();
    }
  }
};

/// Computes \p Address again in front of \p At.
Instruction *repeatAddress(Instruction *Address,
                           const SetVector<Instruction *> &Addresses,
                           BasicBlock::iterator At) {
  Instruction *Copy = Address->clone();
  Copy->insertBefore(At);
  for (Use &U : Copy->operands())
    if (auto *Operand = dyn_cast<Instruction>(U.get());
        Operand && Addresses.contains(Operand))
      U.set(repeatAddress(Operand, Addresses, Copy->getIterator()));
  return Copy;
}

void moveIntoLoop(const SetVector<Instruction *> &Addresses, const Loop &L,
                  ArrayRef<BasicBlock *> Ends) {
  auto IsInside = [&](const Instruction *I) {
    return L.contains(I) || is_contained(Ends, I->getParent());
  };
  SmallVector<WeakTrackingVH> MaybeDead;
  for (Instruction *Address : Addresses) {
    SmallVector<Use *> Uses;
    for (Use &U : Address->uses())
      Uses.push_back(&U);
    // A phi has one value for all its edges from one block.
    SmallDenseMap<std::pair<PHINode *, BasicBlock *>, Instruction *> ForEdge;
    for (Use *U : Uses) {
      auto *User = cast<Instruction>(U->getUser());
      auto *Phi = dyn_cast<PHINode>(User);
      Instruction *At = Phi ? Phi->getIncomingBlock(*U)->getTerminator() : User;
      if (!IsInside(User) || !IsInside(At))
        continue;
      Instruction *&Known = ForEdge[{Phi, At->getParent()}];
      if (!Phi || !Known)
        Known = repeatAddress(Address, Addresses, At->getIterator());
      U->set(Known);
    }
    MaybeDead.push_back(Address);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(MaybeDead);
}

/// True if \p Address points into a variable on the stack.
bool isInVariable(const Value *Address) {
  return isa<AllocaInst>(getUnderlyingObject(Address));
}

/// Where an iteration finds in a phi which variable to use, as it does if the
/// optimizer knows that the loop has two iterations: lets it find a number
/// there, and choose in the loop.
void chooseInLoop(PHINode &Pointer, const Loop &L) {
  Value *First = Pointer.getIncomingValueForBlock(L.getLoopPreheader());
  Value *Next = Pointer.getIncomingValueForBlock(L.getLoopLatch());
  if (Pointer.getNumIncomingValues() != 2 || !L.isLoopInvariant(Next) ||
      !(isInVariable(First) || isInVariable(Next)))
    return;
  LLVMContext &Context = Pointer.getContext();
  auto *IsFirst =
      PHINode::Create(Type::getInt1Ty(Context), 2, "", Pointer.getIterator());
  IsFirst->addIncoming(ConstantInt::getTrue(Context), L.getLoopPreheader());
  IsFirst->addIncoming(ConstantInt::getFalse(Context), L.getLoopLatch());
  auto *Choice = SelectInst::Create(IsFirst, First, Next, "",
                                    L.getHeader()->getFirstInsertionPt());
  Choice->setDebugLoc(Pointer.getDebugLoc());
  Pointer.replaceAllUsesWith(Choice);
  Pointer.eraseFromParent();
}

/// The variables whose addresses iterations hand to the next ones in phis.
SmallPtrSet<const Value *, 4> variablesHandedOn(const Loop &L) {
  SmallVector<const Value *, 4> Objects;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Phi.getType()->isPointerTy())
      getUnderlyingObjects(Phi.getIncomingValueForBlock(L.getLoopLatch()),
                           Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return {Objects.begin(), Objects.end()};
}

} // namespace

MaybeRefusal heddle::findTaskLocals(Loop &L, const Directive &D,
                                    TaskLocals &Locals,
                                    ArrayRef<BasicBlock *> Ends) {
  for (const Value *Variable : D.Private) {
    auto *Alloca = dyn_cast<AllocaInst>(Variable);
    if (!Alloca || !Alloca->isStaticAlloca())
      return refuse(RefusalKind::PrivateNotLocal, {describeVariable(Variable)});
  }
  for (PHINode &Phi : make_early_inc_range(L.getHeader()->phis()))
    if (Phi.getType()->isPointerTy())
      chooseInLoop(Phi, L);
  const SmallPtrSet<const Value *, 4> HandedOn = variablesHandedOn(L);
  for (Instruction &I : L.getHeader()->getParent()->getEntryBlock()) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    if (!Alloca || !Alloca->isStaticAlloca() || HandedOn.contains(Alloca) ||
        is_contained(D.Shared, Alloca) || is_contained(D.Sequential, Alloca))
      continue;
    VariableUses Uses(*Alloca, L, D, Ends);
    if (!is_contained(D.Private, Alloca) && (!Uses.Inside || Uses.Outside))
      continue;
    moveIntoLoop(Uses.Addresses, L, Ends);
    Locals.insert(Alloca);
  }
  return std::nullopt;
}

uint64_t heddle::bytesOf(const TaskLocals &Locals) {
  uint64_t Bytes = 0;
  for (const AllocaInst *Local : Locals)
    Bytes += Local->getAllocationSize(Local->getDataLayout())->getFixedValue();
  return Bytes;
}

void heddle::extendLifetimes(const Loop &L, const TaskLocals &Locals) {
  SmallVector<Instruction *> Markers;
  for (Instruction &I : L.getHeader()->getParent()->getEntryBlock()) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    if (!Alloca || Locals.contains(Alloca))
      continue;
    SmallVector<Instruction *> Own;
    bool InLoop = false;
    for (User *U : Alloca->users())
      if (auto *Marker = cast<Instruction>(U); Marker->isLifetimeStartOrEnd()) {
        Own.push_back(Marker);
        InLoop |= L.contains(Marker);
      }
    if (InLoop)
      Markers.append(Own);
  }
  for (Instruction *Marker : Markers)
    Marker->eraseFromParent();
}
