//===- LowerPull.cpp - heddle.pull as vector code -------------------------===//
//
// An edge vector is loaded once; its lanes are neighbours and mask at the same
// time:
//
//   all = splat(identity)
//   for each edge vector:
//     lanes = load
//     valid = lanes < 0
//     all = combine(all, gather base[lanes & neighbour mask] where valid)
//   result = init combined with the lanes of all
//
// Lanes whose neighbour is not in the frontier are treated as invalid.
//
// If the gathered element itself is the message, the gather's pass-through
// value is the identity, so that no select is needed.
//
// If the target cannot gather elements of some type under a mask, LLVM would
// expand the gather to a chain of branches. Instead, every lane reads
// something, by scalar loads: invalid lanes read the element of the first lane,
// which is always valid, or, for arrays indexed by the neighbour itself, the
// element of neighbour 0. If the first lane may not be in the frontier, or
// there is a condition, lanes that must not read an element read the edge
// vector itself.
//
// With scalable vectors the lanes of a row are one array, and the number of
// lanes of an edge vector does not matter.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/HeddlePasses.h"
#include "mlir/Transforms/Tunables.h"

namespace heddle {
#define GEN_PASS_DEF_LOWERPULLPASS
#include "mlir/Transforms/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;
using arith::FastMathFlags;

namespace {

class PullLowering {
  PullOp Op;
  const LowerPullPassOptions &Options;
  ImplicitLocOpBuilder B;
  /// Lanes of a vector, times vscale if vectors are scalable.
  int64_t Length;
  Type Lane;
  Type Element;
  /// Maps values of the body to values for all lanes at once.
  IRMapping Vectors;

  // Values inside the loop:
  /// The lanes that count.
  Value Valid;
  Value Identity;
  /// The number of the edge vector, or of the first lane if the lanes are one
  /// array, in \c Edges.
  Value At;
  Value Edges, Weights;

public:
  PullLowering(PullOp Op, const LowerPullPassOptions &Options)
      : Op(Op), Options(Options), B(Op.getLoc(), Op),
        Length(Options.scalable ? 128 / Op.getLaneBits() : Op.getLanes()),
        Lane(Op.getEdges().getType().getElementType()),
        Element(Op.getResult().getType()) {}

  void run() {
    Block &Body = Op.getBody().front();
    for (auto [Argument, Capture] :
         llvm::zip_equal(Body.getArguments().drop_front(Op.getFirstCapture()),
                         Op.getCaptures()))
      Vectors.map(Argument, isa<MemRefType>(Capture.getType())
                                ? Capture
                                : spread(Capture));
    Identity = splat(identityOf(Op.getKind(), Element, fastMath()));
    Value All = loop();
    // The order of the terms is unspecified.
    FastMathFlags Flags = isa<FloatType>(Element)
                              ? fastMath() | FastMathFlags::reassoc
                              : FastMathFlags::none;
    Op.replaceAllUsesWith(applied(vector::ReductionOp::create(
        B, Op.getKind(), All, Op.getInit(), Flags)));
    Op.erase();
  }

private:
  /// Returns the result of the region apply for \p Combined.
  Value applied(Value Combined) {
    SmallVector<Value> Arguments{Combined};
    llvm::append_range(Arguments, Op.getCaptures());
    return Op.getApply().empty() ? Combined
                                 : cloneApply(B, Op.getApply(), Arguments);
  }

  VectorType vectorOf(Type Scalar) {
    return VectorType::get({Length}, Scalar, {Options.scalable});
  }

  Value spread(Value Scalar) {
    return vector::BroadcastOp::create(B, vectorOf(Scalar.getType()), Scalar);
  }

  Value splat(TypedAttr Scalar) {
    VectorType Type = vectorOf(Scalar.getType());
    return arith::ConstantOp::create(
        B, DenseElementsAttr::get(Type, Attribute(Scalar)));
  }

  Value indexConstant(int64_t Number) {
    return arith::ConstantIndexOp::create(B, Number);
  }

  FastMathFlags fastMath() {
    return combiningFlags(Op.getKind(), Op.getFastmath());
  }

  int64_t neighbourMask() {
    return llvm::maskTrailingOnes<uint64_t>(
        neighbourBits(Op.getLaneBits(), Op.getLanes()));
  }

  bool canGather(Type Scalar) const {
    unsigned Bits = Scalar.getIntOrFloatBitWidth();
    return Options.scalable ||
           (Options.narrowestGather && Bits >= Options.narrowestGather);
  }

