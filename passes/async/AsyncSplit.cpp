//===- AsyncSplit.cpp - Interleave the iterations of a marked loop --------===//

#include "async/AsyncSplit.h"
#include "async/LoopVerdict.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/InvariantLoads.h"
#include "async/analysis/LoopFacts.h"
#include "async/analysis/Reloads.h"
#include "async/order/AheadWalks.h"
#include "async/order/FreeOrder.h"
#include "async/order/LateUpdates.h"
#include "async/order/WaysToTurn.h"
#include "async/plan/CostModel.h"
#include "async/plan/SuspensionPlan.h"
#include "async/report/Remarks.h"
#include "async/rewrite/BranchFree.h"
#include "async/rewrite/DebugValues.h"
#include "async/rewrite/EqualMerges.h"
#include "async/rewrite/PointerOffsets.h"
#include "async/rewrite/Segments.h"
#include "async/rewrite/WorkCount.h"
#include "async/rewrite/task/TaskBuilder.h"
#include "async/schedules/ContextMemory.h"
#include "async/schedules/Versions.h"
#include "elsewhere/CallForms.h"
#include "ends/Terminate.h"
#include "heddle/amu.h"
#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "ir/Registers.h"
#include "link/LinkTime.h"
#include "loop/BodyCopy.h"
#include "loop/FarAccess.h"
#include "loop/LoopForm.h"
#include "loop/Tunables.h"
#include "loop/Worksharing.h"
#include "mark/Directive.h"
#include "mark/KeepRolled.h"
#include "mark/MarkProtocol.h"
#include "mark/Marks.h"
#include "names/SourceNames.h"
#include "nest/PlainCalls.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#define DEBUG_TYPE "heddle-async-split"

using namespace llvm;
using namespace heddle;

STATISTIC(LoopsInterleaved, "Number of loops interleaved");
STATISTIC(LoopsRefused, "Number of marked loops left alone");
STATISTIC(SuspensionPoints, "Number of suspension points");
STATISTIC(Requests, "Number of requests for memory");
STATISTIC(EarlyRequestsMade, "Number of requests that suspend nobody");

namespace {

static_assert(tunable::MostTasks == MaximumTasks,
              "options and clauses have the same limit");

/// Computes the number of tasks that the queues shall have room for.
MaybeRefusal chooseRoom(const Directive &D, const TaskLocals &Locals,
                        const SuspensionPlan &Plan, const DataLayout &DL,
                        unsigned &Room) {
  const uint64_t Bytes = bytesOf(Locals);
  Room = D.Tasks                            ? D.Tasks
         : D.Scheduler == Schedule::Dynamic ? HEDDLE_AMU_IDS
         : Plan.suspensionPoints()          ? unsigned(tunable::TasksRoom)
                                            : tunable::RequestsAhead;
  if (!Bytes)
    return std::nullopt;
  // Of the frames of nested callees few are in use.
  const bool AreMany =
      D.Tasks || D.Scheduler == Schedule::Dynamic || hasFrames(D);
  uint64_t Places =
      (AreMany ? tunable::RequestedLocalBytes : tunable::LocalBytes) / Bytes;
  uint64_t Fitting = Plan.TurnPoint ? bit_floor(Places) / 2 : Places;
  if (!D.Tasks)
    Room = std::min<uint64_t>(Room, Fitting);
  unsigned Least = D.Tasks ? D.Tasks : unsigned(tunable::LeastTasks);
  if (Fitting < Least)
    return refuse(RefusalKind::LocalsTooLarge,
                  {std::to_string(Bytes), std::to_string(Least)},
                  *max_element(Locals, [&](auto *One, auto *Other) {
                    return *One->getAllocationSize(DL) <
                           *Other->getAllocationSize(DL);
                  }));
  return std::nullopt;
}

/// The if clause speaks of the moment when the loop is entered.
MaybeRefusal hoistCondition(const Loop &L, Directive &D) {
  if (!D.Condition)
    return std::nullopt;
  Value *OnEntry = valueOnEntry(D.Condition, L);
  if (!OnEntry)
    return refuse(RefusalKind::UnknownCondition,
                  cast<Instruction>(D.Condition));
  // The loop's own computation of the condition may be dead now.
  D.Marker->replaceUsesOfWith(D.Condition, OnEntry);
  if (OnEntry != D.Condition)
    RecursivelyDeleteTriviallyDeadInstructions(D.Condition);
  D.Condition = OnEntry;
  if (match(OnEntry, PatternMatch::m_Zero()))
    return refuse(RefusalKind::NeverWanted);
  DeleteDeadPHIs(L.getHeader());
  return std::nullopt;
}

class LoopSplitter {
  Function &F;
  LoopContext C;
  Remarks &R;
  Directive D;
  Loop &L;
  LoopShape Shape;
  TaskLocals Locals;
  std::optional<LatencyAnalysis> Latency;
  VariableClasses Classes;
  /// Variables in memory while the loop is rewritten.
  SmallVector<AllocaInst *, 2> Free;
  SuspensionPlan Plan;
  Decision Choice;
  /// The number of tasks that there is room for.
  unsigned Room = 0;
  /// The variable that is findChased(), in words.
  std::string Chased;

public:
  LoopSplitter(Function &F, FunctionAnalysisManager &AM, Remarks &R,
               CallInst &Marker, Loop &L)
      : F(F), C(L, F, AM), R(R), D(readDirective(Marker)), L(L) {}

