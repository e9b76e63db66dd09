//===- OwnMemory.h - Memory that an iteration allocates -------*- C++ -*-===//
//
// A buffer that an iteration allocates for itself, such as that of a vector or
// a priority queue in the loop's body, is like a variable of the iteration: no
// other iteration gets to it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_IR_OWNMEMORY_H
#define HEDDLE_PASSES_IR_OWNMEMORY_H

namespace llvm {
class CallBase;
class Function;
class Loop;
} // namespace llvm

namespace heddle {

/// True if \p Call , in an iteration of \p L , returns memory that nothing but
/// this iteration can access: no pointer to it is stored, handed to a function
/// that may keep it, or left for a later iteration.
bool returnsOwnMemory(const llvm::CallBase &Call, const llvm::Loop &L);

/// True if \p Call returns memory that nothing else points to, or what is left
/// of it where it was enlarged.
bool isAllocation(const llvm::CallBase &Call);

/// True if \p F , or a function with a body that it calls, allocates memory or
/// frees it.
bool allocates(const llvm::Function &F);

} // namespace heddle

#endif
