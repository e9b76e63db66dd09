//===- GuardTargets.cpp - Calls through pointers, compared first ----------===//

#include "inline/GuardTargets.h"
#include "inline/LikelyTargets.h"
#include "inline/TargetChoice.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "mark/Directive.h"
#include "mark/KeepRolled.h"
#include "mark/Marks.h"
#include "names/SourceNames.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#define DEBUG_TYPE "heddle-guard-targets"

using namespace llvm;
using namespace heddle;

STATISTIC(CallsGuarded, "Number of calls whose likely targets are compared");

/// Instructions of a function, before it is simplified; of larger ones there
/// are no copies.
static constexpr unsigned MostCopied = 4000;

/// True if there may be a copy of \p F for tasks.
static bool mayBeCopied(const Function &F) {
  return !F.isDeclaration() && !F.isInterposable() && !F.hasOptNone() &&
         !F.hasFnAttribute(Attribute::NoInline) && !F.isPresplitCoroutine() &&
         !F.callsFunctionThatReturnsTwice() &&
         findMarkers(const_cast<Function &>(F)).empty() &&
         F.getInstructionCount() <= MostCopied &&
         none_of(instructions(F), [](const Instruction &I) {
           auto *Call = dyn_cast<CallBase>(&I);
           return isa<IndirectBrInst, CallBrInst>(I) ||
                  (Call && (Call->isMustTailCall() || mustNotBeCopied(*Call)));
         });
}

namespace {

/// Guards the calls of annotated loops.
class Guard {
  const LikelyTargets Targets;
  TargetChoices Choices;
  /// The calls through pointers that are guarded, with their targets; and of
  /// each function that loops come to, the functions that it comes to itself.
  MapVector<CallBase *, SmallVector<Function *>> Calls;
  MapVector<Function *, SmallSetVector<Function *, 16>> Reached;
  /// The functions that come to a guarded call, and their copies.
  MapVector<Function *, Function *> Copies;

public:
  explicit Guard(Module &M) : Targets(M), Choices(M) {}

  /// Guards the calls in \p Loops and in the functions that these call.
  bool run(ArrayRef<const Loop *> Loops) {
    SmallSetVector<Function *, 16> Callees;
    for (const Loop *L : Loops)
      findCalls(L->blocks(), Callees);
    for (unsigned I = 0; I < Callees.size(); ++I)
      if (mayBeCopied(*Callees[I])) {
        SmallSetVector<Function *, 16> Next;
        findCalls(make_pointer_range(*Callees[I]), Next);
        Callees.insert_range(Next);
        Reached[Callees[I]] = std::move(Next);
      }
    if (Calls.empty())
      return false;
    copyFunctions();
    for (auto &[Original, Copy] : Copies)
      rewrite(make_pointer_range(*Copy));
    for (const Loop *L : Loops)
      rewrite(L->blocks());
    Choices.joinRecursions();
    return true;
  }

private:
  /// Notes the calls to guard in \p Blocks. Adds the functions that are called
  /// there, as far as known, to \p Callees.
  template <typename Range>
  void findCalls(Range &&Blocks, SmallSetVector<Function *, 16> &Callees) {
    for (auto *Block : Blocks)
      for (Instruction &I : *Block) {
        auto *Call = dyn_cast<CallBase>(&I);
        if (Function *Callee = definedCallee(I)) {
          Callees.insert(Callee);
        } else if (Call && canBeCompared(*Call)) {
          const SmallVector<Function *> Likely = likelyTargets(*Call);
          Callees.insert_range(Likely);
          if (!Likely.empty())
            Calls.insert({Call, Likely});
        }
      }
  }

  SmallVector<Function *> likelyTargets(CallBase &Call) const {
    SmallVector<Function *> Likely = Targets.of(Call);
    if (Likely.size() <= unsigned(tunable::LikelyTargets))
      return Likely;
    reportMany(Call, Likely.size());
    return {};
  }

