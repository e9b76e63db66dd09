//===- Combining.h - Operations whose order does not matter -----*- C++ -*-===//
//
// By which operation an instruction combines a value with others. Subtraction
// is an addition to its left operand, and so is `a * b + c` to the last one.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_IR_COMBINING_H
#define HEDDLE_PASSES_IR_COMBINING_H

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>
#include <utility>

namespace heddle {

/// Returns the value of the key \p Wanted in \p Table, if there is one.
template <typename Key, typename Value, size_t Count>
std::optional<Value> lookUp(const std::pair<Key, Value> (&Table)[Count],
                            Key Wanted) {
  for (const auto &[Known, Found] : Table)
    if (Known == Wanted)
      return Found;
  return std::nullopt;
}

/// Returns the kind of operation that \p I is; None for others.
inline llvm::RecurKind recurrenceKind(const llvm::Instruction &I) {
  using llvm::Instruction, llvm::RecurKind;
  static constexpr std::pair<unsigned, RecurKind> Operators[] = {
      {Instruction::Add, RecurKind::Add},
      {Instruction::Sub, RecurKind::Add},
      {Instruction::FAdd, RecurKind::FAdd},
      {Instruction::FSub, RecurKind::FAdd},
      {Instruction::Mul, RecurKind::Mul},
      {Instruction::FMul, RecurKind::FMul},
      {Instruction::And, RecurKind::And},
      {Instruction::Or, RecurKind::Or},
      {Instruction::Xor, RecurKind::Xor}};
  namespace Intrinsic = llvm::Intrinsic;
  static constexpr std::pair<Intrinsic::ID, RecurKind> Intrinsics[] = {
      {Intrinsic::fma, RecurKind::FAdd},
      {Intrinsic::fmuladd, RecurKind::FAdd},
      {Intrinsic::smin, RecurKind::SMin},
      {Intrinsic::smax, RecurKind::SMax},
      {Intrinsic::umin, RecurKind::UMin},
      {Intrinsic::umax, RecurKind::UMax},
      {Intrinsic::minnum, RecurKind::FMinNum},
      {Intrinsic::maxnum, RecurKind::FMaxNum},
      {Intrinsic::minimum, RecurKind::FMinimum},
      {Intrinsic::maximum, RecurKind::FMaximum},
      {Intrinsic::minimumnum, RecurKind::FMinimumNum},
      {Intrinsic::maximumnum, RecurKind::FMaximumNum}};
  auto *Call = llvm::dyn_cast<llvm::IntrinsicInst>(&I);
  return (Call ? lookUp(Intrinsics, Call->getIntrinsicID())
               : lookUp(Operators, I.getOpcode()))
      .value_or(RecurKind::None);
}

/// Returns the number of the operand that \p I adds others to, if only one can
/// be that operand.
inline std::optional<unsigned> fixedOperand(const llvm::Instruction &I) {
  auto *Call = llvm::dyn_cast<llvm::IntrinsicInst>(&I);
  if (Call && (Call->getIntrinsicID() == llvm::Intrinsic::fma ||
               Call->getIntrinsicID() == llvm::Intrinsic::fmuladd))
    return 2;
  const bool Subtracts = I.getOpcode() == llvm::Instruction::Sub ||
                         I.getOpcode() == llvm::Instruction::FSub;
  return Subtracts ? std::optional(0u) : std::nullopt;
}

} // namespace heddle

#endif
