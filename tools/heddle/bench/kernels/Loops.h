//===- Loops.h - The kernels as a user would write them --------*- C++ -*-===//
//
// The versions `serial` and `heddle` of every kernel are the functions of one
// source file, Loops.cpp, which the build compiles twice: once by the plain
// compiler, which ignores `#pragma heddle async`, and once with the plugin.
// Either compilation offers its functions as a table, so that no caller can be
// optimised together with them.
//
// The data structures are those a C++ programmer would choose for speed: nodes
// are aligned so that they do not straddle cache lines.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_KERNELS_LOOPS_H
#define HEDDLE_TOOLS_BENCH_KERNELS_LOOPS_H

#include <cstdint>

namespace heddle::bench {

/// A hash table of chained nodes; a power of two of buckets.
struct alignas(32) HashNode {
  uint64_t key;
  uint64_t value;
  HashNode *next;
};

struct HashTable {
  HashNode **buckets;
  unsigned shift; ///< 64 minus the logarithm of the number of buckets
};

inline uint64_t bucketOf(uint64_t key, unsigned shift) {
  return (key * 0x9E3779B97F4A7C15) >> shift;
}

struct alignas(32) ListNode {
  uint64_t key;
  uint64_t value;
  ListNode *next;
};

/// Look for `key` in list number `list`.
struct ListQuery {
  uint64_t list;
  uint64_t key;
};

/// A node of a B+ tree of order 8: one cache line of keys, one of children or
/// values. The keys of child i are at least keys[i-1] and below keys[i]. Unused
/// keys are UINT64_MAX, which no operation looks for.
struct alignas(64) TreeNode {
  static constexpr uint32_t MaxKeys = 7;
  uint64_t keyCount;
  uint64_t keys[MaxKeys];
  union {
    TreeNode *children[MaxKeys + 1];
    uint64_t values[MaxKeys];
  };
};
static_assert(sizeof(TreeNode) == 128);

struct Tree {
  const TreeNode *root;
  int height; ///< levels of inner nodes
};

inline uint32_t keysNotAbove(const TreeNode &node, uint64_t key) {
  uint32_t count = 0;
  for (uint64_t present : node.keys)
    count += present <= key;
  return count;
}

/// A directed graph in compressed sparse rows.
struct Graph {
  int64_t vertices;
  int64_t *rows;     ///< vertices + 1 offsets into columns
  uint32_t *columns; ///< the neighbours of each vertex
};

struct Arc;

/// A flow network, as in 505.mcf: nodes with a potential, each with the linked
/// list of the arcs that leave it.
struct alignas(64) NetworkNode {
  int64_t potential;
  Arc *firstOut;
  int64_t number;
};

struct alignas(64) Arc {
  enum Bound : int32_t { Basic, AtLower, AtUpper };
  int64_t cost;
  NetworkNode *tail;
  NetworkNode *head;
  Arc *nextOut;
  int64_t flow;
  Bound bound;
};

/// Populations of a D3Q19 lattice: 19 values a cell, cells in x-y-z order.
struct Lattice {
  static constexpr int Directions = 19;
  int64_t width;  ///< cells in x
  int64_t height; ///< cells in y
  int64_t cells;
  const uint8_t *obstacle; ///< one flag a cell
};

struct Loops {
  /// HPCC RandomAccess: table[update mod size] ^= update.
  void (*gups)(uint64_t *table, uint64_t mask, const uint64_t *updates,
               int64_t count);
  /// The sum of the positions of the last element not above each key.
  uint64_t (*binarySearch)(const uint64_t *sorted, int64_t length,
                           const uint64_t *keys, int64_t count);
  /// Breadth-first search, top-down. Leaves the reached vertices in `queue`
  /// level by level and returns their number.
  int64_t (*bfs)(const Graph &graph, uint32_t root, int32_t *parents,
                 uint32_t *queue);
  /// STREAM: copy, scale, add, triad.
  void (*stream)(double *a, double *b, double *c, double scalar,
                 int64_t length);
  /// The sum of the values that match the keys.
  uint64_t (*hashJoin)(const HashTable &table, const uint64_t *keys,
                       int64_t count);
  /// The sum of the bound violations of the arcs leaving the first `count`
  /// nodes.
  int64_t (*mcf)(const NetworkNode *nodes, int64_t count);
  /// One time step of a lattice Boltzmann fluid.
  void (*lbm)(const Lattice &lattice, const double *source,
              double *destination);
  /// NPB IS: ranks keys by counting. `counts` holds `bins` counters a thread.
  void (*integerSort)(const uint32_t *keys, int64_t count, uint32_t *counts,
                      int64_t bins, uint32_t *ranks);
  /// The sum of the values found.
  uint64_t (*linkedList)(ListNode *const *lists, const ListQuery *queries,
                         int64_t count);
  /// The sum of the values found.
  uint64_t (*bptree)(Tree tree, const uint64_t *keys, int64_t count);
};

extern const Loops serialLoops;
extern const Loops heddleLoops;

} // namespace heddle::bench

#endif
