//===- FarCallees.cpp - Which functions access far memory -----------------===//

#include "nest/FarCallees.h"
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
        auto *Call = dyn_cast<CallBase>(&I);
        const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
        if (Callee)
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

SmallVector<Function *, 2> FarCallees::circle(Function &F) const {
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
  for (const Instruction &I : instructions(F)) {
    ++Instructions;
    FarAccesses += usesFar(I);
    if (auto *Alloca = dyn_cast<AllocaInst>(&I))
      if (std::optional<TypeSize> Size = Alloca->getAllocationSize(DL))
        Bytes += Size->getKnownMinValue();
  }
}

static MaybeRefusal whyBodyStays(const Function &F, bool IsCircle) {
  std::string Name = "'" + demangle(F.getName()) + "'";
  if (F.isInterposable())
    return refuse(RefusalKind::Replaceable, {Name});
  if (F.isVarArg())
    return refuse(RefusalKind::VariableArguments, {Name});
  if (F.hasFnAttribute(Attribute::ReturnsTwice) ||
      const_cast<Function &>(F).callsFunctionThatReturnsTwice())
    return refuse(RefusalKind::ReturnsTwice, {Name});
  if (F.hasFnAttribute(Attribute::Naked) || F.isPresplitCoroutine() ||
      F.hasOptNone() || F.hasGC())
    return refuse(RefusalKind::Unchangeable, {Name});
  for (const Argument &A : F.args())
    if ((IsCircle && A.hasByValAttr()) || A.hasInAllocaAttr() ||
        A.hasPreallocatedAttr() || A.hasNestAttr() || A.hasSwiftErrorAttr() ||
        A.hasSwiftSelfAttr())
      return refuse(RefusalKind::StackArgument, {Name});
  for (const BasicBlock &Block : F) {
    for (const Instruction &I : Block) {
      if (I.isEHPad() || isa<InvokeInst, ResumeInst>(I))
        return refuse(RefusalKind::HandlesExceptions, {Name}, &I);
      if (isa<IndirectBrInst, CallBrInst>(I))
        return refuse(RefusalKind::JumpsToLabels, {Name}, &I);
      if (I.getType()->isTokenTy())
        return refuse(RefusalKind::InseparableBody, {Name}, &I);
      if (auto *Alloca = dyn_cast<AllocaInst>(&I);
          Alloca && (!Alloca->isStaticAlloca() ||
                     Alloca->getAllocatedType()->isScalableTy() ||
                     Alloca->getAddressSpace() != 0))
        return refuse(RefusalKind::DynamicStackBody, {Name}, &I);
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      if (Call->isMustTailCall())
        return refuse(RefusalKind::TailCall, {Name}, &I);
      if (Call->isConvergent() || Call->cannotDuplicate())
        return refuse(RefusalKind::FixedCallInside, {Name}, &I);
      if (auto *Intrinsic = dyn_cast<IntrinsicInst>(Call))
        switch (Intrinsic->getIntrinsicID()) {
        case Intrinsic::stacksave:
        case Intrinsic::stackrestore:
        case Intrinsic::localescape:
        case Intrinsic::frameaddress:
        case Intrinsic::returnaddress:
        case Intrinsic::sponentry:
        case Intrinsic::eh_typeid_for:
          return refuse(RefusalKind::OwnFrame, {Name}, &I);
        default:
          break;
        }
    }
  }
  if (!findMarkers(const_cast<Function &>(F)).empty())
    return refuse(RefusalKind::OwnDirective, {Name});
  if (!IsCircle)
    return std::nullopt;
  DominatorTree DT(const_cast<Function &>(F));
  LoopInfo LI(DT);
  ReversePostOrderTraversal<const Function *> RPO(&F);
  if (containsIrreducibleCFG<const BasicBlock *>(RPO, LI))
    return refuse(RefusalKind::UnknownFlow, {Name});
  return std::nullopt;
}

MaybeRefusal heddle::whyNotNested(const CallBase &Call, const Function &Callee,
                                  const Function &Host,
                                  const TargetTransformInfo &TTI,
                                  bool IsCircle) {
  std::string Name = "'" + demangle(Callee.getName()) + "'";
  if (!isa<CallInst>(Call))
    return refuse(RefusalKind::MayThrow, {Name});
  if (Call.isMustTailCall() || Call.hasOperandBundles())
    return refuse(RefusalKind::FixedCall, {Name});
  if (Call.isConvergent() || Call.cannotDuplicate())
    return refuse(RefusalKind::UnmovableCall, {Name});
  if (!AttributeFuncs::areInlineCompatible(Host, Callee) ||
      !TTI.areInlineCompatible(&Host, &Callee))
    return refuse(RefusalKind::OtherTarget, {Name});
  return whyBodyStays(Callee, IsCircle);
}
