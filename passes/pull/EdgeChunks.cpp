//===- EdgeChunks.cpp - A nest in chunks of equal work --------------------===//

#include "pull/EdgeChunks.h"
#include "loop/RuntimeStruct.h"
#include "loop/Worksharing.h"
#include "pull/ChunkState.h"
#include "pull/CutRows.h"
#include "pull/PullNest.h"
#include "pull/RowPiece.h"
#include "pull/WholeRows.h"
#include "pull/pull.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

namespace {

// The structures of runtime/pull/pull.h.
constexpr RuntimeStruct RowsFields{
    {HEDDLE_FIELD(heddle_pull_rows, count), HEDDLE_FIELD(heddle_pull_rows, end),
     HEDDLE_FIELD(heddle_pull_rows, stride),
     HEDDLE_FIELD(heddle_pull_rows, width),
     HEDDLE_FIELD(heddle_pull_rows, unit),
     HEDDLE_FIELD(heddle_pull_rows, begin),
     HEDDLE_FIELD(heddle_pull_rows, piece_bytes),
     HEDDLE_FIELD(heddle_pull_rows, identity),
     HEDDLE_FIELD(heddle_pull_rows, combine),
     HEDDLE_FIELD(heddle_pull_rows, edges_per_chunk),
     HEDDLE_FIELD(heddle_pull_rows, rows_per_chunk),
     HEDDLE_FIELD(heddle_pull_rows, dynamic),
     HEDDLE_FIELD(heddle_pull_rows, thread),
     HEDDLE_FIELD(heddle_pull_rows, source_place)},
    sizeof(heddle_pull_rows)};
constexpr RuntimeStruct PullFields{
    {HEDDLE_FIELD(heddle_pull, first), HEDDLE_FIELD(heddle_pull, last),
     HEDDLE_FIELD(heddle_pull, low), HEDDLE_FIELD(heddle_pull, high),
     HEDDLE_FIELD(heddle_pull, edges), HEDDLE_FIELD(heddle_pull, continued),
     HEDDLE_FIELD(heddle_pull, deferred), HEDDLE_FIELD(heddle_pull, slots),
     HEDDLE_FIELD(heddle_pull, carry), HEDDLE_FIELD(heddle_pull, rows),
     HEDDLE_FIELD(heddle_pull, team), HEDDLE_FIELD(heddle_pull, next),
     HEDDLE_FIELD(heddle_pull, row), HEDDLE_FIELD(heddle_pull, rest),
     HEDDLE_FIELD(heddle_pull, rest_end), HEDDLE_FIELD(heddle_pull, rest_edge),
     HEDDLE_FIELD(heddle_pull, state)},
    sizeof(heddle_pull)};
static_assert(RowsFields.isWhole() && PullFields.isWhole());

// The indices of the fields that loops fill in or read.
enum RowsField : unsigned {
  RowCount = RowsFields.numberAt(offsetof(heddle_pull_rows, count)),
  RowsEnd = RowsFields.numberAt(offsetof(heddle_pull_rows, end)),
  RowsStride = RowsFields.numberAt(offsetof(heddle_pull_rows, stride)),
  RowsWidth = RowsFields.numberAt(offsetof(heddle_pull_rows, width)),
  RowsUnit = RowsFields.numberAt(offsetof(heddle_pull_rows, unit)),
  RowsBegin = RowsFields.numberAt(offsetof(heddle_pull_rows, begin)),
  PieceBytes = RowsFields.numberAt(offsetof(heddle_pull_rows, piece_bytes)),
  Identity = RowsFields.numberAt(offsetof(heddle_pull_rows, identity)),
  CombineFunction = RowsFields.numberAt(offsetof(heddle_pull_rows, combine)),
  EdgesPerChunk =
      RowsFields.numberAt(offsetof(heddle_pull_rows, edges_per_chunk)),
  RowsPerChunk =
      RowsFields.numberAt(offsetof(heddle_pull_rows, rows_per_chunk)),
  IsDynamic = RowsFields.numberAt(offsetof(heddle_pull_rows, dynamic)),
  Thread = RowsFields.numberAt(offsetof(heddle_pull_rows, thread)),
  Place = RowsFields.numberAt(offsetof(heddle_pull_rows, source_place))
};
enum PullField : unsigned {
  First = PullFields.numberAt(offsetof(heddle_pull, first)),
  Last = PullFields.numberAt(offsetof(heddle_pull, last)),
  Low = PullFields.numberAt(offsetof(heddle_pull, low)),
  High = PullFields.numberAt(offsetof(heddle_pull, high)),
  Edges = PullFields.numberAt(offsetof(heddle_pull, edges)),
  Continued = PullFields.numberAt(offsetof(heddle_pull, continued)),
  Deferred = PullFields.numberAt(offsetof(heddle_pull, deferred)),
  Slots = PullFields.numberAt(offsetof(heddle_pull, slots))
};

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

