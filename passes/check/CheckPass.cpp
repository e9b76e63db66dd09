//===- CheckPass.cpp - Check the promise of annotated loops ---------------===//

#include "check/CheckPass.h"
#include "check/Accesses.h"
#include "check/Accessors.h"
#include "check/Copies.h"
#include "check/Landings.h"
#include "check/Order.h"
#include "check/quick/PointerLoads.h"
#include "ir/Instructions.h"
#include "loop/BoundedOption.h"
#include "mark/AsyncMark.h"
#include "mark/Directive.h"
#include "mark/Marks.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace heddle;

cl::opt<bool> heddle::CheckLoops(
    freeName("heddle-check"), cl::init(false),
    cl::desc("Check annotated loops for conflicts between iterations"));

/// Says that a module records.
static constexpr char CheckedMetadata[] = "heddle.checked";

namespace {

/// Lets one annotated loop say where it begins, begins an iteration and ends.
class LoopRecorder {
  Loop &L;
  Directive D;
  Hooks &H;
  QuickPaths &Quick;
  Function &F;

public:
  LoopRecorder(Loop &L, Directive D, Hooks &H, QuickPaths &Quick)
      : L(L), D(std::move(D)), H(H), Quick(Quick),
        F(*L.getHeader()->getParent()) {}

  void run(DominatorTree &DT, LoopInfo &LI) {
    BasicBlock *Preheader = L.getLoopPreheader();
    if (!Preheader)
      Preheader = InsertPreheaderForLoop(&L, &DT, &LI, nullptr, false);
    formDedicatedExitBlocks(&L, &DT, &LI, nullptr, /*PreserveLCSSA=*/false);
    const DebugLoc Where = L.getStartLoc();
    Constant *Described = H.loop(F, Where ? Where : D.Marker->getDebugLoc());
    CallInst *Begin =
        Preheader ? begin(Described, *Preheader->getTerminator()) : nullptr;
    Instruction *Head = &*L.getHeader()->getFirstInsertionPt();
    CallInst *Next = H.call("heddle_check_iteration", {Described}, Head);
    if (Begin && (!isWorkshared(L) || !callsProgram()))
      Quick.wrapIteration(*Next, *Begin);
    for (Instruction &I : F.getEntryBlock())
      if (auto *Variable = dyn_cast<AllocaInst>(&I);
          Variable && isOfIteration(*Variable, L))
        forget(*Variable, *Head);
    SmallVector<BasicBlock *> Exits;
    L.getUniqueExitBlocks(Exits);
    for (BasicBlock *Exit : Exits)
      H.call("heddle_check_end", {Described}, &*Exit->getFirstInsertionPt());
  }

private:
  /// True if \p Block, which may leave the loop, computes its condition or a
  /// part of it, such as the right side of `&&`.
  bool isInCondition(const BasicBlock &Block) const {
    const BasicBlock *Left = &Block;
    while (Left && Left != L.getHeader() && !L.isLoopLatch(Left)) {
      // Calls may leave it by an exception.
      if (!L.isLoopExiting(Left) || !isa<BranchInst>(Left->getTerminator()))
        return false;
      Left = Left->getSinglePredecessor();
    }
    return Left;
  }

  /// Exempts the variables that calls compute the loop's condition from, such
  /// as iterators: they advance in order.
  void exemptControl(Instruction &Before) {
    SmallVector<BasicBlock *> Exiting;
    L.getExitingBlocks(Exiting);
    SmallVector<Value *> Worklist;
    SmallPtrSet<Value *, 8> Seen;
    for (BasicBlock *Block : Exiting)
      if (isInCondition(*Block))
        append_range(Worklist, Block->getTerminator()->operand_values());
    while (!Worklist.empty()) {
      Value *V = Worklist.pop_back_val();
      auto *I = dyn_cast<Instruction>(V);
      if (!I || !Seen.insert(V).second)
        continue;
      if (!L.contains(I) && isa<AllocaInst>(I))
        H.call("heddle_check_exempt", {I, bytes(sizeOf(*I))}, &Before);
      else if (L.contains(I) && !isa<PHINode>(I))
        append_range(Worklist, I->operand_values());
    }
  }

