//===- LoopForm.cpp - The form that analyses expect of a loop -------------===//

#include "loop/LoopForm.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

static void simplify(const LoopContext &C) {
  simplifyLoop(&C.L, &C.DT, &C.LI, &C.SE, &C.AC, nullptr,
               /*PreserveLCSSA=*/false);
  formLCSSARecursively(C.L, C.DT, &C.LI, &C.SE);
}

void heddle::normalise(const LoopContext &C) {
  Loop &L = C.L;
  simplify(C);
  if (L.getLoopLatch() && !L.isLoopExiting(L.getLoopLatch())) {
    SimplifyQuery SQ(L.getHeader()->getDataLayout(), nullptr, &C.DT, &C.AC);
    LoopRotation(&L, &C.LI, &C.TTI, &C.AC, &C.DT, &C.SE, nullptr, SQ,
                 /*RotationOnly=*/false, /*Threshold=*/1000,
                 /*IsUtilMode=*/false);
    simplify(C);
    C.SE.forgetLoop(&L);
  }
}

void heddle::separateExits(const LoopContext &C, LoopShape &Shape) {
  if (!Shape.isLeftEarly())
    return;
  auto Separate = [&](BasicBlock *From, BasicBlock *&To) {
    if (!To->getSinglePredecessor())
      To = SplitBlockPredecessors(To, From, ".left", &C.DT, &C.LI, nullptr,
                                  /*PreserveLCSSA=*/true);
  };
  for (EarlyExit &Exit : Shape.EarlyExits)
    Separate(Exit.From, Exit.To);
  if (Shape.Exit)
    Separate(Shape.Latch, Shape.Exit);
}

/// More iterations than can be run.
static constexpr uint64_t Endless = uint64_t(1) << 62;

/// The most iterations that \p C 's loop has, as far as that is known in front
/// of it.
static Value *mostIterations(const LoopContext &C) {
  ScalarEvolution &SE = C.SE;
  Instruction *Before = C.L.getLoopPreheader()->getTerminator();
  Type *I64 = Type::getInt64Ty(Before->getContext());
  const SCEV *Most = SE.getSymbolicMaxBackedgeTakenCount(&C.L);
  SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
  if (isa<SCEVCouldNotCompute>(Most) ||
      SE.getTypeSizeInBits(Most->getType()) > 64 ||
      !Expander.isSafeToExpandAt(Most, Before))
    return ConstantInt::get(I64, Endless);
  return Expander.expandCodeFor(
      SE.getAddExpr(SE.getUMinExpr(SE.getNoopOrZeroExtend(Most, I64),
                                   SE.getConstant(I64, Endless)),
                    SE.getOne(I64)),
      I64, Before->getIterator());
}

bool heddle::countIterations(const LoopContext &C) {
  Loop &L = C.L;
  BasicBlock *Latch = L.getLoopLatch(), *Header = L.getHeader();
  auto *Branch = Latch ? dyn_cast<BranchInst>(Latch->getTerminator()) : nullptr;
  if (!Branch || !L.getLoopPreheader())
    return false;
  Function &F = *Header->getParent();
  Type *I64 = Type::getInt64Ty(F.getContext());
  Value *Count = mostIterations(C);
  MDNode *LoopID = L.getLoopID();
  BasicBlock *NewLatch = SplitEdge(Latch, Header, &C.DT, &C.LI);
  auto *Never = BasicBlock::Create(F.getContext(), "never", &F);
  new UnreachableInst(F.getContext(), Never);
  IRBuilder<> B(Header, Header->begin());
  PHINode *Counter = B.CreatePHI(I64, 2, "count");
  B.SetInsertPoint(NewLatch->getTerminator());
  Value *Next = B.CreateAdd(Counter, B.getInt64(1), "", /*HasNUW=*/true);
  Counter->addIncoming(B.getInt64(0), L.getLoopPreheader());
  Counter->addIncoming(Next, NewLatch);
  Instruction *NewBranch =
      B.CreateCondBr(B.CreateICmpNE(Next, Count), Header, Never);
  NewBranch->setDebugLoc(Branch->getDebugLoc());
  NewLatch->getTerminator()->eraseFromParent();
  Branch->setMetadata(LLVMContext::MD_loop, nullptr);
  L.setLoopID(LoopID);
  C.DT.addNewBlock(Never, NewLatch);
  C.SE.forgetLoop(&L);
  return true;
}

Value *heddle::valueOnEntry(Value *V, const Loop &L) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (I->getParent() != L.getHeader() || I->mayHaveSideEffects() ||
      isa<CallBase>(I))
    return nullptr;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return Phi->getIncomingValueForBlock(L.getLoopPreheader());
  SmallVector<Value *> Operands;
  for (Value *Operand : I->operands())
    if (Value *OnEntry = valueOnEntry(Operand, L))
      Operands.push_back(OnEntry);
    else
      return nullptr;
  Instruction *Copy = I->clone();
  for (auto [Use, Operand] : zip_equal(Copy->operands(), Operands))
    Use.set(Operand);
  Copy->insertBefore(L.getLoopPreheader()->getTerminator()->getIterator());
  return Copy;
}
