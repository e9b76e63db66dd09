//===- EdgeChunks.cpp - A nest in chunks of equal work --------------------===//

#include "schedule-aware/EdgeChunks.h"
#include "schedule-aware/PullNest.h"
#include "schedule-aware/Worksharing.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

namespace {

// The fields of heddle_pull_rows and heddle_pull, as in runtime/pull.h.
enum RowsField {
  RowCount,
  RowsEnd,
  RowsStride,
  RowsWidth,
  RowsUnit,
  RowsBegin,
  PieceBytes,
  Identity,
  CombineFunction,
  EdgesPerChunk,
  RowsPerChunk,
  IsDynamic,
  Thread,
  Place
};
enum PullField { First, Last, Low, High, Continued, Deferred, Slots, Carry };

class NestRewriter {
  PullNest &Nest;
  Worksharing &W;
  ScalarEvolution &SE;
  Function &F;
  Module &M;
  LLVMContext &C;
  IRBuilder<> Builder;
  Type *I64, *I32;
  PointerType *Ptr;
  StructType *RowsType, *PullType, *PieceType;

  BasicBlock *Preheader, *Header, *Latch, *Exit, *EdgesPreheader, *EdgesLatch;
  BasicBlock *Next, *Enter, *Advance, *Ended, *Defer;

  AllocaInst *Rows, *Pull, *CarryBuffer;
  /// Variables that become registers in the end.
  SmallVector<AllocaInst *, 16> Registers;
  AllocaInst *Row, *LastRow, *LowEdge, *HighEdge, *ContinuedRow, *DeferredRow,
      *SlotsAt;
  MapVector<PHINode *, AllocaInst *> Variables;
  /// What each of the row's own accumulators starts from in a continued row.
  SmallVector<AllocaInst *, 2> Carried;

public:
  NestRewriter(PullNest &Nest, Worksharing &W, ScalarEvolution &SE)
      : Nest(Nest), W(W), SE(SE), F(*Nest.RowsHeader->getParent()),
        M(*F.getParent()), C(F.getContext()), Builder(C) {
    I64 = Type::getInt64Ty(C);
    I32 = Type::getInt32Ty(C);
    Ptr = PointerType::getUnqual(C);
    RowsType = StructType::get(C, {I64, Ptr, I64, I32, I32, I64, I64, Ptr, Ptr,
                                   I64, I64, I32, I32, Ptr});
    PullType = StructType::get(
        C, {I64, I64, I64, I64, I64, I64, Ptr, Ptr, Ptr, Ptr, I64, I64, I32});
    SmallVector<Type *, 2> Values;
    for (const Accumulator &A : Nest.Accumulators)
      if (!A.Total)
        Values.push_back(A.Ty);
    // Behind a first writer's value stands whether it was written.
    if (Nest.Accumulators[0].First)
      Values.push_back(Type::getInt1Ty(C));
    if (Values.empty())
      Values.push_back(Type::getInt8Ty(C));
    PieceType = StructType::get(C, Values);
    Preheader = Nest.RowsPreheader;
    Header = Nest.RowsHeader;
    Latch = Nest.RowsLatch;
    Exit = Nest.RowsExit;
    EdgesPreheader = Nest.EdgesPreheader;
    EdgesLatch = Nest.EdgesLatch;
    Builder.SetCurrentDebugLocation(W.Begin->getDebugLoc());
  }

  void run(Value *ChunkEdges) {
    countRowEdges();
    createBlocks();
    createRegisters();
    begin(ChunkEdges);
    enterRows();
    replaceVariables();
    advanceRows();
    runEdges();
    runOnceBeforeEdges();
    removeWorksharing(W);
    for (auto &[Phi, Register] : Variables)
      Phi->deleteValue();
    DominatorTree DT(F);
    PromoteMemToReg(Registers, DT);
  }

private:
  /// The edges of the row at hand, where Begin and End tell only how many edge
  /// vectors they fill.
  Value *RowEdges = nullptr;

