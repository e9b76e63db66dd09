//===- Directive.h - The clauses of one loop's directive --------*- C++ -*-===//
//
// The clauses of one `#pragma heddle async`, read from the marker that
// AsyncMark left in the loop.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_DIRECTIVE_H
#define HEDDLE_PASSES_MARK_DIRECTIVE_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallInst;
class Function;
class FunctionCallee;
class Module;
class Value;
} // namespace llvm

namespace heddle {

enum ClauseKind : unsigned;

enum class Schedule {
  Unspecified,
#define HEDDLE_SCHEDULE(Kind, Number, Name) Kind,
#include "mark/Schedules.def"
};

struct Directive {
  /// The marker call in the loop's body.
  llvm::CallInst *Marker = nullptr;
  Schedule Scheduler = Schedule::Unspecified;
  /// The if clause's condition (an integer), or null.
  llvm::Value *Condition = nullptr;
  /// The counts, 0 if the clause is absent, and the addresses of the variables
  /// named in clauses, all by the names of their kinds.
#define HEDDLE_COUNT_CLAUSE(Kind, Number, Name, Directives, Maximum)           \
  unsigned Kind = 0;
#define HEDDLE_VARIABLES_CLAUSE(Kind, Number, Name, Directives, Operands)      \
  llvm::SmallVector<llvm::Value *, 2> Kind;
#include "mark/Clauses.def"
};

/// The number of the directive that \p Mark is about, the front end's call or a
/// marker.
unsigned numberOf(const llvm::CallInst &Mark);
/// The operand of the first clause of that kind in \p Mark; null if none is.
llvm::Value *clauseOf(const llvm::CallInst &Mark, ClauseKind Kind);

Directive readDirective(llvm::CallInst &Marker);

/// True if there are nested coroutines in the loop of \p D.
bool hasFrames(const Directive &D);

/// All markers of \p F.
llvm::SmallVector<llvm::CallInst *, 4> findMarkers(llvm::Function &F);

/// The function whose result is true in tasks; see nest/PlainCalls.h. Like the
/// marker of a loop, its calls must be neither moved nor copied.
llvm::FunctionCallee nestedMarker(llvm::Module &M);

} // namespace heddle

#endif
