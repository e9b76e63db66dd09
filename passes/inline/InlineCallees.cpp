//===- InlineCallees.cpp - Callees that wait become part of tasks ---------===//

#include "inline/InlineCallees.h"
#include "ends/ProgramEnds.h"
#include "inline/GuardTargets.h"
#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "mark/Directive.h"
#include "mark/KeepRolled.h"
#include "mark/Marks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InlineAdvisor.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "heddle-inline-callees"

using namespace llvm;
using namespace heddle;

STATISTIC(CalleesInlined, "Number of callees inlined because they wait");

/// The cost of an instruction in the units of InlineCost.
static constexpr int CostOfInstruction = 5;

/// Instructions that code is made of.
template <typename Range> static unsigned sizeOf(Range &&Instructions) {
  return count_if(Instructions, [](const Instruction &I) {
    return !I.isDebugOrPseudoInst() && !I.isLifetimeStartOrEnd();
  });
}

static unsigned sizeOf(const Loop &L) {
  unsigned Size = 0;
  for (const BasicBlock *Block : L.blocks())
    Size += sizeOf(*Block);
  return Size;
}

/// The calls of the markers of annotated loops in \p F.
static SmallVector<const CallInst *, 4> markersIn(const Function &F) {
  SmallVector<const CallInst *, 4> Markers;
  if (const Function *Marker = F.getParent()->getFunction(AsyncMarkerName))
    for (const User *U : Marker->users())
      if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getFunction() == &F)
        Markers.push_back(Call);
  return Markers;
}

/// True if what is behind \p Pad only frees memory and throws again, as where a
/// container of the function cannot grow. Handlers that go on do so in the
/// loop, and those that change something else mostly belong to functions that
/// make a container of their caller's grow.
static bool onlyCleansUp(const LandingPadInst &Pad) {
  auto MayStay = [](const Instruction &I) {
    if (auto *Call = dyn_cast<CallBase>(&I))
      return isa<IntrinsicInst>(Call) || isNewOrDelete(*Call) ||
             calleeName(*Call).starts_with("__cxa_") || Call->doesNotReturn() ||
             !Call->mayWriteToMemory();
    return !isa<ReturnInst>(I) &&
           (!I.mayWriteToMemory() ||
            (isa<StoreInst>(I) && isa<AllocaInst>(getUnderlyingObject(
                                      getLoadStorePointerOperand(&I)))));
  };
  SmallSetVector<const BasicBlock *, 8> Reached;
  Reached.insert(Pad.getParent());
  for (unsigned Next = 0; Next < Reached.size(); ++Next) {
    if (!all_of(*Reached[Next], MayStay))
      return false;
    Reached.insert_range(successors(Reached[Next]));
  }
  return true;
}

/// True if \p F, as a part of the loop, would be a reason to leave the loop
/// alone.
static bool isObstacle(const Function &F) {
  if (!markersIn(F).empty())
    return true;
  uint64_t Bytes = 0;
  for (const Instruction &I : instructions(F)) {
    if (auto *Variable = dyn_cast<AllocaInst>(&I)) {
      const std::optional<TypeSize> Size =
          Variable->getAllocationSize(F.getDataLayout());
      if (!Variable->isStaticAlloca() || !Size || Size->isScalable())
        return true;
      Bytes += Size->getFixedValue();
    }
    auto *Call = dyn_cast<CallBase>(&I);
    auto *Pad = dyn_cast<LandingPadInst>(&I);
    if ((Pad && Pad->getNumClauses() && !isTerminatePad(*Pad->getParent()) &&
         !onlyCleansUp(*Pad)) ||
        (Call && (mustNotBeCopied(*Call) ||
                  calleeName(*Call) == "__cxa_guard_acquire")) ||
        isa<IndirectBrInst, CallBrInst, FuncletPadInst, CatchSwitchInst>(I))
      return true;
  }
  return Bytes > tunable::LocalBytes / tunable::TasksRoom;
}

