//===- LinkTime.cpp - Annotated loops that are split at link time ---------===//

#include "link/LinkTime.h"
#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "ir/SharedDefinition.h"
#include "loop/FarAccess.h"
#include "mark/Directive.h"
#include "mark/KeepRolled.h"
#include "mark/Marks.h"
#include "names/SourceNames.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace heddle;

/// The attribute of functions that wait for the link.
static constexpr char AtLinkAttribute[] = "heddle-at-link";

bool heddle::waitsForLink(const Function &F) {
  return F.hasFnAttribute(AtLinkAttribute);
}

bool heddle::isElsewhere(const CallBase &Call, const TargetLibraryInfo &TLI) {
  const Function *Callee = Call.getCalledFunction();
  LibFunc Known;
  return Callee && Callee->isDeclaration() && !TLI.getLibFunc(Call, Known) &&
         mayWaitUnseen(Call) &&
         none_of(ArrayRef<StringRef>{"_ZSt", "_ZNSt", "_ZNKSt", "__"},
                 [&](StringRef Prefix) {
                   return Callee->getName().starts_with(Prefix);
                 });
}

/// The first call in \p L that the link may see the callee of, or null.
static const CallBase *findElsewhere(const Loop &L,
                                     const TargetLibraryInfo &TLI) {
  for (const Instruction &I : instructionsIn(L.blocks()))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && isElsewhere(*Call, TLI))
      return Call;
  return nullptr;
}

/// Far memory is lowered in one file.
static bool usesFarMemory(Function &F) {
  return any_of(instructions(F),
                [](const Instruction &I) { return usesFar(I); });
}

static void reportLeft(CallInst &Marker, const CallBase &Call) {
  OptimizationRemarkEmitter ORE(Marker.getFunction());
  ORE.emit([&] {
    OptimizationRemarkAnalysis Remark("heddle", "LeftForLink",
                                      remarkPlace(Marker.getDebugLoc()),
                                      Marker.getParent());
    Remark << "the loop is left for the link, which sees "
           << describeCallee(Call);
    if (const std::string Place =
            describeOtherPlace(&Call, Marker.getDebugLoc());
        !Place.empty())
      Remark << " (" << Place << ")";
    return Remark << "; link with heddle-clang and -fuse-ld=lld";
  });
}

PreservedAnalyses LeaveForLinkPass::run(Module &M, ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallDenseSet<unsigned> Said;
  for (Function &F : M) {
    const SmallVector<CallInst *, 4> Markers = findMarkers(F);
    // Sanitizers check what they see now.
    if (Markers.empty() || waitsForLink(F) || isSanitized(F) ||
        usesFarMemory(F))
      continue;
    const auto &LI = FAM.getResult<LoopAnalysis>(F);
    const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
    for (CallInst *Marker : Markers)
      if (const Loop *L = LI.getLoopFor(Marker->getParent()))
        if (const CallBase *Call = findElsewhere(*L, TLI)) {
          if (Said.insert(numberOf(*Marker)).second)
            reportLeft(*Marker, *Call);
          F.addFnAttr(AtLinkAttribute);
        }
    if (waitsForLink(F))
      for (CallInst *Marker : Markers) {
        LoopOutcomes->noteReported(numberOf(*Marker));
        LoopOutcomes->noteEffect(numberOf(*Marker));
      }
  }
  return PreservedAnalyses::all();
}

PreservedAnalyses DefineMarkerPass::run(Module &M, ModuleAnalysisManager &) {
  Function *Marker = M.getFunction(AsyncMarkerName);
  if (!Marker || !Marker->isDeclaration() || none_of(M, waitsForLink))
    return PreservedAnalyses::all();
  shareDefinition(*Marker);
  IRBuilder<>(BasicBlock::Create(M.getContext(), "entry", Marker))
      .CreateRetVoid();
  return PreservedAnalyses::none();
}

/// ThinLTO drops what it has imported from other files as soon as LLVM's
/// inliner has seen it, before nested coroutines are made. This gives \p Loops
/// copies of their own of callees that recurse.
static void keepRecursive(ArrayRef<const Loop *> Loops, Module &M) {
  SmallVector<Function *, 2> Imported;
  for (Function &F : M)
    if (F.hasAvailableExternallyLinkage() && isCallee(F) && isRecursive(F))
      Imported.push_back(&F);
  DenseMap<const Function *, Function *> Copies;
  for (Function *F : Imported) {
    ValueToValueMapTy Values;
    Function *Copy = CloneFunction(F, Values);
    Copy->setLinkage(GlobalValue::InternalLinkage);
    Copies[F] = Copy;
  }
  auto UseCopies = [&](Instruction &I) {
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Copy = Copies.lookup(Call->getCalledFunction()))
        Call->setCalledFunction(Copy);
  };
  for (const auto &[F, Copy] : Copies)
    for (Instruction &I : instructions(Copy))
      UseCopies(I);
  for (const Loop *L : Loops)
    for (Instruction &I : instructionsIn(L->blocks()))
      UseCopies(I);
}

PreservedAnalyses GoOnAtLinkPass::run(Module &M, ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<const Loop *> Loops;
  bool Any = false;
  for (Function &F : M) {
    if (!waitsForLink(F))
      continue;
    Any = true;
    F.removeFnAttr(AtLinkAttribute);
    for (CallInst *Marker : findMarkers(F))
      if (const Loop *L =
              FAM.getResult<LoopAnalysis>(F).getLoopFor(Marker->getParent())) {
        markCallees(*L);
        Loops.push_back(L);
      }
  }
  if (!Any)
    return PreservedAnalyses::all();
  keepRecursive(Loops, M);
  if (Function *Marker = M.getFunction(AsyncMarkerName);
      Marker && !Marker->isDeclaration()) {
    Marker->deleteBody();
    Marker->setComdat(nullptr);
    Marker->setVisibility(GlobalValue::DefaultVisibility);
  }
  AM.invalidate(M, PreservedAnalyses::none());
  Passes->run(M, AM);
  return PreservedAnalyses::none();
}