  /// Exempts the variables of the code around a worksharing loop, which belong
  /// to the thread: its iterations may be any.
  void exemptOfThread(Instruction &Before) {
    for (Instruction &I : F.getEntryBlock())
      if (isa<AllocaInst>(I))
        H.call("heddle_check_exempt", {&I, bytes(sizeOf(I))}, &Before);
  }

  /// True if the runtime is told of calls.
  bool callsProgram() const {
    return any_of(instructionsIn(L.blocks()), [](const Instruction &I) {
      return calleeName(I) == "heddle_check_call";
    });
  }

  CallInst *begin(Constant *Described, Instruction &Before) {
    CallInst *Begin = H.call("heddle_check_begin", {Described}, &Before,
                             PointerType::get(F.getContext(), 0));
    exemptControl(Before);
    if (isWorkshared(L))
      exemptOfThread(Before);
    for (ArrayRef<Value *> Clause :
         {ArrayRef<Value *>(D.Private), ArrayRef<Value *>(D.Shared),
          ArrayRef<Value *>(D.Sequential)})
      for (Value *Variable : Clause)
        if (!isa<Instruction>(Variable) ||
            !L.contains(cast<Instruction>(Variable)))
          H.call("heddle_check_exempt", {Variable, bytes(sizeOf(*Variable))},
                 &Before);
    return Begin;
  }

  Value *bytes(uint64_t Count) {
    return ConstantInt::get(Type::getInt64Ty(F.getContext()), Count);
  }

  /// The bytes of a variable that a clause names.
  uint64_t sizeOf(const Value &Variable) const {
    const DataLayout &DL = F.getDataLayout();
    if (auto *Alloca = dyn_cast<AllocaInst>(&Variable))
      if (std::optional<TypeSize> Size = Alloca->getAllocationSize(DL))
        return Size->getKnownMinValue();
    if (auto *Global = dyn_cast<GlobalVariable>(&Variable))
      return DL.getTypeAllocSize(Global->getValueType());
    uint64_t Most = 1;
    for (const User *U : Variable.users())
      if (auto *I = dyn_cast<Instruction>(U))
        if (getLoadStorePointerOperand(I) == &Variable)
          Most = std::max<uint64_t>(Most,
                                    DL.getTypeStoreSize(getLoadStoreType(I)));
    return Most;
  }

  /// A callee may know the variable, which has other contents in each
  /// iteration.
  void forget(AllocaInst &Variable, Instruction &Before) {
    const bool Escapes = any_of(Variable.users(), [](const User *U) {
      return !isa<LoadInst>(U) && !cast<Instruction>(U)->isLifetimeStartOrEnd();
    });
    std::optional<TypeSize> Size =
        Variable.getAllocationSize(F.getDataLayout());
    if (Escapes && Size && !Size->isScalable())
      H.call("heddle_check_fresh", {&Variable, bytes(Size->getFixedValue())},
             &Before);
  }
};

/// True if code of another file, or a loop of this one, may call \p F.
class Reachable {
  SmallPtrSet<const Function *, 32> Functions;

public:
  explicit Reachable(Module &M) {
    SmallVector<const Function *> Worklist;
    auto Add = [&](const Function *F) {
      if (F && !F->isDeclaration() && Functions.insert(F).second)
        Worklist.push_back(F);
    };
    for (Function &F : M)
      if (F.getName() != "main" &&
          (!F.hasLocalLinkage() || F.hasAddressTaken()))
        Add(&F);
    for (Function &F : M)
      if (!F.isDeclaration() && !findMarkers(F).empty())
        Add(&F);
    while (!Worklist.empty())
      for (const Instruction &I : instructions(*Worklist.pop_back_val()))
        Add(calleeOf(I));
  }

