//===- ScalarOperations.cpp - Instructions as operations of MLIR ----------===//

#include "vectorsparse/ScalarOperations.h"
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

arith::FastMathFlags heddle::fastMathOf(const Value &V) {
  auto *Op = dyn_cast<FPMathOperator>(&V);
  arith::FastMathFlags Flags = arith::FastMathFlags::none;
  if (!Op)
    return Flags;
  if (Op->hasNoNaNs())
    Flags = Flags | arith::FastMathFlags::nnan;
  if (Op->hasNoInfs())
    Flags = Flags | arith::FastMathFlags::ninf;
  if (Op->hasNoSignedZeros())
    Flags = Flags | arith::FastMathFlags::nsz;
  if (Op->hasAllowReciprocal())
    Flags = Flags | arith::FastMathFlags::arcp;
  if (Op->hasAllowContract())
    Flags = Flags | arith::FastMathFlags::contract;
  if (Op->hasApproxFunc())
    Flags = Flags | arith::FastMathFlags::afn;
  if (Op->hasAllowReassoc())
    Flags = Flags | arith::FastMathFlags::reassoc;
  return Flags;
}

static arith::CmpIPredicate integerPredicate(CmpInst::Predicate Predicate) {
  switch (Predicate) {
  case CmpInst::ICMP_EQ:
    return arith::CmpIPredicate::eq;
  case CmpInst::ICMP_NE:
    return arith::CmpIPredicate::ne;
  case CmpInst::ICMP_SLT:
    return arith::CmpIPredicate::slt;
  case CmpInst::ICMP_SLE:
    return arith::CmpIPredicate::sle;
  case CmpInst::ICMP_SGT:
    return arith::CmpIPredicate::sgt;
  case CmpInst::ICMP_SGE:
    return arith::CmpIPredicate::sge;
  case CmpInst::ICMP_ULT:
    return arith::CmpIPredicate::ult;
  case CmpInst::ICMP_ULE:
    return arith::CmpIPredicate::ule;
  case CmpInst::ICMP_UGT:
    return arith::CmpIPredicate::ugt;
  case CmpInst::ICMP_UGE:
    return arith::CmpIPredicate::uge;
  default:
    llvm_unreachable("not a comparison of integers");
  }
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

static mlir::Value mapOperator(mlir::ImplicitLocOpBuilder &B, Instruction &I,
                               ArrayRef<mlir::Value> Operands) {
  mlir::Value X = Operands[0];
  mlir::Value Y = Operands.size() > 1 ? Operands[1] : mlir::Value();
  arith::FastMathFlags Flags = fastMathOf(I);
  switch (I.getOpcode()) {
  case Instruction::Select:
    return arith::SelectOp::create(B, X, Y, Operands[2]);
  case Instruction::Add:
    return arith::AddIOp::create(B, X, Y);
  case Instruction::Sub:
    return arith::SubIOp::create(B, X, Y);
  case Instruction::Mul:
    return arith::MulIOp::create(B, X, Y);
  case Instruction::And:
    return arith::AndIOp::create(B, X, Y);
  case Instruction::Or:
    return arith::OrIOp::create(B, X, Y);
  case Instruction::Xor:
    return arith::XOrIOp::create(B, X, Y);
  case Instruction::Shl:
    return arith::ShLIOp::create(B, X, Y);
  case Instruction::LShr:
    return arith::ShRUIOp::create(B, X, Y);
  case Instruction::AShr:
    return arith::ShRSIOp::create(B, X, Y);
  case Instruction::UDiv:
    return arith::DivUIOp::create(B, X, Y);
  case Instruction::SDiv:
    return arith::DivSIOp::create(B, X, Y);
  case Instruction::URem:
    return arith::RemUIOp::create(B, X, Y);
  case Instruction::SRem:
    return arith::RemSIOp::create(B, X, Y);
  case Instruction::FAdd:
    return arith::AddFOp::create(B, X, Y, Flags);
  case Instruction::FSub:
    return arith::SubFOp::create(B, X, Y, Flags);
  case Instruction::FMul:
    return arith::MulFOp::create(B, X, Y, Flags);
  case Instruction::FDiv:
    return arith::DivFOp::create(B, X, Y, Flags);
  case Instruction::FNeg:
    return arith::NegFOp::create(B, X, Flags);
  default:
    return {};
  }
}

static mlir::Value mapCast(mlir::ImplicitLocOpBuilder &B, CastInst &Cast,
                           mlir::Value X) {
  mlir::Type To = scalarType(*B.getContext(), Cast.getDestTy());
  if (!To)
    return {};
  switch (Cast.getOpcode()) {
  case Instruction::ZExt:
    return arith::ExtUIOp::create(B, To, X);
  case Instruction::SExt:
    return arith::ExtSIOp::create(B, To, X);
  case Instruction::Trunc:
    return arith::TruncIOp::create(B, To, X);
  case Instruction::FPExt:
    return arith::ExtFOp::create(B, To, X);
  case Instruction::FPTrunc:
    return arith::TruncFOp::create(B, To, X);
  case Instruction::SIToFP:
    return arith::SIToFPOp::create(B, To, X);
  case Instruction::UIToFP:
    return arith::UIToFPOp::create(B, To, X);
  case Instruction::FPToSI:
    return arith::FPToSIOp::create(B, To, X);
  case Instruction::FPToUI:
    return arith::FPToUIOp::create(B, To, X);
  case Instruction::BitCast:
    return arith::BitcastOp::create(B, To, X);
  default:
    return {};
  }
}

static mlir::Value mapCompare(mlir::ImplicitLocOpBuilder &B, CmpInst &Compare,
                              mlir::Value X, mlir::Value Y) {
  if (isa<ICmpInst>(Compare))
    return arith::CmpIOp::create(B, integerPredicate(Compare.getPredicate()), X,
                                 Y);
  return arith::CmpFOp::create(B, floatPredicate(Compare.getPredicate()), X, Y,
                               fastMathOf(Compare));
}

static mlir::Value mapIntrinsic(mlir::ImplicitLocOpBuilder &B,
                                IntrinsicInst &Call, ArrayRef<mlir::Value> X) {
  arith::FastMathFlags Flags = fastMathOf(Call);
  auto Unary = [&]<typename Op>() -> mlir::Value {
    return Op::create(B, X[0], Flags);
  };
  switch (Call.getIntrinsicID()) {
  case Intrinsic::abs:
    return math::AbsIOp::create(B, X[0]);
  case Intrinsic::smin:
    return arith::MinSIOp::create(B, X[0], X[1]);
  case Intrinsic::smax:
    return arith::MaxSIOp::create(B, X[0], X[1]);
  case Intrinsic::umin:
    return arith::MinUIOp::create(B, X[0], X[1]);
  case Intrinsic::umax:
    return arith::MaxUIOp::create(B, X[0], X[1]);
  case Intrinsic::minnum:
    return arith::MinNumFOp::create(B, X[0], X[1], Flags);
  case Intrinsic::maxnum:
    return arith::MaxNumFOp::create(B, X[0], X[1], Flags);
  case Intrinsic::minimum:
    return arith::MinimumFOp::create(B, X[0], X[1], Flags);
  case Intrinsic::maximum:
    return arith::MaximumFOp::create(B, X[0], X[1], Flags);
  case Intrinsic::ctpop:
    return math::CtPopOp::create(B, X[0]);
  case Intrinsic::fma:
    return math::FmaOp::create(B, X[0], X[1], X[2], Flags);
  case Intrinsic::fmuladd:
    Flags = Flags | arith::FastMathFlags::contract;
    return arith::AddFOp::create(B, arith::MulFOp::create(B, X[0], X[1], Flags),
                                 X[2], Flags);
  case Intrinsic::copysign:
    return math::CopySignOp::create(B, X[0], X[1], Flags);
  case Intrinsic::fabs:
    return Unary.operator()<math::AbsFOp>();
  case Intrinsic::sqrt:
    return Unary.operator()<math::SqrtOp>();
  case Intrinsic::floor:
    return Unary.operator()<math::FloorOp>();
  case Intrinsic::ceil:
    return Unary.operator()<math::CeilOp>();
  case Intrinsic::trunc:
    return Unary.operator()<math::TruncOp>();
  default:
    return {};
  }
}

mlir::Value heddle::mapOperation(mlir::ImplicitLocOpBuilder &B, Instruction &I,
                                 ArrayRef<mlir::Value> Operands) {
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return mapCast(B, *Cast, Operands[0]);
  if (auto *Compare = dyn_cast<CmpInst>(&I))
    return mapCompare(B, *Compare, Operands[0], Operands[1]);
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return mapIntrinsic(B, *Call, Operands);
  return mapOperator(B, I, Operands);
}
