//===- CalleeUses.h - Memory that callees read and write --------*- C++ -*-===//
//
// A getter and a setter of a global variable are the halves of a
// read-modify-write, though the loop that calls them contains no address. This
// analysis finds the memory that callees access besides the objects that their
// arguments point to: global variables, and objects behind pointers in globals
// and in those objects.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_CALLEEUSES_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_CALLEEUSES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace heddle {

class FrameValues;

/// The object Root, or an object that is reached through pointers in it.
struct UsedObject {
  const llvm::Value *Root;
  /// The offset of each pointer in the chain, starting at the root; nullopt
  /// where the offset is not constant.
  llvm::SmallVector<std::optional<int64_t>, 2> Pointers;

  /// True if both may be the same object if they have the same root.
  bool hasPointersOf(const UsedObject &Other) const;
};

/// The object that \p Address points into.
UsedObject usedObject(const llvm::Value *Address);

struct CalleeUse {
  UsedObject Object;
  bool Reads, Writes;
};

class CalleeUses {
public:
  /// The global variables and the objects behind pointers that \p Call
  /// accesses. Functions without a body are taken to access none.
  llvm::SmallVector<CalleeUse> of(const llvm::CallBase &Call,
                                  const FrameValues &Frames);

private:
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<CalleeUse>> Known;

  /// The global variables and objects behind pointers that \p F accesses,
  /// including the objects that its arguments point to.
  llvm::SmallVector<CalleeUse> of(const llvm::Function &F);
  /// Adds the uses of \p Call's callee to \p Uses, the uses of the caller.
  void addUsesOfCallee(llvm::SmallVector<CalleeUse> &Uses,
                       const llvm::CallBase &Call);
};

} // namespace heddle

#endif
