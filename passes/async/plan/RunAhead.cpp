//===- RunAhead.cpp - Values that may be computed early -------------------===//

#include "async/plan/RunAhead.h"
#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "loop/LoopShape.h"
#include "mark/Marks.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ScalarEvolutionPatternMatch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::SCEVPatternMatch;
using namespace heddle;

/// Alias analysis compares the addresses of one iteration, so it is asked for
/// the whole object, if that is the same in all.
bool heddle::changes(const Loop &Inner, const LoadInst &Load, AAResults &AA) {
  const Value *Object = getUnderlyingObject(Load.getPointerOperand());
  MemoryLocation Place =
      Inner.isLoopInvariant(Object)
          ? MemoryLocation::getBeforeOrAfter(Object, Load.getAAMetadata())
          : MemoryLocation();
  for (Instruction &I : instructionsIn(Inner.blocks())) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!I.mayWriteToMemory() || I.isLifetimeStartOrEnd() ||
        (Call && Call->onlyAccessesInaccessibleMemory()))
      continue;
    if (!Place.Ptr || isModSet(AA.getModRefInfo(&I, Place)))
      return true;
  }
  return false;
}

bool heddle::alwaysGoesOn(const Loop &Inner) {
  return all_of(instructionsIn(Inner.blocks()), [](const Instruction &I) {
    return isGuaranteedToTransferExecutionToSuccessor(&I);
  });
}

/// True if the way out of a loop from \p From to \p To is that of a container
/// which cannot grow for want of memory.
static bool isWantOfMemory(const BasicBlock &From, const BasicBlock &To) {
  auto *Invoke = dyn_cast<InvokeInst>(From.getTerminator());
  return Invoke ? Invoke->getUnwindDest() == &To && isNewOrDelete(*Invoke)
                : any_of(To, [](const Instruction &I) {
                    const StringRef Name = calleeName(I);
                    return Name.starts_with("_ZSt20__throw_length_error") ||
                           Name.starts_with("_ZSt17__throw_bad_alloc") ||
                           Name.starts_with("_ZSt28__throw_bad_array_new");
                  });
}

/// True if all iterations that \p C 's loop counts are run, unless memory is
/// exhausted.
static bool runsToItsEnd(const LoopContext &C) {
  const BasicBlock *Latch = C.L.getLoopLatch();
  SmallVector<Loop::Edge> Exits;
  C.L.getExitEdges(Exits);
  return !Exits.empty() && all_of(Exits, [&](const Loop::Edge &Exit) {
    auto [From, To] = Exit;
    return isWantOfMemory(*From, *To) ||
           !isa<SCEVCouldNotCompute>(From == Latch
                                         ? latchCount(C.L, C.SE)
                                         : C.SE.getExitCount(&C.L, From));
  }) && all_of(instructionsIn(C.L.blocks()), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return (Call && isNewOrDelete(*Call)) ||
           isGuaranteedToTransferExecutionToSuccessor(&I);
  });
}

/// True if \p C 's loop ends by its count, or else the program does: the loop
/// around it, \p Around , is left.
static bool endsByCount(const LoopContext &C, const Loop &Around) {
  SmallVector<Loop::Edge> Exits;
  C.L.getExitEdges(Exits);
  bool IsCounted = false;
  for (auto &[From, To] : Exits) {
    const bool Counts =
        !isa<SCEVCouldNotCompute>(C.SE.getExitCount(&C.L, From));
    IsCounted |= Counts;
    if (!Counts && Around.contains(To))
      return false;
  }
  return IsCounted;
}

/// The part of \p Slice , operands first, that computes \p Result.
static AddressSlice partFor(const Value *Result,
                            const SetVector<Instruction *> &Slice) {
  SmallPtrSet<const Value *, 16> Needed{Result};
  AddressSlice Part;
  for (Instruction *I : reverse(Slice))
    if (Needed.contains(I)) {
      Needed.insert_range(I->operand_values());
      Part.push_back(I);
    }
  std::reverse(Part.begin(), Part.end());
  return Part;
}

/// True if the iteration of \p C 's loop that is reached gets to \p Load .
static bool isAlwaysReached(const LoadInst &Load, const LoopContext &C) {
  SimpleLoopSafetyInfo Safety;
  Safety.computeLoopSafetyInfo(&C.L);
  return Safety.isGuaranteedToExecute(Load, &C.DT, &C.L);
}

