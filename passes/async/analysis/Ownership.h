//===- Ownership.h - What one task at a time may modify ---------*- C++ -*-===//
//
// Where a task has to wait for far memory between the load and the store of a
// read-modify-write, it owns the place meanwhile (CoroAMU III-E and figure 8):
//
//   acquire(id, p); request p; suspend
//   x = *p
//   request q[x]; suspend          <- others that acquire p wait for the
//   release *p = x + q[x] release(id)
//
// Others means all that may store there, so there is one such store only.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_OWNERSHIP_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_OWNERSHIP_H

#include "async/analysis/Undisturbed.h"
#include "mark/Directive.h"

namespace heddle {

/// True if it is enough for the tasks of \p C 's loop to acquire what \p M
/// modifies before they load it.
bool canBeOwned(const Modification &M, const LoopContext &C,
                const Directive &D);

} // namespace heddle

#endif