  /// Brings the loop into the form that analyses expect, decides whether it is
  /// interleaved and by which schedules, or returns the reason why not.
  MaybeRefusal decide() {
    if (tunable::isAblated())
      D.Scheduler = Schedule::Lockstep;
    if (MaybeRefusal Why = chooseForFar())
      return Why;
    if (MaybeRefusal Why = prepare())
      return Why;
    if (const PHINode *Variable = findChased(L))
      Chased = describeVariable(Variable);
    if (MaybeRefusal Why = classifyOrCount())
      return Why;
    if (MaybeRefusal Why = settleOrder())
      return Why;
    return plan();
  }

  /// What decide(), which has returned \p Why, has found.
  LoopVerdict verdict(const MaybeRefusal &Why) const {
    return {C, Latency ? &*Latency : nullptr, Plan, Why};
  }

  /// Interleaves the loop as decided.
  void rewrite() {
    assert(Choice.Interleave && Room && "decided before");
    LLVM_DEBUG(dbgs() << "heddle: interleaving a loop of " << F.getName()
                      << " with room for " << Room << " tasks: "
                      << Plan.suspensionPoints() << " suspension points, "
                      << Plan.requests() << " requests\n");
    ++LoopsInterleaved;
    SuspensionPoints += Plan.suspensionPoints();
    Requests += Plan.requests();
    EarlyRequestsMade += Plan.earlyRequests();
    R.calls(*D.Marker, L);
    requireNonZero();
    const LoopFacts Facts = facts();
    removeOtherMarkers();
    extendLifetimes(L, Locals);
    localizeDebugRecords(Locals);
    // Nested coroutines have calls beside them, which count nothing.
    InnerCounts Counts = hasFrames(D) ? InnerCounts() : findInnerCounts(C);
    SchedulerState State(C, Facts, Plan, Room, !Counts.empty());
    countInnerIterations(Counts, C, State);
    const PlannedExpressions Expressions = expandPlan(C, Shape, Plan, Classes);
    TaskBody Body = buildTaskBody(C, Facts, Plan, Expressions, State);
    countAtExits(Counts, C, State);
    freeRolled(L);
    chooseNested(Body.Blocks);
    makeBranchFree(Body, State);
    Segments Cuts(Body, State, L.getLoopPreheader());
    const unsigned Added = emitVersions(C, Facts, Choice, State, Cuts);
    R.interleaved(Facts, Plan, Choice, Cuts, State, Added);
    Cuts.eraseBody();
    D.Marker->eraseFromParent();
    append_range(State.Promotable, Free);
    promoteRegisters(F, State.Promotable);
    if (State.ContextMemory) {
      showInMemory(F, State.ContextMemory);
      hidePointers(*State.ContextMemory);
    }
  }

private:
  LoopFacts facts() const { return {D, Shape, Locals, *Latency, Classes}; }

