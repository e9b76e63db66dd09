//===- AccessRelations.h - Relations between accesses of a loop -*- C++ -*-===//
//
// Decides whether two accesses of one iteration have the same address, whether
// the value of one flows into the other, and whether iterations share the
// address. All functions look through the frames of nested coroutines.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_ACCESSRELATIONS_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_ACCESSRELATIONS_H

#include "async/analysis/FrameValues.h"
#include "async/analysis/LatencyAnalysis.h"
#include "async/analysis/TaskLocals.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class AAResults;
class LoadInst;
class StoreInst;
} // namespace llvm

namespace heddle {

/// The instructions of a loop that a value is computed from in one iteration.
using Sources = llvm::SmallPtrSet<const llvm::Value *, 32>;
Sources sourcesOf(llvm::SmallVector<const llvm::Value *> Values,
                  const llvm::Loop &L, const FrameValues &Frames);
/// The same for what \p I stores, or for its operands.
Sources sourcesOf(const llvm::Instruction *I, const llvm::Loop &L,
                  const FrameValues &Frames);

/// True if the value of \p Load flows, through computation in \p L, into the
/// value that \p Store writes.
bool flowsInto(const llvm::Instruction *Load, const llvm::Instruction *Store,
               const llvm::Loop &L, const FrameValues &Frames);

/// True if \p A and \p B are equal expressions whose loads are from equal
/// addresses, as far as the search goes; or if one of the incoming values of a
/// merged \p A or \p B is such an expression.
bool sameExpression(const llvm::Value *A, const llvm::Value *B,
                    const FrameValues &Frames);

/// True if \p A and \p B may be one address in one iteration.
bool sameAddress(llvm::Value *A, llvm::Value *B, llvm::ScalarEvolution &SE,
                 const FrameValues &Frames);

/// True if \p A and \p B access different fields of one object, or of elements
/// of one array, whose address may have been saved between the two.
bool areDifferentFields(const Access &A, const Access &B, const llvm::Loop &L,
                        const FrameValues &Frames);

/// True if \p Address points into variables of \p Locals , or memory that the
/// iteration allocates for itself, only.
bool isLocal(llvm::Value *Address, const TaskLocals &Locals,
             const FrameValues &Frames);

/// True if each iteration of \p L has a location of its own at \p Address.
bool distinctPerIteration(llvm::Value *Address, uint64_t Bytes,
                          const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// True if \p I is a call beside code that has the same effect, which is looked
/// at instead, or the mark of a directive, which has none.
bool hasCodeBeside(const llvm::Instruction &I);
/// True if operator new and delete may keep accounts in what \p I , a load or a
/// store, accesses. They may do so in numbers, and in pointers that have a name
/// and are not only followed, but not in the members of containers.
bool mayBeAccount(const llvm::Instruction &I);
/// True if that is the code of a nested coroutine.
bool isOfRecursion(const llvm::Instruction &I);
/// True if \p L is what a recursive callee has become, whose next calls are
/// known only when it comes to them.
bool isRecursion(const llvm::Loop &L);

/// True if something in \p L other than the stores to \p A 's address itself
/// may write to the object that it points into, of which each iteration has
/// elements of its own.
bool writtenElsewhere(const Access &A, const llvm::Loop &L, llvm::AAResults &AA,
                      const TaskLocals &Locals, const FrameValues &Frames);

/// The instructions in \p L that access the variable at \p Address: those that
/// name it, and calls that may know it.
llvm::SmallVector<llvm::Instruction *> accessesOf(const llvm::Value *Address,
                                                  const llvm::Loop &L,
                                                  llvm::AAResults &AA);

/// True if \p A or \p B points into one of several arrays that the function
/// allocates for one purpose, as that of a vector which grows, and the other
/// one into none of them, in \p L.
bool areArraysApart(const llvm::Value *A, const llvm::Value *B,
                    const llvm::Loop &L);

/// True if \p A and \p B may access the same field of the same element, in any
/// two iterations of \p L. Pointers that do not change in the loop are taken to
/// point to different arrays, unless they are read from the same place.
bool mayBeSameField(const Access &A, const Access &B, const llvm::Loop &L,
                    const FrameValues &Frames, llvm::AAResults &AA);

/// The plain store that updates what \p Load reads by a commutative operation,
/// if nothing else uses the value; or null.
const llvm::StoreInst *commutativeUpdateOf(const llvm::LoadInst &Load);

/// True if \p Store is the second half of such an update.
bool isCommutativeUpdate(const llvm::StoreInst &Store);

/// True if no access behind \p I, an atomic access, may be moved in front of
/// it.
bool acquires(const llvm::Instruction &I);

/// True if \p I is an atomic access that releases.
bool releases(const llvm::Instruction &I);

} // namespace heddle

#endif
