//===- CpmaGraphInstances.h - CpmaGraphs several tests use -----*- C++ -*-===//
//
// CpmaGraphInstances.cpp compiles these templates, and functions that many
// tests call with them. Other sources only declare them, to be quick to
// compile.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_CPMAGRAPH_CPMAGRAPHINSTANCES_H
#define HEDDLE_TEST_GRAPHLIB_CPMAGRAPH_CPMAGRAPHINSTANCES_H

#include "../support/CBListModel.h"
#include "../support/CpmaGraphStores.h"

/// Declares a CpmaGraph if Prefix is `extern`, and compiles it if that is
/// empty.
#define HEDDLE_CPMAGRAPH_INSTANCE(Prefix, Weight, LeafBytes)                   \
  Prefix template class heddle::graph::CpmaGraph<std::uint32_t, Weight,        \
                                                 LeafBytes>;                   \
  Prefix template heddle::graph::CpmaGraph<std::uint32_t, Weight, LeafBytes>   \
  heddle::graph::detail::buildCpmaRows<                                        \
      heddle::graph::CpmaGraph<std::uint32_t, Weight, LeafBytes>>(             \
      const heddle::graph::EdgeList<std::uint32_t, Weight> &,                  \
      const heddle::graph::BuildOptions &, const heddle::graph::PmaOptions &); \
  Prefix template heddle::graph::CpmaGraph<std::uint32_t, Weight, LeafBytes>   \
  heddle::test::storeOf<                                                       \
      heddle::graph::CpmaGraph<std::uint32_t, Weight, LeafBytes>>(             \
      const heddle::graph::Csr<std::uint32_t, Weight> &);                      \
  Prefix template void heddle::test::expectEqual(                              \
      const heddle::graph::CpmaGraph<std::uint32_t, Weight, LeafBytes> &,      \
      const heddle::test::CBListModel<                                         \
          heddle::graph::CpmaGraph<std::uint32_t, Weight, LeafBytes>> &);

#define HEDDLE_CPMAGRAPH_INSTANCES(Prefix)                                     \
  HEDDLE_CPMAGRAPH_INSTANCE(                                                   \
      Prefix, heddle::graph::Unweighted,                                       \
      heddle::graph::cpmagraph::UsualLeafBytes<heddle::graph::Unweighted>)     \
  HEDDLE_CPMAGRAPH_INSTANCE(                                                   \
      Prefix, heddle::graph::Unweighted,                                       \
      heddle::test::TinyLeafBytes<heddle::graph::Unweighted>)                  \
  HEDDLE_CPMAGRAPH_INSTANCE(Prefix, float, heddle::test::TinyLeafBytes<float>)

HEDDLE_CPMAGRAPH_INSTANCES(extern)

#endif
