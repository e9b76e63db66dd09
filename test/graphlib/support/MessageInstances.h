//===- MessageInstances.h - Programs several tests run ----------*- C++ -*-===//
//
// MessageInstances.cpp compiles these programs of signals and slots for graphs
// on disk. Other sources only declare them, to be quick to compile.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_MESSAGEINSTANCES_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_MESSAGEINSTANCES_H

#include "../ooc/PreparedGraph.h"
#include "heddle/graph/messages/BreadthFirstSearch.h"
#include "heddle/graph/messages/ConnectedComponents.h"
#include "heddle/graph/messages/PageRank.h"
#include "heddle/graph/messages/ShortestPaths.h"

/// Declares the programs for graphs without weights if Prefix is `extern`, and
/// compiles them if it is empty.
#define HEDDLE_UNWEIGHTED_MESSAGE_INSTANCES(Prefix)                            \
  Prefix template heddle::graph::BreadthFirstByMessagesResult                  \
  heddle::graph::breadthFirstByMessages(heddle::graph::ooc::Engine<> &,        \
                                        std::uint32_t);                        \
  Prefix template std::uint64_t heddle::graph::connectedComponentsByMessages(  \
      heddle::graph::ooc::Engine<> &);                                         \
  Prefix template heddle::graph::PageRankByMessagesResult                      \
  heddle::graph::pageRankByMessages<float>(                                    \
      heddle::graph::ooc::Engine<> &, const heddle::graph::PageRankOptions &);

#define HEDDLE_EDGES_INSTANCE(Prefix, Weight)                                  \
  Prefix template std::vector<heddle::graph::Edge<std::uint32_t, Weight>>      \
  heddle::test::edgesOf<Weight>(const std::string &);

#define HEDDLE_MESSAGE_INSTANCES(Prefix)                                       \
  HEDDLE_UNWEIGHTED_MESSAGE_INSTANCES(Prefix)                                  \
  Prefix template std::uint64_t heddle::graph::shortestPathsByMessages(        \
      heddle::graph::ooc::Engine<std::int32_t> &, std::uint32_t);              \
  HEDDLE_EDGES_INSTANCE(Prefix, heddle::graph::Unweighted)                     \
  HEDDLE_EDGES_INSTANCE(Prefix, std::int32_t)                                  \
  HEDDLE_EDGES_INSTANCE(Prefix, float)

HEDDLE_MESSAGE_INSTANCES(extern)

#endif