  void countRowEdges() {
    if (!Nest.Vectors || Nest.Kernel)
      return;
    const SCEV *Edges = SE.getUDivExactExpr(
        Nest.Span, SE.getConstant(Nest.Span->getType(), Nest.FinishStep));
    RowEdges = SCEVExpander(SE, "pull")
                   .expandCodeFor(SE.getTruncateOrZeroExtend(Edges, I64), I64,
                                  EdgesPreheader->getTerminator());
  }

  void createBlocks() {
    auto Create = [&](const Twine &Name, BasicBlock *Before) {
      return BasicBlock::Create(C, "pull." + Name, &F, Before);
    };
    Next = Create("next", Header);
    Enter = Create("enter", Header);
    Ended = Create("ended", Nest.EdgesExit);
    Defer = Create("defer", Nest.EdgesExit);
    Advance = Create("advance", Exit);
  }

  AllocaInst *allocate(Type *Ty, const Twine &Name) {
    IRBuilder<>::InsertPointGuard Guard(Builder);
    Builder.SetInsertPoint(F.getEntryBlock().begin());
    return Builder.CreateAlloca(Ty, nullptr, "pull." + Name);
  }

  AllocaInst *registerOf(Type *Ty, const Twine &Name) {
    Registers.push_back(allocate(Ty, Name));
    return Registers.back();
  }

  void createRegisters() {
    Rows = allocate(RowsType, "rows");
    Pull = allocate(PullType, "state");
    CarryBuffer = allocate(PieceType, "carry");
    Row = registerOf(I64, "row");
    LastRow = registerOf(I64, "last");
    LowEdge = registerOf(I64, "low");
    HighEdge = registerOf(I64, "high");
    ContinuedRow = registerOf(I64, "continued");
    DeferredRow = registerOf(I64, "deferred");
    SlotsAt = registerOf(Ptr, "slots");
    for (PHINode &Phi : Header->phis())
      Variables[&Phi] = registerOf(Phi.getType(), Phi.getName());
    for (unsigned I = 0; I != PieceType->getNumElements(); ++I)
      Carried.push_back(registerOf(PieceType->getElementType(I), "carried"));
  }

  Value *load(AllocaInst *Register) {
    return Builder.CreateLoad(Register->getAllocatedType(), Register);
  }

  Value *isContinued() {
    return Builder.CreateICmpEQ(load(Row), load(ContinuedRow));
  }

  //===--------------------------------------------------------------------===//
  // In front of the nest
  //===--------------------------------------------------------------------===//

  Constant *createIdentity() {
    SmallVector<Constant *, 2> Values;
    for (const Accumulator &A : Nest.Accumulators)
      if (!A.Total && !A.First)
        Values.push_back(cast<Constant>(identityOf(A.How, A.Ty)));
    if (Values.empty())
      return Constant::getNullValue(PieceType);
    return ConstantStruct::get(PieceType, Values);
  }