  bool mayLeaveEarly() const {
    return D.Scheduler != Schedule::Dynamic && !isSanitized(F);
  }

  MaybeRefusal analyze() {
    MaybeRefusal Why = analyzeShape(L, C.SE, Shape, mayLeaveEarly());
    if (Why && Why->Kind == RefusalKind::NeverEnds && Shape.isLeftEarly() &&
        countIterations(C))
      Why = analyzeShape(L, C.SE, Shape, mayLeaveEarly());
    return Why;
  }

  MaybeRefusal prepare() {
    normalise(C);
    readAtBeginning(C, D);
    foldEqualMerges(C);
    if (MaybeRefusal Why = analyze())
      return Why;
    separateExits(C, Shape);
    if (MaybeRefusal Why =
            findTaskLocals(L, D, Locals, Shape.Ends.getArrayRef()))
      return Why;
    C.findMemory(Locals.getArrayRef());
    if (hoistInvariantLoads(C, D, Locals, Shape.EarlyExits))
      if (MaybeRefusal Why = analyze())
        return Why;
    return hoistCondition(L, D);
  }

  /// Classifies the loop's variables. If an iteration decides by its own work
  /// whether there is another one, that is an early exit.
  MaybeRefusal classifyOrCount() {
    MaybeRefusal Why = classify();
    if (!Why || Why->Kind != RefusalKind::NextIteration || !mayLeaveEarly() ||
        !countIterations(C))
      return Why;
    if (MaybeRefusal Why = analyze())
      return Why;
    separateExits(C, Shape);
    return classify();
  }

  MaybeRefusal classify() {
    C.findMemory(Locals.getArrayRef());
    Latency.emplace(C, D.Scheduler == Schedule::Dynamic);
    Classes = {};
    return classifyVariables(
        C, Shape,
        [&](const Instruction *I) { return Latency->isLongLatency(I); },
        Classes);
  }

  /// Lets as much as possible happen before it is a task's turn.
  MaybeRefusal settleOrder() {
    if (makePointersOffsets(C, Shape, Classes))
      if (MaybeRefusal Why = classify())
        return Why;
    if (isWorksharing(L, C.DT))
      Free = freeOrder(C, Shape, Classes);
    if (!Free.empty())
      if (MaybeRefusal Why = classify())
        return Why;
    delayUpdates(C, Classes);
    if (runWalksAhead(C, facts()))
      if (MaybeRefusal Why = analyzeAnew())
        return Why;
    return joinWaysToTurn(C, facts()) ? analyzeAnew() : std::nullopt;
  }

  MaybeRefusal analyzeAnew() {
    MaybeRefusal Why = analyze();
    return Why ? Why : classify();
  }

  MaybeRefusal plan() {
#ifndef NDEBUG
    const stable_hash Before = StructuralHash(F, /*DetailedHash=*/true);
#endif
    MaybeRefusal Impossible = planSuspensions(C, facts(), Plan);
    assert(StructuralHash(F, /*DetailedHash=*/true) == Before &&
           "the planner writes no IR");
    if (Impossible)
      return Impossible;
    R.dropped(*D.Marker, Plan);
    Choice = heddle::decide(profile(L, *Latency, Plan), D, R.addedSoFar());
    if (Plan.requests() == 0 && !Plan.Dropped.empty())
      return refuseDropped(Plan.Dropped.front());
    if (!Choice.Interleave)
      return refuseChoice();
    return chooseRoom(D, Locals, Plan, F.getDataLayout(), Room);
  }

