//===- LoopBody.h - Statements at the head of a loop's body -----*- C++ -*-===//

#ifndef HEDDLE_PASSES_CLANG_LOOPBODY_H
#define HEDDLE_PASSES_CLANG_LOOPBODY_H

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class Stmt;
} // namespace clang

namespace heddle {

bool isLoop(const clang::Stmt *Statement);

/// Returns the loop whose body contains the marks of \p Loop: the innermost of
/// the `for` loops that form a perfect nest with it, because OpenMP's
/// collapse(n) allows no statement between them.
clang::Stmt *loopForMarks(clang::Stmt *Loop);

clang::Stmt *bodyOf(clang::Stmt *Loop);

/// Puts \p Statements in front of the body of \p Loop.
void insertIntoBody(clang::ASTContext &Context, clang::Stmt *Loop,
                    llvm::ArrayRef<clang::Stmt *> Statements);

} // namespace heddle

#endif