  Function *createCombine() {
    auto *Function = Function::Create(
        FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr}, false),
        GlobalValue::InternalLinkage, "heddle.pull.combine", M);
    Function->setDoesNotThrow();
    IRBuilder<> Body(BasicBlock::Create(C, "", Function));
    auto FieldOf = [&](unsigned Argument, unsigned Field) {
      return Body.CreateStructGEP(PieceType, Function->getArg(Argument), Field);
    };
    unsigned Field = 0;
    for (const Accumulator &A : Nest.Accumulators) {
      if (A.Total)
        continue;
      Type *Ty = A.Ty;
      Value *Earlier = Body.CreateLoad(Ty, FieldOf(0, Field));
      Value *Later = Body.CreateLoad(Ty, FieldOf(1, Field));
      Value *Both;
      if (A.First) {
        Value *Written =
            Body.CreateLoad(Type::getInt1Ty(C), FieldOf(1, Field + 1));
        Value *MayWrite =
            Body.CreateICmp(A.First->Predicate, Earlier, A.First->With);
        Both = Body.CreateSelect(Body.CreateAnd(MayWrite, Written), Later,
                                 Earlier);
      } else {
        Both = combineValues(Body, A.How, Earlier, Later);
      }
      Body.CreateStore(Both, FieldOf(0, Field));
      ++Field;
    }
    Body.CreateRetVoid();
    return Function;
  }

  void setField(RowsField Field, Value *V) {
    Builder.CreateStore(V, Builder.CreateStructGEP(RowsType, Rows, Field));
  }

  /// Where the edges of a row begin or end, as the run time compares it.
  Value *toEdge(Value *V) {
    return V->getType()->isPointerTy() ? Builder.CreatePtrToInt(V, I64)
                                       : Builder.CreateZExt(V, I64);
  }

  void begin(Value *ChunkEdges) {
    SCEVExpander Expander(SE, "pull");
    Instruction *End = Preheader->getTerminator();
    auto Expand = [&](const SCEV *S, Type *Ty) {
      return Expander.expandCodeFor(S, Ty, End);
    };
    Value *Last = Expand(SE.getTruncateOrZeroExtend(Nest.LastRow, I64), I64);
    Value *EndOfFirst = Expand(Nest.EndAddress->getStart(), Ptr);
    auto *Stride = cast<SCEVConstant>(Nest.EndAddress->getStepRecurrence(SE));
    Builder.SetInsertPoint(End);
    Value *BeginOfFirst = nullptr;
    if (auto *Phi = dyn_cast<PHINode>(Nest.Begin))
      BeginOfFirst = Phi->getIncomingValueForBlock(Preheader);
    else
      BeginOfFirst = Builder.CreateAlignedLoad(
          Nest.Begin->getType(),
          Expand(cast<SCEVAddRecExpr>(
                     SE.getSCEV(getLoadStorePointerOperand(Nest.Begin)))
                     ->getStart(),
                 Ptr),
          cast<LoadInst>(Nest.Begin)->getAlign());
    const DataLayout &DL = M.getDataLayout();
    auto *IdentityValue = new GlobalVariable(
        M, PieceType, /*isConstant=*/true, GlobalValue::PrivateLinkage,
        createIdentity(), "heddle.pull.identity");
    setField(RowCount, Builder.CreateAdd(Last, ConstantInt::get(I64, 1)));
    setField(RowsEnd, EndOfFirst);
    setField(RowsStride,
             ConstantInt::getSigned(I64, Stride->getAPInt().getSExtValue()));
    setField(RowsWidth,
             ConstantInt::get(I32, DL.getTypeStoreSize(Nest.End->getType())));
    setField(RowsUnit, ConstantInt::get(I32, Nest.Unit));
    setField(RowsBegin, toEdge(BeginOfFirst));
    setField(PieceBytes, ConstantInt::get(I64, DL.getTypeAllocSize(PieceType)));
    setField(Identity, IdentityValue);
    setField(CombineFunction, createCombine());
    // What is counted are edge vectors where there are such.
    if (ChunkEdges)
      ChunkEdges = Builder.CreateUDiv(
          Builder.CreateBinaryIntrinsic(
              Intrinsic::smax, Builder.CreateSExtOrTrunc(ChunkEdges, I64),
              ConstantInt::get(I64, 0)),
          ConstantInt::get(I64, Nest.Vectors ? Nest.Vectors->Lanes : 1));
    setField(EdgesPerChunk, ChunkEdges ? ChunkEdges : ConstantInt::get(I64, 0));
    setField(RowsPerChunk, W.ChunkRows
                               ? Builder.CreateZExtOrTrunc(W.ChunkRows, I64)
                               : ConstantInt::get(I64, 0));
    setField(IsDynamic, ConstantInt::get(I32, W.IsDynamic));
    setField(Thread, W.Thread);
    setField(Place, W.Place);
    Builder.CreateCall(M.getOrInsertFunction("heddle_pull_begin",
                                             Type::getVoidTy(C), Ptr, Ptr, Ptr),
                       {Pull, Rows, CarryBuffer});
    for (PHINode *Reduction : Nest.Reductions)
      Builder.CreateStore(Reduction->getIncomingValueForBlock(Preheader),
                          Variables[Reduction]);
    for (const SteppedVariable &Step : Nest.RowSteps)
      RowStarts.push_back(
          {Step.Phi->getIncomingValueForBlock(Preheader),
           Expand(Step.Value->getStepRecurrence(SE),
                  SE.getEffectiveSCEVType(Step.Phi->getType()))});
    for (const CarriedLoad &Load : Nest.CarriedLoads)
      CarriedStarts.push_back({Load.Phi->getIncomingValueForBlock(Preheader),
                               Expand(Load.Address->getStart(), Ptr)});
    End->replaceSuccessorWith(Header, Next);
  }

  struct RowStart {
    Value *Start, *Step;
  };
  SmallVector<RowStart, 4> RowStarts;
  struct CarriedStart {
    Value *Start, *Address;
  };
  SmallVector<CarriedStart, 2> CarriedStarts;

  //===--------------------------------------------------------------------===//
  // From row to row
  //===--------------------------------------------------------------------===//

  /// \p Start after \p Count steps, which may be bytes of a pointer.
  Value *stepped(Value *Start, Value *Step, Value *Count) {
    Value *Distance = Builder.CreateMul(
        Builder.CreateZExtOrTrunc(Count, Step->getType()), Step);
    return Start->getType()->isPointerTy()
               ? Builder.CreatePtrAdd(Start, Distance)
               : Builder.CreateAdd(Start, Distance);
  }

  /// What the row with number \p Before has loaded.
  Value *reload(const CarriedLoad &Load, Value *Address, Value *Before) {
    auto *Stride = cast<SCEVConstant>(Load.Address->getStepRecurrence(SE));
    Value *At = Builder.CreatePtrAdd(
        Address,
        Builder.CreateMul(Before, ConstantInt::getSigned(
                                      I64, Stride->getAPInt().getSExtValue())));
    auto *Again = Builder.CreateAlignedLoad(Load.Load->getType(), At,
                                            Load.Load->getAlign());
    Again->setAAMetadata(Load.Load->getAAMetadata());
    return Again;
  }

  void enterRows() {
    Builder.SetInsertPoint(Next);
    Value *More = Builder.CreateCall(
        M.getOrInsertFunction("heddle_pull_next", I32, Ptr), {Pull});
    Builder.CreateCondBr(Builder.CreateIsNotNull(More), Enter, Exit);
    Builder.SetInsertPoint(Enter);
    auto Take = [&](PullField Field, AllocaInst *Register) {
      Value *V =
          Builder.CreateLoad(Register->getAllocatedType(),
                             Builder.CreateStructGEP(PullType, Pull, Field));
      Builder.CreateStore(V, Register);
      return V;
    };
    Value *FirstRow = Take(First, Row);
    Take(Last, LastRow);
    Take(Low, LowEdge);
    Take(High, HighEdge);
    Take(Continued, ContinuedRow);
    Take(Deferred, DeferredRow);
    Take(Slots, SlotsAt);
    for (auto [I, Register] : enumerate(Carried))
      Builder.CreateStore(Builder.CreateLoad(Register->getAllocatedType(),
                                             Builder.CreateStructGEP(
                                                 PieceType, CarryBuffer, I)),
                          Register);
    for (auto [Step, Start] : zip_equal(Nest.RowSteps, RowStarts))
      Builder.CreateStore(stepped(Start.Start, Start.Step, FirstRow),
                          Variables[Step.Phi]);
    if (Nest.CarriedLoads.empty()) {
      Builder.CreateBr(Header);
      return;
    }
    // The first row of all has none before it.
    for (auto [Load, Start] : zip_equal(Nest.CarriedLoads, CarriedStarts))
      Builder.CreateStore(Start.Start, Variables[Load.Phi]);
    auto *Later = BasicBlock::Create(C, "pull.enter.later", &F, Header);
    Builder.CreateCondBr(Builder.CreateIsNull(FirstRow), Header, Later);
    Builder.SetInsertPoint(Later);
    Value *Before = Builder.CreateSub(FirstRow, ConstantInt::get(I64, 1));
    for (auto [Load, Start] : zip_equal(Nest.CarriedLoads, CarriedStarts))
      Builder.CreateStore(reload(Load, Start.Address, Before),
                          Variables[Load.Phi]);
    Builder.CreateBr(Header);
  }

  /// Header phis become variables, and what leaves the loop is read from them.
  void replaceVariables() {
    Builder.SetInsertPoint(Latch->getTerminator());
    for (PHINode *Reduction : Nest.Reductions)
      Builder.CreateStore(Reduction->getIncomingValueForBlock(Latch),
                          Variables[Reduction]);
    Builder.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
    for (PHINode &Phi : make_early_inc_range(Exit->phis())) {
      Value *V = Phi.getIncomingValueForBlock(Latch);
      for (PHINode *Reduction : Nest.Reductions)
        if (Reduction->getIncomingValueForBlock(Latch) == V)
          V = load(Variables[Reduction]);
      Phi.replaceAllUsesWith(V);
      Phi.eraseFromParent();
    }
    Builder.SetInsertPoint(Header, Header->getFirstInsertionPt());
    for (auto &[Phi, Register] : Variables) {
      Value *Current = load(Register);
      if (Nest.Begin == Phi)
        Nest.Begin = Current;
      Phi->replaceAllUsesWith(Current);
    }
    // They go on to name their variables.
    for (auto &[Phi, Register] : Variables)
      Phi->removeFromParent();
    ReplaceInstWithInst(Latch->getTerminator(), BranchInst::Create(Advance));
  }

  void advanceRows() {
    auto *Again = BasicBlock::Create(C, "pull.again", &F, Exit);
    Builder.SetInsertPoint(Advance);
    Value *Done = load(Row);
    Builder.CreateCondBr(Builder.CreateICmpEQ(Done, load(LastRow)), Next,
                         Again);
    Builder.SetInsertPoint(Again);
    Builder.CreateStore(Builder.CreateAdd(Done, ConstantInt::get(I64, 1)), Row);
    for (auto [Step, Start] : zip_equal(Nest.RowSteps, RowStarts))
      Builder.CreateStore(stepped(load(Variables[Step.Phi]), Start.Step,
                                  ConstantInt::get(I64, 1)),
                          Variables[Step.Phi]);
    for (auto [Load, Start] : zip_equal(Nest.CarriedLoads, CarriedStarts))
      Builder.CreateStore(reload(Load, Start.Address, Done),
                          Variables[Load.Phi]);
    Builder.CreateBr(Header);
  }

  //===--------------------------------------------------------------------===//
  // The edges of a row
  //===--------------------------------------------------------------------===//

  void runEdges() {
    Instruction *Entry = EdgesPreheader->getTerminator();
    Builder.SetInsertPoint(Entry);
    Value *Begin = toEdge(Nest.Begin), *End = toEdge(Nest.End);
    Value *From =
        Builder.CreateBinaryIntrinsic(Intrinsic::umax, Begin, load(LowEdge));
    Value *To =
        Builder.CreateBinaryIntrinsic(Intrinsic::umin, End, load(HighEdge));
    Value *IsContinued = isContinued();
    if (Nest.Kernel) {
      Nest.Kernel->setArgOperand(1, Builder.CreateSub(From, Begin));
      Nest.Kernel->setArgOperand(2, Builder.CreateSub(To, Begin));
    } else {
      Value *Skipped = edgesIn(Builder.CreateSub(From, Begin));
      Value *Left = edgesIn(Builder.CreateSub(End, To));
      if (Nest.Vectors)
        Left = withoutPadding(Left, edgesIn(Builder.CreateSub(End, Begin)));
      beginLater(Skipped);
      endEarlier(Left);
    }

    Builder.SetInsertPoint(Ended);
    SmallVector<PHINode *, 2> Results;
    for (const Accumulator &A : Nest.Accumulators)
      Results.push_back(Builder.CreatePHI(A.Ty, 2));
    unsigned Field = 0;
    for (auto [A, Result] : zip_equal(Nest.Accumulators, Results)) {
      Builder.SetInsertPoint(Entry);
      Value *Start = Nest.startOf(A);
      // The pieces of a row that the first writer sets all start alike.
      Value *TakesCarried = IsContinued;
      if (A.First)
        TakesCarried = Builder.CreateAnd(
            IsContinued, Builder.CreateICmpNE(load(Row), load(DeferredRow)));
      if (!A.Total)
        Start =
            Builder.CreateSelect(TakesCarried, load(Carried[Field++]), Start);
      Nest.setStart(A, Start);
      if (!Nest.Kernel)
        forgetOrder(A.How);
      Result->addIncoming(A.Latest, EdgesLatch);
      Result->addIncoming(Start, EdgesPreheader);
    }
    Builder.SetInsertPoint(Entry);
    Builder.CreateCondBr(Builder.CreateICmpULT(From, To), Nest.EdgesHeader,
                         Ended);
    Entry->eraseFromParent();
    leaveEdges(Results, End);
    deferPiece(Results, IsContinued);
  }

  /// How many edges, or lanes, are between two places that are \p Distance
  /// apart. The last edge of a row of pointers may reach past its end.
  Value *edgesIn(Value *Distance) {
    if (Nest.Vectors)
      return Builder.CreateMul(Distance,
                               ConstantInt::get(I64, Nest.Vectors->Lanes));
    if (Nest.Unit == 1)
      return Distance;
    return Builder.CreateUDiv(
        Builder.CreateAdd(Distance, ConstantInt::get(I64, Nest.Unit - 1)),
        ConstantInt::get(I64, Nest.Unit));
  }

  /// How many of the row's last \p Left lanes have an edge, of \p Lanes lanes
  /// in all.
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
          EdgesPreheader, stepped(Start, ConstantInt::get(C, By), Skipped));
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
    Nest.Finish->setOperand(Nest.FinishBound, stepped(Bound, Back, Left));
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
    Value *IsDeferred =
        Builder.CreateOr(Builder.CreateICmpEQ(load(Row), load(DeferredRow)),
                         Builder.CreateICmpUGT(End, load(HighEdge)));
    Builder.CreateCondBr(IsDeferred, Defer, Rest);
  }

  void deferPiece(ArrayRef<PHINode *> Results, Value *IsContinued) {
    Builder.SetInsertPoint(Defer);
    uint64_t Bytes = M.getDataLayout().getTypeAllocSize(PieceType);
    Value *Slot = Builder.CreatePtrAdd(
        load(SlotsAt),
        Builder.CreateSelect(IsContinued, ConstantInt::get(I64, 0),
                             ConstantInt::get(I64, Bytes)));
    unsigned Field = 0;
    for (auto [A, Result] : zip_equal(Nest.Accumulators, Results))
      Builder.CreateStore(
          Result, A.Total ? Variables[A.Total]
                          : Builder.CreateStructGEP(PieceType, Slot, Field++));
    if (const Accumulator &A = Nest.Accumulators[0]; A.First)
      Builder.CreateStore(Builder.CreateICmpNE(Results[0], Nest.startOf(A)),
                          Builder.CreateStructGEP(PieceType, Slot, Field));
    Builder.CreateBr(Advance);
  }

  //===--------------------------------------------------------------------===//
  // What else a row does
  //===--------------------------------------------------------------------===//

  /// The first part of a row does what the row does besides its edges, where
  /// that is not done behind them.
  void runOnceBeforeEdges() {
    SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> WaysPast;
    SmallVector<StoreInst *, 2> Stores;
    for (BasicBlock *Block : Nest.Before) {
      for (Instruction &I : *Block)
        if (auto *Store = dyn_cast<StoreInst>(&I);
            Store && !is_contained(Registers, Store->getPointerOperand()))
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
      Builder.CreateCondBr(isContinued(), Advance, To);
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

void heddle::shareOutByEdges(PullNest &Nest, Worksharing &W, Value *ChunkEdges,
                             ScalarEvolution &SE) {
  NestRewriter(Nest, W, SE).run(ChunkEdges);
}
