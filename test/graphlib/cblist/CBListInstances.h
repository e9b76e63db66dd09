//===- CBListInstances.h - CBLists that several tests use ------*- C++ -*-===//
//
// CBListInstances.cpp compiles these templates, and functions that many tests
// call with them. Other sources only declare them, to be quick to compile.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_CBLIST_CBLISTINSTANCES_H
#define HEDDLE_TEST_GRAPHLIB_CBLIST_CBLISTINSTANCES_H

#include "../support/CBListModel.h"
#include "heddle/graph/ToCBList.h"

namespace heddle::test {

using TinyCBList = graph::CBList<std::uint32_t, graph::Unweighted, TinyShape>;
using TinyWeightedCBList =
    graph::CBList<std::uint32_t, std::int32_t, TinyShape>;
using TinyBesideCBList = graph::CBList<std::uint32_t, float, TinyShapeBeside>;

template <typename Store, typename Source> Store storeOf(const Source &source) {
  return graph::toCBList<Store>(source);
}

} // namespace heddle::test

/// Declares a CBList if Prefix is `extern`, and compiles it if that is empty.
#define HEDDLE_CBLIST_STORE(Prefix, VertexId, Weight, Shape)                   \
  Prefix template class heddle::graph::CBList<VertexId, Weight, Shape>;        \
  Prefix template void heddle::test::expectEqual(                              \
      const heddle::graph::CBList<VertexId, Weight, Shape> &,                  \
      const heddle::test::CBListModel<                                         \
          heddle::graph::CBList<VertexId, Weight, Shape>> &);

/// The same, and how to make one of another graph.
#define HEDDLE_CBLIST_INSTANCE(Prefix, VertexId, Weight, Shape)                \
  HEDDLE_CBLIST_STORE(Prefix, VertexId, Weight, Shape)                         \
  Prefix template heddle::graph::CBList<VertexId, Weight, Shape>               \
  heddle::graph::buildCBList<Shape, VertexId, Weight>(                         \
      const heddle::graph::EdgeList<VertexId, Weight> &,                       \
      const heddle::graph::BuildOptions &);                                    \
  Prefix template heddle::graph::CBList<VertexId, Weight, Shape>               \
  heddle::test::storeOf<heddle::graph::CBList<VertexId, Weight, Shape>>(       \
      const heddle::graph::Csr<VertexId, Weight> &);

#define HEDDLE_CBLIST_INSTANCES(Prefix)                                        \
  HEDDLE_CBLIST_INSTANCE(Prefix, std::uint32_t, heddle::graph::Unweighted,     \
                         heddle::graph::CBListShape{})                         \
  HEDDLE_CBLIST_INSTANCE(Prefix, std::uint32_t, heddle::graph::Unweighted,     \
                         heddle::test::TinyShape)                              \
  HEDDLE_CBLIST_INSTANCE(Prefix, std::uint32_t, std::int32_t,                  \
                         heddle::test::TinyShape)                              \
  HEDDLE_CBLIST_INSTANCE(Prefix, std::uint32_t, float,                         \
                         heddle::test::TinyShapeBeside)                        \
  HEDDLE_CBLIST_STORE(Prefix, std::uint64_t, float,                            \
                      heddle::test::TinyShapeBeside)

HEDDLE_CBLIST_INSTANCES(extern)

#endif
