//===- ArrayOverlaps.h - Arrays that must not be one ------------*- C++ -*-===//
//
// Pointers that do not change in a loop are taken to point to different arrays.
// If an iteration decides by an element of the one on a store to the element of
// the other with the same index, and the two are one array, that is an update
// of one element. Whether they are is found out before the loop.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REGIONS_ARRAYOVERLAPS_H
#define HEDDLE_PASSES_ASYNC_REGIONS_ARRAYOVERLAPS_H

#include "async/regions/ReadDependences.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class SCEV;
} // namespace llvm

namespace heddle {

struct LoopContext;

/// An access to an object, by an instruction that may make several.
struct ObjectUse {
  llvm::Instruction *I;
  llvm::Value *Address;
  bool Reads, Writes;
};

class ArrayOverlaps {
public:
  ArrayOverlaps(const LoopContext &C, const LatencyAnalysis &Latency,
                const TaskLocals &Locals, const FrameValues &Frames,
                const ReadDependences &Dependences)
      : C(C), Latency(Latency), Locals(Locals), Frames(Frames),
        Dependences(Dependences) {}

  /// Adds to \p NonZero what is zero where such arrays are one. If there are
  /// too many, the loads and the stores of the others are handed to \p Add.
  /// \p Whole are the uses of whole objects, by calls and copies.
  void find(llvm::ArrayRef<ObjectUse> Whole,
            llvm::SmallSetVector<const llvm::SCEV *, 2> &NonZero,
            llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)>
                Add) const;

private:
  const LoopContext &C;
  const LatencyAnalysis &Latency;
  const TaskLocals &Locals;
  const FrameValues &Frames;
  const ReadDependences &Dependences;

  bool areTakenForTwo(const Access &Read, const Access &Write) const;
  bool choosesPlace(const ObjectUse &Use) const;
  bool areInTwo(const ObjectUse &Read, const ObjectUse &Write) const;
  bool mayBeFoundAgain(llvm::Value *Read, llvm::Value *Write) const;
  const llvm::SCEV *beginningsApart(llvm::Value *Read,
                                    llvm::Value *Write) const;
  const llvm::SCEV *apartFrom(const Access &Read, const Access &Write) const;
};

} // namespace heddle

#endif
