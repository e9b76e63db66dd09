//===- FortranLoops.h - Guarantees of Fortran that Flang drops --*- C++ -*-===//
//
// Flang's code does not express some guarantees of the language. This adds them
// to the loops that ask for interleaving:
//
//  * No procedure throws.
//  * The variables that are local to a construct, such as those of
//    `do concurrent ... local(x)`, are variables of the iteration, though their
//    memory is taken anew in each: it may be taken once.
//  * A dummy argument's descriptor is there to be read, unless the argument is
//    optional and absent, which is a null pointer. Where it is only read under
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

/// Adds to the marked loop \p L what is known of it.
void addFortranPromises(const llvm::Loop &L, llvm::AAResults &AA);

/// OpenMP's private arrays belong to the thread: one iteration after the other
/// may write to them and read it again, but iterations in flight must not. This
/// is where \p L does so, or null. Such arrays are on the heap; scalars and
/// objects are variables of the stack, of which each task gets its own.
const llvm::Instruction *writesArrayOfThread(const llvm::Loop &L);

} // namespace heddle

#endif