  /// Returns the valid lanes in which \p Condition holds, if there is one. Not
  /// by `and`: invalid lanes may have an undefined condition.
  Value validAnd(Value Condition) {
    if (!Condition)
      return Valid;
    return arith::SelectOp::create(B, Valid, Vectors.lookup(Condition),
                                   splat(B.getBoolAttr(false)));
  }

  /// \p Array of edge vectors or weights as one sequence.
  Value flatten(Value Array) {
    auto Type = cast<MemRefType>(Array.getType());
    auto Flat = MemRefType::get({ShapedType::kDynamic}, Type.getElementType());
    Value Size =
        arith::MulIOp::create(B, Op.getHi(), indexConstant(Op.getLanes()));
    return memref::ReinterpretCastOp::create(B, Flat, Array, B.getIndexAttr(0),
                                             ArrayRef<OpFoldResult>(Size),
                                             {B.getIndexAttr(1)});
  }

  /// All messages, combined lane by lane.
  Value loop() {
    Value Lo = Op.getLo(), Hi = Op.getHi(), Step = indexConstant(1);
    Edges = Op.getEdges();
    Weights = Op.getWeights();
    if (Options.scalable) {
      Value Lanes = indexConstant(Op.getLanes());
      Lo = arith::MulIOp::create(B, Lo, Lanes);
      Hi = arith::MulIOp::create(B, Hi, Lanes);
      Step = arith::MulIOp::create(
          B, vector::VectorScaleOp::create(B, B.getIndexType()),
          indexConstant(Length));
      Edges = flatten(Edges);
      if (Weights)
        Weights = flatten(Weights);
    } else if (isOneVector()) {
      At = Lo;
      return messagesAt(/*Mask=*/{});
    }
    auto For = scf::ForOp::create(B, Lo, Hi, Step, Identity);
    keepRolled(For);
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPointToStart(For.getBody());
    At = For.getInductionVar();
    Value Mask;
    if (Options.scalable)
      Mask = LLVM::GetActiveLaneMaskOp::create(B, vectorOf(B.getI1Type()),
                                               integer(At), integer(Hi));
    Value Messages = messagesAt(Mask);
    scf::YieldOp::create(B, combine(B, Op.getKind(), Op.getFastmath(), Messages,
                                    For.getRegionIterArg(0)));
    return For.getResult(0);
  }

  /// True for the edge vectors from one to the next.
  bool isOneVector() {
    auto Add = Op.getHi().getDefiningOp<arith::AddIOp>();
    return Add && Add.getLhs() == Op.getLo() &&
           matchPattern(Add.getRhs(), m_One());
  }

  /// The messages of the lanes from \c At on, if there is a \p Mask under it.
  Value messagesAt(Value Mask) {
    auto Load = [&](Value Array, llvm::MaybeAlign Alignment) {
      if (Mask)
        return loadUnder(Mask, Array);
      prefetchBehind(Array);
      return loadRow(Array, Alignment);
    };
    Value Lanes = Load(Edges, llvm::Align(Length * Op.getLaneBits() / 8));
    return messages(Lanes, Weights ? Load(Weights, std::nullopt) : Value());
  }

  /// Most rows are a few edge vectors long.
  void keepRolled(scf::ForOp For) {
    MLIRContext *Context = B.getContext();
    auto Unroll = LLVM::LoopUnrollAttr::get(Context, B.getBoolAttr(true), {},
                                            {}, {}, {}, {}, {});
    For->setAttr("loop_annotation", LLVM::LoopAnnotationAttr::get(
                                        Context, {}, {}, {}, Unroll, {}, {}, {},
                                        {}, {}, {}, {}, {}, {}, {}, {}));
  }

  Value loadRow(Value Array, llvm::MaybeAlign Alignment) {
    Type Scalar = cast<MemRefType>(Array.getType()).getElementType();
    return vector::LoadOp::create(B, vectorOf(Scalar), Array,
                                  ValueRange{At, indexConstant(0)},
                                  /*nontemporal=*/false, Alignment);
  }

  /// Prefetches from \p Array the elements some distance ahead, perhaps behind
  /// its end. Processors do that by themselves, but restart on each page.
  void prefetchBehind(Value Array) {
    const int64_t Bytes =
        cast<MemRefType>(Array.getType()).getElementTypeBitWidth() / 8;
    Value Later = arith::AddIOp::create(
        B, At, indexConstant(tunable::PullBytesAhead / (Length * Bytes)));
    for (int64_t I = 0; I < Length; I += tunable::PullLineBytes / Bytes)
      memref::PrefetchOp::create(B, Array, ValueRange{Later, indexConstant(I)},
                                 /*isWrite=*/false, /*localityHint=*/3,
                                 /*isDataCache=*/true);
  }

