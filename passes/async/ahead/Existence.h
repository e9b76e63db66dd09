//===- Existence.h - Memory that comes and goes -----------------*- C++ -*-===//
//
// An iteration that executes
//
//   if (op == Grow) mprotect(page, ...); else sum = f(sum, page[k]);
//
// finds memory at an address that it knows from the start, but only from the
// turn of an earlier iteration on: what an iteration is going to read for
// certain need not be there in front of its turn. Nor need it be there where an
// earlier iteration may end the program at its turn, or where one waits for
// another thread, or for a handler of signals, that makes it come. All code
// that a loop runs must be seen, but for the allocator and a few functions that
// the containers of the library call: templates of the library count by what
// they do, as the program's own allocators and elements have a part in them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_AHEAD_EXISTENCE_H
#define HEDDLE_PASSES_ASYNC_AHEAD_EXISTENCE_H

#include "async/analysis/LoopFacts.h"

namespace heddle {

/// True if iterations may change which addresses are valid, but for those that
/// the allocator hands out, or may wait for others who do, or may end the
/// program or the loop, but for lack of memory.
bool mayChangeWhatExists(const LoopContext &C, const LoopShape &Shape);

} // namespace heddle

#endif
