//===- HeddleDialect.cpp - The heddle dialect -----------------------------===//

#include "mlir/Dialect/HeddleDialect.h"
#include "mark/MarkProtocol.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include <climits>

using namespace mlir;
using namespace heddle;

#include "mlir/Dialect/HeddleDialect.cpp.inc"
#include "mlir/Dialect/HeddleEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "mlir/Dialect/HeddleAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "mlir/Dialect/HeddleOps.cpp.inc"

void HeddleDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mlir/Dialect/HeddleAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mlir/Dialect/HeddleOps.cpp.inc"
      >();
}

LogicalResult
HeddleDialect::verifyOperationAttribute(Operation *Op,
                                        NamedAttribute Attribute) {
  if (Attribute.getName() != AsyncAttributeName)
    return Op->emitOpError("has an attribute '")
           << Attribute.getName().getValue()
           << "' that the heddle dialect does not know";
  if (!isa<AsyncAttr>(Attribute.getValue()))
    return Op->emitOpError("needs #heddle.async<...> as its attribute '")
           << AsyncAttributeName << "', not " << Attribute.getValue();
  if (isa<omp::LoopNestOp>(Op))
    return Op->emitOpError("loses its attributes where it is printed: '")
           << AsyncAttributeName
           << "' belongs to the operation around it, such as omp.wsloop";
  if (!isa<LoopLikeOpInterface, omp::LoopWrapperInterface>(Op))
    return Op->emitOpError("is not a loop and cannot have the attribute '")
           << AsyncAttributeName << "'";
  return success();
}

static_assert(unsigned(AsyncScheduler::Unspecified) == 0);
#define HEDDLE_SCHEDULE(Kind, Number, Name)                                    \
  static_assert(unsigned(AsyncScheduler::Kind) == Number);
#include "mark/Schedules.def"

FailureOr<AsyncScheduler> heddle::parseScheduler(AsmParser &Parser) {
  // The names that are not printed are not among the enumeration's.
#define HEDDLE_SCHEDULE(Kind, Number, Name)
#define HEDDLE_SCHEDULE_ALIAS(Kind, Name)                                      \
  if (succeeded(Parser.parseOptionalKeyword(Name)))                            \
    return AsyncScheduler::Kind;
#include "mark/Schedules.def"
  return FieldParser<AsyncScheduler>::parse(Parser);
}

static LogicalResult verifyCount(function_ref<InFlightDiagnostic()> EmitError,
                                 unsigned Count, unsigned Maximum,
                                 StringRef Name) {
  if (Count <= Maximum)
    return success();
  // Negative numbers are read as well.
  return EmitError() << "expected a number from 1 to " << Maximum << " for '"
                     << Name << "', or 0 for the default, not " << int(Count);
}

// The parameters are those of the attribute, in the order of the records.
LogicalResult AsyncAttr::verify(function_ref<InFlightDiagnostic()> EmitError
#define HEDDLE_COUNT_CLAUSE(Kind, Number, Name, Directives, Maximum)           \
  , unsigned Kind
#define HEDDLE_SCHEDULE_CLAUSE(Kind, Number, Name, Directives) , AsyncScheduler
#include "mark/Clauses.def"
) {
#define HEDDLE_COUNT_CLAUSE(Kind, Number, Name, Directives, Maximum)           \
  if (failed(verifyCount(EmitError, Kind, Maximum, Name)))                     \
    return failure();
#include "mark/Clauses.def"
  return success();
}

static LogicalResult verifyVariables(MarkOp Mark, OperandRange Variables,
                                     StringRef Clause,
                                     DenseMap<Value, StringRef> &Seen) {
  for (Value Variable : Variables) {
    if (!isa<MemRefType, LLVM::LLVMPointerType>(Variable.getType()))
      return Mark.emitOpError("takes memrefs and pointers of the llvm dialect "
                              "in '")
             << Clause << "', not " << Variable.getType();
    auto [Other, IsNew] = Seen.try_emplace(Variable, Clause);
    if (!IsNew && Other->second != Clause)
      return Mark.emitOpError("names the same variable in '")
             << Other->second << "' and in '" << Clause << "'";
  }
  return success();
}