  Value loadUnder(Value Mask, Value Array) {
    Type Scalar = cast<MemRefType>(Array.getType()).getElementType();
    return vector::MaskedLoadOp::create(B, vectorOf(Scalar), Array, At, Mask,
                                        splat(B.getZeroAttr(Scalar)));
  }

  /// Returns the messages of \p Lanes: the identity in lanes without one.
  Value messages(Value Lanes, Value LaneWeights) {
    Block &Body = Op.getBody().front();
    Valid = arith::CmpIOp::create(B, arith::CmpIPredicate::slt, Lanes,
                                  splat(B.getZeroAttr(Lane)));
    Value Neighbours = arith::AndIOp::create(
        B, Lanes, splat(B.getIntegerAttr(Lane, neighbourMask())));
    if (Op.getFrontier())
      Valid = arith::AndIOp::create(B, Valid, areInFrontier(Neighbours));
    Vectors.map(Body.getArgument(0), Neighbours);
    if (LaneWeights)
      Vectors.map(Body.getArgument(1), LaneWeights);
    for (Operation &Scalar : Body.without_terminator())
      doInAllLanes(Scalar);

    YieldOp Yield = Op.getYield();
    Value Messages = Vectors.lookup(Yield.getMessage());
    auto Gather = Yield.getMessage().getDefiningOp<GatherOp>();
    if (Gather && passesIdentity(Gather))
      return Messages;
    return arith::SelectOp::create(B, validAnd(Yield.getCondition()), Messages,
                                   Identity);
  }

  /// Returns a mask of the valid lanes whose \p Neighbours are in the frontier.
  Value areInFrontier(Value Neighbours) {
    Type Word = B.getI32Type();
    auto Splat = [&](Type Type, int64_t Number) {
      return splat(B.getIntegerAttr(Type, Number));
    };
    Value At = arith::ShRUIOp::create(B, Neighbours, Splat(Lane, 5));
    Value Words = canGather(Word) ? maskedGather(Op.getFrontier(), At, Valid,
                                                 Splat(Word, 0))
                                  : scalarGather(Op.getFrontier(), At);
    Value Place = arith::AndIOp::create(B, Neighbours, Splat(Lane, 31));
    if (Lane != Word)
      Place = arith::TruncIOp::create(B, vectorOf(Word), Place);
    Value Bit = arith::AndIOp::create(
        B, arith::ShRUIOp::create(B, Words, Place), Splat(Word, 1));
    return arith::CmpIOp::create(B, arith::CmpIPredicate::ne, Bit,
                                 Splat(Word, 0));
  }

  /// True if \p Gather alone is the message, and so can yield the identity for
  /// lanes that it does not read.
  bool passesIdentity(GatherOp Gather) {
    YieldOp Yield = Op.getYield();
    return canGather(Gather.getType()) &&
           Yield.getMessage() == Gather.getResult() &&
           Yield.getCondition() == Gather.getCondition();
  }

  void doInAllLanes(Operation &Scalar) {
    if (auto Gather = dyn_cast<GatherOp>(Scalar)) {
      Vectors.map(Gather.getResult(), gather(Gather));
    } else if (Scalar.hasTrait<OpTrait::ConstantLike>()) {
      Vectors.map(Scalar.getResult(0), constant(Scalar));
    } else {
      Operation *Vector = B.clone(Scalar, Vectors);
      for (Value Result : Vector->getResults())
        Result.setType(vectorOf(Result.getType()));
      if (isIntegerDivision(Scalar))
        makeDivisible(*Vector);
    }
  }

  Value constant(Operation &Scalar) {
    Attribute Constant;
    if (matchPattern(&Scalar, m_Constant(&Constant)))
      if (auto Typed = dyn_cast<TypedAttr>(Constant))
        return splat(Typed);
    // Other constants, such as poison.
    return spread(B.clone(Scalar)->getResult(0));
  }

  static bool isIntegerDivision(Operation &Op) {
    return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
               arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(Op);
  }

  /// Divides by one in lanes that do not count.
  void makeDivisible(Operation &Division) {
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPoint(&Division);
    Value Divisor = Division.getOperand(1);
    APInt Number;
    if (matchPattern(Divisor, m_ConstantInt(&Number)) && !Number.isZero() &&
        !Number.isAllOnes())
      return;
    Type Scalar = cast<VectorType>(Divisor.getType()).getElementType();
    Division.setOperand(1, arith::SelectOp::create(
                               B, Valid, Divisor, splat(B.getOneAttr(Scalar))));
  }

