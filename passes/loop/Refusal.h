//===- Refusal.h - Why a loop is left alone ---------------------*- C++ -*-===//

#ifndef HEDDLE_PASSES_LOOP_REFUSAL_H
#define HEDDLE_PASSES_LOOP_REFUSAL_H

#include "llvm/ADT/Twine.h"
#include "llvm/IR/Instruction.h"
#include <optional>
#include <string>

namespace heddle {

/// The reason, in the user's words, and the instruction that it is about.
struct Refusal {
  std::string Reason;
  const llvm::Instruction *At = nullptr;
};

using MaybeRefusal = std::optional<Refusal>;

inline Refusal refuse(const llvm::Twine &Reason,
                      const llvm::Instruction *At = nullptr) {
  return {Reason.str(), At};
}

} // namespace heddle

#endif
