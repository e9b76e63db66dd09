//===- CalleeUses.h - What callees read and write unseen --------*- C++ -*-===//
//
// A getter and a setter of a global variable are the halves of a
// read-modify-write, though the loop that calls them does not show an address.
// This looks into callees for what they use besides the objects that they are
// handed: global variables, and what pointers in those and in the objects lead
// to.
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

/// An object, or one that pointers in it lead to.
struct UsedObject {
  const llvm::Value *Root;
  /// Where in the root, and in what that leads to, the next pointer is, as far
  /// as that is known.
  llvm::SmallVector<std::optional<int64_t>, 2> Pointers;

  /// True if the pointers may lead to the same from the same root.
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
  /// What \p Call uses of global variables and behind pointers. What a function
  /// does that is only declared is not known, and left out.
  llvm::SmallVector<CalleeUse> of(const llvm::CallBase &Call,
                                  const FrameValues &Frames);

private:
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<CalleeUse>> Known;

  /// Likewise, and what is done to the objects that \p F is handed.
  llvm::SmallVector<CalleeUse> of(const llvm::Function &F);
};

} // namespace heddle

#endif
