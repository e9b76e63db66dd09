//===- MarkProtocol.h - The marks that front ends leave ---------*- C++ -*-===//
//
// The front end and the passes communicate through the IR: the front end leaves
// two traces of each `#pragma heddle ...`, both carrying the same directive
// number.
//
//  1. The annotated loop's `!llvm.loop` holds
//         !{!"llvm.loop.pipeline.initiationinterval", i32 <number>}
//     a hint that Clang's own code generation carries to every kind of loop.
//     Numbers start at FirstDirective, so a user's own hint is never mistaken
//     for one.
//  2. The loop's body contains one call
//         call void (i32, ...) @__heddle_mark(i32 <number>, <clauses>)
//     where <clauses> is a sequence of pairs `i32 <ClauseKind>, <value>`.
//     A variable-naming clause contributes one pair a variable, whose value is
//     the variable's *address*.
//
// Front ends that cannot put hints on loops leave the second trace only, with
// the number InnermostLoop: it holds for the innermost loop around it.
//
// Fortran can only call what has a fixed number of arguments: there the body of
// the loop calls `__heddle_mark_async` without any, and after it a function for
// each clause, `__heddle_mark_tasks(i32)` and so on, with the clause's value.
// ClauseCalls.h makes the second trace of them.
//
// AsyncMark reads both and removes both.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_MARKPROTOCOL_H
#define HEDDLE_PASSES_MARK_MARKPROTOCOL_H

namespace heddle {

constexpr unsigned FirstDirective = 0x48454400;
constexpr unsigned InnermostLoop = 0;
/// The first number that AsyncMark gives to these directives.
constexpr unsigned FirstInnermost = 0x48800000;
constexpr char MarkFunctionName[] = "__heddle_mark";
constexpr char MarkFunctionPrefix[] = "__heddle_mark_";

/// The most iterations in flight that can be asked for.
constexpr unsigned MaximumTasks = 1024;

/// The clauses of a mark; Clauses.def lists their values.
enum ClauseKind : unsigned {
#define HEDDLE_CLAUSE(Kind, Number, Name, Argument, Directives) Kind = Number,
#define HEDDLE_ARRAYS_CLAUSE(Kind, Number, Name, Directives, Operands,         \
                             DataNumber)                                       \
  Kind = Number, Kind##Data = DataNumber,
#include "mark/Clauses.def"
  /// Not a clause: the directive is `pull` (i32 0) or `vectorsparse` (i32 1).
  Pull = 11,
};

enum SchedulerKind : unsigned {
#define HEDDLE_SCHEDULE(Kind, Number, Name) Scheduler##Kind = Number,
#include "mark/Schedules.def"
};

} // namespace heddle

#endif