  /// The reason why the access cannot be waited for is the loop's.
  static Refusal refuseDropped(const DroppedAccess &A) {
    const Refusal Of = reasonOf(A.Why, A.I);
    Refusal Why = refuse(RefusalKind::NothingHidden, {Of.Reason}, A.I);
    Why.Next = Of.Next;
    return Why;
  }

  /// The cost model knows of the accesses that the loop makes itself.
  Refusal refuseChoice() const {
    for (const Instruction &I : instructionsIn(L.blocks())) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call == D.Marker || hasCodeBeside(*Call) ||
          !mayWaitUnseen(*Call))
        continue;
      if (Choice.Why == RefusalKind::Predictable)
        return refuse(RefusalKind::OpaqueCall, {describeCallee(*Call)}, Call);
      if (Choice.Why == RefusalKind::Overlapped)
        return refuse(RefusalKind::OpaqueBeside, {describeCallee(*Call)}, Call);
    }
    if (Choice.Why == RefusalKind::Overlapped && !Chased.empty())
      return refuse(RefusalKind::Chased, {Chased});
    return refuse(*Choice.Why);
  }

  /// Chooses the dynamic schedule: only it knows which requests have completed.
  MaybeRefusal chooseForFar() {
    const Instruction *Far = nullptr;
    for (const Instruction &I : instructionsIn(L.blocks()))
      if (!Far && usesFar(I))
        Far = &I;
    if (!Far && D.Scheduler == Schedule::Dynamic)
      return refuse(RefusalKind::DynamicWithoutFar);
    if (Far && D.Scheduler != Schedule::Dynamic &&
        D.Scheduler != Schedule::Unspecified)
      return refuse(RefusalKind::FarWithoutDynamic, Far);
    if (Far)
      D.Scheduler = Schedule::Dynamic;
    if (Far && D.Tasks > HEDDLE_AMU_IDS)
      return refuse(RefusalKind::TooManyFarTasks,
                    {std::to_string(HEDDLE_AMU_IDS)});
    return std::nullopt;
  }

  /// The loop is left alone where its iterations have one place in a buffer,
  /// not one each, because what tells them apart is zero, and where two
  /// pointers lead to one array.
  void requireNonZero() {
    if (Plan.NonZero.empty())
      return;
    Instruction *Before = L.getLoopPreheader()->getTerminator();
    SCEVExpander Expander(C.SE, "heddle.nonzero", /*PreserveLCSSA=*/false);
    IRBuilder<> B(Before);
    Value *Holds = D.Condition ? B.CreateIsNotNull(D.Condition) : B.getTrue();
    for (const SCEV *Value : Plan.NonZero)
      Holds = B.CreateAnd(Holds, Expander.isSafeToExpandAt(Value, Before)
                                     ? B.CreateIsNotNull(Expander.expandCodeFor(
                                           Value, Value->getType(), Before))
                                     : B.getFalse());
    D.Condition = Holds;
  }

  /// This loop, not those inside it, is interleaved.
  void removeOtherMarkers() {
    for (CallInst *Other : findMarkers(F))
      if (Other != D.Marker && L.contains(Other)) {
        R.refused(*Other, refuse(RefusalKind::OuterInterleaved));
        Other->eraseFromParent();
      }
  }
};

/// Frees \p L from the hints that kept other passes from transforming it: the
/// serial version, or a loop left alone, must be as good as without the
/// directive.
void restoreHints(Loop &L) {
  if (MDNode *Hints = L.getLoopID())
    L.setLoopID(makePostTransformationMetadata(
        Hints->getContext(), Hints,
        {AsyncLoopProperty, "llvm.loop.disable_nonforced"}, {}));
}