  BasicBlock *Preheader, *Header, *Latch, *Exit, *Next, *Enter;

  AllocaInst *Rows, *Pull, *CarryBuffer;
  ChunkState State;

public:
  NestRewriter(PullNest &Nest, Worksharing &W, ScalarEvolution &SE)
      : Nest(Nest), W(W), SE(SE), F(*Nest.RowsHeader->getParent()),
        M(*F.getParent()), C(F.getContext()), Builder(C),
        I64(Builder.getInt64Ty()), I32(Builder.getInt32Ty()),
        Ptr(Builder.getPtrTy()), RowsType(RowsFields.type(C)),
        PullType(PullFields.type(C)), PieceType(pieceTypeOf(Nest)),
        Preheader(Nest.RowsPreheader), Header(Nest.RowsHeader),
        Latch(Nest.RowsLatch), Exit(Nest.RowsExit),
        Next(BasicBlock::Create(C, "pull.next", &F, Header)),
        Enter(BasicBlock::Create(C, "pull.enter", &F, Header)),
        Rows(createVariable(F, RowsType, "rows")),
        Pull(createVariable(F, PullType, "state")),
        CarryBuffer(createVariable(F, PieceType, "carry")),
        State(Nest, PieceType) {}

  void run(Value *ChunkEdges) {
    Value *RowEdges = countRowEdges(Nest, SE);
    Value *Iterations = countIterations(Nest, SE);
    begin(ChunkEdges);
    enterRows();
    replaceVariables();
    advanceRows();
    copyForWholeRows(Nest, State, Next, Iterations);
    cutRows(Nest, State, RowEdges, SE);
    removeWorksharing(W);
    for (auto &[Phi, Register] : State.Variables)
      Phi->deleteValue();
    DominatorTree DT(F);
    PromoteMemToReg(State.Registers, DT);
  }

private:
  //===--------------------------------------------------------------------===//
  // In front of the nest
  //===--------------------------------------------------------------------===//

  void setField(RowsField Field, Value *V) {
    Builder.CreateStore(V, Builder.CreateStructGEP(RowsType, Rows, Field));
  }

  /// \p S in front of the nest.
  Value *expand(SCEVExpander &Expander, const SCEV *S, Type *Ty) {
    return Expander.expandCodeFor(S, Ty, Preheader->getTerminator());
  }

  void begin(Value *ChunkEdges) {
    SCEVExpander Expander(SE, "pull");
    describeRows(Expander);
    describeChunks(ChunkEdges);
    Builder.CreateCall(M.getOrInsertFunction("heddle_pull_begin",
                                             Type::getVoidTy(C), Ptr, Ptr, Ptr),
                       {Pull, Rows, CarryBuffer});
    rememberStarts(Expander);
    Preheader->getTerminator()->replaceSuccessorWith(Header, Next);
  }

