//===- FarReads.h - Reads of far memory, step by step -----------*- C++ -*-===//
//
// Internals of the runtime, for tests in C++, which its headers are not.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_RUNTIME_FARREADS_H
#define HEDDLE_TEST_RUNTIME_FARREADS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Begins to read `count` pages at `address` in one request, cancels it and
/// waits for its end. With `pins`, the last page is needed meanwhile.
void cancelledRead(uint64_t address, unsigned count, bool pins);

/// Gives a frame to the page at `address`, as if a request for it had been
/// cancelled. True if the page is in the cache nevertheless: with `pins` a task
/// needs it.
bool isKeptIfCancelled(uint64_t address, bool pins);

/// Takes completions. Then begins to read `count` pages at `address`, in a
/// request each, and cancels the one of page `which`. Returns false if a page
/// was in the cache.
bool cancelOneOfReads(uint64_t address, unsigned count, unsigned which);

/// Whether something has arrived already, so that no task has to wait.
bool hasArrived(void);

#ifdef __cplusplus
}
#endif

#endif
