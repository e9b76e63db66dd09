//===- TurnPoint.h - Where tasks wait for their turn ------------*- C++ -*-===//
//
// A task may use variables that are updated in iteration order only when all
// earlier tasks have retired. So there is one point in the body, passed once an
// iteration and in front of all such uses, where tasks wait for their turn.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ORDER_TURNPOINT_H
#define HEDDLE_PASSES_ASYNC_ORDER_TURNPOINT_H

#include "async/analysis/LoopFacts.h"
#include <string>

namespace heddle {

/// A use of what must happen in iteration order.
struct OrderedUse {
  /// Also a phi, of another block than the loop's header or behind an early
  /// exit, that an Ordered variable is handed to; for an early exit, the first
  /// instruction behind it.
  llvm::Instruction *By;
  /// Where it happens: for a phi, at the end of the block before.
  llvm::Instruction *At;
};

/// How the ways out of a loop are called as the reason for an order.
constexpr llvm::StringLiteral WayOut = "the way out that an iteration may take";

/// Finds the uses of Ordered variables, and of those in sequential clauses, and
/// the accesses that must happen in iteration order; in a loop that may be left
/// early, the ways out, and all that may happen in iterations only that the
/// serial loop comes to. If \p Name is not null, it
/// is set to what is used, as far as that is known.
llvm::SmallVector<OrderedUse> findOrderedUses(const LoopContext &C,
                                              const LoopFacts &Facts,
                                              std::string *Name = nullptr);

/// Returns the point, in every iteration, in front of the first use of an
/// Ordered variable (or of one in a sequential clause); null if there is none.
/// Sets \p Name to the variable that is used there.
llvm::Instruction *findTurnPoint(const LoopContext &C, const LoopFacts &Facts,
                                 std::string &Name);

} // namespace heddle

#endif
