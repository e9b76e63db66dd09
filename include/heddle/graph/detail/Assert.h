//===- Assert.h - Checks of the library's own invariants -------*- C++ -*-===//
//
// HEDDLE_ASSERT(condition) states an invariant: something that the library's
// own code guarantees, whatever the input. Wrong input and failing devices are
// reported as errors instead. The condition must have no side effects.
//
// It is `assert` unless NDEBUG is defined. With NDEBUG the condition is
// compiled but never evaluated: it produces no code, and variables that only
// assertions use cause no warnings.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ASSERT_H
#define HEDDLE_GRAPH_ASSERT_H

#include <cassert>

#ifdef NDEBUG
#define HEDDLE_ASSERT(condition)                                               \
  static_cast<void>(sizeof(static_cast<bool>(condition)))
#else
#define HEDDLE_ASSERT(condition) assert(condition)
#endif

#endif
