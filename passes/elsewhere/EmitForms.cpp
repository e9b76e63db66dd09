//===- EmitForms.cpp - Functions for tasks of other files -----------------===//

#include "elsewhere/EmitForms.h"
#include "elsewhere/FormPlan.h"
#include "elsewhere/FormProtocol.h"
#include "elsewhere/SplitForm.h"
#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Debug.h"

#define DEBUG_TYPE "heddle-emit-forms"

using namespace llvm;
using namespace heddle;

STATISTIC(FormsEmitted, "Number of functions with nested forms");

/// True if \p F is the definition that other files call by its name, as far as
/// this file knows, and it is compiled like any other.
static bool isOrdinary(const Function &F) {
  if (!F.hasExternalLinkage() || F.isDeclaration() || F.hasComdat() ||
      F.hasSection() || F.hasPartition() || F.hasGC() || F.hasPrefixData() ||
      F.hasPrologueData() || F.hasPersonalityFn() || isSanitized(F))
    return false;
  for (Attribute::AttrKind Kind :
       {Attribute::NoInline, Attribute::OptimizeNone, Attribute::Naked,
        Attribute::NoReturn, Attribute::Convergent, Attribute::StrictFP,
        Attribute::ReturnsTwice, Attribute::PresplitCoroutine})
    if (F.hasFnAttribute(Kind))
      return false;
  // What runs at each entry of a function would run at each step.
  for (StringRef Name :
       {"fentry-call", "instrument-function-entry", "patchable-function",
        "instrument-function-entry-inlined", "patchable-function-entry",
        "function-instrument", "xray-instruction-threshold"})
    if (F.hasFnAttribute(Name))
      return false;
  return true;
}

/// True if a form of \p F may be worth its code. What is cheap to find out
/// comes first: few functions get one.
static bool mayGetForm(const Function &F) {
  if (!isOrdinary(F) || F.getReturnType()->isVoidTy() || F.hasOptSize() ||
      !F.doesNotThrow() || !F.onlyReadsMemory() || !hasTypeOfForm(F))
    return false;
  const unsigned Instructions = F.getInstructionCount();
  return Instructions >= tunable::LeastFormInstructions &&
         Instructions <= tunable::FormInstructions && mayBeCut(F) &&
         // The passes may have been loaded twice.
         !F.getParent()->getNamedGlobal(formName(F)) && !isRecursive(F);
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
  // Weak, because two definitions of a function may be weakened when they are
  // linked.
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

/// True if \p F surely returns, as its steps are taken to, and all its circles
/// are loops. In C, a loop that only a constant ends may go on for ever.
static bool surelyReturns(const Function &F, const LoopInfo &LI) {
  const ReversePostOrderTraversal<const Function *> Order(&F);
  return !containsIrreducibleCFG<const BasicBlock *>(Order, LI) &&
         (F.willReturn() || all_of(LI.getLoopsInPreorder(), isMustProgress));
}

static void reportOverBudget(const Function &F) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    OptimizationRemarkAnalysis Remark("heddle", "NoForm",
                                      DiagnosticLocation(F.getSubprogram()),
                                      &F.getEntryBlock());
    Remark << "loops of other files cannot be suspended in this function: the "
              "file has many such functions, and compiling it would take too "
              "long (-mllvm -heddle-forms-instructions=N)";
    return Remark;
  });
}

/// What the forms of \p M may be made of.
static uint64_t budgetOf(const Module &M) {
  uint64_t Instructions = 0;
  for (const Function &F : M)
    Instructions += F.getInstructionCount();
  return std::max<uint64_t>(tunable::FormsInstructions,
                            Instructions * tunable::FormsPercent / 100);
}

PreservedAnalyses EmitFormsPass::run(Module &M, ModuleAnalysisManager &AM) {
  if (!mayHaveForms(M))
    return PreservedAnalyses::all();
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<Function *> Functions;
  for (Function &F : M)
    if (mayGetForm(F))
      Functions.push_back(&F);
  if (Functions.empty())
    return PreservedAnalyses::all();
  bool Any = false;
  uint64_t Used = 0;
  const uint64_t Budget = budgetOf(M);
  for (Function *F : Functions) {
    const LoopInfo &LI = FAM.getResult<LoopAnalysis>(*F);
    if (!surelyReturns(*F, LI))
      continue;
    const SmallVector<FormCut, 4> Cuts =
        planForm(*F, FAM.getResult<DominatorTreeAnalysis>(*F), LI);
    if (Cuts.empty())
      continue;
    const uint64_t Instructions = F->getInstructionCount();
    if (Used + Instructions > Budget) {
      reportOverBudget(*F);
      continue;
    }
    Used += Instructions;
    const NestedForm Form = splitForm(*F, Cuts);
    if (!Form.Start)
      continue;
    LLVM_DEBUG(dbgs() << "heddle: " << F->getName() << " has a nested form\n");
    assert(!verifyFunction(*Form.Start, &dbgs()) && "broken start");
    assert(!verifyFunction(*Form.Resume, &dbgs()) && "broken resume");
    describe(*F, Form);
    ++FormsEmitted;
    Any = true;
  }
  return Any ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
