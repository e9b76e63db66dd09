//===- LowerPullParallel.cpp - heddle.pull_parallel as loops --------------===//
//
// A row belongs to the chunk in which its edge vectors begin:
//
//   parallel for each chunk k, of the edge vectors begin to end:
//     v = first row that begins in it
//     head[k] = pull begin to min(rows[v], end)   if a row is cut there
//     for each row v that begins and ends in it:
//       into[v] = apply(v, pull all of it)
//     cut[k] = v, tail[k] = pull rows[v] to end   if a row v goes on behind it
//   for each chunk k with a cut row v:
//     all = tail[k], combined with the heads of the chunks up to the row's end
//     into[v] = apply(v, all)
//
// The last chunk also has the rows that begin behind all edges, being empty.
//
// Most rows are a few edge vectors long, and the length is unpredictable: the
// processor would mispredict the end of many of them, and have nothing to load
// meanwhile. So rows are processed in blocks, whose edge vectors are visited in
// one loop, unless they are long. An edge vector contains the number of its
// row:
//
//   for each edge vector e of the block:
//     prefetch what a later one gathers, unless it is near the processor anyway
//     sum = pull e alone, combined with sum if e has the same row as before
//     sums[row of e] = sum
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/HeddlePasses.h"
#include "mlir/Transforms/Tunables.h"

namespace heddle {
#define GEN_PASS_DEF_LOWERPULLPARALLELPASS
#include "mlir/Transforms/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

class ParallelLowering {
  PullParallelOp Op;
  ImplicitLocOpBuilder B;
  Type Element;
  Value Zero, One, None, Identity;
  /// The numbers of rows, edge vectors and chunks, and of the edge vectors in a
  /// chunk.
  Value Rows, Vectors, Chunks, Chunk;
  /// The merge buffer: the number of the row that is cut at a chunk's end, its
  /// combined value up to there, and the value of another row from the chunk's
  /// beginning to that row's end.
  Value Cut, Tail, Head;
  /// The combined values of the rows of a block, for each thread.
  Value Sums;
  const bool Scalable;

public:
  ParallelLowering(PullParallelOp Op, bool Scalable)
      : Op(Op), B(Op.getLoc(), Op), Element(Op.getInit().getType()),
        Scalable(Scalable) {}

