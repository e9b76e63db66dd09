//===- FortranLoops.h - Guarantees of Fortran that Flang drops --*- C++ -*-===//
//
// Flang's code does not express some guarantees of the language. This file adds
// them to the loops that ask for interleaving:
//
//  * No procedure throws.
//  * The variables that are local to a construct, such as those of
//    `do concurrent ... local(x)`, are variables of the iteration, although
//    Flang allocates their memory in each iteration: it may be allocated once.
//  * A dummy argument's descriptor can always be read, unless the argument is
//    optional and absent, which is a null pointer. If it is only read under
//    conditions, as in an inner `do while` loop, it could not be read in front
//    of the loop without that knowledge:
//
//      loop:                             before:
//        if ..                             %present = %descriptor != null
//          load (gep %descriptor, n)       memcpy %copy, select %present,
//                                                        %descriptor, @zeros
//                                        loop:
//                                          if ..
//                                            load (gep %copy, n)
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_FORTRANLOOPS_H
#define HEDDLE_PASSES_MARK_FORTRANLOOPS_H

namespace llvm {
class AAResults;
class Instruction;
class Loop;
} // namespace llvm

namespace heddle {

/// Adds the guarantees of the language to the marked loop \p L.
void addFortranPromises(const llvm::Loop &L, llvm::AAResults &AA);

/// Returns an instruction of \p L that writes to a private array of OpenMP, or
/// null. Such an array belongs to the thread: iterations that run one after the
/// other may write and read it, but iterations in flight must not. Private
/// arrays are on the heap; scalars and objects are variables on the stack,
/// which each task has for itself.
const llvm::Instruction *writesArrayOfThread(const llvm::Loop &L);

} // namespace heddle

#endif
