//===- KernelSuite.cpp - The kernels of `heddle bench kernels` -----------===//
//
// The benchmarks of CoroAMU's table II, and two kinds of look-ups in linked
// structures.
//
//===----------------------------------------------------------------------===//

#include "../Suite.h"
#include "Kernels.h"

namespace heddle::bench {

const std::vector<Kernel> &allKernels() {
  static const std::vector<Kernel> kernels = {
      {"gups", "update", "random updates of a table (HPCC RandomAccess)",
       buildGups},
      {"binary-search", "search", "searches in a sorted array",
       buildBinarySearch},
      {"bfs", "edge", "top-down search of a Kronecker graph (Graph500)",
       buildBfs},
      {"stream", "element", "copy, scale, add and triad of arrays (STREAM)",
       buildStream},
      {"hash-join", "probe", "probes of a hash table with chains of one",
       buildHashJoin},
      {"hash-join-4", "probe", "probes of a hash table with chains of four",
       buildHashJoinOfFour},
      {"mcf", "arc", "reduced costs over linked arcs of a network (505.mcf)",
       buildMcf},
      {"lbm", "cell", "a time step of a D3Q19 lattice fluid (519.lbm)",
       buildLbm},
      {"is", "key", "integer sort: ranks of keys by counting (NPB IS)",
       buildIntegerSort},
      {"linked-list", "look-up", "look-ups in linked lists of 16 nodes",
       buildLinkedList},
      {"bptree", "look-up", "look-ups in a B+ tree of order 8",
       buildBPlusTree}};
  return kernels;
}

} // namespace heddle::bench
