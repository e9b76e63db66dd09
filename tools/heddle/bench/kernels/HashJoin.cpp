//===- HashJoin.cpp - The probe side of a hash join ----------------------===//
//
// Two kernels on one loop: chains of one node on average, as a join sizes its
// table, and chains of four.
//
//===----------------------------------------------------------------------===//

#include "Coroutine.h"
#include "Kernels.h"

#include "../Random.h"

#include <algorithm>
#include <bit>

namespace heddle::bench {

namespace {

Operation probeCoroutine(HashTable table, uint64_t key, uint64_t &sum) {
  HashNode **bucket = &table.buckets[bucketOf(key, table.shift)];
  prefetch(bucket);
  co_await std::suspend_always{};
  for (const HashNode *node = *bucket; node; node = node->next) {
    prefetch(node);
    co_await std::suspend_always{};
    if (node->key == key)
      sum += node->value;
  }
}

uint64_t probeWithCoroutines(HashTable table, const uint64_t *keys,
                             int64_t begin, int64_t end) {
  return roundRobin(begin, end, [&](int64_t i, uint64_t &sum) {
    return probeCoroutine(table, keys[i], sum);
  });
}

/// Two states: waiting for the bucket, waiting for a node. Each state ends in
/// a dispatch of its own, which the branch predictor distinguishes.
uint64_t probeWithFifo(HashTable table, const uint64_t *keys, int64_t begin,
                       int64_t end) {
  struct Context {
    const void *request;
    uint64_t key;
    void *state;
  } ring[FifoInFlight];
  uint64_t sum = 0;
  int64_t next = begin;
  int live = 0;
  int turn = 0;
  Context *probe;
  const auto launch = [&](Context &context) {
    const uint64_t key = keys[next++];
    HashNode **bucket = &table.buckets[bucketOf(key, table.shift)];
    prefetch(bucket);
    context.request = bucket;
    context.key = key;
  };
  for (; live < FifoInFlight && next < end; ++live) {
    launch(ring[live]);
    ring[live].state = &&atBucket;
  }
  if (live == 0)
    return 0;
#define RESUME_NEXT                                                            \
  turn = turn + 1 >= live ? 0 : turn + 1;                                      \
  probe = &ring[turn];                                                         \
  goto * probe->state
  RESUME_NEXT;
atBucket: {
  const HashNode *node = *static_cast<HashNode *const *>(probe->request);
  if (!node)
    goto retire;
  prefetch(node);
  probe->request = node;
  probe->state = &&atNode;
  RESUME_NEXT;
}
atNode: {
  const HashNode *node = static_cast<const HashNode *>(probe->request);
  if (node->key == probe->key)
    sum += node->value;
  node = node->next;
  if (!node)
    goto retire;
  prefetch(node);
  probe->request = node;
  RESUME_NEXT;
}
retire:
  if (next < end) {
    launch(*probe);
    probe->state = &&atBucket;
    RESUME_NEXT;
  }
  if (--live == 0)
    return sum;
  *probe = ring[live];
  turn = turn == 0 ? live - 1 : turn - 1;
  RESUME_NEXT;
#undef RESUME_NEXT
}

/// One queue for each state; nodes are compacted in place, and free slots
/// refilled from the remaining probes.
uint64_t probeWithPhaseQueue(HashTable table, const uint64_t *keys,
                             int64_t begin, int64_t end) {
  constexpr int capacity = PhaseQueueInFlight;
  struct {
    HashNode **bucket[capacity];
    uint64_t key[capacity];
    int size = 0;
  } atBucket;
  struct {
    const HashNode *node[capacity + 1];
    uint64_t key[capacity + 1];
    int size = 0;
  } atNode;
  uint64_t sum = 0;
  int64_t next = begin;
  do {
    int kept = 0;
    for (int i = 0; i < atNode.size; ++i) {
      const HashNode *node = atNode.node[i];
      const uint64_t key = atNode.key[i];
      sum += node->key == key ? node->value : 0;
      node = node->next;
      prefetch(node);
      atNode.node[kept] = node;
      atNode.key[kept] = key;
      kept += node != nullptr;
    }
    for (int i = 0; i < atBucket.size; ++i) {
      const HashNode *node = *atBucket.bucket[i];
      prefetch(node);
      atNode.node[kept] = node;
      atNode.key[kept] = atBucket.key[i];
      kept += node != nullptr;
    }
    atNode.size = kept;
    const int launched =
        static_cast<int>(std::min<int64_t>(capacity - kept, end - next));
    for (int i = 0; i < launched; ++i) {
      const uint64_t key = keys[next + i];
      HashNode **bucket = &table.buckets[bucketOf(key, table.shift)];
      prefetch(bucket);
      atBucket.bucket[i] = bucket;
      atBucket.key[i] = key;
    }
    atBucket.size = launched;
    next += launched;
  } while (atBucket.size + atNode.size > 0);
  return sum;
}

Workload buildJoin(Arena &arena, WorkloadSize size, uint64_t chainLength) {
  const int64_t count = size.operations(1 << 21);
  const uint64_t chainBytes =
      sizeof(HashNode *) + chainLength * sizeof(HashNode);
  const uint64_t bucketCount = nearestPowerOfTwo(size.bytes / chainBytes);
  // Nodes take what the buckets leave.
  const uint64_t nodeCount =
      (size.bytes - bucketCount * sizeof(HashNode *)) / sizeof(HashNode);

  const HashTable table = {
      arena.allocate<HashNode *>(bucketCount),
      64 - static_cast<unsigned>(std::countr_zero(bucketCount))};
  HashNode *nodes = arena.allocate<HashNode>(nodeCount);
  const Permutation place(nodeCount);
  for (uint64_t i = 0; i < nodeCount; ++i) {
    HashNode *node = &nodes[place(i)];
    const uint64_t key = scramble(i);
    HashNode *&bucket = table.buckets[bucketOf(key, table.shift)];
    *node = {key, i, bucket};
    bucket = node;
  }
  uint64_t *keys = arena.allocate<uint64_t>(count);
  for (int64_t i = 0; i < count; ++i)
    keys[i] = scramble(randomBelow(2, i, nodeCount));
  const auto run = [=](Version version) {
    if (!isHandWritten(version))
      return loopsOf(version).hashJoin(table, keys, count);
    return interleave(version, 0, count, probeWithCoroutines, probeWithFifo,
                      probeWithPhaseQueue, table, keys);
  };
  return {.operations = count, .run = run};
}

} // namespace

Workload buildHashJoin(Arena &arena, WorkloadSize size) {
  return buildJoin(arena, size, 1);
}

Workload buildHashJoinOfFour(Arena &arena, WorkloadSize size) {
  return buildJoin(arena, size, 4);
}

} // namespace heddle::bench
