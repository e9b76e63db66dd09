//===- Bfs.cpp - Breadth-first search, as Graph500 -----------------------===//
//
// Top-down, on an undirected Kronecker graph in compressed sparse rows. All
// versions claim a vertex by the same compare-and-swap and append it to the
// next level through the same shared counter; they differ in how the requests
// for rows, columns and parents are overlapped.
//
//===----------------------------------------------------------------------===//

#include "Coroutine.h"
#include "Kernels.h"

#include "../Random.h"
#include "KroneckerGraph.h"

#include <algorithm>

namespace heddle::bench {

namespace {

/// The number of neighbours whose parents are requested together.
constexpr int64_t EdgeBlock = 16;

struct Search {
  const int64_t *rows;
  const uint32_t *columns;
  int32_t *parents;
  uint32_t *queue;
  int64_t tail; ///< of the queue; shared by the threads

  bool isNew(uint32_t neighbour) const { return parents[neighbour] < 0; }

  /// Makes `vertex` the parent of `neighbour` unless it has one.
  void visit(uint32_t neighbour, uint32_t vertex) {
    if (isNew(neighbour) &&
        __sync_bool_compare_and_swap(&parents[neighbour], -1,
                                     static_cast<int32_t>(vertex)))
      queue[__atomic_fetch_add(&tail, 1, __ATOMIC_RELAXED)] = neighbour;
  }

  /// Requests the parents of the neighbours at [edge, result).
  int64_t prefetchBlock(int64_t edge, int64_t last) const {
    const int64_t blockEnd = std::min(edge + EdgeBlock, last);
    for (; edge < blockEnd; ++edge)
      prefetch(&parents[columns[edge]]);
    return blockEnd;
  }
};

Operation expandCoroutine(Search &search, uint32_t vertex) {
  prefetch(&search.rows[vertex]);
  co_await std::suspend_always{};
  int64_t edge = search.rows[vertex];
  const int64_t last = search.rows[vertex + 1];
  prefetch(&search.columns[edge]);
  co_await std::suspend_always{};
  while (edge < last) {
    const int64_t blockEnd = search.prefetchBlock(edge, last);
    co_await std::suspend_always{};
    for (; edge < blockEnd; ++edge)
      search.visit(search.columns[edge], vertex);
  }
}

uint64_t expandWithCoroutines(Search &search, int64_t begin, int64_t end) {
  return roundRobin(begin, end, [&](int64_t i, uint64_t &) {
    return expandCoroutine(search, search.queue[i]);
  });
}

/// Three states: waiting for the row, for its columns, for a block of parents.
uint64_t expandWithFifo(Search &search, int64_t begin, int64_t end) {
  struct Context {
    void *state;
    int64_t edge;
    int64_t last;
    uint32_t vertex;
  } ring[FifoInFlight];
  int64_t next = begin;
  int live = 0;
  int turn = 0;
  Context *context;
  const auto launch = [&](Context &place) {
    place.vertex = search.queue[next++];
    prefetch(&search.rows[place.vertex]);
  };
  for (; live < FifoInFlight && next < end; ++live) {
    launch(ring[live]);
    ring[live].state = &&atRow;
  }
  if (live == 0)
    return 0;
#define RESUME_NEXT                                                            \
  turn = turn + 1 >= live ? 0 : turn + 1;                                      \
  context = &ring[turn];                                                       \
  goto * context->state
  RESUME_NEXT;
atRow:
  context->edge = search.rows[context->vertex];
  context->last = search.rows[context->vertex + 1];
  if (context->edge == context->last)
    goto retire;
  prefetch(&search.columns[context->edge]);
  context->state = &&atColumns;
  RESUME_NEXT;
atColumns:
  search.prefetchBlock(context->edge, context->last);
  context->state = &&atParents;
  RESUME_NEXT;
atParents: {
  const int64_t blockEnd = std::min(context->edge + EdgeBlock, context->last);
  for (int64_t edge = context->edge; edge < blockEnd; ++edge)
    search.visit(search.columns[edge], context->vertex);
  if (blockEnd == context->last)
    goto retire;
  search.prefetchBlock(blockEnd, context->last);
  context->edge = blockEnd;
  RESUME_NEXT;
}
retire:
  if (next < end) {
    launch(*context);
    context->state = &&atRow;
    RESUME_NEXT;
  }
  if (--live == 0)
    return 0;
  *context = ring[live];
  turn = turn == 0 ? live - 1 : turn - 1;
  RESUME_NEXT;
#undef RESUME_NEXT
}

/// Rows and columns are requested at fixed distances along the frontier. Edges
/// go into one queue; those to vertices that were reached before are squeezed
/// out without a branch before the rest is visited.
class EdgeQueue {
public:
  explicit EdgeQueue(Search &search) : search(search) {}

