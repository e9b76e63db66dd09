//===- NestedFrames.h - Recursive callees on a stack of their own -*- C++ -*-=//
//
// Nested coroutines (CoroAMU III-F) for recursive callees. A call of one in the
// body of a loop,
//
//     r = visit(root)
//
// becomes the code of the callee, once, with a stack that is a variable of the
// body. Its recursive calls save the values that are live across them, and
// jump:
//
//     top = 0; label = visit; n = root
//     dispatch: switch label { visit: ..; loop: ..; back.1: ..; back.2: .. }
//     visit:    ...
//       call:   if the stack is full: v = visit(m), which waits; go to behind
//               save what is needed; top += frame; n = m; label = visit
//               go to dispatch
//       back.1: restore what was saved; v = result
//       behind: ...
//       return: result = ..; if top == 0: go on in the loop
//               top -= frame; label = what was saved; go to dispatch
//
// AsyncSplit can suspend this code anywhere, like other code. Loops that
// contain recursive calls are entered through the dispatch, too, so that it is
// the header of one natural loop.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_NEST_NESTEDFRAMES_H
#define HEDDLE_PASSES_NEST_NESTEDFRAMES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class CallInst;
class Function;
} // namespace llvm

namespace heddle {

struct NestedFrames {
  /// The number of calls that there is room for, and the bytes of each frame.
  uint64_t Depth = 0, FrameBytes = 0;
  /// The calls of other functions in the inlined code.
  llvm::SmallVector<llvm::WeakVH> Calls;
};

/// Replaces \p Call, a call of the first of \p Members, by the code of all of
/// them, which call each other recursively. The stack takes at most
/// \p MostBytes if that is enough for one frame. Cache lines have \p LineBytes.
NestedFrames nestCircle(llvm::CallInst &Call,
                        llvm::ArrayRef<llvm::Function *> Members,
                        uint64_t MostBytes, unsigned LineBytes);

} // namespace heddle

#endif
