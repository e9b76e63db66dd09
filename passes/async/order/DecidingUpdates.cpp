//===- DecidingUpdates.cpp - Who comes first to an element ----------------===//

#include "async/order/DecidingUpdates.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/CalleeUses.h"
#include "async/analysis/FrameValues.h"
#include "async/analysis/ObjectAddress.h"
#include "async/analysis/SameElement.h"
#include "ir/Instructions.h"
#include "loop/FarAccess.h"
#include "loop/Worksharing.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// True if an iteration of \p C 's loop may come from \p From to \p To.
static bool mayComeTo(Instruction &From, Instruction &To,
                      const LoopContext &C) {
  if (From.getParent() == To.getParent() && From.comesBefore(&To))
    return true;
  BasicBlock *Header = C.L.getHeader();
  const SmallPtrSet<BasicBlock *, 1> NextIteration{Header};
  return any_of(successors(From.getParent()), [&](BasicBlock *Next) {
    return Next != Header && C.L.contains(Next) &&
           isPotentiallyReachable(Next, To.getParent(), &NextIteration, &C.DT);
  });
}

/// The addresses that \p I reads at, or \p Writes at: those that a call is
/// handed, too.
static SmallVector<Value *, 2> addressesOf(Instruction &I, bool Writes) {
  SmallVector<Value *, 2> Addresses;
  if (auto *Address = accessedAddress(I)) {
    if (Writes ? I.mayWriteToMemory() : I.mayReadFromMemory())
      Addresses.push_back(Address);
    return Addresses;
  }
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || Call->isLifetimeStartOrEnd() ||
      !(Writes ? Call->mayWriteToMemory() : Call->onlyReadsMemory()))
    return Addresses;
  for (unsigned Number = 0; Number < Call->arg_size(); ++Number)
    if (Value *Argument = Call->getArgOperand(Number);
        Argument->getType()->isPointerTy() &&
        !(Writes && Call->onlyReadsMemory(Number)))
      Addresses.push_back(Argument);
  return Addresses;
}

/// True if \p Load and \p Store may access the same bytes of one element, of
/// which one may be chosen by an index of its own.
static bool mayBeOneField(Instruction &Load, Instruction &Store,
                          const LoopContext &C, const FrameValues &Frames) {
  auto *From = dyn_cast<LoadInst>(&Load);
  auto *To = dyn_cast<StoreInst>(&Store);
  if (!From || !To)
    return false;
  const DataLayout &DL = From->getDataLayout();
  Access Read = {}, Write = {};
  Read.Address = From->getPointerOperand();
  Read.Bytes = DL.getTypeStoreSize(From->getType());
  Write.Address = To->getPointerOperand();
  Write.Bytes = DL.getTypeStoreSize(To->getValueOperand()->getType());
  return Frames.origin(ObjectAddress(Read.Address).base()) ==
             Frames.origin(ObjectAddress(Write.Address).base()) &&
         mayBeOneElement(Read.Address, Write.Address, C.L, Frames) &&
         !areDifferentFields(Read, Write, C.L, Frames);
}

/// True if \p I reads an element that the iteration may write to behind it.
static bool isUpdate(Instruction &I, const LoopContext &C,
                     const FrameValues &Frames) {
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return true;
  const SmallVector<Value *, 2> Read = addressesOf(I, /*Writes=*/false);
  // A function that is handed the address of an element may write any field.
  auto Writes = [&](Value *Written, bool InCall) {
    return any_of(Read, [&](Value *Address) {
      if (sameAddress(Address, Written, C.SE, Frames))
        return true;
      auto *Distance = InCall
                           ? dyn_cast<SCEVConstant>(C.SE.getMinusSCEV(
                                 C.SE.getSCEV(Address), C.SE.getSCEV(Written)))
                           : nullptr;
      return Distance && Distance->getAPInt().isNonNegative();
    });
  };
  return any_of(instructionsIn(C.L.blocks()), [&](Instruction &Other) {
    return (mayBeOneField(I, Other, C, Frames) ||
            any_of(addressesOf(Other, /*Writes=*/true),
                   [&](Value *Written) {
                     return Writes(Written, isa<CallBase>(Other));
                   })) &&
           mayComeTo(I, Other, C);
  });
}

