//===- AsyncMark.cpp - Make the directive's marks survive -O3 -------------===//

#include "async/AsyncMark.h"
#include "MarkProtocol.h"
#include "async/LoopScalars.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

namespace {

constexpr char BorrowedHint[] = "llvm.loop.pipeline.initiationinterval";

/// The directive number that the front end left on \p L, or 0.
unsigned directiveNumber(const Loop &L) {
  MDNode *LoopID = L.getLoopID();
  if (!LoopID)
    return 0;
  for (const MDOperand &Op : drop_begin(LoopID->operands())) {
    auto *Property = dyn_cast<MDNode>(Op);
    if (!Property || Property->getNumOperands() != 2)
      continue;
    auto *Name = dyn_cast<MDString>(Property->getOperand(0));
    auto *Number = mdconst::dyn_extract<ConstantInt>(Property->getOperand(1));
    if (Name && Name->getString() == BorrowedHint && Number &&
        Number->getZExtValue() >= FirstDirective)
      return Number->getZExtValue();
  }
  return 0;
}

/// Where remarks on the loop \p L, if it is one, are to point.
DebugLoc placeOf(const Loop *L, const CallInst &FrontEndMark) {
  DebugLoc Start = L ? L->getStartLoc() : DebugLoc();
  return Start ? Start : FrontEndMark.getDebugLoc();
}

/// The loop that \p FrontEndMark stands in and that has its number, or null.
Loop *loopOf(const CallInst &FrontEndMark, const LoopInfo &LI) {
  uint64_t Number =
      cast<ConstantInt>(FrontEndMark.getArgOperand(0))->getZExtValue();
  Loop *L = LI.getLoopFor(FrontEndMark.getParent());
  while (L && directiveNumber(*L) != Number)
    L = L->getParentLoop();
  return L;
}

/// Replaces the borrowed hint on \p L by our own property and one that keeps
/// the unroller and the vectoriser away.
void replaceHint(Loop &L, unsigned Number) {
  LLVMContext &Context = L.getHeader()->getContext();
  SmallVector<Metadata *> Properties{nullptr};
  for (const MDOperand &Op : drop_begin(L.getLoopID()->operands())) {
    auto *Property = dyn_cast<MDNode>(Op);
    auto *Name = Property && Property->getNumOperands()
                     ? dyn_cast<MDString>(Property->getOperand(0))
                     : nullptr;
    if (!Name || Name->getString() != BorrowedHint)
      Properties.push_back(Op);
  }
  if (Number) {
    Type *I32 = Type::getInt32Ty(Context);
    Properties.push_back(MDNode::get(
        Context, {MDString::get(Context, "heddle.async"),
                  ConstantAsMetadata::get(ConstantInt::get(I32, Number))}));
    Properties.push_back(MDNode::get(
        Context, {MDString::get(Context, "llvm.loop.disable_nonforced")}));
  }
  MDNode *LoopID = MDNode::getDistinct(Context, Properties);
  LoopID->replaceOperandWith(0, LoopID);
  L.setLoopID(Properties.size() > 1 ? LoopID : nullptr);
}

/// Puts \p Kind on every load, store and atomic of \p L whose address is
/// computed from a value of the pointer (or the array) at \p Variable.
void tagAccessesThrough(Value *Variable, const Loop &L, StringRef Kind) {
  SmallVector<Value *> Worklist;
  SmallPtrSet<Value *, 16> Seen;
  auto Follow = [&](Value *V) {
    if (Seen.insert(V).second)
      Worklist.push_back(V);
  };
  auto VariableOf = [](Value *Address) {
    return Address->stripInBoundsConstantOffsets();
  };
  bool IsArray = false;
  if (auto *Alloca = dyn_cast<AllocaInst>(Variable->stripPointerCasts()))
    IsArray = Alloca->getAllocatedType()->isArrayTy();
  else if (auto *Global = dyn_cast<GlobalVariable>(Variable))
    IsArray = Global->getValueType()->isArrayTy();
  if (IsArray)
    Follow(Variable);
  // Members are addressed afresh at each use: `this->p` is any address with
  // the same base and offset.
  const DataLayout &DL = L.getHeader()->getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Variable->getType()), 0);
  Value *Base = Variable->stripAndAccumulateInBoundsConstantOffsets(DL, Offset);
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (auto *Load = dyn_cast<LoadInst>(&I)) {
        if (!Load->getType()->isPointerTy())
          continue;
        APInt Other(Offset.getBitWidth(), 0);
        Value *From =
            Load->getPointerOperand()
                ->stripAndAccumulateInBoundsConstantOffsets(DL, Other);
        auto SameVariable = [&] {
          if (From == Base)
            return true;
          // `this` itself is reloaded from its alloca at -O0.
          auto *A = dyn_cast<LoadInst>(From), *B = dyn_cast<LoadInst>(Base);
          return A && B &&
                 VariableOf(A->getPointerOperand()) ==
                     VariableOf(B->getPointerOperand());
        };
        if (Other == Offset && SameVariable())
          Follow(Load);
      }
  MDNode *Tag = MDNode::get(L.getHeader()->getContext(), {});
  while (!Worklist.empty()) {
    Value *V = Worklist.pop_back_val();
    for (User *U : V->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (!I || !L.contains(I))
        continue;
      if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(I))
        Follow(I);
      else if (getLoadStorePointerOperand(I) == V ||
               (isa<AtomicRMWInst>(I) &&
                cast<AtomicRMWInst>(I)->getPointerOperand() == V) ||
               (isa<AtomicCmpXchgInst>(I) &&
                cast<AtomicCmpXchgInst>(I)->getPointerOperand() == V))
        I->setMetadata(Kind, Tag);
    }
  }
}

