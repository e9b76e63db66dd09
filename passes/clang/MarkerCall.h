//===- MarkerCall.h - The call that carries the clauses ---------*- C++ -*-===//

#ifndef HEDDLE_PASSES_CLANG_MARKERCALL_H
#define HEDDLE_PASSES_CLANG_MARKERCALL_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>

namespace clang {
class Expr;
class Sema;
class SourceLocation;
class Stmt;
} // namespace clang

namespace heddle {

/// Builds the statement `__heddle_mark(Arguments...)`, or returns null after an
/// error has been reported. The call does not keep a function from being
/// constexpr.
clang::Stmt *buildMarkerCall(clang::Sema &S, clang::SourceLocation At,
                             llvm::ArrayRef<clang::Expr *> Arguments);

/// The directive number if \p Statement is a marker call.
std::optional<uint64_t> markedDirective(const clang::Stmt *Statement);

} // namespace heddle

#endif
