//===- CutRows.cpp - The part of a row that is in the chunk ---------------===//

#include "pull/CutRows.h"
#include "pull/ChunkState.h"
#include "pull/PullNest.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

namespace {

class RowCutter {
  PullNest &Nest;
  const ChunkState &State;
  Value *RowEdges;
  ScalarEvolution &SE;
  Function &F;
  LLVMContext &C;
  IRBuilder<> Builder;
  Type *I64;

  BasicBlock *EdgesPreheader, *EdgesLatch, *Ended, *Defer;

public:
  RowCutter(PullNest &Nest, const ChunkState &State, Value *RowEdges,
            ScalarEvolution &SE)
      : Nest(Nest), State(State), RowEdges(RowEdges), SE(SE),
        F(*Nest.RowsHeader->getParent()), C(F.getContext()), Builder(C),
        I64(Builder.getInt64Ty()), EdgesPreheader(Nest.EdgesPreheader),
        EdgesLatch(Nest.EdgesLatch),
        Ended(BasicBlock::Create(C, "pull.ended", &F, Nest.EdgesExit)),
        Defer(BasicBlock::Create(C, "pull.defer", &F, Nest.EdgesExit)) {}

  void run() {
    runEdges();
    runOnceBeforeEdges();
  }

private:
  Value *isContinued() {
    return Builder.CreateICmpEQ(load(Builder, State.Row),
                                load(Builder, State.ContinuedRow));
  }

  void runEdges() {
    Instruction *Entry = EdgesPreheader->getTerminator();
    Builder.SetInsertPoint(Entry);
    Value *Begin = toEdge(Builder, Nest.Begin),
          *End = toEdge(Builder, Nest.End);
    Value *From = Builder.CreateBinaryIntrinsic(Intrinsic::umax, Begin,
                                                load(Builder, State.LowEdge));
    Value *To = Builder.CreateBinaryIntrinsic(Intrinsic::umin, End,
                                              load(Builder, State.HighEdge));
    Value *IsContinued = isContinued();
    limitEdges(Begin, End, From, To);
    SmallVector<PHINode *, 2> Results = combineParts(IsContinued);
    Builder.SetInsertPoint(Entry);
    Builder.CreateCondBr(Builder.CreateICmpULT(From, To), Nest.EdgesHeader,
                         Ended);
    Entry->eraseFromParent();
    leaveEdges(Results, End);
    deferPiece(Results, IsContinued);
  }

  /// Lets the inner loop run from \p From to \p To only.
  void limitEdges(Value *Begin, Value *End, Value *From, Value *To) {
    if (Nest.Kernel) {
      Nest.Kernel->setArgOperand(1, Builder.CreateSub(From, Begin));
      Nest.Kernel->setArgOperand(2, Builder.CreateSub(To, Begin));
      return;
    }
    Value *Skipped = edgesIn(Builder.CreateSub(From, Begin));
    Value *Left = edgesIn(Builder.CreateSub(End, To));
    if (Nest.Vectors)
      Left = withoutPadding(Left, edgesIn(Builder.CreateSub(End, Begin)));
    beginLater(Skipped);
    endEarlier(Left);
  }

  /// Starts the accumulators of a continued row from the carried values.
  /// Returns the value of each behind the edges, whether any of them run or
  /// not.
  SmallVector<PHINode *, 2> combineParts(Value *IsContinued) {
    Builder.SetInsertPoint(Ended);
    SmallVector<PHINode *, 2> Results;
    for (const Accumulator &A : Nest.Accumulators)
      Results.push_back(Builder.CreatePHI(A.Ty, 2));
    unsigned Field = 0;
    for (auto [A, Result] : zip_equal(Nest.Accumulators, Results)) {
      Builder.SetInsertPoint(EdgesPreheader->getTerminator());
      Value *Start = Nest.startOf(A);
      // The pieces of a row that the first writer sets all start alike.
      Value *TakesCarried = IsContinued;
      if (A.First)
        TakesCarried = Builder.CreateAnd(
            IsContinued,
            Builder.CreateICmpNE(load(Builder, State.Row),
                                 load(Builder, State.DeferredRow)));
      if (!A.Total)
        Start = Builder.CreateSelect(
            TakesCarried, load(Builder, State.Carried[Field++]), Start);
      Nest.setStart(A, Start);
      if (!Nest.Kernel)
        forgetOrder(A.How);
      Result->addIncoming(A.Latest, EdgesLatch);
      Result->addIncoming(Start, EdgesPreheader);
    }
    return Results;
  }

