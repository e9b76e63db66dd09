//===- EmitForms.cpp - Functions for tasks of other files -----------------===//

#include "async/form/EmitForms.h"
#include "async/LoopVerdict.h"
#include "async/form/FormHost.h"
#include "async/form/SplitForm.h"
#include "elsewhere/FormProtocol.h"
#include "inline/SimplifyInlined.h"
#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "mark/Directive.h"
#include "nest/NestedCalls.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Debug.h"

#define DEBUG_TYPE "heddle-emit-forms"

using namespace llvm;
using namespace heddle;

STATISTIC(FormsEmitted, "Number of functions with nested forms");

/// True if loops of other files may call \p F, and be suspended in it.
static bool mayGetForm(Function &F) {
  // The passes may have been loaded twice.
  if (!hasTypeOfForm(F) || F.getParent()->getNamedGlobal(formName(F)))
    return false;
  if (!F.hasExternalLinkage() || F.isDeclaration() || F.hasComdat() ||
      F.hasOptSize() || F.hasOptNone() || isSanitized(F) ||
      F.hasFnAttribute(Attribute::NoInline) ||
      F.hasFnAttribute(Attribute::Naked) || F.getReturnType()->isVoidTy() ||
      !F.doesNotThrow() || !F.onlyReadsMemory() || F.hasPersonalityFn() ||
      F.callsFunctionThatReturnsTwice())
    return false;
  return F.getInstructionCount() <= tunable::InlinedInstructions &&
         findMarkers(F).empty() && mayWait(F);
}

/// Describes \p Form, that of \p F.
static void describe(Function &F, const NestedForm &Form) {
  Module &M = *F.getParent();
  StructType *T = formType(M.getContext());
  const std::string Name = formName(F);
  // Whoever takes the place of the function takes that of its symbol only.
  auto *Plain = GlobalAlias::create(F.getValueType(), F.getAddressSpace(),
                                    GlobalValue::InternalLinkage,
                                    F.getName() + ".plain", &F, &M);
  auto *Described =
      new GlobalVariable(M, T, /*isConstant=*/true, GlobalValue::WeakAnyLinkage,
                         ConstantStruct::get(T, {Plain, Form.Start}), Name);
  Described->setVisibility(F.getVisibility());
  Described->setAlignment(Align(8));
  // Sections of their own, which the linker may drop.
  Described->setSection((".data.rel.ro.heddle." + F.getName()).str());
  for (Function *Part : {Form.Start, Form.Resume})
    Part->setSection((".text.heddle." + F.getName()).str());
}

/// Gives \p F its nested form, if that is worth having.
static bool emitForm(Function &F, FunctionAnalysisManager &FAM) {
  Function *Host = createFormHost(F);
  if (!Host)
    return false;
  if (isRecursive(F))
    nestRecursion(*Host, FAM, *findMarkers(*Host).front(),
                  form::Bytes - form::KeptAt - form::RegisterBytes);
  simplifyInlined(*Host, FAM);
  NestedForm Form;
  SmallVector<CallInst *, 4> Markers = findMarkers(*Host);
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(*Host);
  if (Markers.size() == 1 && LI.getLoopFor(Markers.front()->getParent()))
    judgeLoop(*Host, FAM, Markers, 0, [&](const LoopVerdict &Verdict) {
      LLVM_DEBUG(dbgs() << "heddle: " << F.getName() << " with a nested form "
                        << (Verdict.Why ? Verdict.Why->Reason : "waits")
                        << "\n");
      if (!Verdict.Why)
        Form = splitForm(F, *Host, Verdict);
    });
  FAM.clear(*Host, Host->getName());
  eraseFormHost(*Host);
  if (!Form.Start)
    return false;
  for (Function *Part : {Form.Start, Form.Resume}) {
    LLVM_DEBUG(assert(!verifyFunction(*Part, &dbgs())));
    simplifyInlined(*Part, FAM);
  }
  describe(F, Form);
  ++FormsEmitted;
  return true;
}

PreservedAnalyses EmitFormsPass::run(Module &M, ModuleAnalysisManager &AM) {
  if (!mayHaveForms(M))
    return PreservedAnalyses::all();
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<Function *> Functions;
  for (Function &F : M)
    if (mayGetForm(F))
      Functions.push_back(&F);
  bool Any = false;
  for (Function *F : Functions)
    Any |= emitForm(*F, FAM);
  return Any ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
