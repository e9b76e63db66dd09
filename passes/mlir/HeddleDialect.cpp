//===- HeddleDialect.cpp - The heddle dialect -----------------------------===//

#include "mlir/HeddleDialect.h"
#include "MarkProtocol.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;

#include "mlir/HeddleDialect.cpp.inc"
#include "mlir/HeddleEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "mlir/HeddleAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "mlir/HeddleOps.cpp.inc"

void HeddleDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mlir/HeddleAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mlir/HeddleOps.cpp.inc"
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
    return Op->emitOpError("is no loop, and cannot have the attribute '")
           << AsyncAttributeName << "'";
  return success();
}

LogicalResult AsyncAttr::verify(function_ref<InFlightDiagnostic()> EmitError,
                                unsigned Tasks, AsyncScheduler,
                                unsigned Coalesce, unsigned Suspensions) {
  if (Tasks > MaximumTasks)
    return EmitError() << "expected from 1 to " << MaximumTasks
                       << " tasks, or 0 for as many as suit the host, not "
                       << int(Tasks);
  // Negative numbers are read as well.
  auto verifyLimit = [&](unsigned Limit, StringRef Name) -> LogicalResult {
    if (int(Limit) >= 0)
      return success();
    return EmitError() << "expected a positive number for '" << Name
                       << "', or 0 for the default, not " << int(Limit);
  };
  return success(succeeded(verifyLimit(Coalesce, "coalesce")) &&
                 succeeded(verifyLimit(Suspensions, "suspensions")));
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
      return Mark.emitOpError("names the same in '")
             << Other->second << "' and in '" << Clause << "'";
  }
  return success();
}

LogicalResult MarkOp::verify() {
  DenseMap<Value, StringRef> Variables, Data;
  return success(
      succeeded(verifyVariables(*this, getPrivates(), "private", Variables)) &&
      succeeded(verifyVariables(*this, getShared(), "shared", Variables)) &&
      succeeded(
          verifyVariables(*this, getSequential(), "sequential", Variables)) &&
      succeeded(verifyVariables(*this, getRemote(), "remote", Data)) &&
      succeeded(verifyVariables(*this, getNear(), "near", Data)));
}

bool MarkOp::hasLostItsLoop() {
  // Where a loop runs a few times, each copy of the body has a constant.
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
    // An infinity would win over nothing but NaN.
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

LogicalResult PullOp::verify() {
  MemRefType Edges = getEdges().getType();
  Type Lane = Edges.getElementType();
  if (!Lane.isInteger() || !isEdgeVector(getLaneBits(), getLanes()))
    return emitOpError("needs edge vectors of 4 or 8 lanes of i64, or of 8 or "
                       "16 lanes of i32, not ")
           << Edges;
  if (!Edges.getLayout().isIdentity())
    return emitOpError("needs edge vectors that follow one another in memory");
  if (Value Weights = getWeights()) {
    auto Type = cast<MemRefType>(Weights.getType());
    if (Type.getShape()[1] != getLanes() || !Type.getLayout().isIdentity())
      return emitOpError("needs ")
             << getLanes() << " weights for each edge vector, one after the "
             << "other, not " << Type;
  }
  Type Element = getResult().getType();
  if (!isArithmeticKind(getKind()) &&
      isFloatKind(getKind()) != isa<FloatType>(Element))
    return emitOpError("cannot combine values of type ")
           << Element << " by <" << stringifyEnum(getKind()) << ">";
  return success();
}

LogicalResult PullOp::verifyRegions() {
  Block &Body = getBody().front();
  SmallVector<Type> Expected{getEdges().getType().getElementType()};
  if (Value Weights = getWeights())
    Expected.push_back(cast<MemRefType>(Weights.getType()).getElementType());
  append_range(Expected, getCaptures().getTypes());
  if (Body.getArgumentTypes() != TypeRange(Expected))
    return emitOpError("needs a body with arguments of types ")
           << Expected << ": the neighbour, the weight if there are weights, "
           << "and the captures";
  auto Yield = dyn_cast<YieldOp>(Body.getTerminator());
  if (!Yield)
    return emitOpError("needs a body that ends in heddle.yield");
  if (Yield.getMessage().getType() != getResult().getType())
    return Yield.emitOpError("gives a message of type ")
           << Yield.getMessage().getType() << ", where "
           << getResult().getType() << " are combined";
  for (Operation &Op : Body.without_terminator())
    if (!isa<GatherOp>(Op) &&
        (!llvm::all_of(Op.getResultTypes(),
                       [](Type T) { return T.isIntOrIndexOrFloat(); }) ||
         (!Op.hasTrait<OpTrait::ConstantLike>() &&
          !OpTrait::hasElementwiseMappableTraits(&Op))))
      return Op.emitOpError("cannot be done for all lanes of an edge vector at "
                            "once: the body of heddle.pull takes elementwise "
                            "operations on scalars, constants and "
                            "heddle.gather");
  return success();
}

LogicalResult GatherOp::verify() {
  if (!getBase().getType().getLayout().isIdentity())
    return emitOpError("needs an array whose elements follow one another in "
                       "memory, not ")
           << getBase().getType();
  return success();
}