  /// Returns the number of edges, or lanes, between two positions that are
  /// \p Distance apart. The last edge of a row of pointers may reach past its
  /// end.
  Value *edgesIn(Value *Distance) {
    assert(Distance->getType() == I64 && "as toEdge() makes it");
    if (Nest.Vectors)
      return Builder.CreateMul(Distance,
                               ConstantInt::get(I64, Nest.Vectors->Lanes));
    if (Nest.Unit == 1)
      return Distance;
    return Builder.CreateUDiv(
        Builder.CreateAdd(Distance, ConstantInt::get(I64, Nest.Unit - 1)),
        ConstantInt::get(I64, Nest.Unit));
  }

  /// Returns the number of edges in the row's last \p Left lanes, of \p Lanes
  /// lanes in all.
  Value *withoutPadding(Value *Left, Value *Lanes) {
    Value *Padding = Builder.CreateSub(Lanes, RowEdges);
    return Builder.CreateSelect(Builder.CreateIsNull(Left), Left,
                                Builder.CreateSub(Left, Padding));
  }

  /// Lets the inner loop begin \p Skipped edges later.
  void beginLater(Value *Skipped) {
    for (const SteppedVariable &Step : Nest.EdgeSteps) {
      Value *Start = Step.Phi->getIncomingValueForBlock(EdgesPreheader);
      const APInt &By =
          cast<SCEVConstant>(Step.Value->getStepRecurrence(SE))->getAPInt();
      Step.Phi->setIncomingValueForBlock(
          EdgesPreheader,
          stepped(Builder, Start, ConstantInt::get(C, By), Skipped));
    }
  }

  /// Lets the inner loop end by \p Left edges earlier.
  void endEarlier(Value *Left) {
    // An edge may ask in the same way whether it is the row's last.
    if (!Nest.Finish->hasOneUse()) {
      Nest.Finish = cast<ICmpInst>(Nest.Finish->clone());
      Nest.Finish->insertBefore(EdgesLatch->getTerminator()->getIterator());
      cast<BranchInst>(EdgesLatch->getTerminator())->setCondition(Nest.Finish);
    }
    Value *Bound = Nest.Finish->getOperand(Nest.FinishBound);
    Type *Ty = Bound->getType()->isPointerTy() ? I64 : Bound->getType();
    Value *Back =
        ConstantInt::getSigned(Ty, -static_cast<int64_t>(Nest.FinishStep));
    Nest.Finish->setOperand(Nest.FinishBound,
                            stepped(Builder, Bound, Back, Left));
  }

  void leaveEdges(ArrayRef<PHINode *> Results, Value *End) {
    BasicBlock *Rest = Nest.EdgesExit;
    EdgesLatch->getTerminator()->replaceSuccessorWith(Rest, Ended);
    for (PHINode &Phi : Rest->phis()) {
      Value *V = Phi.getIncomingValueForBlock(EdgesLatch);
      for (auto [A, Result] : zip_equal(Nest.Accumulators, Results))
        if (V == A.Latest)
          V = Result;
      Phi.setIncomingValueForBlock(EdgesLatch, V);
      Phi.replaceIncomingBlockWith(EdgesLatch, Ended);
    }
    Builder.SetInsertPoint(Ended);
    Value *IsDeferred = Builder.CreateOr(
        Builder.CreateICmpEQ(load(Builder, State.Row),
                             load(Builder, State.DeferredRow)),
        Builder.CreateICmpUGT(End, load(Builder, State.HighEdge)));
    Builder.CreateCondBr(IsDeferred, Defer, Rest);
  }

