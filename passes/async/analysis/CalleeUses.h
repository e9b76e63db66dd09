//===- CalleeUses.h - Memory that callees read and write --------*- C++ -*-===//
//
// A getter and a setter of a global variable are the halves of a
// read-modify-write, and a function may use what another has noted in a
// variable, though the loop that calls them contains no address. This analysis
// finds the memory that callees access: global variables, the objects that
// their arguments point to, and objects behind pointers in those.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_CALLEEUSES_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_CALLEEUSES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class CallBase;
class Function;
class Loop;
class Value;
} // namespace llvm

namespace heddle {

class FrameValues;

/// The object Root, or an object that is reached through pointers in it.
struct UsedObject {
  /// Null: any object.
  const llvm::Value *Root;
  /// The offset of each pointer in the chain, starting at the root; nullopt
  /// where the offset is not constant.
  llvm::SmallVector<std::optional<int64_t>, 2> Pointers;

  /// True if both may be the same object if they have the same root.
  bool hasPointersOf(const UsedObject &Other) const;
  /// True if both are reached in the same way. False if one of them can be any
  /// object.
  bool isSame(const UsedObject &Other, const FrameValues &Frames) const;

  bool operator==(const UsedObject &) const = default;
};

/// The object that \p Address points into.
UsedObject usedObject(const llvm::Value *Address);

struct CalleeUse {
  UsedObject Object;
  bool Reads, Writes;
  /// Each call accesses the same places of the object.
  bool IsFixed = false;
  /// It only updates them, by a commutative operation.
  bool IsUpdate = false;
  /// It stores values that may differ from call to call.
  bool StoresVary = false;
  /// It may take a lock that lies there, or release one.
  bool Acquires = false, Releases = false;

  bool operator==(const CalleeUse &) const = default;
};

class CalleeUses {
public:
  /// What \p Call, in the loop \p L, accesses. Functions without a body may
  /// access any object, unless an attribute says otherwise. Locks, allocations
  /// and OpenMP's own functions are not looked into.
  llvm::SmallVector<CalleeUse> of(const llvm::CallBase &Call,
                                  const llvm::Loop &L,
                                  const FrameValues &Frames);

private:
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<CalleeUse>> Known;
  /// Calls of functions that are being executed already.
  llvm::SmallPtrSet<const llvm::CallBase *, 4> Recursive;

  /// What \p F accesses, besides its own variables.
  const llvm::SmallVector<CalleeUse> &of(const llvm::Function &F);
  /// Adds \p F and the functions that it calls, if they are not known yet, to
  /// \p Found, callees first.
  void addCallees(const llvm::Function &F,
                  llvm::SetVector<const llvm::Function *> &Found,
                  llvm::SmallPtrSetImpl<const llvm::Function *> &Entered);
  /// The same, as far as it is known of the functions that \p F calls.
  llvm::SmallVector<CalleeUse> usesSoFar(const llvm::Function &F) const;
  /// Adds what \p Call accesses to \p Uses, the uses of its function or of the
  /// loop \p L.
  void addUsesOfCall(llvm::SmallVector<CalleeUse> &Uses,
                     const llvm::CallBase &Call, const llvm::Loop *L,
                     const FrameValues *Frames) const;
};

} // namespace heddle

#endif
