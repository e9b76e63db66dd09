//===- ScalarOperations.cpp - Instructions as operations of MLIR ----------===//

#include "vectorsparse/ScalarOperations.h"
#include "ir/Combining.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace heddle;
namespace arith = mlir::arith;
namespace math = mlir::math;

mlir::Type heddle::scalarType(mlir::MLIRContext &Context, Type *T) {
  if (T->isFloatTy())
    return mlir::Float32Type::get(&Context);
  if (T->isDoubleTy())
    return mlir::Float64Type::get(&Context);
  if (T->isIntegerTy() && T->getIntegerBitWidth() <= 64)
    return mlir::IntegerType::get(&Context, T->getIntegerBitWidth());
  return {};
}

bool heddle::isElement(mlir::Type Type) {
  return Type && (isa<mlir::FloatType>(Type) || Type.isInteger(1) ||
                  Type.isInteger(8) || Type.isInteger(16) ||
                  Type.isInteger(32) || Type.isInteger(64));
}

std::string heddle::nameOf(const Instruction &I) {
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    return Intrinsic::getBaseName(Intrinsic->getIntrinsicID()).str();
  return I.getOpcodeName();
}

/// LLVM's flags have the same bits.
arith::FastMathFlags heddle::fastMathOf(const Value &V) {
  using Flags = arith::FastMathFlags;
  static_assert(FastMathFlags::AllowReassoc == int(Flags::reassoc) &&
                FastMathFlags::NoNaNs == int(Flags::nnan) &&
                FastMathFlags::NoInfs == int(Flags::ninf) &&
                FastMathFlags::NoSignedZeros == int(Flags::nsz) &&
                FastMathFlags::AllowReciprocal == int(Flags::arcp) &&
                FastMathFlags::AllowContract == int(Flags::contract) &&
                FastMathFlags::ApproxFunc == int(Flags::afn));
  return isa<FPMathOperator>(V) ? Flags(V.getRawSubclassOptionalData())
                                : Flags::none;
}

static arith::CmpIPredicate integerPredicate(CmpInst::Predicate Predicate) {
  using P = arith::CmpIPredicate;
  // As LLVM numbers them.
  static constexpr P Predicates[] = {P::eq,  P::ne,  P::ugt, P::uge, P::ult,
                                     P::ule, P::sgt, P::sge, P::slt, P::sle};
  return Predicates[Predicate - CmpInst::FIRST_ICMP_PREDICATE];
}

/// Both enumerations have the same order, from false over the ordered
/// predicates to true.
static arith::CmpFPredicate floatPredicate(CmpInst::Predicate Predicate) {
  using P = arith::CmpFPredicate;
  static constexpr P Predicates[] = {
      P::AlwaysFalse, P::OEQ, P::OGT, P::OGE,       P::OLT, P::OLE,
      P::ONE,         P::ORD, P::UNO, P::UEQ,       P::UGT, P::UGE,
      P::ULT,         P::ULE, P::UNE, P::AlwaysTrue};
  return Predicates[Predicate - CmpInst::FIRST_FCMP_PREDICATE];
}

/// Makes an \p Op , with \p Flags if it is arithmetic.
template <typename Op>
static mlir::Value create(mlir::ImplicitLocOpBuilder &B, mlir::Type Type,
                          ArrayRef<mlir::Value> Operands,
                          arith::FastMathFlags Flags) {
  // Intrinsics may have operands besides, which say what is undefined.
  if constexpr (Op::template hasTrait<mlir::OpTrait::OneOperand>())
    Operands = Operands.take_front();
  auto Made = Op::create(B, mlir::TypeRange(Type), mlir::ValueRange(Operands));
  if constexpr (requires {
                  { Made.getFastmath() } -> std::same_as<arith::FastMathFlags>;
                })
    Made.setFastmath(Flags);
  return Made;
}
using Creator = decltype(&create<arith::AddIOp>);

