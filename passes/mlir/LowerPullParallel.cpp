//===- LowerPullParallel.cpp - heddle.pull_parallel as loops --------------===//
//
// A row belongs to the chunk in which its edge vectors begin:
//
//   parallel for each chunk k, of the edge vectors begin to end:
//     v = first row that begins in it
//     head[k] = pull begin to min(rows[v], end)   if a row is cut there
//     for each row v that begins in it:
//       if it ends in it: into[v] = apply(v, pull all of it)
//       else:             cut[k] = v, tail[k] = pull rows[v] to end
//   for each chunk k with a cut row v:
//     all = tail[k], combined with the heads of the chunks up to the row's end
//     into[v] = apply(v, all)
//
// Threads of an OpenMP team take chunks in turn, if there are to be any. The
// last chunk also has the rows that begin behind all edges, being empty.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/HeddlePasses.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace heddle {
#define GEN_PASS_DEF_LOWERPULLPARALLELPASS
#include "mlir/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

class ParallelLowering {
  PullParallelOp Op;
  ImplicitLocOpBuilder B;
  Type Element;
  Value Zero, One, None, Identity;
  /// How many rows, edge vectors and chunks there are, and edge vectors of a
  /// chunk.
  Value Rows, Vectors, Chunks, Chunk;
  /// The merge buffer: the number of the row that is cut at a chunk's end, what
  /// it has before that, and what another has after the chunk's beginning.
  Value Cut, Tail, Head;

public:
  explicit ParallelLowering(PullParallelOp Op)
      : Op(Op), B(Op.getLoc(), Op), Element(Op.getInit().getType()) {}

  void run(bool Threads) {
    Zero = index(0);
    One = index(1);
    None = index(-1);
    Identity = arith::ConstantOp::create(
        B, identityOf(Op.getKind(), Element, fastMath()));
    Value Offsets = memref::DimOp::create(B, Op.getRows(), Zero);
    Rows = subtract(maximum(Offsets, One), One);
    Vectors = memref::LoadOp::create(B, Op.getRows(), Rows);
    Chunk = maximum(Op.getChunk(), One);
    Chunks = maximum(arith::CeilDivUIOp::create(B, Vectors, Chunk), One);
    auto Slots = [&](Type Type) -> Value {
      return memref::AllocOp::create(
          B, MemRefType::get({ShapedType::kDynamic}, Type), Chunks);
    };
    Cut = Slots(B.getIndexType());
    Tail = Slots(Element);
    Head = Slots(Element);
    if (Threads)
      shareOutChunks();
    else
      pullChunks();
    mergeChunks();
    for (Value Slots : {Cut, Tail, Head})
      memref::DeallocOp::create(B, Slots);
    Op.erase();
  }

private:
  Value index(int64_t Number) {
    return arith::ConstantIndexOp::create(B, Number);
  }
  Value add(Value A, Value C) { return arith::AddIOp::create(B, A, C); }
  Value subtract(Value A, Value C) { return arith::SubIOp::create(B, A, C); }
  Value minimum(Value A, Value C) { return arith::MinUIOp::create(B, A, C); }
  Value maximum(Value A, Value C) { return arith::MaxUIOp::create(B, A, C); }
  Value compare(arith::CmpIPredicate Predicate, Value A, Value C) {
    return arith::CmpIOp::create(B, Predicate, A, C);
  }
  Value load(Value Array, Value At) {
    return memref::LoadOp::create(B, Array, At);
  }
  void store(Value What, Value Array, Value At) {
    memref::StoreOp::create(B, What, Array, At);
  }

  arith::FastMathFlags fastMath() {
    return combiningFlags(Op.getKind(), Op.getFastmath());
  }

  Value combine(Value A, Value C) {
    arith::FastMathFlagsAttr Flags;
    if (isa<FloatType>(Element))
      Flags = arith::FastMathFlagsAttr::get(B.getContext(), fastMath());
    return vector::makeArithReduction(B, B.getLoc(), Op.getKind(), A, C, Flags);
  }

  /// What the edge vectors from \p Lo to \p Hi contribute to \p Init.
  Value pull(Value Lo, Value Hi, Value Init) {
    auto Pull = PullOp::create(B, Element, Op.getKind(), Op.getFastmath(),
                               Op.getEdges(), Lo, Hi, Op.getWeights(),
                               Op.getFrontier(), Init, Op.getCaptures());
    IRMapping Map;
    Op.getBody().cloneInto(&Pull.getBody(), Map);
    return Pull.getResult();
  }

  /// Stores what the region apply makes of \p Combined for row \p V.
  void finish(Value V, Value Combined) {
    if (!Op.getApply().empty()) {
      Block &Apply = Op.getApply().front();
      IRMapping Map;
      Map.map(Apply.getArgument(0), V);
      Map.map(Apply.getArgument(1), Combined);
      Map.map(Apply.getArguments().drop_front(2), Op.getCaptures());
      for (Operation &Inner : Apply.without_terminator())
        B.clone(Inner, Map);
      Combined = Map.lookup(cast<YieldOp>(Apply.getTerminator()).getMessage());
    }
    store(Combined, Op.getInto(), V);
  }

