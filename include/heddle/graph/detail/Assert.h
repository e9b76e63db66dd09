//===- Assert.h - Checks of the library's own invariants -------*- C++ -*-===//
//
// HEDDLE_ASSERT(condition) states an invariant: something that the library's
// own code guarantees, whatever the input. Wrong input and failing devices are
// reported as errors instead. The condition must have no side effects.
//
// It is `assert` if HEDDLE_ASSERTIONS is defined, as in Heddle's builds for
// tests, and NDEBUG is not. Otherwise the condition is compiled but never
// evaluated: it produces no code, and variables that only assertions use cause
// no warnings. So programs that include these headers never pay for checks
// unless they ask for them, and are like the library that they link.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ASSERT_H
#define HEDDLE_GRAPH_ASSERT_H

#if defined(HEDDLE_ASSERTIONS) && !defined(NDEBUG)
#include <cassert>
#define HEDDLE_ASSERT(condition) assert(condition)
#else
#define HEDDLE_ASSERT(condition)                                               \
  static_cast<void>(sizeof(static_cast<bool>(condition)))
#endif

#endif
