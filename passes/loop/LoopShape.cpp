//===- LoopShape.cpp - Can the loop's iterations be tasks at all? ---------===//

#include "loop/LoopShape.h"
#include "ir/Instructions.h"
#include "loop/SourceNames.h"
#include "llvm/ADT/StringSet.h"
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

bool heddle::endsProgram(const BasicBlock &Block) {
  static const StringSet<> Enders = {
      "abort",           "__assert_fail", "__clang_call_terminate",
      "_ZSt9terminatev", "llvm.trap",     "llvm.ubsantrap",
      "__stack_chk_fail"};
  if (!isa<UnreachableInst>(Block.getTerminator()))
    return false;
  for (const Instruction &I : Block)
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Call->doesNotReturn()) {
        StringRef Name = calleeName(*Call);
        return Enders.contains(Name) || Name.starts_with("__ubsan_handle_") ||
               Name.starts_with("__asan_report_");
      }
  // Unreachable by assumption.
  return Block.size() == 1;
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

static MaybeRefusal checkCall(const CallBase &Call, const Loop &L) {
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
  StringRef Name = calleeName(Call);
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    const BasicBlock *Unwind = Invoke->getUnwindDest();
    if (!L.contains(Unwind) && !endsProgram(*Unwind))
      return refuse(RefusalKind::ExceptionLeaves, &Call);
  } else if (!Call.doesNotThrow() && !Call.isInlineAsm() &&
             Name != "__cxa_end_catch") {
    // The end of a handler throws only if an exception's destructor does.
    return refuse(RefusalKind::CallMayThrow, {describeCallee(Call)}, &Call);
  }
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
      if (MaybeRefusal Why = checkCall(*Call, L))
        return Why;
  }
  return std::nullopt;
}

MaybeRefusal heddle::analyzeShape(Loop &L, ScalarEvolution &SE,
                                  LoopShape &Shape) {
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
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  for (BasicBlock *Block : Exiting) {
    if (Block == Shape.Latch)
      continue;
    for (BasicBlock *Successor : successors(Block))
      if (!L.contains(Successor) &&
          (Successor == Shape.Exit || !endsProgram(*Successor)))
        return refuse(RefusalKind::LeftEarly, Block->getTerminator());
  }
  if (!HasEnd)
    return refuse(RefusalKind::NeverEnds);

  const SCEV *Count = SE.getExitCount(&L, Shape.Latch);
  SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
  if (!isa<SCEVCouldNotCompute>(Count) &&
      SE.getTypeSizeInBits(Count->getType()) <= 64 &&
      Expander.isSafeToExpandAt(Count, Shape.Preheader->getTerminator()))
    Shape.BackedgeCount = Count;
  return std::nullopt;
}
