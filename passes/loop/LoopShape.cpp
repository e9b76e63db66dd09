//===- LoopShape.cpp - Can the loop's iterations be tasks at all? ---------===//

#include "loop/LoopShape.h"
#include "ir/Instructions.h"
#include "names/SourceNames.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

BranchInst *LoopShape::latchBranch() const {
  return cast<BranchInst>(Latch->getTerminator());
}

bool LoopShape::continuesOnTrue() const {
  return latchBranch()->getSuccessor(0) == L->getHeader();
}

LockEffect heddle::lockEffect(const CallBase &Call) {
  if (definedCallee(Call))
    return LockEffect::None;
  std::string Name = llvm::demangle(calleeName(Call));
  StringRef Base = StringRef(Name).split('(').first;
  size_t Scope = Base.rfind("::");
  if (Scope != StringRef::npos)
    Base = Base.substr(Scope + 2);
  if (Base.contains_insensitive("unlock") ||
      Base.contains_insensitive("unset_lock") ||
      Base.contains_insensitive("unset_nest_lock") ||
      Base.contains_insensitive("release") || Base.contains("end_critical") ||
      Base.contains("end_reduce") || Base == "__cxa_end_catch")
    return LockEffect::Release;
  // "block" and "clock" do not count.
  for (size_t At = Base.find_insensitive("lock"); At != StringRef::npos;
       At = Base.find_insensitive("lock", At + 1))
    if (At == 0 || !StringRef("bcBC").contains(Base[At - 1]))
      return LockEffect::Acquire;
  if (Base == "sem_post")
    return LockEffect::Release;
  if (Base == "sem_wait" || Base == "sem_trywait" || Base == "sem_timedwait")
    return LockEffect::Acquire;
  if (Base.contains_insensitive("acquire") || Base.contains("critical") ||
      Base == "__cxa_begin_catch" || Base.starts_with("__kmpc_reduce"))
    return LockEffect::Acquire;
  return LockEffect::None;
}

/// OpenMP constructs that need iterations to run one after the other.
static const char *forbiddenRuntimeCall(StringRef Name) {
  if (Name == "__kmpc_ordered" || Name == "__kmpc_doacross_wait")
    return "an ordered region";
  if (Name.starts_with("__kmpc_cancel"))
    return "an OpenMP cancellation point";
  if (Name.contains("setjmp"))
    return "a call of setjmp";
  return nullptr;
}

static MaybeRefusal checkCall(const CallBase &Call) {
  if (const char *What = forbiddenRuntimeCall(calleeName(Call)))
    return refuse(RefusalKind::Contains, {What}, &Call);
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call)) {
    Intrinsic::ID ID = Intrinsic->getIntrinsicID();
    if (ID == Intrinsic::stacksave || ID == Intrinsic::stackrestore)
      return refuse(RefusalKind::DynamicStack, &Call);
    if (Call.getType()->isTokenTy())
      return refuse(RefusalKind::Inseparable, &Call);
  }
  if (mustNotBeCopied(Call))
    return refuse(RefusalKind::NotDuplicated,
                  {Call.isInlineAsm() ? "inline assembly"
                                      : "the call of " + describeCallee(Call)},
                  &Call);
  return std::nullopt;
}

static MaybeRefusal checkContents(const Loop &L) {
  for (const Instruction &I : instructionsIn(L.blocks())) {
    if (isa<AllocaInst>(I))
      return refuse(RefusalKind::DynamicStack, &I);
    if (isa<IndirectBrInst, CallBrInst, CleanupPadInst, CatchSwitchInst,
            CatchPadInst, ResumeInst>(I))
      return refuse(RefusalKind::UnknownControlFlow, &I);
    if (I.getType()->isTokenTy())
      return refuse(RefusalKind::Inseparable, &I);
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (MaybeRefusal Why = checkCall(*Call))
        return Why;
  }
  return std::nullopt;
}

/// Refuses the loop because control leaves it from the end of \p Block for
/// \p To.
static Refusal refuseWayOut(const BasicBlock &Block, BasicBlock &To,
                            const Loop &L) {
  const Instruction *At = Block.getTerminator();
  auto *Call =
      To.isLandingPad() ? cast<InvokeInst>(At) : unwindingFrom(Block, L);
  if (!Call)
    return refuse(RefusalKind::LeftEarly, At);
  const Instruction *Handler = handlerBehind(To);
  const std::string Place =
      Handler ? describePlace(Handler->getDebugLoc(), L.getStartLoc()) : "";
  return refuse(RefusalKind::ExceptionLeaves,
                {describeCallee(*Call),
                 Place.empty() ? "a handler" : "the handler in " + Place},
                Call);
}

/// True if \p To is where control leaves \p L from the end of \p Block on its
/// own, not by an exception.
static bool isPlainWayOut(const BasicBlock &Block, const BasicBlock &To,
                          const Loop &L) {
  return L.contains(&Block) && !To.isEHPad() &&
         isa<BranchInst, SwitchInst>(Block.getTerminator()) &&
         !unwindingFrom(Block, L);
}

