//===- FarCallees.cpp - Which functions access far memory -----------------===//

#include "nest/FarCallees.h"
#include "ends/ProgramEnds.h"
#include "inline/GuardTargets.h"
#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "loop/FarAccess.h"
#include "mark/Directive.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

FarCallees::FarCallees(Module &M) {
  CallGraph Calls(M);
  // Callees come before their callers.
  for (auto It = scc_begin(&Calls); !It.isAtEnd(); ++It) {
    Component New;
    for (CallGraphNode *Node : *It) {
      Function *F = Node->getFunction();
      if (!F || F->isDeclaration())
        continue;
      New.Members.push_back(F);
      ComponentOf[F] = Components.size();
      for (const Instruction &I : instructions(*F)) {
        New.AccessesFar |= usesFar(I);
        if (const Function *Callee = calleeOf(I))
          New.AccessesFar |= accessesFar(*Callee);
      }
    }
    New.IsCircle = It.hasCycle();
    Components.push_back(std::move(New));
  }
}

bool FarCallees::accessesFar(const Function &F) const {
  auto Found = ComponentOf.find(&F);
  return Found != ComponentOf.end() && Found->second < Components.size() &&
         Components[Found->second].AccessesFar;
}

bool FarCallees::isCircle(const Function &F) const {
  auto Found = ComponentOf.find(&F);
  return Found != ComponentOf.end() && Components[Found->second].IsCircle;
}

SmallVector<Function *, 2> FarCallees::circle(Function &F) const {
  assert(ComponentOf.contains(&F) && "a function of the module, with a body");
  const Component &C = Components[ComponentOf.lookup(&F)];
  if (!C.IsCircle)
    return {};
  SmallVector<Function *, 2> Members{&F};
  for (Function *Other : C.Members)
    if (Other != &F)
      Members.push_back(Other);
  return Members;
}

CalleeSize::CalleeSize(const Function &F) {
  const DataLayout &DL = F.getDataLayout();
  Places = waitingPlaces(F, [](const Argument &) { return Foresight::None; });
  for (const Instruction &I : instructions(F)) {
    ++Instructions;
    FarAccesses += usesFar(I);
    if (auto *Alloca = dyn_cast<AllocaInst>(&I))
      if (std::optional<TypeSize> Size = Alloca->getAllocationSize(DL))
        Bytes += Size->getKnownMinValue();
  }
}

namespace {

/// A property of a function for which its calls are not inlined into the task,
/// and the reason that the remark gives.
struct FunctionObstacle {
  bool (*IsThere)(const Function &F, bool IsCircle);
  RefusalKind Why;
};

/// A property of an instruction in its body for which calls are not inlined,
/// and the reason that the remark gives.
struct InstructionObstacle {
  bool (*IsThere)(const Instruction &I);
  RefusalKind Why;
};

} // namespace

static bool returnsTwice(const Function &F) {
  return F.hasFnAttribute(Attribute::ReturnsTwice) ||
         const_cast<Function &>(F).callsFunctionThatReturnsTwice();
}

static bool mustNotBeTransformed(const Function &F) {
  return F.hasFnAttribute(Attribute::Naked) || F.isPresplitCoroutine() ||
         F.hasOptNone() || F.hasGC();
}

/// True if \p A needs a call frame of its own. The frames of recursive callees
/// hold no copies of arguments that are passed by value.
static bool needsCallFrame(const Argument &A, bool IsCircle) {
  return (IsCircle && A.hasByValAttr()) || A.hasInAllocaAttr() ||
         A.hasPreallocatedAttr() || A.hasNestAttr() || A.hasSwiftErrorAttr() ||
         A.hasSwiftSelfAttr();
}

static bool hasIrreducibleLoops(const Function &F) {
  DominatorTree DT(const_cast<Function &>(F));
  LoopInfo LI(DT);
  ReversePostOrderTraversal<const Function *> RPO(&F);
  return containsIrreducibleCFG<const BasicBlock *>(RPO, LI);
}

static bool isDynamicAlloca(const Instruction &I) {
  auto *Alloca = dyn_cast<AllocaInst>(&I);
  return Alloca && (!Alloca->isStaticAlloca() ||
                    Alloca->getAllocatedType()->isScalableTy() ||
                    Alloca->getAddressSpace() != 0);
}

static bool isMustTailCall(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->isMustTailCall();
}