  void deferPiece(ArrayRef<PHINode *> Results, Value *IsContinued) {
    Builder.SetInsertPoint(Defer);
    uint64_t Bytes = F.getDataLayout().getTypeAllocSize(State.PieceType);
    Value *Slot = Builder.CreatePtrAdd(
        load(Builder, State.SlotsAt),
        Builder.CreateSelect(IsContinued, ConstantInt::get(I64, 0),
                             ConstantInt::get(I64, Bytes)));
    unsigned Field = 0;
    for (auto [A, Result] : zip_equal(Nest.Accumulators, Results))
      Builder.CreateStore(Result, A.Total
                                      ? State.Variables.lookup(A.Total)
                                      : Builder.CreateStructGEP(State.PieceType,
                                                                Slot, Field++));
    if (const Accumulator &A = Nest.Accumulators[0]; A.First)
      Builder.CreateStore(
          Builder.CreateICmpNE(Results[0], Nest.startOf(A)),
          Builder.CreateStructGEP(State.PieceType, Slot, Field));
    Builder.CreateBr(State.Advance);
  }

  //===--------------------------------------------------------------------===//
  // A row's work besides its edges
  //===--------------------------------------------------------------------===//

  /// Runs the code of the row besides its edges only in the first part of the
  /// row, unless that code is behind the edges.
  void runOnceBeforeEdges() {
    SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> WaysPast;
    SmallVector<StoreInst *, 2> Stores;
    for (BasicBlock *Block : Nest.Before) {
      for (Instruction &I : *Block)
        if (auto *Store = dyn_cast<StoreInst>(&I);
            Store && !is_contained(State.Registers, Store->getPointerOperand()))
          Stores.push_back(Store);
      if (Block != EdgesPreheader)
        for (BasicBlock *Successor : successors(Block))
          if (!Nest.Before.contains(Successor) &&
              !is_contained(WaysPast, std::pair(Block, Successor)))
            WaysPast.push_back({Block, Successor});
    }
    for (auto [From, To] : WaysPast) {
      auto *Gate = BasicBlock::Create(C, "pull.past", &F, To);
      Builder.SetInsertPoint(Gate);
      Builder.CreateCondBr(isContinued(), State.Advance, To);
      From->getTerminator()->replaceSuccessorWith(To, Gate);
      for (PHINode &Phi : To->phis()) {
        Phi.replaceIncomingBlockWith(From, Gate);
        while (count(Phi.blocks(), Gate) > 1)
          Phi.removeIncomingValue(Gate);
      }
    }
    for (StoreInst *Store : Stores) {
      Builder.SetInsertPoint(Store);
      Instruction *Then = SplitBlockAndInsertIfThen(
          Builder.CreateNot(isContinued()), Store->getIterator(),
          /*Unreachable=*/false);
      Store->moveBefore(Then->getIterator());
    }
  }
};

} // namespace

Value *heddle::countRowEdges(const PullNest &Nest, ScalarEvolution &SE) {
  if (!Nest.Vectors || Nest.Kernel)
    return nullptr;
  Type *I64 = Type::getInt64Ty(SE.getContext());
  const SCEV *Edges = SE.getUDivExactExpr(
      Nest.Span, SE.getConstant(Nest.Span->getType(), Nest.FinishStep));
  return SCEVExpander(SE, "pull")
      .expandCodeFor(SE.getTruncateOrZeroExtend(Edges, I64), I64,
                     Nest.EdgesPreheader->getTerminator());
}

void heddle::cutRows(PullNest &Nest, const ChunkState &State, Value *RowEdges,
                     ScalarEvolution &SE) {
  assert(static_cast<bool>(RowEdges) == (Nest.Vectors && !Nest.Kernel) &&
         "only a loop over edge vectors has padding");
  RowCutter(Nest, State, RowEdges, SE).run();
}
