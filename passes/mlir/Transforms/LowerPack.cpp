//===- LowerPack.cpp - heddle.pack as loops -------------------------------===//
//
// A loop over all rows counts edge vectors, a parallel one fills them in:
//
//   end = max(positions[v], positions[v + 1])
//   rows[v + 1] = rows[v] + ceil((end - positions[v]) / lanes)
//   for each lane i of each edge vector of row v:
//     lane = valid? | piece i of v | neighbour or 0
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/HeddlePasses.h"
#include "mlir/Transforms/RunTimeCheck.h"

namespace heddle {
#define GEN_PASS_DEF_LOWERPACKPASS
#include "mlir/Transforms/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

class PackLowering {
  PackOp Op;
  ModuleOp Module;
  ImplicitLocOpBuilder B;
  MemRefType EdgesType;
  IntegerType Lane;
  unsigned Lanes, Bits;
  Value Zero, One, LaneCount;
  /// The number of rows.
  Value Count;
  bool Failed = false;

public:
  explicit PackLowering(PackOp Op)
      : Op(Op), Module(Op->getParentOfType<ModuleOp>()), B(Op.getLoc(), Op),
        EdgesType(cast<MemRefType>(Op.getEdges().getType())),
        Lane(cast<IntegerType>(EdgesType.getElementType())),
        Lanes(EdgesType.getShape()[1]), Bits(Lane.getWidth()) {}

  LogicalResult run() {
    Zero = index(0);
    One = index(1);
    LaneCount = index(Lanes);
    // An empty array of positions has no rows, like the position 0 alone.
    Value Positions = memref::DimOp::create(B, Op.getPositions(), Zero);
    Count = arith::SubIOp::create(B, arith::MaxUIOp::create(B, Positions, One),
                                  One);
    requireBelow(Count, Bits == 64 ? 48 : 32,
                 "heddle.pack: more rows than the lanes have bits for");
    Value Rows = memref::AllocOp::create(
        B, cast<MemRefType>(Op.getRows().getType()),
        arith::AddIOp::create(B, Count, One).getResult());
    Value Vectors = countVectors(Rows);
    auto Allocate = [&](Value Result) -> Value {
      auto Type = cast<MemRefType>(Result.getType());
      return memref::AllocOp::create(B, Type, Vectors,
                                     B.getI64IntegerAttr(Lanes * Bits / 8));
    };
    Value Edges = Allocate(Op.getEdges());
    Value Weights =
        Op.getLaneWeights() ? Allocate(Op.getLaneWeights()) : Value();
    fill(Rows, Edges, Weights);
    Op.getRows().replaceAllUsesWith(Rows);
    Op.getEdges().replaceAllUsesWith(Edges);
    if (Weights)
      Op.getLaneWeights().replaceAllUsesWith(Weights);
    Op.erase();
    return success(!Failed);
  }

private:
  Value index(int64_t Number) {
    return arith::ConstantIndexOp::create(B, Number);
  }
  Value lane(uint64_t Number) {
    return arith::ConstantOp::create(
        B, B.getIntegerAttr(Lane, APInt(Bits, Number)));
  }

  Value loadIndex(Value Array, Value At) {
    Value Number = memref::LoadOp::create(B, Array, At);
    return isa<IndexType>(Number.getType())
               ? Number
               : arith::IndexCastUIOp::create(B, B.getIndexType(), Number);
  }

  void requireBelow(Value Number, unsigned LessBits, StringRef Message) {
    Value Fits = arith::CmpIOp::create(B, arith::CmpIPredicate::ule, Number,
                                       index((int64_t(1) << LessBits) - 1));
    // One error is enough: later checks run only if there was none.
    Failed = Failed || failed(require(B, Module, Fits, Message));
  }