/// True if \p F may write to the memory that \p Address, its argument or a
/// part of what that leads to, points to. LLVM does not say so of functions
/// that each file has a copy of, such as those in the body of a class.
static bool writesThrough(const Function &F, const Value &Address,
                          unsigned Depth = 4) {
  auto Writes = [&](const Use &U) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I || isa<ReturnInst>(I))
      return true;
    if (isa<LoadInst, CmpInst>(I) || I->isLifetimeStartOrEnd())
      return false;
    if (auto *Gep = dyn_cast<GetElementPtrInst>(I))
      return writesThrough(F, *Gep, Depth);
    auto *Call = dyn_cast<CallBase>(I);
    if (!Call || !Call->isArgOperand(&U))
      return true;
    const unsigned At = Call->getArgOperandNo(&U);
    if (Call->onlyReadsMemory(At) && Call->doesNotCapture(At))
      return false;
    const Function *Callee = Call->getCalledFunction();
    return !Depth || !Callee || Callee->isDeclaration() ||
           At >= Callee->arg_size() ||
           writesThrough(*Callee, *Callee->getArg(At), Depth - 1);
  };
  return any_of(Address.uses(), Writes);
}

/// True if \p Call may modify an object in the frame that lives longer than an
/// iteration of \p L. It is an update as a whole: growing a vector of the
/// thread's, say, whose parts would be uninterrupted, too.
static bool modifiesObjectAround(const CallBase &Call, const Function &Callee,
                                 const Loop &L) {
  auto IsOfIteration = [&](const AllocaInst &Variable) {
    return any_of(Variable.users(), [&](const User *U) {
      auto *I = dyn_cast<IntrinsicInst>(U);
      return I && I->isLifetimeStartOrEnd() && L.contains(I);
    });
  };
  for (const Use &Argument : Call.args()) {
    auto *Variable = Argument->getType()->isPointerTy()
                         ? dyn_cast<AllocaInst>(getUnderlyingObject(Argument))
                         : nullptr;
    if (!Variable || IsOfIteration(*Variable))
      continue;
    const unsigned At = Call.getArgOperandNo(&Argument);
    if (!Call.onlyReadsMemory(At) &&
        (At >= Callee.arg_size() || writesThrough(Callee, *Callee.getArg(At))))
      return true;
  }
  return false;
}

namespace {

class CalleeAdvisor : public InlineAdvisor {
  DefaultInlineAdvisor Default;
  const InlineParams Params;

public:
  CalleeAdvisor(Module &M, FunctionAnalysisManager &FAM, InlineParams Params,
                InlineContext IC)
      : InlineAdvisor(M, FAM, IC), Default(M, FAM, Params, IC), Params(Params) {
  }

private:
  std::unique_ptr<InlineAdvice> getAdviceImpl(CallBase &Call) override {
    Function *Callee = definedCallee(Call);
    if (Callee && comparesTargets(*Callee) && isRecursive(*Callee))
      return std::make_unique<InlineAdvice>(this, Call, getCallerORE(Call),
                                            false);
    if (Callee && mayBeInTask(Call, *Callee)) {
      if (isRecursive(*Callee)) {
        if (isNested(Call, *Callee))
          return std::make_unique<InlineAdvice>(this, Call, getCallerORE(Call),
                                                false);
      } else if (const auto Cost = costInLoop(Call, *Callee)) {
        ++CalleesInlined;
        return std::make_unique<DefaultInlineAdvice>(this, Call, Cost,
                                                     getCallerORE(Call));
      }
    }
    return Default.getAdvice(Call, /*MandatoryOnly=*/false);
  }

  /// True if \p Call may be in an annotated loop.
  bool mayBeInTask(const CallBase &Call, const Function &Callee) const {
    const Function &Caller = *Call.getFunction();
    return isCallee(Callee) && !Caller.hasOptSize() && &Callee != &Caller &&
           Params.DefaultThreshold > 0 && !markersIn(Caller).empty();
  }

  /// True if NestedCalls is to find \p Call, whose callee is recursive: one
  /// call, not those of one level of the recursion.
  static bool isNested(const CallBase &Call, const Function &Callee) {
    if (Callee.hasFnAttribute(Attribute::AlwaysInline) || !mayWait(Callee) ||
        isObstacle(Callee))
      return false;
    const DominatorTree DT(const_cast<Function &>(*Call.getFunction()));
    return annotatedLoop(Call, LoopInfo(DT));
  }

