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
#define ROWS_FIELD(NAME) HEDDLE_FIELD(heddle_pull_rows, NAME)
#define PULL_FIELD(NAME) HEDDLE_FIELD(heddle_pull, NAME)
constexpr RuntimeStruct RowsFields{
    {ROWS_FIELD(count), ROWS_FIELD(end), ROWS_FIELD(stride), ROWS_FIELD(width),
     ROWS_FIELD(unit), ROWS_FIELD(begin), ROWS_FIELD(piece_bytes),
     ROWS_FIELD(identity), ROWS_FIELD(combine), ROWS_FIELD(edges_per_chunk),
     ROWS_FIELD(rows_per_chunk), ROWS_FIELD(dynamic), ROWS_FIELD(thread),
     ROWS_FIELD(source_place)},
    sizeof(heddle_pull_rows)};
constexpr RuntimeStruct PullFields{
    {PULL_FIELD(first), PULL_FIELD(last), PULL_FIELD(low), PULL_FIELD(high),
     PULL_FIELD(edges), PULL_FIELD(continued), PULL_FIELD(deferred),
     PULL_FIELD(slots), PULL_FIELD(carry), PULL_FIELD(rows), PULL_FIELD(team),
     PULL_FIELD(next), PULL_FIELD(row), PULL_FIELD(rest), PULL_FIELD(rest_end),
     PULL_FIELD(rest_edge), PULL_FIELD(state)},
    sizeof(heddle_pull)};
static_assert(RowsFields.isWhole() && PullFields.isWhole());

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
        Rows(createVariable(F, RowsType, "pull.rows")),
        Pull(createVariable(F, PullType, "pull.state")),
        CarryBuffer(createVariable(F, PieceType, "pull.carry")),
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

  void setField(const RuntimeField &Field, Value *V) {
    Builder.CreateStore(
        V, Builder.CreateStructGEP(RowsType, Rows, RowsFields.numberOf(Field)));
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
    setField(ROWS_FIELD(count),
             Builder.CreateAdd(Last, ConstantInt::get(I64, 1)));
    setField(ROWS_FIELD(end), EndOfFirst);
    setField(ROWS_FIELD(stride),
             ConstantInt::getSigned(I64, Stride->getAPInt().getSExtValue()));
    setField(ROWS_FIELD(width),
             ConstantInt::get(I32, DL.getTypeStoreSize(Nest.End->getType())));
    setField(ROWS_FIELD(unit), ConstantInt::get(I32, Nest.Unit));
    setField(ROWS_FIELD(begin), toEdge(Builder, BeginOfFirst));
    setField(ROWS_FIELD(piece_bytes),
             ConstantInt::get(I64, DL.getTypeAllocSize(PieceType)));
    setField(ROWS_FIELD(identity), IdentityValue);
    setField(ROWS_FIELD(combine), createCombinePieces(Nest, PieceType));
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
    setField(ROWS_FIELD(edges_per_chunk),
             ChunkEdges ? ChunkEdges : ConstantInt::get(I64, 0));
    setField(ROWS_FIELD(rows_per_chunk),
             W.ChunkRows ? Builder.CreateZExtOrTrunc(W.ChunkRows, I64)
                         : ConstantInt::get(I64, 0));
    setField(ROWS_FIELD(dynamic), ConstantInt::get(I32, W.IsDynamic));
    setField(ROWS_FIELD(thread), W.Thread);
    setField(ROWS_FIELD(source_place), W.Place);
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
    auto Take = [&](const RuntimeField &Field, AllocaInst *Register) {
      Value *V = Builder.CreateLoad(
          Register->getAllocatedType(),
          Builder.CreateStructGEP(PullType, Pull, PullFields.numberOf(Field)));
      Builder.CreateStore(V, Register);
      return V;
    };
    Value *FirstRow = Take(PULL_FIELD(first), State.Row);
    Take(PULL_FIELD(last), State.LastRow);
    Take(PULL_FIELD(low), State.LowEdge);
    Take(PULL_FIELD(high), State.HighEdge);
    Take(PULL_FIELD(edges), State.EdgesOfRows);
    Take(PULL_FIELD(continued), State.ContinuedRow);
    Take(PULL_FIELD(deferred), State.DeferredRow);
    Take(PULL_FIELD(slots), State.SlotsAt);
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

#undef ROWS_FIELD
#undef PULL_FIELD
