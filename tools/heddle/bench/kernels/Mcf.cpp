//===- Mcf.cpp - Pricing the arcs of a flow network, as 505.mcf ----------===//

#include "Coroutine.h"
#include "Kernels.h"

#include "../Random.h"

#include <algorithm>

namespace heddle::bench {

namespace {

/// The amount by which an arc from a node of `tailPotential` violates its
/// bound.
inline int64_t violationOf(const Arc *arc, int64_t tailPotential) {
  const int64_t reducedCost = arc->cost - tailPotential + arc->head->potential;
  if (arc->bound == Arc::AtLower && reducedCost < 0)
    return -reducedCost;
  if (arc->bound == Arc::AtUpper && reducedCost > 0)
    return reducedCost;
  return 0;
}

/// Requests the data for pricing `arc` and for the next arc.
inline void prefetchAround(const Arc *arc) {
  prefetch(arc->head);
  prefetch(arc->nextOut);
}

Operation priceCoroutine(const NetworkNode &node, int64_t &violation) {
  const int64_t tailPotential = node.potential;
  const Arc *arc = node.firstOut;
  prefetch(arc);
  co_await std::suspend_always{};
  for (; arc; arc = arc->nextOut) {
    prefetchAround(arc);
    co_await std::suspend_always{};
    violation += violationOf(arc, tailPotential);
  }
}

uint64_t priceWithCoroutines(const NetworkNode *nodes, int64_t begin,
                             int64_t end) {
  return roundRobin<int64_t>(begin, end, [&](int64_t i, int64_t &violation) {
    return priceCoroutine(nodes[i], violation);
  });
}

/// The first arc of a node is requested one ring ahead, so that a context has
/// one state: its arc has arrived, and its neighbourhood has been requested.
uint64_t priceWithFifo(const NetworkNode *nodes, int64_t begin, int64_t end) {
  struct Context {
    const Arc *arc;
    int64_t tailPotential;
  } ring[FifoInFlight];
  int64_t violation = 0;
  int64_t next = begin;
  int live = 0;
  // Takes nodes until one is found that has arcs.
  const auto launch = [&](Context &context) {
    while (next < end) {
      if (next + FifoInFlight < end)
        prefetch(nodes[next + FifoInFlight].firstOut);
      const NetworkNode &node = nodes[next++];
      if (!node.firstOut)
        continue;
      prefetchAround(node.firstOut);
      context = {node.firstOut, node.potential};
      return true;
    }
    return false;
  };
  while (live < FifoInFlight && launch(ring[live]))
    ++live;
  for (int turn = 0; live > 0;) {
    Context &context = ring[turn];
    violation += violationOf(context.arc, context.tailPotential);
    if (const Arc *arc = context.arc->nextOut) {
      prefetchAround(arc);
      context.arc = arc;
      ++turn;
    } else if (launch(context)) {
      ++turn;
    } else {
      context = ring[--live];
    }
    if (turn >= live)
      turn = 0;
  }
  return static_cast<uint64_t>(violation);
}

/// One queue of arcs that have arrived, whose neighbourhoods have been
/// requested; compacted in place and refilled from the nodes.
uint64_t priceWithPhaseQueue(const NetworkNode *nodes, int64_t begin,
                             int64_t end) {
  constexpr int capacity = PhaseQueueInFlight;
  const Arc *arcs[capacity];
  int64_t tailPotentials[capacity];
  int size = 0;
  int64_t violation = 0;
  int64_t next = begin;
  for (int64_t i = begin; i < std::min(begin + capacity, end); ++i)
    prefetch(nodes[i].firstOut);
  do {
    int kept = 0;
    for (int i = 0; i < size; ++i) {
      const Arc *arc = arcs[i];
      const int64_t tailPotential = tailPotentials[i];
      violation += violationOf(arc, tailPotential);
      arc = arc->nextOut;
      if (arc) {
        prefetchAround(arc);
        arcs[kept] = arc;
        tailPotentials[kept] = tailPotential;
        ++kept;
      }
    }
    size = kept;
    const int64_t refillEnd =
        next + std::min<int64_t>(capacity - size, end - next);
    for (; next < refillEnd; ++next) {
      if (next + capacity < end)
        prefetch(nodes[next + capacity].firstOut);
      const NetworkNode &node = nodes[next];
      if (!node.firstOut)
        continue;
      prefetchAround(node.firstOut);
      arcs[size] = node.firstOut;
      tailPotentials[size] = node.potential;
      ++size;
    }
  } while (size > 0 || next < end);
  return static_cast<uint64_t>(violation);
}

} // namespace

Workload buildMcf(Arena &arena, WorkloadSize size) {
  constexpr uint64_t ArcsPerNode = 4; // on average
  const uint64_t nodeCount = std::max<uint64_t>(
      2, size.bytes / (sizeof(NetworkNode) + ArcsPerNode * sizeof(Arc)));
  const uint64_t arcCount = nodeCount * ArcsPerNode;
  NetworkNode *nodes = arena.allocate<NetworkNode>(nodeCount);
  Arc *arcs = arena.allocate<Arc>(arcCount);
  for (uint64_t i = 0; i < nodeCount; ++i)
    nodes[i] = {static_cast<int64_t>(randomBelow(11, i, 1000)), nullptr,
                static_cast<int64_t>(i)};
  const Permutation place(arcCount);
  for (uint64_t i = 0; i < arcCount; ++i) {
    NetworkNode *tail = &nodes[randomBelow(12, i, nodeCount)];
    NetworkNode *head = &nodes[randomBelow(13, i, nodeCount)];
    const auto cost = static_cast<int64_t>(randomBelow(14, i, 1000)) - 500;
    const Arc::Bound bounds[] = {Arc::Basic, Arc::AtLower, Arc::AtLower,
                                 Arc::AtUpper};
    Arc *arc = &arcs[place(i)];
    *arc = {cost, tail, head, tail->firstOut, 0, bounds[randomBelow(15, i, 4)]};
    tail->firstOut = arc;
  }
  const int64_t count =
      std::min(static_cast<int64_t>(nodeCount), size.operations(1 << 18));
  int64_t pricedArcs = 0;
  for (int64_t i = 0; i < count; ++i)
    for (const Arc *arc = nodes[i].firstOut; arc; arc = arc->nextOut)
      ++pricedArcs;
  const auto run = [=](Version version) {
    if (!isHandWritten(version))
      return static_cast<uint64_t>(loopsOf(version).mcf(nodes, count));
    return interleave(version, 0, count, priceWithCoroutines, priceWithFifo,
                      priceWithPhaseQueue, nodes);
  };
  return {.operations = pricedArcs, .run = run};
}

} // namespace heddle::bench