/// \p Load , which is part of \p Slice , as one that moves on with each
/// iteration of \p C 's loop.
static std::optional<SteppingLoad>
steppingLoad(LoadInst &Load, const SetVector<Instruction *> &Slice,
             const LoopContext &C) {
  const APInt *Step;
  constexpr unsigned LongestStep = 256;
  if (!match(C.SE.getSCEV(Load.getPointerOperand()),
             m_scev_AffineAddRec(m_SCEV(), m_scev_APInt(Step),
                                 m_SpecificLoop(&C.L))) ||
      Step->isZero() || Step->abs().ugt(LongestStep))
    return std::nullopt;
  return SteppingLoad{&Load, Step->getSExtValue(),
                      partFor(Load.getPointerOperand(), Slice)};
}

bool heddle::canRunAhead(const SetVector<Instruction *> &Slice,
                         const LoopContext &C, LoadsInPage *InPage) {
  const Loop &Inner = C.L;
  const bool RunsToItsEnd = runsToItsEnd(C);
  const bool StaysInPage = InPage && !RunsToItsEnd &&
                           endsByCount(C, InPage->Around) &&
                           !isSanitized(*Inner.getHeader()->getParent());
  // A loop that calls forms writes, beside its function's own memory, only what
  // no other iteration reads.
  const bool CallsForm =
      any_of(Slice, [](const Instruction *I) { return isStartOfForm(*I); });
  auto Changes = [&](const LoadInst &Load) {
    const Instruction &First = *Inner.getHeader()->getFirstNonPHIIt();
    return changes(Inner, Load, C.AA) &&
           !(CallsForm && mayMoveUp(&Load, &First, Inner) &&
             !isIdentifiedFunctionLocal(
                 getUnderlyingObject(Load.getPointerOperand())));
  };
  SmallPtrSet<const Value *, 16> FromMemory;
  bool Changing = false;
  for (Instruction *I : Slice) {
    bool DependsOnMemory = any_of(I->operand_values(), [&](Value *Operand) {
      return FromMemory.contains(Operand);
    });
    bool MayFault = !isSafeToSpeculativelyExecute(I);
    // Behind the last iteration no memory is known to exist; pointers that may
    // still change must not be followed.
    auto *Load = dyn_cast<LoadInst>(I);
    const bool IsReached = MayFault && StaysInPage && Load &&
                           !DependsOnMemory && isAlwaysReached(*Load, C);
    const std::optional<SteppingLoad> Stepping =
        IsReached ? steppingLoad(*Load, Slice, C) : std::nullopt;
    if (Stepping)
      InPage->Loads.push_back(*Stepping);
    else if (MayFault &&
             !(IsReached && Inner.isLoopInvariant(Load->getPointerOperand())) &&
             (!RunsToItsEnd || (DependsOnMemory && Changing)))
      return false;
    if (Load)
      Changing |= Changes(*Load);
    if (Load || DependsOnMemory)
      FromMemory.insert(I);
  }
  return true;
}

bool heddle::mayMoveUp(const LoadInst *Load, const Instruction *To,
                       const Loop &Inner) {
  SmallVector<const BasicBlock *> Worklist;
  SmallPtrSet<const BasicBlock *, 8> Seen;
  // False if something between From and the load could keep the load from being
  // reached or change the value that it reads.
  auto Passes = [&](const Instruction *From) {
    for (const Instruction *I = From; I; I = I->getNextNode()) {
      if (I == Load)
        return true;
      if (calleeName(*I) == AsyncMarkerName)
        continue;
      if (I->mayWriteToMemory() ||
          !isGuaranteedToTransferExecutionToSuccessor(I))
        return false;
    }
    for (const BasicBlock *Next : successors(From->getParent())) {
      if (!Inner.contains(Next) || Next == Inner.getHeader())
        return false;
      if (Seen.insert(Next).second)
        Worklist.push_back(Next);
    }
    return true;
  };
  if (!Passes(To))
    return false;
  while (!Worklist.empty())
    if (!Passes(&Worklist.pop_back_val()->front()))
      return false;
  return true;
}

const SCEV *heddle::countAhead(const Loop &Inner, ScalarEvolution &SE) {
  if (!Inner.getLoopLatch() || !Inner.getLoopPreheader())
    return nullptr;
  const SCEV *Count = SE.getSymbolicMaxBackedgeTakenCount(&Inner);
  if (isa<SCEVCouldNotCompute>(Count) ||
      SE.getTypeSizeInBits(Count->getType()) > 64)
    return nullptr;
  SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
  return Expander.isSafeToExpandAt(Count,
                                   Inner.getLoopPreheader()->getTerminator())
             ? Count
             : nullptr;
}
