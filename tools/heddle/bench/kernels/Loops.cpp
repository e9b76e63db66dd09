//===- Loops.cpp - The kernels as a user would write them ----------------===//
//
// Compiled twice, see Loops.h. HEDDLE_BENCH_LOOPS names the table that this
// compilation defines.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"

#include <algorithm>
#include <omp.h>

namespace heddle::bench {

namespace {

void gups(uint64_t *table, uint64_t mask, const uint64_t *updates,
          int64_t count) {
  // Only with several threads do updates have to be atomic.
  if (omp_get_max_threads() == 1) {
#pragma heddle async
    for (int64_t i = 0; i < count; ++i)
      table[updates[i] & mask] ^= updates[i];
    return;
  }
#pragma omp parallel for
#pragma heddle async
  for (int64_t i = 0; i < count; ++i) {
#pragma omp atomic
    table[updates[i] & mask] ^= updates[i];
  }
}

uint64_t binarySearch(const uint64_t *sorted, int64_t length,
                      const uint64_t *keys, int64_t count) {
  uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t key = keys[i];
    int64_t position = 0;
    int64_t remaining = length;
    while (remaining > 1) {
      const int64_t half = remaining / 2;
      if (sorted[position + half] <= key)
        position += half;
      remaining -= half;
    }
    sum += position;
  }
  return sum;
}

int64_t bfs(const Graph &graph, uint32_t root, int32_t *parents,
            uint32_t *queue) {
  const int64_t *rows = graph.rows;
  const uint32_t *columns = graph.columns;
#pragma omp parallel for
  for (int64_t vertex = 0; vertex < graph.vertices; ++vertex)
    parents[vertex] = -1;
  parents[root] = static_cast<int32_t>(root);
  queue[0] = root;
  int64_t levelBegin = 0, levelEnd = 1;
  while (levelBegin < levelEnd) {
    int64_t tail = levelEnd;
#pragma omp parallel for
#pragma heddle async
    for (int64_t i = levelBegin; i < levelEnd; ++i) {
      const uint32_t vertex = queue[i];
      const int64_t last = rows[vertex + 1];
      for (int64_t edge = rows[vertex]; edge < last; ++edge) {
        const uint32_t neighbour = columns[edge];
        if (parents[neighbour] < 0 &&
            __sync_bool_compare_and_swap(&parents[neighbour], -1,
                                         static_cast<int32_t>(vertex))) {
          int64_t slot;
#pragma omp atomic capture
          slot = tail++;
          queue[slot] = neighbour;
        }
      }
    }
    levelBegin = levelEnd;
    levelEnd = tail;
  }
  return levelEnd;
}

void stream(double *a, double *b, double *c, double scalar, int64_t length) {
#pragma omp parallel for
#pragma heddle async
  for (int64_t i = 0; i < length; ++i)
    c[i] = a[i];
#pragma omp parallel for
#pragma heddle async
  for (int64_t i = 0; i < length; ++i)
    b[i] = scalar * c[i];
#pragma omp parallel for
#pragma heddle async
  for (int64_t i = 0; i < length; ++i)
    c[i] = a[i] + b[i];
#pragma omp parallel for
#pragma heddle async
  for (int64_t i = 0; i < length; ++i)
    a[i] = b[i] + scalar * c[i];
}

uint64_t hashJoin(const HashTable &table, const uint64_t *keys, int64_t count) {
  uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t key = keys[i];
    for (const HashNode *node = table.buckets[bucketOf(key, table.shift)]; node;
         node = node->next)
      if (node->key == key)
        sum += node->value;
  }
  return sum;
}

int64_t mcf(const NetworkNode *nodes, int64_t count) {
  int64_t violation = 0;
#pragma omp parallel for reduction(+ : violation)
#pragma heddle async
  for (int64_t i = 0; i < count; ++i)
    for (const Arc *arc = nodes[i].firstOut; arc; arc = arc->nextOut) {
      const int64_t reducedCost =
          arc->cost - nodes[i].potential + arc->head->potential;
      if (arc->bound == Arc::AtLower && reducedCost < 0)
        violation -= reducedCost;
      else if (arc->bound == Arc::AtUpper && reducedCost > 0)
        violation += reducedCost;
    }
  return violation;
}