FunctionCallee getMarker(Module &M) {
  LLVMContext &Context = M.getContext();
  FunctionCallee Marker = M.getOrInsertFunction(
      AsyncMarkerName, FunctionType::get(Type::getVoidTy(Context),
                                         {Type::getInt32Ty(Context)}, true));
  auto *F = cast<Function>(Marker.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setOnlyAccessesInaccessibleMemory();
  return Marker;
}

/// Turns the front end's call \p FrontEndMark for loop \p L into AsyncSplit's.
void markLoop(Loop &L, CallInst &FrontEndMark, const LoopInfo &LI) {
  unsigned Number =
      cast<ConstantInt>(FrontEndMark.getArgOperand(0))->getZExtValue();
  SmallVector<Value *> Arguments{FrontEndMark.getArgOperand(0)};
  for (unsigned I = 1; I + 1 < FrontEndMark.arg_size(); I += 2) {
    Value *Kind = FrontEndMark.getArgOperand(I);
    Value *Operand = FrontEndMark.getArgOperand(I + 1);
    switch (cast<ConstantInt>(Kind)->getZExtValue()) {
    case Remote:
      tagAccessesThrough(Operand, L, RemoteMetadata);
      break;
    case Near:
      tagAccessesThrough(Operand, L, NearMetadata);
      break;
    default:
      Arguments.append({Kind, Operand});
    }
  }
  // A collapsed nest has its mark in the innermost body; what it says holds
  // for the loop with the hint.
  Instruction *InsertBefore = &FrontEndMark;
  if (LI.getLoopFor(FrontEndMark.getParent()) != &L) {
    BasicBlock *Head = L.getHeader();
    for (BasicBlock *Successor : successors(Head))
      if (L.isLoopExiting(Head) && LI.getLoopFor(Successor) == &L) {
        Head = Successor;
        break;
      }
    InsertBefore = &*Head->getFirstInsertionPt();
  }
  IRBuilder<> Builder(InsertBefore);
  CallInst *Call =
      Builder.CreateCall(getMarker(*FrontEndMark.getModule()), Arguments);
  Call->setDebugLoc(placeOf(&L, FrontEndMark));
  // The marker knows variables by address without letting them escape.
  for (unsigned I = 0; I < Call->arg_size(); ++I)
    if (Call->getArgOperand(I)->getType()->isPointerTy())
      Call->addParamAttr(I, Attribute::getWithCaptureInfo(Call->getContext(),
                                                          CaptureInfo::none()));
  replaceHint(L, Number);
}

/// Says on \p L, the loop of \p FrontEndMark, that it stays as it is.
void reportUnmarked(const Loop *L, CallInst &FrontEndMark, const char *Name,
                    const char *Reason) {
  OptimizationRemarkEmitter ORE(FrontEndMark.getFunction());
  ORE.emit([&] {
    return OptimizationRemarkMissed("heddle", Name, placeOf(L, FrontEndMark),
                                    FrontEndMark.getParent())
           << "loop not interleaved: " << Reason;
  });
}

bool markFunction(Function &F, FunctionAnalysisManager &AM, bool Optimizing,
                  Outcomes &Told) {
  SmallVector<CallInst *> FrontEndMarks;
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (Function *Callee = Call->getCalledFunction())
          if (Callee->getName() == MarkFunctionName)
            FrontEndMarks.push_back(Call);
  if (FrontEndMarks.empty())
    return false;

  auto &LI = AM.getResult<LoopAnalysis>(F);
  bool Mark = Optimizing && !F.hasOptNone();
  SmallVector<Loop *> Marked;
  for (CallInst *FrontEndMark : FrontEndMarks) {
    Loop *L = loopOf(*FrontEndMark, LI);
    if (!Mark) {
      reportUnmarked(L, *FrontEndMark, "NotOptimizing", "optimization is off");
    } else if (!L) {
      reportUnmarked(L, *FrontEndMark, "NotALoop",
                     "its body never runs twice, or code outside jumps into "
                     "it");
    } else {
      Told.expect(directiveNumber(*L), placeOf(L, *FrontEndMark), F.getName());
      markLoop(*L, *FrontEndMark, LI);
      Marked.push_back(L);
    }
  }
  for (Loop *L : LI.getLoopsInPreorder())
    if (directiveNumber(*L))
      replaceHint(*L, 0);
  for (CallInst *FrontEndMark : FrontEndMarks)
    FrontEndMark->eraseFromParent();
  for (Loop *L : Marked)
    isolateLoopScalars(*L, AM.getResult<DominatorTreeAnalysis>(F), LI);
  return true;
}

} // namespace

PreservedAnalyses AsyncMarkPass::run(Module &M, ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration() && markFunction(F, FAM, Optimizing, *Told)) {
      FAM.invalidate(F, PreservedAnalyses::none());
      Changed = true;
    }
  if (Function *FrontEndMark = M.getFunction(MarkFunctionName))
    if (FrontEndMark->use_empty())
      FrontEndMark->eraseFromParent();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