  void append(uint32_t neighbour, uint32_t vertex) {
    prefetch(&search.parents[neighbour]);
    neighbours[size] = neighbour;
    vertices[size] = vertex;
    if (++size == Capacity)
      flush();
  }

  void flush() {
    int kept = 0;
    for (int i = 0; i < size; ++i) {
      const uint32_t neighbour = neighbours[i];
      const uint32_t vertex = vertices[i];
      neighbours[kept] = neighbour;
      vertices[kept] = vertex;
      kept += search.isNew(neighbour);
    }
    for (int i = 0; i < kept; ++i)
      search.visit(neighbours[i], vertices[i]);
    size = 0;
  }

private:
  static constexpr int Capacity = 256;
  Search &search;
  uint32_t neighbours[Capacity];
  uint32_t vertices[Capacity];
  int size = 0;
};

uint64_t expandWithPhaseQueue(Search &search, int64_t begin, int64_t end) {
  constexpr int64_t columnDistance = PhaseQueueInFlight / 4;
  constexpr int64_t rowDistance = 2 * columnDistance;
  EdgeQueue edges(search);
  for (int64_t i = begin; i < end; ++i) {
    if (i + rowDistance < end)
      prefetch(&search.rows[search.queue[i + rowDistance]]);
    if (i + columnDistance < end)
      prefetch(&search.columns[search.rows[search.queue[i + columnDistance]]]);
    const uint32_t vertex = search.queue[i];
    const int64_t last = search.rows[vertex + 1];
    for (int64_t edge = search.rows[vertex]; edge < last; ++edge)
      edges.append(search.columns[edge], vertex);
  }
  edges.flush();
  return 0;
}

int64_t searchByHand(Version version, const Graph &graph, uint32_t root,
                     int32_t *parents, uint32_t *queue) {
#pragma omp parallel for
  for (int64_t vertex = 0; vertex < graph.vertices; ++vertex)
    parents[vertex] = -1;
  parents[root] = static_cast<int32_t>(root);
  queue[0] = root;
  Search search = {graph.rows, graph.columns, parents, queue, 1};
  for (int64_t levelBegin = 0; levelBegin < search.tail;) {
    const int64_t levelEnd = search.tail;
    interleave(version, levelBegin, levelEnd, expandWithCoroutines,
               expandWithFifo, expandWithPhaseQueue, search);
    levelBegin = levelEnd;
  }
  return search.tail;
}

} // namespace

Workload buildBfs(Arena &arena, WorkloadSize size) {
  const uint64_t bytesPerVertex =
      kroneckerBytesPerVertex() + sizeof(int32_t) + sizeof(uint32_t);
  const Graph graph = makeKroneckerGraph(
      std::bit_floor(std::max<uint64_t>(64, size.bytes / bytesPerVertex)),
      arena);
  int32_t *parents = arena.allocate<int32_t>(graph.vertices);
  uint32_t *queue = arena.allocate<uint32_t>(graph.vertices);
  uint32_t *depths = arena.allocate<uint32_t>(graph.vertices);
  const auto degree = [&](int64_t vertex) {
    return graph.rows[vertex + 1] - graph.rows[vertex];
  };
  uint32_t root = 0;
  for (int64_t vertex = 0; vertex < graph.vertices; ++vertex)
    if (degree(vertex) > degree(root))
      root = static_cast<uint32_t>(vertex);
  const int64_t reachable = serialLoops.bfs(graph, root, parents, queue);
  int64_t edges = 0;
  for (int64_t i = 0; i < reachable; ++i)
    edges += degree(queue[i]);

  const auto run = [=](Version version) {
    return static_cast<uint64_t>(
        isHandWritten(version)
            ? searchByHand(version, graph, root, parents, queue)
            : loopsOf(version).bfs(graph, root, parents, queue));
  };
  // Parents depend on the order of the visits; the vertices reached and their
  // distances from the root do not.
  const auto checksum = [=](uint64_t reached) -> uint64_t {
    std::fill(depths, depths + graph.vertices, UINT32_MAX);
    depths[root] = 0;
    uint64_t sum = reached;
    for (uint64_t i = 1; i < reached; ++i) {
      const uint32_t vertex = queue[i];
      const int32_t parent = parents[vertex];
      if (parent < 0 || depths[parent] == UINT32_MAX)
        return 0; // not a tree
      depths[vertex] = depths[parent] + 1;
      sum += scramble((uint64_t(depths[vertex]) << 32) | vertex);
    }
    return sum;
  };
  return {.operations = edges, .run = run, .checksum = checksum};
}

} // namespace heddle::bench