// The directions of D3Q19; each odd one is followed by its opposite.
constexpr int DirectionX[Lattice::Directions] = {
    0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
constexpr int DirectionY[Lattice::Directions] = {
    0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
constexpr int DirectionZ[Lattice::Directions] = {
    0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};

constexpr int opposite(int direction) {
  return direction == 0 ? 0 : ((direction - 1) ^ 1) + 1;
}

constexpr double weight(int direction) {
  return direction == 0 ? 1.0 / 3 : direction <= 6 ? 1.0 / 18 : 1.0 / 36;
}

void lbm(const Lattice &lattice, const double *source, double *destination) {
  constexpr double relaxation = 1.2;
  constexpr int directions = Lattice::Directions;
  const int64_t row = lattice.width;
  const int64_t plane = lattice.width * lattice.height;
  const int64_t margin = plane + row + 1;
#pragma omp parallel for
#pragma heddle async
  for (int64_t cell = margin; cell < lattice.cells - margin; ++cell) {
    double arriving[directions];
    for (int d = 0; d < directions; ++d) {
      const int64_t from =
          cell - DirectionX[d] - DirectionY[d] * row - DirectionZ[d] * plane;
      arriving[d] = source[from * directions + d];
    }
    double *leaving = destination + cell * directions;
    if (lattice.obstacle[cell]) {
      for (int d = 0; d < directions; ++d)
        leaving[d] = arriving[opposite(d)];
      continue;
    }
    double density = 0, velocityX = 0, velocityY = 0, velocityZ = 0;
    for (int d = 0; d < directions; ++d) {
      density += arriving[d];
      velocityX += DirectionX[d] * arriving[d];
      velocityY += DirectionY[d] * arriving[d];
      velocityZ += DirectionZ[d] * arriving[d];
    }
    velocityX /= density;
    velocityY /= density;
    velocityZ /= density;
    const double energy = 1.5 * (velocityX * velocityX + velocityY * velocityY +
                                 velocityZ * velocityZ);
    for (int d = 0; d < directions; ++d) {
      const double along = DirectionX[d] * velocityX +
                           DirectionY[d] * velocityY +
                           DirectionZ[d] * velocityZ;
      const double equilibrium =
          weight(d) * density * (1 + 3 * along + 4.5 * along * along - energy);
      leaving[d] = arriving[d] + relaxation * (equilibrium - arriving[d]);
    }
  }
}

void integerSort(const uint32_t *keys, int64_t count, uint32_t *counts,
                 int64_t bins, uint32_t *ranks) {
#pragma omp parallel
  {
    uint32_t *mine = counts + omp_get_thread_num() * bins;
    std::fill(mine, mine + bins, 0);
#pragma omp for
#pragma heddle async
    for (int64_t i = 0; i < count; ++i)
      ++mine[keys[i]];
#pragma omp single
    {
      const int threads = omp_get_num_threads();
      uint32_t below = 0;
      for (int64_t bin = 0; bin < bins; ++bin)
        for (int thread = 0; thread < threads; ++thread) {
          const uint32_t here = counts[thread * bins + bin];
          counts[thread * bins + bin] = below;
          below += here;
        }
    }
#pragma omp for
#pragma heddle async
    for (int64_t i = 0; i < count; ++i)
      ranks[i] = mine[keys[i]]++;
  }
}

uint64_t linkedList(ListNode *const *lists, const ListQuery *queries,
                    int64_t count) {
  uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async
  for (int64_t i = 0; i < count; ++i) {
    const ListNode *node = lists[queries[i].list];
    while (node && node->key != queries[i].key)
      node = node->next;
    if (node)
      sum += node->value;
  }
  return sum;
}

uint64_t bptree(Tree tree, const uint64_t *keys, int64_t count) {
  uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t key = keys[i];
    const TreeNode *node = tree.root;
    for (int level = 0; level < tree.height; ++level)
      node = node->children[keysNotAbove(*node, key)];
    const uint32_t slot = keysNotAbove(*node, key);
    if (slot > 0 && node->keys[slot - 1] == key)
      sum += node->values[slot - 1];
  }
  return sum;
}

} // namespace

extern const Loops HEDDLE_BENCH_LOOPS = {
    gups, binarySearch, bfs,         stream,     hashJoin,
    mcf,  lbm,          integerSort, linkedList, bptree};

} // namespace heddle::bench