  /// The cost of inlining \p Call, if it is in an annotated loop, waits for
  /// memory, and fits; LLVM's own threshold is too low for it.
  std::optional<InlineCost> costInLoop(CallBase &Call, Function &Callee) const {
    const InlineCost Cost = costOf(Call, Callee);
    if (!Cost.isVariable() || !Cost || Cost.getCost() < Params.DefaultThreshold)
      return std::nullopt;
    const DominatorTree DT(*Call.getFunction());
    const LoopInfo LI(DT);
    const Loop *L = annotatedLoop(Call, LI);
    if (!L || modifiesObjectAround(Call, Callee, *L) ||
        !fitsLoop(Call, Callee, *L) || isObstacle(Callee))
      return std::nullopt;
    return Cost;
  }

  InlineCost costOf(CallBase &Call, Function &Callee) const {
    InlineParams Raised = Params;
    Raised.DefaultThreshold = tunable::InlinedInstructions * CostOfInstruction;
    // LLVM takes them instead of the default, even if they are lower.
    Raised.HotCallSiteThreshold = Raised.LocallyHotCallSiteThreshold =
        Raised.DefaultThreshold;
    Raised.ComputeFullInlineCost = false;
    return getInlineCost(
        Call, Raised, FAM.getResult<TargetIRAnalysis>(Callee),
        [this](Function &F) -> AssumptionCache & {
          return FAM.getResult<AssumptionAnalysis>(F);
        },
        [this](Function &F) -> const TargetLibraryInfo & {
          return FAM.getResult<TargetLibraryAnalysis>(F);
        },
        [this](Function &F) -> BlockFrequencyInfo & {
          return FAM.getResult<BlockFrequencyAnalysis>(F);
        });
  }

  /// The innermost loop around \p Call that is annotated, or null.
  static const Loop *annotatedLoop(const CallBase &Call, const LoopInfo &LI) {
    const auto Markers = markersIn(*Call.getFunction());
    const Loop *L = LI.getLoopFor(Call.getParent());
    while (L && none_of(Markers, [&](const CallInst *Marker) {
             return LI.getLoopFor(Marker->getParent()) == L;
           }))
      L = L->getParentLoop();
    return L;
  }

  /// True if \p L, which contains \p Call, stays small enough with the code of
  /// \p Callee, which waits for memory.
  static bool fitsLoop(const CallBase &Call, const Function &Callee,
                       const Loop &L) {
    const unsigned Places = waitingPlaces(Callee, [&](const Argument &A) {
      return foresight(Call.getArgOperand(A.getArgNo()), L);
    });
    return (Places || calleesMayWait(Callee)) &&
           Places + waitingPlaces(L) <= tunable::SuspensionPoints &&
           sizeOf(instructions(Callee)) + sizeOf(L) <=
               tunable::InlinedInstructions;
  }
};

} // namespace

static InlineAdvisor *makeAdvisor(Module &M, FunctionAnalysisManager &FAM,
                                  InlineParams Params, InlineContext IC) {
  return new CalleeAdvisor(M, FAM, Params, IC);
}

/// Says of the hash functions of the C++ library, which have no body in
/// headers, what their source says.
static void describeLibraryHashes(Module &M) {
  for (StringRef Name :
       {"_ZSt11_Hash_bytesPKvmm", "_ZSt15_Fnv_hash_bytesPKvmm"})
    if (Function *Hash = M.getFunction(Name); Hash && Hash->isDeclaration()) {
      Hash->setOnlyAccessesArgMemory();
      Hash->setOnlyReadsMemory();
      Hash->setDoesNotThrow();
      Hash->setWillReturn();
    }
}

PreservedAnalyses InlineCalleesPass::run(Module &M, ModuleAnalysisManager &AM) {
  if (!M.getFunction(AsyncMarkerName))
    return PreservedAnalyses::all();
  AM.registerPass([] { return PluginInlineAdvisorAnalysis(makeAdvisor); });
  describeLibraryHashes(M);
  return PreservedAnalyses::none();
}