  void describeRows(SCEVExpander &Expander) {
    Value *Last =
        expand(Expander, SE.getTruncateOrZeroExtend(Nest.LastRow, I64), I64);
    Value *EndOfFirst = expand(Expander, Nest.EndAddress->getStart(), Ptr);
    auto *Stride = cast<SCEVConstant>(Nest.EndAddress->getStepRecurrence(SE));
    Builder.SetInsertPoint(Preheader->getTerminator());
    Value *BeginOfFirst = beginOfFirst(Expander);
    const DataLayout &DL = M.getDataLayout();
    auto *IdentityValue = new GlobalVariable(
        M, PieceType, /*isConstant=*/true, GlobalValue::PrivateLinkage,
        createIdentityPiece(Nest, PieceType), "heddle.pull.identity");
    setField(RowCount, Builder.CreateAdd(Last, ConstantInt::get(I64, 1)));
    setField(RowsEnd, EndOfFirst);
    setField(RowsStride,
             ConstantInt::getSigned(I64, Stride->getAPInt().getSExtValue()));
    setField(RowsWidth,
             ConstantInt::get(I32, DL.getTypeStoreSize(Nest.End->getType())));
    setField(RowsUnit, ConstantInt::get(I32, Nest.Unit));
    setField(RowsBegin, toEdge(Builder, BeginOfFirst));
    setField(PieceBytes, ConstantInt::get(I64, DL.getTypeAllocSize(PieceType)));
    setField(Identity, IdentityValue);
    setField(CombineFunction, createCombinePieces(Nest, PieceType));
  }

  /// Returns the position where the edges of the first row begin.
  Value *beginOfFirst(SCEVExpander &Expander) {
    if (auto *Phi = dyn_cast<PHINode>(Nest.Begin))
      return Phi->getIncomingValueForBlock(Preheader);
    auto *Load = cast<LoadInst>(Nest.Begin);
    auto *Address = cast<SCEVAddRecExpr>(SE.getSCEV(Load->getPointerOperand()));
    return Builder.CreateAlignedLoad(Load->getType(),
                                     expand(Expander, Address->getStart(), Ptr),
                                     Load->getAlign());
  }

  void describeChunks(Value *ChunkEdges) {
    // Chunks are counted in edge vectors where there are any.
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
  }

  /// Computes the start values of the outer loop's variables.
  void rememberStarts(SCEVExpander &Expander) {
    for (PHINode *Reduction : Nest.Reductions)
      Builder.CreateStore(Reduction->getIncomingValueForBlock(Preheader),
                          State.Variables[Reduction]);
    for (const SteppedVariable &Step : Nest.RowSteps)
      RowStarts.push_back(
          {Step.Phi->getIncomingValueForBlock(Preheader),
           expand(Expander, Step.Value->getStepRecurrence(SE),
                  SE.getEffectiveSCEVType(Step.Phi->getType()))});
    for (const CarriedLoad &Load : Nest.CarriedLoads)
      CarriedStarts.push_back(
          {Load.Phi->getIncomingValueForBlock(Preheader),
           expand(Expander, Load.Address->getStart(), Ptr)});
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

  /// Loads again the value that the row with number \p Before has loaded.
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
    assert(RowStarts.size() == Nest.RowSteps.size() &&
           CarriedStarts.size() == Nest.CarriedLoads.size() &&
           "rememberStarts() comes first");
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
    Value *FirstRow = Take(First, State.Row);
    Take(Last, State.LastRow);
    Take(Low, State.LowEdge);
    Take(High, State.HighEdge);
    Take(Edges, State.EdgesOfRows);
    Take(Continued, State.ContinuedRow);
    Take(Deferred, State.DeferredRow);
    Take(Slots, State.SlotsAt);
    for (auto [I, Register] : enumerate(State.Carried))
      Builder.CreateStore(Builder.CreateLoad(Register->getAllocatedType(),
                                             Builder.CreateStructGEP(
                                                 PieceType, CarryBuffer, I)),
                          Register);
    for (auto [Step, Start] : zip_equal(Nest.RowSteps, RowStarts))
      Builder.CreateStore(stepped(Builder, Start.Start, Start.Step, FirstRow),
                          State.Variables[Step.Phi]);
    if (Nest.CarriedLoads.empty()) {
      Builder.CreateBr(Header);
      return;
    }
    // The first row of all has no previous row.
    for (auto [Load, Start] : zip_equal(Nest.CarriedLoads, CarriedStarts))
      Builder.CreateStore(Start.Start, State.Variables[Load.Phi]);
    auto *Later = BasicBlock::Create(C, "pull.enter.later", &F, Header);
    Builder.CreateCondBr(Builder.CreateIsNull(FirstRow), Header, Later);
    Builder.SetInsertPoint(Later);
    Value *Before = Builder.CreateSub(FirstRow, ConstantInt::get(I64, 1));
    for (auto [Load, Start] : zip_equal(Nest.CarriedLoads, CarriedStarts))
      Builder.CreateStore(reload(Load, Start.Address, Before),
                          State.Variables[Load.Phi]);
    Builder.CreateBr(Header);
  }