/// Clause variables were kept in memory by their markers only.
void promoteClauseVariables(Function &F, ArrayRef<AllocaInst *> Variables) {
  SmallVector<AllocaInst *> Promotable;
  for (AllocaInst *Variable : Variables)
    if (isAllocaPromotable(Variable) && !is_contained(Promotable, Variable))
      Promotable.push_back(Variable);
  if (Promotable.empty())
    return;
  // Promotion would report the assigned value as the stored one, although the
  // record may describe it by a longer expression only.
  for (AllocaInst *Variable : Promotable)
    for (User *Store : Variable->users())
      for (DbgVariableRecord *Assign :
           at::getDVRAssignmentMarkers(cast<Instruction>(Store)))
        if (Assign->hasArgList() || Assign->getExpression()->isComplex())
          Assign->eraseFromParent();
  DominatorTree DT(F);
  PromoteMemToReg(Promotable, DT);
}

/// The loop to try next: an innermost one, unless one around it names a
/// scheduler and it does not.
CallInst *chooseNext(ArrayRef<CallInst *> Markers, const LoopInfo &LI) {
  auto LoopOf = [&](CallInst *Marker) {
    return LI.getLoopFor(Marker->getParent());
  };
  auto NamesScheduler = [](CallInst *Marker) {
    return readDirective(*Marker).Scheduler != Schedule::Unspecified;
  };
  CallInst *Next = *max_element(Markers, [&](CallInst *A, CallInst *B) {
    return LI.getLoopDepth(A->getParent()) < LI.getLoopDepth(B->getParent());
  });
  if (!LoopOf(Next) || NamesScheduler(Next))
    return Next;
  for (CallInst *Marker : Markers)
    if (NamesScheduler(Marker) && LoopOf(Marker) &&
        LoopOf(Marker) != LoopOf(Next) && LoopOf(Marker)->contains(Next) &&
        none_of(Markers, [&](CallInst *Between) {
          return Between != Next && NamesScheduler(Between) &&
                 LoopOf(Between) != LoopOf(Marker) &&
                 LoopOf(Marker)->contains(Between) &&
                 LoopOf(Between)->contains(Next);
        }))
      return Marker;
  return Next;
}

/// Leaves out what callees that are part of \p L now clean up before an
/// exception ends the program. Returns the loop of \p Marker.
Loop &closeLoop(Function &F, FunctionAnalysisManager &AM,
                const CallInst &Marker, Loop &L) {
  if (!endOnExceptions(L, AM.getResult<LoopAnalysis>(F)))
    return L;
  AM.invalidate(F, PreservedAnalyses::none());
  return *AM.getResult<LoopAnalysis>(F).getLoopFor(Marker.getParent());
}

/// Takes back what has been done to \p F since \p Found was copied.
void restoreBody(Function &F, FunctionAnalysisManager &AM, BodyCopy &Found) {
  AM.invalidate(F, PreservedAnalyses::none());
  // This analysis is kept up to date rather than invalidated.
  AM.getResult<AssumptionAnalysis>(F).clear();
  Found.restore();
}

/// Goes through the marked loops of a function.
class FunctionSplitter {
  Function &F;
  FunctionAnalysisManager &AM;
  Remarks R;
  SmallVector<AllocaInst *> ClauseVariables;
  /// A loop around a rewritten one stays as it is. The headers of the rewritten
  /// loops live as long as the function.
  SmallVector<WeakVH, 4> RewrittenHeaders;

public:
  FunctionSplitter(Function &F, FunctionAnalysisManager &AM,
                   Outcomes &LoopOutcomes)
      : F(F), AM(AM), R(F, LoopOutcomes) {
    for (CallInst *Marker : findMarkers(F))
      for (Value *Argument : Marker->args())
        if (auto *Alloca = dyn_cast<AllocaInst>(Argument))
          ClauseVariables.push_back(Alloca);
  }

