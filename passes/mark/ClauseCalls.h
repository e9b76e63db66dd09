//===- ClauseCalls.h - Marks made of a call for each clause -----*- C++ -*-===//
//
// The second trace of a directive in a Fortran program (see MarkProtocol.h and
// include/heddle/heddle.f90): the body of the loop
//
//   call void @__heddle_mark_async()
//   call void @__heddle_mark_tasks(i32 64)
//   call void @__heddle_mark_remote(ptr %element)
//
// becomes
//
//   call void (i32, ...) @__heddle_mark(i32 InnermostLoop,
//                                       i32 Tasks, i32 64,
//                                       i32 RemoteData, ptr %element)
//
// No compiler has looked at these calls before: errors of the Clang plugin are
// warnings here, and the call is ignored.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_CLAUSECALLS_H
#define HEDDLE_PASSES_MARK_CLAUSECALLS_H

namespace llvm {
class AAResults;
class DominatorTree;
class Function;
class LoopInfo;
class Module;
} // namespace llvm

namespace heddle {

/// True if functions of \p M may call for clauses.
bool hasClauseCalls(const llvm::Module &M);

/// Merges the clause calls of each loop in \p F into one mark, and adds the
/// guarantees of the language to these loops, unless \p AA is null.
void mergeClauseCalls(llvm::Function &F, const llvm::DominatorTree &DT,
                      const llvm::LoopInfo &LI, llvm::AAResults *AA);

/// Removes the declarations, once all functions of \p M are free of the calls.
/// Functions whose address is taken get a body, so that the program links.
void eraseClauseFunctions(llvm::Module &M);

} // namespace heddle

#endif