  void run(bool Threads) {
    Zero = index(0);
    One = index(1);
    None = index(-1);
    Identity = arith::ConstantOp::create(
        B, identityOf(Op.getKind(), Element,
                      combiningFlags(Op.getKind(), Op.getFastmath())));
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
      distributeChunks();
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

  Value combine(Value A, Value C) {
    return heddle::combine(B, Op.getKind(), Op.getFastmath(), A, C);
  }

  /// Combines \p Init with the messages of the edge vectors from \p Lo to
  /// \p Hi.
  Value pull(Value Lo, Value Hi, Value Init) {
    auto Pull = PullOp::create(B, Element, Op.getKind(), Op.getFastmath(),
                               Op.getEdges(), Lo, Hi, Op.getWeights(),
                               Op.getFrontier(), Init, Op.getCaptures());
    IRMapping Map;
    Op.getBody().cloneInto(&Pull.getBody(), Map);
    return Pull.getResult();
  }

  /// Stores the result of the region apply for row \p V and its value
  /// \p Combined.
  void finish(Value V, Value Combined) {
    SmallVector<Value> Arguments{V, Combined};
    llvm::append_range(Arguments, Op.getCaptures());
    if (!Op.getApply().empty())
      Combined = cloneApply(B, Op.getApply(), Arguments);
    store(Combined, Op.getInto(), V);
  }

  /// The first row that begins at edge vector \p Vector or later, zero if there
  /// is no such edge vector.
  Value firstRowFrom(Value Vector) {
    auto If =
        scf::IfOp::create(B, B.getIndexType(),
                          compare(arith::CmpIPredicate::ult, Vector, Vectors),
                          /*withElseRegion=*/true);
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPointToStart(If.elseBlock());
    scf::YieldOp::create(B, Zero);
    B.setInsertionPointToStart(If.thenBlock());
    Value Row = rowOf(Vector);
    Value Begins =
        compare(arith::CmpIPredicate::eq, load(Op.getRows(), Row), Vector);
    Value First = arith::SelectOp::create(B, Begins, Row, add(Row, One));
    // Rows without edges, which begin there as well.
    auto While = scf::WhileOp::create(
        B, B.getIndexType(), First,
        [&](OpBuilder &, Location, ValueRange Row) {
          Value Before = subtract(maximum(Row[0], One), One);
          Value BeginsToo = arith::AndIOp::create(
              B, compare(arith::CmpIPredicate::ne, Row[0], Zero),
              compare(arith::CmpIPredicate::eq, load(Op.getRows(), Before),
                      Vector));
          scf::ConditionOp::create(B, BeginsToo, Row);
        },
        [&](OpBuilder &, Location, ValueRange Row) {
          scf::YieldOp::create(B, subtract(Row[0], One));
        });
    scf::YieldOp::create(B, While.getResult(0));
    return If.getResult(0);
  }

  void pullChunks() {
    allocateSums();
    {
      auto For = scf::ForOp::create(B, Zero, Chunks, One);
      OpBuilder::InsertionGuard Guard(B);
      B.setInsertionPointToStart(For.getBody());
      pullChunk(For.getInductionVar());
    }
    memref::DeallocOp::create(B, Sums);
  }

  void distributeChunks() {
    OpBuilder::InsertionGuard Guard(B);
    auto Parallel = omp::ParallelOp::create(B);
    B.createBlock(&Parallel.getRegion());
    allocateSums();
    omp::WsloopOperands Clauses;
    Clauses.scheduleKind = omp::ClauseScheduleKindAttr::get(
        B.getContext(), omp::ClauseScheduleKind::Dynamic);
    auto Workshare = omp::WsloopOp::create(B, Clauses);
    memref::DeallocOp::create(B, Sums);
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

  void allocateSums() {
    Sums = memref::AllocOp::create(
        B, MemRefType::get({tunable::PullBlockRows}, Element));
  }

  void pullChunk(Value K) {
    Value Begin = arith::MulIOp::create(B, K, Chunk);
    Value End = minimum(add(Begin, Chunk), Vectors);
    Value First = firstRowFrom(Begin);
    Value IsLast = compare(arith::CmpIPredicate::eq, add(K, One), Chunks);
    Value Last = arith::SelectOp::create(B, IsLast, Rows, firstRowFrom(End));
    // No row begins behind the edges of the last chunk unless it is empty.
    store(pull(Begin, minimum(load(Op.getRows(), First), End), Identity), Head,
          K);
    Value IsCut = arith::AndIOp::create(
        B, compare(arith::CmpIPredicate::ult, First, Last),
        compare(arith::CmpIPredicate::ugt, load(Op.getRows(), Last), End));
    Value Whole = arith::SelectOp::create(B, IsCut, subtract(Last, One), Last);
    if (Scalable)
      pullRows(First, Whole);
    else
      pullBlocks(First, Whole);
    store(arith::SelectOp::create(B, IsCut, Whole, None), Cut, K);
    auto If = scf::IfOp::create(B, IsCut);
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPointToStart(If.thenBlock());
    store(pull(load(Op.getRows(), Whole), End, Op.getInit()), Tail, K);
  }

  /// Calls \p Body with each index from \p From to \p To, in a loop.
  void forEach(Value From, Value To, Value Step,
               llvm::function_ref<void(Value)> Body) {
    auto For = scf::ForOp::create(B, From, To, Step);
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPointToStart(For.getBody());
    Body(For.getInductionVar());
  }

  void pullRows(Value First, Value Last) {
    forEach(First, Last, One, [&](Value V) {
      Value Behind = load(Op.getRows(), add(V, One));
      finish(V, pull(load(Op.getRows(), V), Behind, Op.getInit()));
    });
  }

  void pullBlocks(Value First, Value Last) {
    forEach(First, Last, index(tunable::PullBlockRows), [&](Value Begin) {
      Value End = minimum(add(Begin, index(tunable::PullBlockRows)), Last);
      Value Count =
          subtract(load(Op.getRows(), End), load(Op.getRows(), Begin));
      Value AreLong =
          compare(arith::CmpIPredicate::ugt, Count,
                  arith::MulIOp::create(B, subtract(End, Begin),
                                        index(tunable::PullLongRow)));
      auto If = scf::IfOp::create(B, AreLong, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard Guard(B);
      B.setInsertionPointToStart(If.thenBlock());
      pullRows(Begin, End);
      B.setInsertionPointToStart(If.elseBlock());
      forEach(Zero, subtract(End, Begin), One,
              [&](Value I) { store(Op.getInit(), Sums, I); });
      pullBlock(Begin, load(Op.getRows(), Begin), load(Op.getRows(), End));
      forEach(Begin, End, One,
              [&](Value V) { finish(V, load(Sums, subtract(V, Begin))); });
    });
  }

  /// Combines the edge vectors from \p Lo to \p Hi into the \c Sums of the rows
  /// from \p Begin on.
  void pullBlock(Value Begin, Value Lo, Value Hi) {
    Value IsNear = isNear();
    auto For = scf::ForOp::create(B, Lo, Hi, One, {None, Op.getInit()});
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPointToStart(For.getBody());
    Value Vector = For.getInductionVar(), Last = For.getRegionIterArg(0),
          Sum = For.getRegionIterArg(1);
    prefetchUnless(IsNear,
                   minimum(add(Vector, index(tunable::PullVectorsAhead)),
                           subtract(Vectors, One)));
    Value I = subtract(rowOf(Vector), Begin);
    Value IsSame = compare(arith::CmpIPredicate::eq, I, Last);
    Value Before = arith::SelectOp::create(B, IsSame, Sum, Op.getInit());
    Value After = pull(Vector, add(Vector, One), Before);
    store(After, Sums, I);
    scf::YieldOp::create(B, ValueRange{I, After});
  }

  /// Returns the row of an edge vector, whose number is distributed over the
  /// lanes.
  Value rowOf(Value Vector) {
    auto Edges = cast<MemRefType>(Op.getEdges().getType());
    auto Lane = cast<IntegerType>(Edges.getElementType());
    const int64_t Lanes = Edges.getShape()[1];
    const unsigned Bits = Lane.getWidth(), Piece = pieceBits(Bits, Lanes);
    auto Type = VectorType::get({Lanes}, Lane);
    SmallVector<APInt> Places;
    for (int64_t I = 0; I < Lanes; ++I)
      Places.push_back(APInt(Bits, std::min<int64_t>(I * Piece, Bits - 1)));
    auto Constant = [&](ArrayRef<APInt> Values) {
      return arith::ConstantOp::create(B, DenseElementsAttr::get(Type, Values));
    };
    Value Pieces =
        vector::LoadOp::create(B, Type, Op.getEdges(), {Vector, Zero});
    Pieces = arith::ShRUIOp::create(B, Pieces,
                                    Constant(APInt(Bits, Bits - 1 - Piece)));
    Pieces = arith::AndIOp::create(B, Pieces,
                                   Constant(APInt::getLowBitsSet(Bits, Piece)));
    Pieces = arith::ShLIOp::create(B, Pieces, Constant(Places));
    Value Row = vector::ReductionOp::create(B, vector::CombiningKind::OR,
                                            Pieces, Value());
    return arith::IndexCastUIOp::create(B, B.getIndexType(), Row);
  }

  /// Prefetches the elements of the neighbours in \p Vector, unless \p IsNear.
  void prefetchUnless(Value IsNear, Value Vector) {
    auto If = scf::IfOp::create(B, IsNear, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPointToStart(If.elseBlock());
    auto Edges = cast<MemRefType>(Op.getEdges().getType());
    const unsigned Bits = Edges.getElementTypeBitWidth();
    const int64_t Lanes = Edges.getShape()[1];
    Value Mask = arith::ConstantOp::create(
        B, B.getIntegerAttr(
               Edges.getElementType(),
               APInt::getLowBitsSet(Bits, neighbourBits(Bits, Lanes))));
    for (int64_t I = 0; I < Lanes; ++I) {
      Value Lane = memref::LoadOp::create(B, Op.getEdges(),
                                          ValueRange{Vector, index(I)});
      Value Neighbour = arith::IndexCastUIOp::create(
          B, B.getIndexType(), arith::AndIOp::create(B, Lane, Mask));
      for (Value Array : arraysOfNeighbours())
        memref::PrefetchOp::create(B, Array, Neighbour, /*isWrite=*/false,
                                   /*localityHint=*/3, /*isDataCache=*/true);
    }
  }

  /// Whether the gathered arrays are small enough to be in a near cache.
  Value isNear() {
    Value IsNear = arith::ConstantOp::create(B, B.getBoolAttr(true));
    for (Value Array : arraysOfNeighbours()) {
      const unsigned Bits =
          cast<MemRefType>(Array.getType()).getElementTypeBitWidth();
      Value Fits = compare(arith::CmpIPredicate::ule,
                           memref::DimOp::create(B, Array, Zero),
                           index(int64_t(tunable::PullNearBytes) * 8 / Bits));
      IsNear = arith::AndIOp::create(B, IsNear, Fits);
    }
    return IsNear;
  }

  /// The captures from which the body gathers the elements of neighbours.
  SetVector<Value> arraysOfNeighbours() {
    Block &Body = Op.getBody().front();
    const unsigned FirstCapture = Op.getWeights() ? 2 : 1;
    SetVector<Value> Arrays;
    for (auto Gather : Body.getOps<GatherOp>())
      if (Gather.getIndex() == Body.getArgument(0))
        Arrays.insert(Op.getCaptures()[cast<BlockArgument>(Gather.getBase())
                                           .getArgNumber() -
                                       FirstCapture]);
    return Arrays;
  }

  void mergeChunks() {
    auto For = scf::ForOp::create(B, Zero, Chunks, One);
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPointToStart(For.getBody());
    Value K = For.getInductionVar(), V = load(Cut, K);
    auto If = scf::IfOp::create(B, compare(arith::CmpIPredicate::ne, V, None));
    B.setInsertionPointToStart(If.thenBlock());
    // The chunks behind this one that contain edges of the row.
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
    getOperation()->walk([&](PullParallelOp Pull) {
      ParallelLowering(Pull, scalable).run(threads);
    });
  }
};

} // namespace