  /// Fills \p Rows, and returns the number of edge vectors.
  Value countVectors(Value Rows) {
    auto For = scf::ForOp::create(B, Zero, Count, One, Zero);
    {
      OpBuilder::InsertionGuard Guard(B);
      B.setInsertionPointToStart(For.getBody());
      Value V = For.getInductionVar(), First = For.getRegionIterArg(0);
      memref::StoreOp::create(B, First, Rows, V);
      Value Begin = loadIndex(Op.getPositions(), V);
      Value End =
          loadIndex(Op.getPositions(), arith::AddIOp::create(B, V, One));
      End = arith::MaxUIOp::create(B, Begin, End);
      Value Vectors = arith::CeilDivUIOp::create(
          B, arith::SubIOp::create(B, End, Begin), LaneCount);
      scf::YieldOp::create(
          B, arith::AddIOp::create(B, First, Vectors).getResult());
    }
    memref::StoreOp::create(B, For.getResult(0), Rows, Count);
    return For.getResult(0);
  }

  void fill(Value Rows, Value Edges, Value Weights) {
    scf::ParallelOp::create(
        B, B.getLoc(), Zero, Count, One,
        [&](OpBuilder &, Location, ValueRange Variables) {
          Value V = Variables.front();
          Value Begin = loadIndex(Op.getPositions(), V);
          Value Next = arith::AddIOp::create(B, V, One);
          Value End = loadIndex(Op.getPositions(), Next);
          Value First = memref::LoadOp::create(B, Rows, V);
          Value Last = memref::LoadOp::create(B, Rows, Next);
          forEach(First, Last, [&](Value Vector) {
            Value Before = arith::MulIOp::create(
                B, arith::SubIOp::create(B, Vector, First), LaneCount);
            Value From = arith::AddIOp::create(B, Begin, Before);
            forEach(Zero, LaneCount, [&](Value I) {
              fillLane(V, From, End, Vector, I, Edges, Weights);
            });
          });
        });
  }

  template <typename Body> void forEach(Value From, Value To, Body Do) {
    auto For = scf::ForOp::create(B, From, To, One);
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPointToStart(For.getBody());
    Do(For.getInductionVar());
  }

  void fillLane(Value V, Value From, Value End, Value Vector, Value I,
                Value Edges, Value Weights) {
    Value At = arith::AddIOp::create(B, From, I);
    Value Valid = arith::CmpIOp::create(B, arith::CmpIPredicate::ult, At, End);
    SmallVector<Type> Types{Lane};
    if (Weights)
      Types.push_back(cast<MemRefType>(Weights.getType()).getElementType());
    auto If = scf::IfOp::create(B, Types, Valid, /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard Guard(B);
      B.setInsertionPointToStart(If.thenBlock());
      Value Neighbour = loadIndex(Op.getCoordinates(), At);
      requireBelow(Neighbour, neighbourBits(Bits, Lanes),
                   "heddle.pack: a neighbour that the lanes have too few bits "
                   "for");
      Value Edge = arith::IndexCastUIOp::create(B, Lane, Neighbour);
      SmallVector<Value> Results{
          arith::OrIOp::create(B, Edge, lane(uint64_t(1) << (Bits - 1)))};
      if (Weights)
        Results.push_back(memref::LoadOp::create(B, Op.getWeights(), At));
      scf::YieldOp::create(B, Results);
      B.setInsertionPointToStart(If.elseBlock());
      Results = {lane(0)};
      if (Weights)
        Results.push_back(
            arith::ConstantOp::create(B, B.getZeroAttr(Types[1])));
      scf::YieldOp::create(B, Results);
    }
    const unsigned PieceBits = pieceBits(Bits, Lanes);
    Value Shift = arith::IndexCastUIOp::create(
        B, Lane, arith::MulIOp::create(B, I, index(PieceBits)));
    Value Piece = arith::AndIOp::create(
        B,
        arith::ShRUIOp::create(B, arith::IndexCastUIOp::create(B, Lane, V),
                               Shift),
        lane((uint64_t(1) << PieceBits) - 1));
    Piece = arith::ShLIOp::create(B, Piece, lane(Bits - 1 - PieceBits));
    memref::StoreOp::create(B, arith::OrIOp::create(B, Piece, If.getResult(0)),
                            Edges, ValueRange{Vector, I});
    if (Weights)
      memref::StoreOp::create(B, If.getResult(1), Weights,
                              ValueRange{Vector, I});
  }
};

struct LowerPack : heddle::impl::LowerPackPassBase<LowerPack> {
  void runOnOperation() override {
    WalkResult All = getOperation()->walk(
        [](PackOp Pack) { return WalkResult(PackLowering(Pack).run()); });
    if (All.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