  Value gather(GatherOp Gather) {
    Value Base = Vectors.lookup(Gather.getBase());
    Value Index = Vectors.lookup(Gather.getIndex());
    if (canGather(Gather.getType()))
      return maskedGather(Base, Index, validAnd(Gather.getCondition()),
                          passesIdentity(Gather)
                              ? Identity
                              : splat(B.getZeroAttr(Gather.getType())));
    if (Gather.getCondition() || Op.getFrontier())
      return gatherSomething(Gather, Index);
    if (Options.wholeArrays &&
        Gather.getIndex() == Op.getBody().front().getArgument(0))
      return gatherOfNeighbours(Base);
    return scalarGather(Base, Index);
  }

  Value maskedGather(Value Base, Value Index, Value Mask, Value Otherwise) {
    return vector::GatherOp::create(B, cast<VectorType>(Otherwise.getType()),
                                    Base, ValueRange{indexConstant(0)}, Index,
                                    Mask, Otherwise);
  }

  /// The elements of the neighbours. Their numbers come from memory once more:
  /// to take them out of a vector is slower.
  Value gatherOfNeighbours(Value Base) {
    SmallVector<Value> Elements;
    for (int64_t I = 0; I < Length; ++I) {
      Value Neighbour = arith::AndIOp::create(
          B, memref::LoadOp::create(B, Edges, ValueRange{At, indexConstant(I)}),
          arith::ConstantOp::create(B,
                                    B.getIntegerAttr(Lane, neighbourMask())));
      Elements.push_back(memref::LoadOp::create(
          B, Base,
          arith::IndexCastUIOp::create(B, B.getIndexType(), Neighbour)
              .getResult()));
    }
    return elements(Elements);
  }

  Value elements(ArrayRef<Value> Elements) {
    return vector::FromElementsOp::create(
        B, vectorOf(Elements.front().getType()), Elements);
  }

  /// The elements at \p Index, in invalid lanes that of the first lane.
  Value scalarGather(Value Base, Value Index) {
    Index = arith::SelectOp::create(
        B, Valid, Index, spread(vector::ExtractOp::create(B, Index, 0)));
    SmallVector<Value> Elements;
    for (int64_t I = 0; I < Length; ++I) {
      Value At = vector::ExtractOp::create(B, Index, I);
      if (!isa<IndexType>(At.getType()))
        At = arith::IndexCastOp::create(B, B.getIndexType(), At);
      Elements.push_back(memref::LoadOp::create(B, Base, At));
    }
    return elements(Elements);
  }

  /// Returns the elements at \p Index, or some bytes of the edge vector in
  /// lanes that do not count or for which the condition does not hold. No
  /// element is longer than the edge vector.
  Value gatherSomething(GatherOp Gather, Value Index) {
    Type Scalar = Gather.getResult().getType();
    int64_t Bytes = Scalar.getIntOrFloatBitWidth() / 8;
    VectorType Integers = vectorOf(B.getI64Type());
    if (isa<IndexType>(Gather.getIndex().getType()))
      Index = arith::IndexCastOp::create(B, Integers, Index);
    else if (!Gather.getIndex().getType().isInteger(64))
      Index = arith::ExtSIOp::create(B, Integers, Index);
    Index = arith::MulIOp::create(B, Index, splat(B.getI64IntegerAttr(Bytes)));
    Value Base = addressOf(Vectors.lookup(Gather.getBase()));
    Value Wanted = arith::AddIOp::create(B, Index, spread(Base));
    int64_t Stride = Length * Op.getLaneBits() / 8;
    Value Offset = arith::MulIOp::create(
        B, integer(At),
        arith::ConstantOp::create(B, B.getI64IntegerAttr(Stride)));
    Value Readable = arith::AddIOp::create(B, addressOf(Edges), Offset);
    Value Addresses = arith::SelectOp::create(
        B, validAnd(Gather.getCondition()), Wanted, spread(Readable));
    Value Pointers = LLVM::IntToPtrOp::create(
        B, vectorOf(LLVM::LLVMPointerType::get(B.getContext())), Addresses);
    return LLVM::masked_gather::create(B, vectorOf(Scalar), Pointers,
                                       splat(B.getBoolAttr(true)), ValueRange(),
                                       B.getI32IntegerAttr(Bytes));
  }

  Value integer(Value Index) {
    return arith::IndexCastOp::create(B, B.getI64Type(), Index);
  }

  Value addressOf(Value Array) {
    return integer(memref::ExtractAlignedPointerAsIndexOp::create(B, Array));
  }
};

struct LowerPull : heddle::impl::LowerPullPassBase<LowerPull> {
  using Base::Base;

  void runOnOperation() override {
    LowerPullPassOptions Options{scalable, narrowestGather, wholeArrays};
    getOperation()->walk(
        [&](PullOp Pull) { PullLowering(Pull, Options).run(); });
  }
};

} // namespace
