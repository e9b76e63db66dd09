//===- Inspector.cpp - Addresses that follow from carried state -----------===//

#include "async/plan/Inspector.h"
#include "async/plan/RunAhead.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

namespace {

class Slicer {
  using Instructions = SmallSetVector<Instruction *, 32>;

  const Loop &Inner;
  const LatencyAnalysis &Latency;
  const DominatorTree &DT;
  const PostDominatorTree &PDT;
  AAResults &AA;
  Inspector &Result;

public:
  Slicer(const LoopContext &C, const LatencyAnalysis &Latency,
         const PostDominatorTree &PDT, Inspector &Result)
      : Inner(C.L), Latency(Latency), DT(C.DT), PDT(PDT), AA(C.AA),
        Result(Result) {}

  /// Adds the instructions that decide whether the loop continues. False if
  /// they cannot be repeated, wait for memory in each iteration, or read memory
  /// that the loop may change meanwhile.
  bool addState() {
    SmallVector<Value *> Wanted;
    SmallVector<BasicBlock *, 4> Ends;
    Inner.getExitingBlocks(Ends);
    Ends.push_back(Inner.getLoopLatch());
    for (BasicBlock *Block : Ends) {
      Wanted.push_back(Block->getTerminator());
      addControl(*Block, Wanted);
    }
    return grow(Result.Repeated, Wanted) &&
           none_of(Result.Repeated, [&](Instruction *I) {
             auto *Load = dyn_cast<LoadInst>(I);
             return Load &&
                    (waitsAlways(*Load, Result.Walks) || mayChange(*Load));
           });
  }

  /// Adds the instructions that \p A 's address and the execution of \p A
  /// depend on, if they meet the conditions of addState().
  bool add(const Access &A) {
    Instructions Slice = Result.Repeated;
    SmallVector<Inspector::Walk, 2> Walks = Result.Walks;
    SmallVector<Value *> Wanted{A.Address};
    addControl(*A.I->getParent(), Wanted);
    if (!grow(Slice, Wanted) || Slice.contains(A.I))
      return false;
    // A value that may still change may be part of a requested address, but no
    // load or branch of the copy may depend on it.
    Instructions Changing;
    for (Instruction *I : Slice)
      if (auto *Load = dyn_cast<LoadInst>(I);
          Load && !Result.Repeated.contains(Load)) {
        if (waitsAlways(*Load, Walks))
          return false;
        if (mayChange(*Load))
          Changing.insert(Load);
      }
    for (Instruction *I : Slice)
      if ((isa<LoadInst>(I) || I->isTerminator()) && dependsOn(*I, Changing))
        return false;
    Result.Repeated = std::move(Slice);
    Result.Walks = std::move(Walks);
    Result.Found.push_back(&A);
    return true;
  }

  /// Finds the blocks where the sides of branches that are not repeated meet
  /// again.
  bool joinBranches() {
    for (const BasicBlock *Block : Inner.blocks()) {
      if (Block->getTerminator()->getNumSuccessors() < 2 ||
          Result.Repeated.contains(Block->getTerminator()))
        continue;
      const DomTreeNode *Join = PDT.getNode(Block)->getIDom();
      if (!Join || !Join->getBlock() || !Inner.contains(Join->getBlock()))
        return false;
      Result.Joins[Block] = Join->getBlock();
    }
    return true;
  }

private:
  /// Adds to \p Slice the instructions that \p Wanted depends on.
  bool grow(Instructions &Slice, SmallVectorImpl<Value *> &Wanted) const {
    while (!Wanted.empty()) {
      auto *I = dyn_cast<Instruction>(Wanted.pop_back_val());
      if (!I || !Inner.contains(I) || !Slice.insert(I))
        continue;
      if (Slice.size() > tunable::InspectorInstructions || !isRepeatable(*I))
        return false;
      addControl(*I->getParent(), Wanted);
      append_range(Wanted, I->operand_values());
      if (auto *Phi = dyn_cast<PHINode>(I))
        for (BasicBlock *From : Phi->blocks())
          if (Inner.contains(From)) {
            Wanted.push_back(From->getTerminator());
            addControl(*From, Wanted);
          }
    }
    return true;
  }