LogicalResult MarkOp::verify() {
  DenseMap<Value, StringRef> Variables, Data;
#define HEDDLE_VARIABLES_CLAUSE(Kind, Number, Name, Directives, Operands)      \
  if (failed(verifyVariables(*this, get##Operands(), Name, Variables)))        \
    return failure();
#define HEDDLE_ARRAYS_CLAUSE(Kind, Number, Name, Directives, Operands,         \
                             DataNumber)                                       \
  if (failed(verifyVariables(*this, get##Operands(), Name, Data)))             \
    return failure();
#include "mark/Clauses.def"
  return success();
}

void MarkOp::build(OpBuilder &, OperationState &State, AsyncAttr Async) {
  State.getOrAddProperties<Properties>().async = Async;
}

bool MarkOp::hasLostItsLoop() {
  // In a loop of a few iterations that has been unrolled, each copy of the body
  // has a constant.
  return !getCounters().empty() &&
         llvm::all_of(
             llvm::zip_equal(getCounters(), getStarts()), [](auto Pair) {
               auto [Counter, Start] = Pair;
               return Counter == Start || matchPattern(Counter, m_Constant());
             });
}

LogicalResult MarkOp::canonicalize(MarkOp Mark, PatternRewriter &Rewriter) {
  if (!Mark.hasLostItsLoop())
    return failure();
  Rewriter.eraseOp(Mark);
  return success();
}

static bool isFloatKind(vector::CombiningKind Kind) {
  using K = vector::CombiningKind;
  return Kind == K::MINNUMF || Kind == K::MAXNUMF || Kind == K::MINIMUMF ||
         Kind == K::MAXIMUMF;
}

static bool isArithmeticKind(vector::CombiningKind Kind) {
  return Kind == vector::CombiningKind::ADD ||
         Kind == vector::CombiningKind::MUL;
}

TypedAttr heddle::identityOf(vector::CombiningKind Kind, Type Element,
                             arith::FastMathFlags Flags) {
  using K = vector::CombiningKind;
  Builder B(Element.getContext());
  if (auto Float = dyn_cast<FloatType>(Element)) {
    const llvm::fltSemantics &Semantics = Float.getFloatSemantics();
    // An infinity would replace nothing but NaN.
    if ((Kind == K::MINNUMF || Kind == K::MAXNUMF) &&
        !bitEnumContainsAny(Flags, arith::FastMathFlags::nnan))
      return B.getFloatAttr(Float, APFloat::getQNaN(Semantics));
    switch (Kind) {
    case K::ADD:
      // 0.0 would make a sum of negative zeros positive.
      return B.getFloatAttr(Float, APFloat::getZero(Semantics, true));
    case K::MUL:
      return B.getFloatAttr(Float, APFloat(Semantics, 1));
    case K::MINNUMF:
    case K::MINIMUMF:
      return B.getFloatAttr(Float, APFloat::getInf(Semantics));
    case K::MAXNUMF:
    case K::MAXIMUMF:
      return B.getFloatAttr(Float, APFloat::getInf(Semantics, true));
    default:
      llvm_unreachable("not a way to combine floating point numbers");
    }
  }
  unsigned Bits = Element.getIntOrFloatBitWidth();
  switch (Kind) {
  case K::ADD:
  case K::OR:
  case K::XOR:
  case K::MAXUI:
    return B.getIntegerAttr(Element, APInt::getZero(Bits));
  case K::MUL:
    return B.getIntegerAttr(Element, APInt(Bits, 1));
  case K::AND:
  case K::MINUI:
    return B.getIntegerAttr(Element, APInt::getAllOnes(Bits));
  case K::MINSI:
    return B.getIntegerAttr(Element, APInt::getSignedMaxValue(Bits));
  case K::MAXSI:
    return B.getIntegerAttr(Element, APInt::getSignedMinValue(Bits));
  default:
    llvm_unreachable("not a way to combine integers");
  }
}

YieldOp PullOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

/// An error on \p Op if there are no edge vectors of type \p Edges.
static LogicalResult verifyEdges(Operation *Op, MemRefType Edges) {
  if (!Edges.getElementType().isInteger() ||
      !isEdgeVector(Edges.getElementTypeBitWidth(), Edges.getShape()[1]))
    return Op->emitOpError("needs edge vectors of 4 or 8 lanes of i64, or of 8 "
                           "or 16 lanes of i32, not ")
           << Edges;
  if (!Edges.getLayout().isIdentity())
    return Op->emitOpError(
        "needs edge vectors that follow one another in memory");
  return success();
}

LogicalResult PackOp::verify() {
  auto Edges = cast<MemRefType>(getEdges().getType());
  if (failed(verifyEdges(*this, Edges)))
    return failure();
  if (bool(getWeights()) != bool(getLaneWeights()))
    return emitOpError("returns weights if and only if it has an operand "
                       "weights");
  for (Value Result : getResults())
    if (auto Type = cast<MemRefType>(Result.getType());
        !Type.isDynamicDim(0) || !Type.getLayout().isIdentity())
      return emitOpError("returns arrays of dynamic length and identity "
                         "layout, not ")
             << Type;
  if (!getWeights())
    return success();
  auto Weights = cast<MemRefType>(getLaneWeights().getType());
  Type Element = cast<MemRefType>(getWeights().getType()).getElementType();
  if (Weights.getShape()[1] != Edges.getShape()[1] ||
      Weights.getElementType() != Element)
    return emitOpError("needs a weight of type ")
           << Element << " for each lane, not " << Weights;
  return success();
}

/// Verifies the operands that heddle.pull and heddle.pull_parallel share.
template <typename Pull> static LogicalResult verifyPull(Pull Op) {
  auto Edges = cast<MemRefType>(Op.getEdges().getType());
  if (failed(verifyEdges(Op, Edges)))
    return failure();
  const int64_t Lanes = Edges.getShape()[1];
  if (Value Weights = Op.getWeights()) {
    auto Type = cast<MemRefType>(Weights.getType());
    if (Type.getShape()[1] != Lanes || !Type.getLayout().isIdentity())
      return Op.emitOpError("needs ")
             << Lanes << " weights for each edge vector, one after the other, "
             << "not " << Type;
  }
  if (Value Frontier = Op.getFrontier();
      Frontier &&
      !cast<MemRefType>(Frontier.getType()).getLayout().isIdentity())
    return Op.emitOpError("needs a frontier whose words follow one another in "
                          "memory, not ")
           << Frontier.getType();
  Type Element = Op.getInit().getType();
  if (!isArithmeticKind(Op.getKind()) &&
      isFloatKind(Op.getKind()) != isa<FloatType>(Element))
    return Op.emitOpError("cannot combine values of type ")
           << Element << " by <" << stringifyEnum(Op.getKind()) << ">";
  if (Op.getFastmath() != arith::FastMathFlags::none &&
      !isa<FloatType>(Element))
    return Op.emitOpError("has fastmath flags, but combines values of type ")
           << Element;
  return success();
}

template <typename Pull>
static LogicalResult verifyMessage(Pull Op, Block &Body) {
  SmallVector<Type> Expected{
      cast<MemRefType>(Op.getEdges().getType()).getElementType()};
  if (Value Weights = Op.getWeights())
    Expected.push_back(cast<MemRefType>(Weights.getType()).getElementType());
  append_range(Expected, Op.getCaptures().getTypes());
  if (Body.getArgumentTypes() != TypeRange(Expected))
    return Op.emitOpError("needs a body with arguments of types ")
           << Expected << ": the neighbour, the weight if there are weights, "
           << "and the captures";
  auto Yield = dyn_cast<YieldOp>(Body.getTerminator());
  if (!Yield)
    return Op.emitOpError("needs a body that ends in heddle.yield");
  if (Yield.getMessage().getType() != Op.getInit().getType())
    return Yield.emitOpError("gives a message of type ")
           << Yield.getMessage().getType() << ", where "
           << Op.getInit().getType() << " are combined";
  for (Operation &Inner : Body.without_terminator())
    if (!isa<GatherOp>(Inner) &&
        (!llvm::all_of(Inner.getResultTypes(),
                       [](Type T) { return T.isIntOrIndexOrFloat(); }) ||
         (!Inner.hasTrait<OpTrait::ConstantLike>() &&
          !OpTrait::hasElementwiseMappableTraits(&Inner))))
      return Inner.emitOpError("cannot be done for all lanes of an edge vector "
                               "at once: the body of heddle.pull takes "
                               "elementwise operations on scalars, constants "
                               "and heddle.gather");
  return success();
}

/// Verifies the region apply, whose arguments are \p First, the combined value
/// and the captures.
template <typename Pull>
static LogicalResult verifyApply(Pull Op, ArrayRef<Type> First, Type Result) {
  if (Op.getApply().empty())
    return success();
  Block &Apply = Op.getApply().front();
  SmallVector<Type> Expected(First);
  Expected.push_back(Op.getInit().getType());
  append_range(Expected, Op.getCaptures().getTypes());
  if (Apply.getArgumentTypes() != TypeRange(Expected))
    return Op.emitOpError("needs an apply region with arguments of types ")
           << Expected;
  auto Yield = dyn_cast<YieldOp>(Apply.getTerminator());
  if (!Yield || Yield.getCondition() || Yield.getMessage().getType() != Result)
    return Op.emitOpError("needs an apply region that ends in heddle.yield, "
                          "without a condition, of a value of type ")
           << Result;
  for (Operation &Inner : Apply)
    if (isa<GatherOp>(Inner))
      return Inner.emitOpError("belongs in the body; memref.load reads arrays "
                               "here");
  return success();
}

LogicalResult PullOp::verify() { return verifyPull(*this); }

LogicalResult PullOp::verifyRegions() {
  if (failed(verifyMessage(*this, getBody().front())))
    return failure();
  return verifyApply(*this, {}, getInit().getType());
}

LogicalResult PullParallelOp::verify() {
  if (failed(verifyPull(*this)))
    return failure();
  auto Into = cast<MemRefType>(getInto().getType());
  if (getApply().empty() && Into.getElementType() != getInit().getType())
    return emitOpError("cannot store values of type ")
           << getInit().getType() << " in " << Into;
  return success();
}

LogicalResult PullParallelOp::verifyRegions() {
  if (failed(verifyMessage(*this, getBody().front())))
    return failure();
  return verifyApply(*this, {IndexType::get(getContext())},
                     cast<MemRefType>(getInto().getType()).getElementType());
}

LogicalResult GatherOp::verify() {
  if (!getBase().getType().getLayout().isIdentity())
    return emitOpError("needs an array whose elements follow one another in "
                       "memory, not ")
           << getBase().getType();
  return success();
}

arith::FastMathFlags heddle::combiningFlags(vector::CombiningKind Kind,
                                            arith::FastMathFlags Flags) {
  return isArithmeticKind(Kind) ? Flags : Flags & ~arith::FastMathFlags::ninf;
}

Value heddle::combine(ImplicitLocOpBuilder &B, vector::CombiningKind Kind,
                      arith::FastMathFlags Flags, Value A, Value C) {
  arith::FastMathFlagsAttr Kept;
  if (isa<FloatType>(getElementTypeOrSelf(A)))
    Kept = arith::FastMathFlagsAttr::get(B.getContext(),
                                         combiningFlags(Kind, Flags));
  return vector::makeArithReduction(B, B.getLoc(), Kind, A, C, Kept);
}

Value heddle::cloneApply(OpBuilder &B, Region &Apply, ValueRange Arguments) {
  Block &Body = Apply.front();
  IRMapping Map;
  Map.map(Body.getArguments(), Arguments);
  for (Operation &Inner : Body.without_terminator())
    B.clone(Inner, Map);
  return Map.lookup(cast<YieldOp>(Body.getTerminator()).getMessage());
}
