//===- FarCallees.h - Which functions access far memory ---------*- C++ -*-===//
//
// Looks at the functions of a module as they are before FarLower: whether they
// access far memory, themselves or by what they call, and which of them call
// each other in a circle.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_NEST_FARCALLEES_H
#define HEDDLE_PASSES_NEST_FARCALLEES_H

#include "loop/Refusal.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace llvm {
class CallBase;
class Function;
class Module;
class TargetTransformInfo;
} // namespace llvm

namespace heddle {

class FarCallees {
public:
  explicit FarCallees(llvm::Module &M);

  /// True if a call of \p F may access far memory, as far as can be seen.
  bool accessesFar(const llvm::Function &F) const;
  /// The functions that may be active several times in one call of \p F, with
  /// \p F first; empty if it cannot come to be called by itself.
  llvm::SmallVector<llvm::Function *, 2> circle(llvm::Function &F) const;

private:
  struct Component {
    llvm::SmallVector<llvm::Function *, 2> Members;
    bool AccessesFar = false, IsCircle = false;
  };
  std::vector<Component> Components;
  llvm::DenseMap<const llvm::Function *, unsigned> ComponentOf;
};

/// The size of a callee, as far as there are bounds for it.
struct CalleeSize {
  uint64_t Instructions = 0, FarAccesses = 0;
  /// Its variables on the stack.
  uint64_t Bytes = 0;

  explicit CalleeSize(const llvm::Function &F);
};

/// Why tasks cannot be suspended in \p Call, which is one of \p Callee, as far
/// as the two and the function \p Host around the loop say. \p IsCircle tells
/// that the callee may come to call itself.
MaybeRefusal whyNotNested(const llvm::CallBase &Call,
                          const llvm::Function &Callee,
                          const llvm::Function &Host,
                          const llvm::TargetTransformInfo &TTI, bool IsCircle);

} // namespace heddle

#endif