  /// Adds the branches that decide whether \p Block is reached.
  void addControl(const BasicBlock &Block,
                  SmallVectorImpl<Value *> &Wanted) const {
    for (BasicBlock *From : Inner.blocks())
      if (From->getTerminator()->getNumSuccessors() > 1 &&
          !PDT.properlyDominates(&Block, From) &&
          any_of(successors(From), [&](const BasicBlock *To) {
            return PDT.dominates(&Block, To);
          }))
        Wanted.push_back(From->getTerminator());
  }

  static bool isRepeatable(const Instruction &I) {
    if (isa<PHINode, BranchInst, SwitchInst>(I))
      return true;
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple();
    return !I.isTerminator() && !I.mayHaveSideEffects() &&
           !I.mayReadFromMemory() && !I.getType()->isTokenTy();
  }

  /// True if each iteration has to wait for \p Load, as iterations over a list
  /// wait for the link to the next element.
  bool waitsAlways(const LoadInst &Load,
                   SmallVectorImpl<Inspector::Walk> &Walks) const {
    const Access *A = Latency.find(&Load);
    if (!A || !A->isLongLatency() || A->Kind == AddressKind::StreamStart ||
        !DT.dominates(Load.getParent(), Inner.getLoopLatch()))
      return false;
    PHINode *Place = placeOf(A->Address, [&](PHINode *Phi) {
      return placeOf(Phi->getIncomingValueForBlock(Inner.getLoopLatch()),
                     [&](PHINode *Again) { return Again == Phi; });
    });
    if (!Place)
      return true;
    if (none_of(Walks, [&](const Inspector::Walk &W) { return W.Load == A; }))
      Walks.push_back(
          {A, Place,
           Place->getIncomingValueForBlock(Inner.getLoopPreheader())});
    return false;
  }

  /// A phi of the header that \p Address is an offset from on some way at
  /// least, and that \p IsPlace.
  PHINode *placeOf(Value *Address,
                   function_ref<bool(PHINode *)> IsPlace) const {
    SmallVector<Value *> Worklist{Address};
    SmallPtrSet<Value *, 8> Seen;
    while (!Worklist.empty()) {
      auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
      if (!I || !Inner.contains(I) || !Seen.insert(I).second)
        continue;
      if (auto *Phi = dyn_cast<PHINode>(I)) {
        if (Phi->getParent() != Inner.getHeader())
          append_range(Worklist, Phi->incoming_values());
        else if (IsPlace(Phi))
          return Phi;
      } else if (auto *Select = dyn_cast<SelectInst>(I)) {
        Worklist.append({Select->getTrueValue(), Select->getFalseValue()});
      } else if (auto *Offset = dyn_cast<GetElementPtrInst>(I)) {
        Worklist.push_back(Offset->getPointerOperand());
      }
    }
    return nullptr;
  }

  bool mayChange(const LoadInst &Load) const {
    return changes(Inner, Load, AA);
  }

  bool dependsOn(const Instruction &I, const Instructions &Changing) const {
    auto IsChanging = [&](const Instruction &From) {
      return Changing.contains(const_cast<Instruction *>(&From))
                 ? OperandWalk::Found
                 : OperandWalk::GoOn;
    };
    return any_of(I.operand_values(), [&](const Value *Operand) {
      return findOperand(Operand, Inner, IsChanging);
    });
  }
};

} // namespace

std::optional<Inspector> heddle::planInspector(const LoopContext &C,
                                               ArrayRef<const Access *> Wanted,
                                               const LatencyAnalysis &Latency,
                                               const PostDominatorTree &PDT) {
  const Loop &Inner = C.L;
  if (Wanted.empty() || !Inner.getLoopLatch() || !Inner.getLoopPreheader() ||
      !alwaysGoesOn(Inner))
    return std::nullopt;
  Inspector Result;
  Slicer S(C, Latency, PDT, Result);
  if (!S.addState())
    return std::nullopt;
  for (const Access *A : Wanted)
    if (!Result.Repeated.contains(A->I))
      S.add(*A);
  // Loads that the copy repeats are not requested.
  erase_if(Result.Found,
           [&](const Access *A) { return Result.Repeated.contains(A->I); });
  if (Result.Found.empty() || !S.joinBranches())
    return std::nullopt;
  return Result;
}