  /// The first row that begins at edge vector \p Vector or later.
  Value firstRowFrom(Value Vector) {
    auto While = scf::WhileOp::create(
        B, TypeRange{B.getIndexType(), B.getIndexType()},
        ValueRange{Zero, Rows},
        [&](OpBuilder &, Location, ValueRange Range) {
          scf::ConditionOp::create(
              B, compare(arith::CmpIPredicate::ult, Range[0], Range[1]), Range);
        },
        [&](OpBuilder &, Location, ValueRange Range) {
          Value Middle =
              arith::ShRUIOp::create(B, add(Range[0], Range[1]), One);
          Value IsBefore = compare(arith::CmpIPredicate::ult,
                                   load(Op.getRows(), Middle), Vector);
          Value Low =
              arith::SelectOp::create(B, IsBefore, add(Middle, One), Range[0]);
          Value High = arith::SelectOp::create(B, IsBefore, Range[1], Middle);
          scf::YieldOp::create(B, ValueRange{Low, High});
        });
    return While.getResult(0);
  }

  void pullChunks() {
    auto For = scf::ForOp::create(B, Zero, Chunks, One);
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPointToStart(For.getBody());
    pullChunk(For.getInductionVar());
  }

  void shareOutChunks() {
    OpBuilder::InsertionGuard Guard(B);
    auto Parallel = omp::ParallelOp::create(B);
    B.createBlock(&Parallel.getRegion());
    omp::WsloopOperands Clauses;
    Clauses.scheduleKind = omp::ClauseScheduleKindAttr::get(
        B.getContext(), omp::ClauseScheduleKind::Dynamic);
    auto Workshare = omp::WsloopOp::create(B, Clauses);
    omp::TerminatorOp::create(B);
    B.createBlock(&Workshare.getRegion());
    omp::LoopNestOperands Bounds;
    Bounds.loopLowerBounds = {Zero};
    Bounds.loopUpperBounds = {Chunks};
    Bounds.loopSteps = {One};
    Bounds.collapseNumLoops = B.getI64IntegerAttr(1);
    auto Nest = omp::LoopNestOp::create(B, Bounds);
    Block *Body =
        B.createBlock(&Nest.getRegion(), {}, B.getIndexType(), B.getLoc());
    pullChunk(Body->getArgument(0));
    omp::YieldOp::create(B);
  }

  void pullChunk(Value K) {
    Value Begin = arith::MulIOp::create(B, K, Chunk);
    Value End = minimum(add(Begin, Chunk), Vectors);
    Value First = firstRowFrom(Begin);
    Value IsLast = compare(arith::CmpIPredicate::eq, add(K, One), Chunks);
    Value Last = arith::SelectOp::create(B, IsLast, Rows, firstRowFrom(End));
    // No row begins behind the edges of the last chunk, if none is empty.
    store(pull(Begin, minimum(load(Op.getRows(), First), End), Identity), Head,
          K);
    store(None, Cut, K);
    auto For = scf::ForOp::create(B, First, Last, One);
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPointToStart(For.getBody());
    Value V = For.getInductionVar();
    Value Behind = load(Op.getRows(), add(V, One));
    Value Sum = pull(load(Op.getRows(), V), minimum(Behind, End), Op.getInit());
    auto If =
        scf::IfOp::create(B, compare(arith::CmpIPredicate::ule, Behind, End),
                          /*withElseRegion=*/true);
    B.setInsertionPointToStart(If.thenBlock());
    finish(V, Sum);
    B.setInsertionPointToStart(If.elseBlock());
    store(V, Cut, K);
    store(Sum, Tail, K);
  }

  void mergeChunks() {
    auto For = scf::ForOp::create(B, Zero, Chunks, One);
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPointToStart(For.getBody());
    Value K = For.getInductionVar(), V = load(Cut, K);
    auto If = scf::IfOp::create(B, compare(arith::CmpIPredicate::ne, V, None));
    B.setInsertionPointToStart(If.thenBlock());
    // The chunks behind this one that the row goes on in.
    Value Behind = load(Op.getRows(), add(V, One));
    Value Last = arith::CeilDivUIOp::create(B, Behind, Chunk);
    auto Heads = scf::ForOp::create(B, add(K, One), Last, One, load(Tail, K));
    {
      OpBuilder::InsertionGuard Inner(B);
      B.setInsertionPointToStart(Heads.getBody());
      Value Next = load(Head, Heads.getInductionVar());
      scf::YieldOp::create(B, combine(Heads.getRegionIterArg(0), Next));
    }
    finish(V, Heads.getResult(0));
  }
};

struct LowerPullParallel
    : heddle::impl::LowerPullParallelPassBase<LowerPullParallel> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<PullParallelOp> Pulls;
    getOperation()->walk([&](PullParallelOp Pull) { Pulls.push_back(Pull); });
    for (PullParallelOp Pull : Pulls)
      ParallelLowering(Pull).run(threads);
  }
};

} // namespace