  /// Replaces header phis by variables; values that leave the loop are read
  /// from these.
  void replaceVariables() {
    Builder.SetInsertPoint(Latch->getTerminator());
    for (PHINode *Reduction : Nest.Reductions)
      Builder.CreateStore(Reduction->getIncomingValueForBlock(Latch),
                          State.Variables[Reduction]);
    Builder.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
    for (PHINode &Phi : make_early_inc_range(Exit->phis())) {
      Value *V = Phi.getIncomingValueForBlock(Latch);
      for (PHINode *Reduction : Nest.Reductions)
        if (Reduction->getIncomingValueForBlock(Latch) == V)
          V = load(Builder, State.Variables[Reduction]);
      Phi.replaceAllUsesWith(V);
      Phi.eraseFromParent();
    }
    Builder.SetInsertPoint(Header, Header->getFirstInsertionPt());
    for (auto &[Phi, Register] : State.Variables) {
      Value *Current = load(Builder, Register);
      if (Nest.Begin == Phi)
        Nest.Begin = Current;
      Phi->replaceAllUsesWith(Current);
    }
    // The phis remain the keys of their variables.
    for (auto &[Phi, Register] : State.Variables)
      Phi->removeFromParent();
    ReplaceInstWithInst(Latch->getTerminator(),
                        BranchInst::Create(State.Advance));
  }

  void advanceRows() {
    auto *Again = BasicBlock::Create(C, "pull.again", &F, Exit);
    Builder.SetInsertPoint(State.Advance);
    Value *Done = load(Builder, State.Row);
    Builder.CreateCondBr(
        Builder.CreateICmpEQ(Done, load(Builder, State.LastRow)), Next, Again);
    Builder.SetInsertPoint(Again);
    Builder.CreateStore(Builder.CreateAdd(Done, ConstantInt::get(I64, 1)),
                        State.Row);
    for (auto [Step, Start] : zip_equal(Nest.RowSteps, RowStarts))
      Builder.CreateStore(stepped(Builder,
                                  load(Builder, State.Variables[Step.Phi]),
                                  Start.Step, ConstantInt::get(I64, 1)),
                          State.Variables[Step.Phi]);
    for (auto [Load, Start] : zip_equal(Nest.CarriedLoads, CarriedStarts))
      Builder.CreateStore(reload(Load, Start.Address, Done),
                          State.Variables[Load.Phi]);
    Builder.CreateBr(Header);
  }
};

} // namespace

void heddle::balanceByEdges(PullNest &Nest, Worksharing &W, Value *ChunkEdges,
                            ScalarEvolution &SE) {
  assert(Nest.LastRow && Nest.EndAddress && "a nest that was recognised");
  assert(W.Thread && W.Place && "in a worksharing construct");
  assert((!ChunkEdges || ChunkEdges->getType()->isIntegerTy()) &&
         "a number of edges");
  NestRewriter(Nest, W, SE).run(ChunkEdges);
}
