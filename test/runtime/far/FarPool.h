//===- FarPool.h - A device of the tests ------------------------*- C++ -*-===//
//
// Behaves like a memory pool behind a network: gathered requests are sent
// together, and answers come in another order.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_RUNTIME_FARPOOL_H
#define HEDDLE_TEST_RUNTIME_FARPOOL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a region in the pool whose bytes are those at `bytes`, which must stay
/// valid until heddle_far_close. Returns 0 if there is no memory.
uint64_t openInPool(char *bytes, uint64_t count);

/// The work of all queues together so far.
struct PoolCounts {
  unsigned sendings, requests, withdrawn;
};
struct PoolCounts poolCounts(void);

#ifdef __cplusplus
}
#endif

#endif