namespace {

/// Finds updates that decide on what happens to ordered variables, as in
/// `if (!taken[k].exchange(true)) out[count++] = i`. Which iteration claims a
/// place, of those that want it, is a matter of order then.
class DecidingUpdates {
  const LoopContext &C;
  const TaskLocals &Locals;
  const Loop &L;
  const DominatorTree &DT;
  /// What may be the read of an update. A task that waits for its turn owns
  /// nothing in far memory.
  SmallSetVector<Instruction *, 4> Reads;
  /// Calls that return what they have found in memory that they change.
  SmallPtrSet<const Instruction *, 2> Claims;
  SmallVector<const Value *> Worklist;
  SmallPtrSet<const Value *, 32> Seen;

public:
  DecidingUpdates(const LoopContext &C, const TaskLocals &Locals)
      : C(C), Locals(Locals), L(C.L), DT(C.DT) {
    const bool IsShared = isWorksharing(L, DT);
    const bool Writes =
        !IsShared && any_of(instructionsIn(L.blocks()), [](Instruction &I) {
          return I.mayWriteToMemory();
        });
    for (Instruction &I : instructionsIn(L.blocks()))
      if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)
              ? !IsShared || L.isLoopInvariant(accessedAddress(I))
              : Writes && !addressesOf(I, /*Writes=*/false).empty() &&
                    !accessesFar(I))
        Reads.insert(&I);
    if (!IsShared)
      addClaims();
  }

  /// Those that the value or the execution of \p Roots depends on.
  SmallVector<Instruction *> find(ArrayRef<Value *> Roots) {
    SmallVector<Instruction *> Deciding;
    if (Reads.empty())
      return Deciding;
    PostDominatorTree PDT(*L.getHeader()->getParent());
    append_range(Worklist, Roots);
    while (!Worklist.empty()) {
      auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
      if (!I || !L.contains(I) || !Seen.insert(I).second)
        continue;
      auto *Phi = dyn_cast<PHINode>(I);
      if (Phi && Phi->getParent() == L.getHeader())
        continue;
      append_range(Worklist, I->operand_values());
      const BasicBlock *Block = I->getParent();
      if (Phi)
        for (BasicBlock *From : Phi->blocks())
          addConditions(From, [&](const BasicBlock *Branch) {
            return Branch == Block || !DT.properlyDominates(Branch, Block) ||
                   Branch == DT.getNode(Block)->getIDom()->getBlock();
          });
      addConditions(Block, [&](const BasicBlock *Branch) {
        return !PDT.dominates(Block, Branch);
      });
    }
    const FrameValues Frames(C);
    copy_if(Reads, std::back_inserter(Deciding), [&](Instruction *I) {
      return Seen.contains(I) &&
             (Claims.contains(I) ||
              (!isOwn(*I, Frames) && isUpdate(*I, C, Frames)));
    });
    return Deciding;
  }

private:
  /// True if \p Root is known in the loop, unlike what a callee allocates, an
  /// exception for instance.
  bool isOfProgram(const Value &Root) const {
    auto *I = dyn_cast<Instruction>(&Root);
    return !I || I->getFunction() == L.getHeader()->getParent();
  }

  /// Adds the functions that update what other iterations see, and may tell
  /// what it was.
  void addClaims() {
    const FrameValues Frames(C);
    CalleeUses Callees;
    for (Instruction &I : instructionsIn(L.blocks())) {
      auto *Call = dyn_cast<CallBase>(&I);
      // What other functions do is not seen to be sequential.
      if (!Call || !definedCallee(I) || I.getType()->isVoidTy() ||
          !I.mayWriteToMemory() || hasCodeBeside(I) || isNoAliasCall(&I))
        continue;
      if (any_of(Callees.of(*Call, L, Frames), [&](const CalleeUse &Use) {
            const Value *Root = Use.Object.Root;
            return Use.Reads && Use.Writes && Root && isOfProgram(*Root) &&
                   !isLocal(const_cast<Value *>(Root), Locals, Frames);
          })) {
        Reads.insert(&I);
        Claims.insert(&I);
      }
    }
  }

  /// True if no other iteration accesses what \p I reads.
  bool isOwn(Instruction &I, const FrameValues &Frames) const {
    auto IsLocal = [&](Value *Address) {
      return isLocal(Address, Locals, Frames);
    };
    if (all_of(addressesOf(I, /*Writes=*/false), IsLocal))
      return true;
    Value *Address = accessedAddress(I);
    return Address && !L.isLoopInvariant(Address) &&
           distinctPerIteration(
               Address, I.getDataLayout().getTypeStoreSize(I.getAccessType()),
               L, C.SE);
  }

  /// Adds the conditions of those blocks in front of \p From that decide.
  void addConditions(const BasicBlock *From,
                     function_ref<bool(const BasicBlock *)> Decides) {
    for (const BasicBlock *Block = From; L.contains(Block);
         Block = DT.getNode(Block)->getIDom()->getBlock()) {
      const Instruction *End = Block->getTerminator();
      if (End->getNumSuccessors() > 1 && Decides(Block))
        append_range(Worklist, End->operand_values());
      if (Block == L.getHeader())
        break;
    }
  }
};

} // namespace

void heddle::addDecidingUpdates(const LoopContext &C, const LoopFacts &Facts,
                                SmallVectorImpl<OrderedUse> &Uses) {
  SmallVector<Value *> Roots;
  for (const OrderedUse &Use : Uses)
    Roots.push_back(Use.At);
  for (const LoopVariable &V : Facts.Classes.Variables)
    if (V.Class == VariableClass::Ordered)
      Roots.push_back(V.Next);
  for (Instruction *Read : DecidingUpdates(C, Facts.Locals).find(Roots))
    Uses.push_back({Read, Read});
}