  bool contains(const Function &F) const { return Functions.contains(&F); }
};

/// As long as a program has one thread, libstdc++ counts the owners of shared
/// objects without atomic operations, in functions of their own.
void countOwnersAtomically(Function &F) {
  if (!F.getName().contains("__exchange_and_add_single") &&
      !F.getName().contains("__atomic_add_single"))
    return;
  for (Instruction &I : instructions(F)) {
    Value *Address = getLoadStorePointerOperand(&I);
    if (!Address || isa<AllocaInst>(Address) ||
        !getLoadStoreType(&I)->isIntegerTy(32))
      continue;
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Load->setAtomic(AtomicOrdering::Monotonic);
    else
      cast<StoreInst>(I).setAtomic(AtomicOrdering::Monotonic);
  }
}

void simplify(Function &F, FunctionAnalysisManager &AM) {
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(EarlyCSEPass());
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(InstCombinePass());
  AM.invalidate(F, Passes.run(F, AM));
  if (mergePointerLoads(F, AM.getResult<AAManager>(F))) {
    AM.invalidate(F, PreservedAnalyses::none());
    AM.invalidate(F, EarlyCSEPass().run(F, AM));
  }
}

void check(Function &F, FunctionAnalysisManager &AM, Hooks &H,
           QuickPaths &Quick) {
  auto &LI = AM.getResult<LoopAnalysis>(F);
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<std::pair<Loop *, Directive>> Marked;
  SmallVector<Loop *> Checked;
  for (CallInst *Marker : findMarkers(F))
    if (Loop *L = LI.getLoopFor(Marker->getParent())) {
      Marked.push_back({L, readDirective(*Marker)});
      Checked.push_back(L);
    }
  for (Loop *L : Checked)
    expandCopies(*L);
  recordAccesses(F, Checked, LI, DT, AM.getResult<AAManager>(F), H, Quick);
  AM.invalidate(F, PreservedAnalyses::none());
  auto &NewLI = AM.getResult<LoopAnalysis>(F);
  auto &NewDT = AM.getResult<DominatorTreeAnalysis>(F);
  for (auto &[Old, D] : Marked)
    if (Loop *L = NewLI.getLoopFor(D.Marker->getParent()))
      LoopRecorder(*L, D, H, Quick).run(NewDT, NewLI);
  for (CallInst *Marker : findMarkers(F))
    Marker->eraseFromParent();
  // The runtime tells by the frame that an exception has left a loop.
  if (!Marked.empty()) {
    F.removeFnAttr(Attribute::AlwaysInline);
    F.addFnAttr(Attribute::NoInline);
  }
  AM.invalidate(F, PreservedAnalyses::none());
}

} // namespace

PreservedAnalyses CheckPass::run(Module &M, ModuleAnalysisManager &AM) {
  // The pass may be in the pipeline twice, see PassPlugin.cpp.
  if (M.getNamedMetadata(CheckedMetadata))
    return PreservedAnalyses::all();
  M.getOrInsertNamedMetadata(CheckedMetadata);
  // Without optimisation, functions forbid the passes that this one needs.
  for (Function &F : M)
    F.removeFnAttr(Attribute::OptimizeNone);
  AM.invalidate(M,
                AsyncMarkPass(/*Optimizing=*/true, std::make_shared<Outcomes>())
                    .run(M, AM));
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  const Reachable Callable(M);
  Hooks H(M);
  QuickPaths Quick(M);
  SmallVector<Function *> Functions;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
        !F.hasFnAttribute(Attribute::Naked) && Callable.contains(F))
      Functions.push_back(&F);
  for (Function *F : Functions)
    countOwnersAtomically(*F);
  for (Function *F : Functions)
    simplify(*F, FAM);
  for (Function *F : Functions)
    if (inlineAccessors(*F)) {
      FAM.invalidate(*F, PreservedAnalyses::none());
      simplify(*F, FAM);
    }
  for (Function *F : Functions)
    check(*F, FAM, H, Quick);
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
        !F.hasFnAttribute(Attribute::Naked))
      recordLandings(F, H);
  Quick.inlineAll();
  return PreservedAnalyses::none();
}