  /// Copies the functions that come to a guarded call.
  void copyFunctions() {
    SmallPtrSet<Function *, 16> Guarding;
    for (auto &[Call, Likely] : Calls)
      Guarding.insert(Call->getFunction());
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (auto &[F, Next] : Reached)
        if (any_of(Next, [&](Function *To) { return Guarding.contains(To); }))
          Changed |= Guarding.insert(F).second;
    }
    for (auto &[F, Next] : Reached)
      if (Guarding.contains(F))
        copy(*F);
  }

  void copy(Function &F) {
    ValueToValueMapTy Values;
    Function *Copy = CloneFunction(&F, Values);
    Copy->setName(F.getName() + ".task");
    Copy->setLinkage(GlobalValue::InternalLinkage);
    Copy->setVisibility(GlobalValue::DefaultVisibility);
    Copy->setComdat(nullptr);
    Copy->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    noteOriginal(*Copy, F);
    Copies[&F] = Copy;
    SmallVector<std::pair<CallBase *, SmallVector<Function *>>> Copied;
    for (auto &[Call, Likely] : Calls)
      if (Call->getFunction() == &F)
        Copied.push_back({cast<CallBase>(Values.lookup(Call)), Likely});
    for (auto &Entry : Copied)
      Calls.insert(std::move(Entry));
  }

  /// Lets \p Blocks, of a loop or of a copy, call copies, and compare.
  template <typename Range> void rewrite(Range &&Blocks) {
    SmallVector<CallBase *> Known, Compared;
    for (auto *Block : Blocks)
      for (Instruction &I : *Block)
        if (auto *Call = dyn_cast<CallBase>(&I)) {
          if (Calls.contains(Call))
            Compared.push_back(Call);
          else if (Copies.contains(Call->getCalledFunction()))
            Known.push_back(Call);
        }
    for (CallBase *Call : Known)
      Call->setCalledFunction(Copies.lookup(Call->getCalledFunction()));
    for (CallBase *Call : Compared) {
      const auto &Likely = Calls.find(Call)->second;
      reportGuarded(*Call, Likely);
      ++CallsGuarded;
      Choices.compare(*Call, Likely, [&](Function *Target) {
        Function *Copy = Copies.lookup(Target);
        return Copy ? Copy : Target;
      });
    }
  }

  static void reportGuarded(const CallBase &Call, ArrayRef<Function *> Likely) {
    OptimizationRemarkEmitter ORE(Call.getFunction());
    ORE.emit([&] {
      OptimizationRemark Remark("heddle", "Compared",
                                remarkPlace(Call.getDebugLoc()),
                                Call.getParent());
      Remark << "this call is compared with its likely targets: ";
      for (auto [Number, Target] : enumerate(Likely))
        Remark << (Number ? ", '" : "'")
               << ore::NV("Target", demangle(Target->getName())) << "'";
      return Remark;
    });
  }

  static void reportMany(const CallBase &Call, unsigned Count) {
    OptimizationRemarkEmitter ORE(Call.getFunction());
    ORE.emit([&] {
      return OptimizationRemarkAnalysis("heddle", "ManyTargets",
                                        remarkPlace(Call.getDebugLoc()),
                                        Call.getParent())
             << "this call may go to " << ore::NV("Targets", Count)
             << " functions, too many to compare it with: it stays a call";
    });
  }
};

} // namespace

PreservedAnalyses GuardTargetsPass::run(Module &M, ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<const Loop *> Loops;
  if (M.getFunction(AsyncMarkerName))
    for (Function &F : M)
      for (CallInst *Marker : findMarkers(F)) {
        const Loop *L =
            FAM.getResult<LoopAnalysis>(F).getLoopFor(Marker->getParent());
        if (L && !F.hasOptSize() &&
            readDirective(*Marker).Scheduler != Schedule::Dynamic)
          Loops.push_back(L);
      }
  if (Loops.empty() || !Guard(M).run(Loops))
    return PreservedAnalyses::all();
  // There are more blocks now.
  for (Function &F : M)
    for (CallInst *Marker : findMarkers(F)) {
      const DominatorTree DT(F);
      const LoopInfo LI(DT);
      if (const Loop *L = LI.getLoopFor(Marker->getParent()))
        markCallees(*L);
    }
  keepTargets(M);
  return PreservedAnalyses::none();
}