/// Collects the ways out of \p L beside its latch: those that end the program
/// and, where it \p MayLeaveEarly, others.
static MaybeRefusal findWaysOut(const Loop &L, LoopShape &Shape,
                                bool MayLeaveEarly) {
  Shape.Ends.clear();
  Shape.EarlyExits.clear();
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  if (ArrayRef(Exiting) == ArrayRef(Shape.Latch))
    return std::nullopt;
  ProgramEnds Ends(*L.getHeader()->getParent());
  auto AllEnd = [&](BasicBlock &Block) -> MaybeRefusal {
    const SmallSetVector<BasicBlock *, 2> Next(llvm::from_range,
                                               successors(&Block));
    for (BasicBlock *To : Next) {
      const bool IsEnd = L.contains(To) || Shape.Ends.contains(To) ||
                         (To == Shape.Exit ? &Block == Shape.Latch
                                           : Ends.wayOut(*To, L, &Shape.Ends) !=
                                                 WayOut::GoesOn);
      if (IsEnd)
        continue;
      if (!MayLeaveEarly || !isPlainWayOut(Block, *To, L))
        return refuseWayOut(Block, *To, L);
      Shape.EarlyExits.push_back({&Block, To});
    }
    return std::nullopt;
  };
  for (BasicBlock *Block : Exiting)
    if (MaybeRefusal Why = AllEnd(*Block))
      return Why;
  // Exceptions may get away before the end.
  for (unsigned N = 0; N < Shape.Ends.size(); ++N)
    if (MaybeRefusal Why = AllEnd(*Shape.Ends[N]))
      return Why;
  return std::nullopt;
}

/// How often \p Branch , of the latch, goes back if it compares a pointer that
/// walks over the elements of an array with the end of that: it comes to the
/// end without missing it, even where SCEV cannot exclude that, because
/// something in the loop may throw.
static const SCEV *countOfElements(const BranchInst &Branch, const Loop &L,
                                   ScalarEvolution &SE) {
  auto *Test = dyn_cast<ICmpInst>(Branch.getCondition());
  if (!Test || !Test->isEquality() ||
      (Test->getPredicate() == ICmpInst::ICMP_EQ) ==
          (Branch.getSuccessor(0) == L.getHeader()))
    return SE.getCouldNotCompute();
  for (unsigned Side : {0u, 1u}) {
    auto *Next = dyn_cast<GEPOperator>(Test->getOperand(Side));
    const SCEV *End = SE.getSCEV(Test->getOperand(1 - Side));
    auto *Walk = Next && Next->isInBounds()
                     ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Next))
                     : nullptr;
    if (!Walk || Walk->getLoop() != &L || !SE.isLoopInvariant(End, &L))
      continue;
    auto *Step = dyn_cast<SCEVConstant>(Walk->getStepRecurrence(SE));
    const SCEV *First = SE.getLosslessPtrToIntExpr(Walk->getStart());
    const SCEV *Last = SE.getLosslessPtrToIntExpr(End);
    if (Step && Step->getAPInt().isStrictlyPositive() &&
        !isa<SCEVCouldNotCompute>(First) && !isa<SCEVCouldNotCompute>(Last))
      return SE.getUDivExactExpr(SE.getMinusSCEV(Last, First), Step);
  }
  return SE.getCouldNotCompute();
}

const SCEV *heddle::latchCount(const Loop &L, ScalarEvolution &SE) {
  const BasicBlock *Latch = L.getLoopLatch();
  const SCEV *Count = SE.getExitCount(&L, Latch);
  auto *Branch = dyn_cast<BranchInst>(Latch->getTerminator());
  return isa<SCEVCouldNotCompute>(Count) && Branch && Branch->isConditional()
             ? countOfElements(*Branch, L, SE)
             : Count;
}

MaybeRefusal heddle::analyzeShape(Loop &L, ScalarEvolution &SE,
                                  LoopShape &Shape, bool MayLeaveEarly) {
  Shape.L = &L;
  Shape.BackedgeCount = nullptr;
  Shape.Preheader = L.getLoopPreheader();
  Shape.Latch = L.getLoopLatch();
  if (!Shape.Preheader || !Shape.Latch)
    return refuse(RefusalKind::UnknownControlFlow);

  if (MaybeRefusal Why = checkContents(L))
    return Why;
  if (L.getHeader()->getParent()->callsFunctionThatReturnsTwice())
    return refuse(RefusalKind::LongJump);

  auto *Branch = dyn_cast<BranchInst>(Shape.Latch->getTerminator());
  bool HasEnd =
      Branch && Branch->isConditional() && L.isLoopExiting(Shape.Latch);
  Shape.Exit = HasEnd ? Branch->getSuccessor(Shape.continuesOnTrue()) : nullptr;
  if (MaybeRefusal Why = findWaysOut(L, Shape, MayLeaveEarly))
    return Why;
  if (!HasEnd)
    return refuse(RefusalKind::NeverEnds);

  const SCEV *Count = latchCount(L, SE);
  SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
  if (!isa<SCEVCouldNotCompute>(Count) &&
      SE.getTypeSizeInBits(Count->getType()) <= 64 &&
      Expander.isSafeToExpandAt(Count, Shape.Preheader->getTerminator()))
    Shape.BackedgeCount = Count;
  return std::nullopt;
}
