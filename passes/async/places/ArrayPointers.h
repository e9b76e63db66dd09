//===- ArrayPointers.h - Where arrays of other objects begin ----*- C++ -*-===//
//
// An object that the function is handed, such as a vector or a hash table, says
// where its arrays begin and how long they are. A function of another file,
// such as one that computes a hash, could change that if it knew the object. It
// is taken not to, unless the object is a global variable, something is handed
// to it that may lead there, or it is called for its effect alone and is handed
// numbers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLACES_ARRAYPOINTERS_H
#define HEDDLE_PASSES_ASYNC_PLACES_ARRAYPOINTERS_H

namespace llvm {
class CallBase;
class LoadInst;
class Loop;
} // namespace llvm

namespace heddle {

/// True if \p Load, in \p L, reads where an array begins or ends or how long it
/// is, and \p Call, of a function that is not seen, does not change that.
bool leavesArray(const llvm::CallBase &Call, const llvm::LoadInst &Load,
                 const llvm::Loop &L);

} // namespace heddle

#endif