static bool isFixedCall(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && (Call->isConvergent() || mustNotBeCopied(*Call));
}

static bool usesCallFrame(const Instruction &I) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  if (!Intrinsic)
    return false;
  switch (Intrinsic->getIntrinsicID()) {
  case Intrinsic::stacksave:
  case Intrinsic::stackrestore:
  case Intrinsic::localescape:
  case Intrinsic::frameaddress:
  case Intrinsic::returnaddress:
  case Intrinsic::sponentry:
  case Intrinsic::eh_typeid_for:
    return true;
  default:
    return false;
  }
}

/// Obstacles that a declaration shows.
static constexpr FunctionObstacle DeclarationObstacles[] = {
    {[](const Function &F, bool) { return F.isInterposable(); },
     RefusalKind::Replaceable},
    {[](const Function &F, bool) { return F.isVarArg(); },
     RefusalKind::VariableArguments},
    {[](const Function &F, bool) { return returnsTwice(F); },
     RefusalKind::ReturnsTwice},
    {[](const Function &F, bool) { return mustNotBeTransformed(F); },
     RefusalKind::Unchangeable},
    {[](const Function &F, bool IsCircle) {
       return any_of(F.args(), [&](const Argument &A) {
         return needsCallFrame(A, IsCircle);
       });
     },
     RefusalKind::StackArgument},
};

static constexpr InstructionObstacle InstructionObstacles[] = {
    {[](const Instruction &I) {
       return I.isEHPad() || isa<InvokeInst, ResumeInst>(I);
     },
     RefusalKind::HandlesExceptions},
    {[](const Instruction &I) { return isa<IndirectBrInst, CallBrInst>(I); },
     RefusalKind::JumpsToLabels},
    {[](const Instruction &I) { return I.getType()->isTokenTy(); },
     RefusalKind::InseparableBody},
    {isDynamicAlloca, RefusalKind::DynamicStackBody},
    {isMustTailCall, RefusalKind::TailCall},
    {isFixedCall, RefusalKind::FixedCallInside},
    {usesCallFrame, RefusalKind::OwnFrame},
};

/// Obstacles that only the whole body shows.
static constexpr FunctionObstacle BodyObstacles[] = {
    {[](const Function &F, bool) {
       return !findMarkers(const_cast<Function &>(F)).empty();
     },
     RefusalKind::OwnDirective},
    {[](const Function &F, bool IsCircle) {
       return IsCircle && hasIrreducibleLoops(F);
     },
     RefusalKind::UnknownFlow},
};

static MaybeRefusal whyBodyStays(const Function &F, bool IsCircle) {
  assert(!F.isDeclaration() && "nothing to inline");
  const std::string Name = "'" + nameInSource(F) + "'";
  for (const FunctionObstacle &Obstacle : DeclarationObstacles)
    if (Obstacle.IsThere(F, IsCircle))
      return refuse(Obstacle.Why, {Name});
  for (const Instruction &I : instructions(F))
    for (const InstructionObstacle &Obstacle : InstructionObstacles)
      if (Obstacle.IsThere(I))
        return refuse(Obstacle.Why, {Name}, &I);
  for (const FunctionObstacle &Obstacle : BodyObstacles)
    if (Obstacle.IsThere(F, IsCircle))
      return refuse(Obstacle.Why, {Name});
  return std::nullopt;
}

MaybeRefusal heddle::whyNotNested(const CallBase &Call, const Function &Callee,
                                  const Function &Host,
                                  const TargetTransformInfo &TTI, bool IsCircle,
                                  bool MayEnd) {
  std::string Name = "'" + nameInSource(Callee) + "'";
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (Invoke && !(MayEnd && isTerminatePad(*Invoke->getUnwindDest())))
    return refuse(RefusalKind::MayThrow, {Name});
  if (Call.isMustTailCall() || Call.hasOperandBundles())
    return refuse(RefusalKind::FixedCall, {Name});
  if (Call.isConvergent() || mustNotBeCopied(Call))
    return refuse(RefusalKind::UnmovableCall, {Name});
  if (!AttributeFuncs::areInlineCompatible(Host, Callee) ||
      !TTI.areInlineCompatible(&Host, &Callee))
    return refuse(RefusalKind::OtherTarget, {Name});
  return whyBodyStays(Callee, IsCircle);
}
