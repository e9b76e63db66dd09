//===- FormPlan.h - Where a function is suspended ---------------*- C++ -*-===//
//
// Finds where a function of which a nested form is to be made (FormProtocol.h)
// waits for memory. It changes nothing: most functions are not worth a form.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ELSEWHERE_FORMPLAN_H
#define HEDDLE_PASSES_ELSEWHERE_FORMPLAN_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class DominatorTree;
class Function;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class Value;
} // namespace llvm

namespace heddle {

/// A line that is requested in front of a suspension.
struct FormRequest {
  llvm::Value *Address;
  int64_t Offset;
  /// If the address is that of a loop's first iteration: the instructions that
  /// compute it there, operands first, and the loop.
  llvm::SmallVector<llvm::Instruction *, 4> Slice = {};
  const llvm::Loop *InFrontOf = nullptr;
};

struct FormCut {
  llvm::Instruction *Before;
  llvm::SmallVector<FormRequest, 2> Requests;
  /// The object that the first request is for.
  llvm::Value *Object;
  /// The arguments that it is found by.
  uint64_t Arguments;
  /// A walk that begins with an object found by these, and comes to others;
  /// null for other objects.
  llvm::PHINode *Walk = nullptr;
  llvm::Value *Begin = nullptr;
  /// The first line is read for certain.
  bool IsRead = true;
  /// The function ends here, with what Object points to, if that is not null.
  bool IsResult = false;
};

/// The suspensions of \p F, which mayBeCut(), in the order of its code. Empty
/// if it does not wait in a way that a caller could hide.
llvm::SmallVector<FormCut, 4> planForm(llvm::Function &F,
                                       const llvm::DominatorTree &DT,
                                       const llvm::LoopInfo &LI);

/// True if \p F only reads, seen in each of its instructions, and may be
/// suspended between any two of them.
bool mayBeCut(const llvm::Function &F);

} // namespace heddle

#endif
