//===- Clamps.cpp - Greatest and least of a number and constants ----------===//

#include "ir/Clamps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <set>
#include <vector>

using namespace llvm;
using namespace heddle;

/// Instructions of an expression, at most, and those among them that add.
static constexpr unsigned MostNodes = 12, MostSums = 2;

namespace {

class ClampFinder {
  Instruction &V;
  Value *Number = nullptr;
  SmallSetVector<Instruction *, 8> Nodes;
  SmallVector<APInt> Points;
  unsigned Sums = 0;

public:
  explicit ClampFinder(Instruction &V) : V(V) {}

  std::optional<Clamp> find() {
    if (!V.getType()->isIntegerTy() || V.getType()->isIntegerTy(1) ||
        !findNumber() || !collect(V) || Nodes.empty())
      return std::nullopt;
    const unsigned Bits = V.getType()->getIntegerBitWidth();
    addPoints(Bits);
    for (bool Signed : {true, false})
      if (auto Found = clampBy(Bits, Signed))
        return Found;
    return std::nullopt;
  }

private:
  /// True if \p V is one of two numbers.
  static bool isOfCondition(const Value &V) {
    return isa<ZExtInst, SExtInst>(V) &&
           cast<CastInst>(V).getSrcTy()->isIntegerTy(1);
  }

  /// True if \p I adds a constant, or does anything to a condition.
  static bool isStep(const BinaryOperator &I) {
    if (I.getType()->isIntegerTy(1))
      return I.isBitwiseLogicOp();
    const Value &A = *I.getOperand(0), &B = *I.getOperand(1);
    if (isa<ConstantInt>(B))
      return I.getOpcode() == Instruction::Add ||
             I.getOpcode() == Instruction::Sub ||
             (I.isBitwiseLogicOp() && isOfCondition(A));
    return I.getOpcode() == Instruction::Sub && isa<ConstantInt>(A) &&
           isOfCondition(B);
  }

  /// Between the points where such an expression changes its course, it is a
  /// constant, or differs from the number by one.
  static bool isComputed(const Value &V) {
    if (isa<ZExtInst, SExtInst, TruncInst, SelectInst, MinMaxIntrinsic>(V))
      return true;
    if (auto *Compare = dyn_cast<ICmpInst>(&V))
      return isa<ConstantInt>(Compare->getOperand(1));
    auto *I = dyn_cast<BinaryOperator>(&V);
    return I && isStep(*I);
  }

  /// The number is what is compared with constants, and computed from no other
  /// that is; without a conversion from the type of the expression.
  bool findNumber() {
    SmallSetVector<Instruction *, 8> Seen;
    Seen.insert(&V);
    for (size_t At = 0; At < std::min<size_t>(Seen.size(), MostNodes); ++At) {
      if (isa<ICmpInst, MinMaxIntrinsic>(Seen[At]) &&
          isa<ConstantInt>(Seen[At]->getOperand(1)))
        Number = Seen[At]->getOperand(0);
      for (Value *Operand : Seen[At]->operands())
        if (isComputed(*Operand))
          Seen.insert(cast<Instruction>(Operand));
    }
    if (auto *Cast = dyn_cast_or_null<CastInst>(Number);
        Cast && Cast->getSrcTy() == V.getType())
      Number = Cast->getOperand(0);
    return Number && Number->getType() == V.getType() && !isa<Constant>(Number);
  }

  /// Collects what leads from the number to \p I, and the constants there;
  /// false if anything else does.
  bool collect(Instruction &I) {
    if (!isComputed(I) || Nodes.size() == MostNodes)
      return false;
    if (!Nodes.insert(&I))
      return true;
    if (isa<AddOperator, SubOperator>(I) && ++Sums > MostSums)
      return false;
    return all_of(I.operands(), [&](Value *Operand) {
      if (auto *Known = dyn_cast<ConstantInt>(Operand)) {
        Points.push_back(Known->getValue());
        return true;
      }
      auto *Inner = dyn_cast<Instruction>(Operand);
      return Operand == Number || isa<Function>(Operand) ||
             (Inner && collect(*Inner));
    });
  }

  /// The numbers where the expression may change its course, with those beside
  /// them: where the number, after up to `MostSums` sums, is a constant or at
  /// an end of its type.
  void addPoints(unsigned Bits) {
    SmallVector<APInt> Known;
    for (const APInt &Point : Points)
      if (Point.getBitWidth() > 1)
        append_range(Known, SmallVector<APInt>{Point.sextOrTrunc(Bits),
                                               -Point.sextOrTrunc(Bits)});
    auto IsLess = [](const APInt &A, const APInt &B) { return A.ult(B); };
    std::set<APInt, decltype(IsLess)> Reached(IsLess);
    Reached.insert({APInt::getZero(Bits), APInt::getSignedMinValue(Bits)});
    Reached.insert(Known.begin(), Known.end());
    for (unsigned Sum = 0; Sum < Sums; ++Sum)
      for (const APInt &Point :
           std::vector<APInt>(Reached.begin(), Reached.end()))
        for (const APInt &Other : Known)
          Reached.insert(Point + Other);
    Points.clear();
    for (const APInt &Point : Reached)
      for (int64_t Distance : {-2, -1, 0, 1, 2})
        Points.push_back(Point + APInt(Bits, uint64_t(Distance), true, true));
  }

  std::optional<APInt> valueAt(const APInt &Point) const {
    DenseMap<Value *, Constant *> Known{
        {Number, ConstantInt::get(V.getContext(), Point)}};
    return valueOf(V, Known);
  }

  std::optional<APInt> valueOf(Instruction &I,
                               DenseMap<Value *, Constant *> &Known) const {
    SmallVector<Constant *> Operands;
    for (Value *Operand : I.operands()) {
      if (auto *Inner = dyn_cast<Instruction>(Operand);
          Inner && !Known.contains(Inner))
        valueOf(*Inner, Known);
      auto *Fixed = dyn_cast<Constant>(Operand);
      Operands.push_back(Fixed ? Fixed : Known.lookup(Operand));
      if (!Operands.back())
        return std::nullopt;
    }
    auto *Folded = dyn_cast_or_null<ConstantInt>(
        isa<ICmpInst>(I)
            ? ConstantFoldCompareInstOperands(cast<ICmpInst>(I).getPredicate(),
                                              Operands[0], Operands[1],
                                              I.getDataLayout())
            : ConstantFoldInstOperands(&I, Operands, I.getDataLayout()));
    if (!Folded)
      return std::nullopt;
    Known[&I] = Folded;
    return Folded->getValue();
  }

  std::optional<Clamp> clampBy(unsigned Bits, bool Signed) const {
    const APInt First =
        Signed ? APInt::getSignedMinValue(Bits) : APInt::getMinValue(Bits);
    const APInt Last =
        Signed ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits);
    const auto Least = valueAt(First), Most = valueAt(Last);
    auto IsLess = [&](const APInt &A, const APInt &B) {
      return Signed ? A.slt(B) : A.ult(B);
    };
    if (!Least || !Most || !IsLess(*Least, *Most) ||
        (*Least == First && *Most == Last))
      return std::nullopt;
    for (const APInt &Point : Points)
      if (valueAt(Point) != (IsLess(Point, *Least)  ? *Least
                             : IsLess(*Most, Point) ? *Most
                                                    : Point))
        return std::nullopt;
    return Clamp{
        Number,        *Least,
        *Most,         *Least != First,
        *Most != Last, SmallVector<Instruction *>(Nodes.begin(), Nodes.end())};
  }
};

} // namespace

std::optional<Clamp> heddle::clampOf(Instruction &V) {
  return ClampFinder(V).find();
}
