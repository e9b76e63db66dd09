//===- LinkedList.cpp - Look-ups in an array of linked lists -------------===//

#include "Coroutine.h"
#include "Kernels.h"

#include "../Random.h"

#include <algorithm>

namespace heddle::bench {

namespace {

struct Queries {
  ListNode *const *lists;
  const ListQuery *query;
};

Operation lookUpCoroutine(ListNode *const *list, uint64_t key, uint64_t &sum) {
  prefetch(list);
  co_await std::suspend_always{};
  for (const ListNode *node = *list; node; node = node->next) {
    prefetch(node);
    co_await std::suspend_always{};
    if (node->key == key) {
      sum += node->value;
      break;
    }
  }
}

uint64_t lookUpWithCoroutines(Queries queries, int64_t begin, int64_t end) {
  return roundRobin(begin, end, [&](int64_t i, uint64_t &sum) {
    const ListQuery &query = queries.query[i];
    return lookUpCoroutine(&queries.lists[query.list], query.key, sum);
  });
}

/// The heads of the lists are requested one ring ahead, so that a context has
/// only one state: waiting for a node.
uint64_t lookUpWithFifo(Queries queries, int64_t begin, int64_t end) {
  struct Context {
    const ListNode *node;
    uint64_t key;
  } ring[FifoInFlight];
  uint64_t sum = 0;
  int64_t next = begin;
  int live = 0;
  // Takes queries until one is found whose list is not empty.
  const auto launch = [&](Context &context) {
    while (next < end) {
      if (next + FifoInFlight < end)
        prefetch(&queries.lists[queries.query[next + FifoInFlight].list]);
      const ListQuery &query = queries.query[next++];
      const ListNode *node = queries.lists[query.list];
      if (!node)
        continue;
      prefetch(node);
      context = {node, query.key};
      return true;
    }
    return false;
  };
  while (live < FifoInFlight && launch(ring[live]))
    ++live;
  for (int turn = 0; live > 0;) {
    Context &lookUp = ring[turn];
    const ListNode *node = lookUp.node;
    if (node->key == lookUp.key) {
      sum += node->value;
      node = nullptr;
    } else {
      node = node->next;
    }
    if (node) {
      prefetch(node);
      lookUp.node = node;
      ++turn;
    } else if (launch(lookUp)) {
      ++turn;
    } else {
      lookUp = ring[--live];
    }
    if (turn >= live)
      turn = 0;
  }
  return sum;
}

/// One queue, compacted in place; the heads of the lists are requested one
/// queue length ahead.
uint64_t lookUpWithPhaseQueue(Queries queries, int64_t begin, int64_t end) {
  constexpr int capacity = PhaseQueueInFlight;
  const ListNode *waiting[capacity + 1];
  uint64_t keys[capacity + 1];
  int size = 0;
  uint64_t sum = 0;
  int64_t next = begin;
  for (int64_t i = begin; i < std::min(begin + capacity, end); ++i)
    prefetch(&queries.lists[queries.query[i].list]);
  do {
    int kept = 0;
    for (int i = 0; i < size; ++i) {
      const ListNode *node = waiting[i];
      const uint64_t key = keys[i];
      const bool found = node->key == key;
      sum += found ? node->value : 0;
      node = found ? nullptr : node->next;
      prefetch(node);
      waiting[kept] = node;
      keys[kept] = key;
      kept += node != nullptr;
    }
    size = kept;
    const int64_t launched = std::min<int64_t>(capacity - size, end - next);
    for (int64_t i = next; i < next + launched; ++i) {
      const ListQuery &query = queries.query[i];
      const ListNode *node = queries.lists[query.list];
      prefetch(node);
      waiting[size] = node;
      keys[size] = query.key;
      size += node != nullptr;
    }
    next += launched;
    const int64_t ahead = next + capacity;
    for (int64_t i = std::min(ahead - launched, end); i < std::min(ahead, end);
         ++i)
      prefetch(&queries.lists[queries.query[i].list]);
  } while (size > 0 || next < end);
  return sum;
}

} // namespace

Workload buildLinkedList(Arena &arena, WorkloadSize size) {
  constexpr uint64_t NodesPerList = 16;
  const int64_t count = size.operations(1 << 18);
  const uint64_t listCount = std::max<uint64_t>(
      1, size.bytes / (sizeof(ListNode *) + NodesPerList * sizeof(ListNode)));
  const uint64_t nodeCount = listCount * NodesPerList;
  ListNode **lists = arena.allocate<ListNode *>(listCount);
  ListNode *nodes = arena.allocate<ListNode>(nodeCount);
  const Permutation place(nodeCount);
  for (uint64_t i = 0; i < nodeCount; ++i) {
    ListNode *&list = lists[i / NodesPerList];
    ListNode *node = &nodes[place(i)];
    *node = {scramble(i), i, list};
    list = node;
  }
  ListQuery *query = arena.allocate<ListQuery>(count);
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t list = randomBelow(3, i, listCount);
    // One query in sixteen looks for a key that is not there.
    const uint64_t node = randomBelow(4, i, NodesPerList);
    query[i] = {list, randomBelow(5, i, 16) == 0
                          ? 0
                          : scramble(list * NodesPerList + node)};
  }
  const Queries queries = {lists, query};
  const auto run = [=](Version version) {
    if (!isHandWritten(version))
      return loopsOf(version).linkedList(lists, query, count);
    return interleave(version, 0, count, lookUpWithCoroutines, lookUpWithFifo,
                      lookUpWithPhaseQueue, queries);
  };
  return {.operations = count, .run = run};
}

} // namespace heddle::bench
