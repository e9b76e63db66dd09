//===- FarCallees.h - Functions that access far memory ----------*- C++ -*-===//
//
// Finds which functions of a module access far memory, themselves or in
// callees, and which are recursive. FarLower must not have run yet.
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

  /// True if \p F, or a function that is known to be called from it, accesses
  /// far memory.
  bool accessesFar(const llvm::Function &F) const;
  /// True if \p F, which may be a declaration, is recursive.
  bool isCircle(const llvm::Function &F) const;
  /// The functions that call each other recursively with \p F, with \p F first;
  /// empty if \p F is not recursive.
  llvm::SmallVector<llvm::Function *, 2> circle(llvm::Function &F) const;

private:
  struct Component {
    llvm::SmallVector<llvm::Function *, 2> Members;
    bool AccessesFar = false, IsCircle = false;
  };
  std::vector<Component> Components;
  llvm::DenseMap<const llvm::Function *, unsigned> ComponentOf;
};

/// The size of a callee, in the units of the limits for nesting.
struct CalleeSize {
  uint64_t Instructions = 0, FarAccesses = 0;
  /// The places where it waits for ordinary memory.
  uint64_t Places = 0;
  /// Its variables on the stack.
  uint64_t Bytes = 0;

  explicit CalleeSize(const llvm::Function &F);
};

/// Returns the reason why the call \p Call of \p Callee in the function \p Host
/// cannot become a part of the task; or none. \p IsCircle says that the callee
/// is recursive, and \p MayEnd that exceptions may end the program.
MaybeRefusal whyNotNested(const llvm::CallBase &Call,
                          const llvm::Function &Callee,
                          const llvm::Function &Host,
                          const llvm::TargetTransformInfo &TTI, bool IsCircle,
                          bool MayEnd);

} // namespace heddle

#endif
