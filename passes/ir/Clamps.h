//===- Clamps.h - Greatest and least of a number and constants --*- C++ -*-===//
//
// `x > 126 ? x : 126` on eight bits is `x == 127 ? 127 : 126` for an optimizer,
// and `x < 1 ? x : 1` without a sign is `x != 0`. What such an expression is
// shows where it is computed for the numbers around its constants and at the
// ends of its type.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_IR_CLAMPS_H
#define HEDDLE_PASSES_IR_CLAMPS_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace heddle {

/// An expression that is Number where that is between two limits, and else the
/// nearer one.
struct Clamp {
  llvm::Value *Number;
  llvm::APInt Least, Most;
  /// False if the limit is the end of the type.
  bool HasLeast, HasMost;
  /// What is computed in between, with the expression itself.
  llvm::SmallVector<llvm::Instruction *> Nodes;
};

/// What \p V is, if that is a clamp of an integer, which it compares with
/// constants.
std::optional<Clamp> clampOf(llvm::Instruction &V);

} // namespace heddle

#endif