static constexpr std::pair<unsigned, Creator> Operators[] = {
    {Instruction::Select, create<arith::SelectOp>},
    {Instruction::Add, create<arith::AddIOp>},
    {Instruction::Sub, create<arith::SubIOp>},
    {Instruction::Mul, create<arith::MulIOp>},
    {Instruction::And, create<arith::AndIOp>},
    {Instruction::Or, create<arith::OrIOp>},
    {Instruction::Xor, create<arith::XOrIOp>},
    {Instruction::Shl, create<arith::ShLIOp>},
    {Instruction::LShr, create<arith::ShRUIOp>},
    {Instruction::AShr, create<arith::ShRSIOp>},
    {Instruction::UDiv, create<arith::DivUIOp>},
    {Instruction::SDiv, create<arith::DivSIOp>},
    {Instruction::URem, create<arith::RemUIOp>},
    {Instruction::SRem, create<arith::RemSIOp>},
    {Instruction::FAdd, create<arith::AddFOp>},
    {Instruction::FSub, create<arith::SubFOp>},
    {Instruction::FMul, create<arith::MulFOp>},
    {Instruction::FDiv, create<arith::DivFOp>},
    {Instruction::FNeg, create<arith::NegFOp>},
    {Instruction::ZExt, create<arith::ExtUIOp>},
    {Instruction::SExt, create<arith::ExtSIOp>},
    {Instruction::Trunc, create<arith::TruncIOp>},
    {Instruction::FPExt, create<arith::ExtFOp>},
    {Instruction::FPTrunc, create<arith::TruncFOp>},
    {Instruction::SIToFP, create<arith::SIToFPOp>},
    {Instruction::UIToFP, create<arith::UIToFPOp>},
    {Instruction::FPToSI, create<arith::FPToSIOp>},
    {Instruction::FPToUI, create<arith::FPToUIOp>},
    {Instruction::BitCast, create<arith::BitcastOp>}};

static constexpr std::pair<Intrinsic::ID, Creator> Intrinsics[] = {
    {Intrinsic::abs, create<math::AbsIOp>},
    {Intrinsic::smin, create<arith::MinSIOp>},
    {Intrinsic::smax, create<arith::MaxSIOp>},
    {Intrinsic::umin, create<arith::MinUIOp>},
    {Intrinsic::umax, create<arith::MaxUIOp>},
    {Intrinsic::minnum, create<arith::MinNumFOp>},
    {Intrinsic::maxnum, create<arith::MaxNumFOp>},
    {Intrinsic::minimum, create<arith::MinimumFOp>},
    {Intrinsic::maximum, create<arith::MaximumFOp>},
    {Intrinsic::ctpop, create<math::CtPopOp>},
    {Intrinsic::fma, create<math::FmaOp>},
    {Intrinsic::copysign, create<math::CopySignOp>},
    {Intrinsic::fabs, create<math::AbsFOp>},
    {Intrinsic::sqrt, create<math::SqrtOp>},
    {Intrinsic::floor, create<math::FloorOp>},
    {Intrinsic::ceil, create<math::CeilOp>},
    {Intrinsic::trunc, create<math::TruncOp>}};

static mlir::Value mapCompare(mlir::ImplicitLocOpBuilder &B, CmpInst &Compare,
                              mlir::Value X, mlir::Value Y) {
  if (isa<ICmpInst>(Compare))
    return arith::CmpIOp::create(B, integerPredicate(Compare.getPredicate()), X,
                                 Y);
  return arith::CmpFOp::create(B, floatPredicate(Compare.getPredicate()), X, Y,
                               fastMathOf(Compare));
}

mlir::Value heddle::mapOperation(mlir::ImplicitLocOpBuilder &B, Instruction &I,
                                 ArrayRef<mlir::Value> Operands) {
  if (auto *Compare = dyn_cast<CmpInst>(&I))
    return mapCompare(B, *Compare, Operands[0], Operands[1]);
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  const arith::FastMathFlags Flags = fastMathOf(I);
  if (Call && Call->getIntrinsicID() == Intrinsic::fmuladd) {
    const auto Fused = Flags | arith::FastMathFlags::contract;
    return arith::AddFOp::create(
        B, arith::MulFOp::create(B, Operands[0], Operands[1], Fused),
        Operands[2], Fused);
  }
  const std::optional<Creator> Create =
      Call ? lookUp(Intrinsics, Call->getIntrinsicID())
           : lookUp(Operators, I.getOpcode());
  mlir::Type Type = scalarType(*B.getContext(), I.getType());
  return Create && Type ? (*Create)(B, Type, Operands, Flags) : mlir::Value();
}
