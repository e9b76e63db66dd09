//===- Ownership.h - Memory that one task at a time modifies ----*- C++ -*-===//
//
// A task that waits for far memory between the load and the store of a
// read-modify-write owns the address in the meantime (CoroAMU III-E and figure
// 8):
//
//   acquire(id, p); request p; suspend
//   x = *p
//   request q[x]; suspend          <- others that acquire p wait for the
//   release *p = x + q[x] release(id)
//
// Every other store that may write to the address would have to acquire it. So
// a loop that contains such a store is not treated this way.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REGIONS_OWNERSHIP_H
#define HEDDLE_PASSES_ASYNC_REGIONS_OWNERSHIP_H

#include "async/regions/UninterruptedRegions.h"
#include "mark/Directive.h"

namespace heddle {

/// True if tasks of \p C 's loop may be suspended in \p M when they acquire its
/// address before they load.
bool canBeOwned(const Modification &M, const LoopContext &C,
                const Directive &D);

} // namespace heddle

#endif