  void run() {
    for (auto Markers = findMarkers(F); !Markers.empty();
         Markers = findMarkers(F)) {
      auto &LI = AM.getResult<LoopAnalysis>(F);
      CallInst &Marker = *chooseNext(Markers, LI);
      if (Loop *L = LI.getLoopFor(Marker.getParent()))
        split(Marker, *L);
      else
        leave(Marker, refuse(RefusalKind::StraightLine));
      AM.invalidate(F, PreservedAnalyses::none());
      LLVM_DEBUG(assert(!verifyFunction(F, &dbgs())));
    }
    promoteClauseVariables(F, ClauseVariables);
  }

private:
  void split(CallInst &Marker, Loop &L) {
    restoreHints(L);
    if (any_of(RewrittenHeaders, [&](const WeakVH &Inner) {
          return L.contains(cast<BasicBlock>(Inner));
        }))
      return leave(Marker, refuse(RefusalKind::InnerInterleaved));
    BodyCopy Found(F);
    Loop &Closed = closeLoop(F, AM, Marker, L);
    LoopSplitter Splitter(F, AM, R, Marker, Closed);
    MaybeRefusal Why = Splitter.decide();
    if (!Why) {
      Found.discard();
      RewrittenHeaders.push_back(Closed.getHeader());
      Splitter.rewrite();
      return;
    }
    report(Marker, *Why);
    restoreBody(F, AM, Found);
    R.bodyReplaced();
    for (AllocaInst *&Variable : ClauseVariables)
      Variable = Found.restored(Variable);
    for (WeakVH &Rewritten : RewrittenHeaders)
      Rewritten = Found.restored(cast<BasicBlock>(Rewritten));
    CallInst *Restored = Found.restored(&Marker);
    if (Loop *Left =
            AM.getResult<LoopAnalysis>(F).getLoopFor(Restored->getParent()))
      freeRolled(*Left);
    Restored->eraseFromParent();
  }

  /// Leaves a loop alone that no pass has changed.
  void leave(CallInst &Marker, const Refusal &Why) {
    report(Marker, Why);
    Marker.eraseFromParent();
  }

  void report(const CallInst &Marker, const Refusal &Why) {
    ++LoopsRefused;
    LLVM_DEBUG(dbgs() << "heddle: a loop of " << F.getName()
                      << " is left alone: " << Why.Reason << "\n");
    R.refused(Marker, Why);
  }
};

} // namespace

PreservedAnalyses AsyncSplitPass::run(Function &F,
                                      FunctionAnalysisManager &AM) {
  if (waitsForLink(F))
    return PreservedAnalyses::all();
  if (findMarkers(F).empty()) {
    // No task will be made of what is called.
    for (Loop *L : AM.getResult<LoopAnalysis>(F))
      freeRolled(*L);
    return choosePlain(F) ? PreservedAnalyses::none()
                          : PreservedAnalyses::all();
  }
  FunctionSplitter(F, AM, *LoopOutcomes).run();
  choosePlain(F);
  dropUnusedForms(F);
  locateCalls(F);
  return PreservedAnalyses::none();
}

void heddle::judgeLoop(Function &F, FunctionAnalysisManager &AM,
                       MutableArrayRef<CallInst *> Markers, unsigned Which,
                       function_ref<void(const LoopVerdict &)> Look) {
  BodyCopy Found(F);
  CallInst *Marker = Markers[Which];
  // A copy is forgotten where its original is erased.
  for (CallInst *&Other : Markers)
    Other = Found.restored(Other);
  Outcomes Unread;
  {
    Loop *L = AM.getResult<LoopAnalysis>(F).getLoopFor(Marker->getParent());
    assert(L && "marks a loop");
    restoreHints(*L);
    for (CallInst *Other : findMarkers(F))
      if (Other != Marker)
        Other->eraseFromParent();
    Remarks R(F, Unread);
    LoopSplitter Splitter(F, AM, R, *Marker, closeLoop(F, AM, *Marker, *L));
    const MaybeRefusal Why = Splitter.decide();
    Look(Splitter.verdict(Why));
  }
  restoreBody(F, AM, Found);
}
