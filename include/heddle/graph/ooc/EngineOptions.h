//===- EngineOptions.h - Options and counts of an engine --------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_ENGINEOPTIONS_H
#define HEDDLE_GRAPH_OOC_ENGINEOPTIONS_H

#include "heddle/graph/detail/ooc/disk/BlockFile.h"
#include "heddle/graph/detail/ooc/messages/DispatchingCounts.h"
#include "heddle/graph/ooc/Communicator.h"
#include "heddle/graph/ooc/Prepare.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::graph::ooc {

struct EngineOptions {
  /// Bytes that the program may take in all.
  std::uint64_t memoryBytes = std::uint64_t(1) << 30;
  /// Whether to make a checkpoint after each call.
  bool checkpoints = false;
  /// Resume the last run on this graph from its last checkpoint: calls that
  /// were done then do nothing, and return their previous results.
  bool resume = false;
  /// The program's command line, or any other string for resumableProgram() to
  /// return.
  std::string program = {};
  ProgressFunction progress = {};
  /// The ranks that work on the graph together. Each calls the same functions
  /// in the same order, and works on some of the partitions. By default, this
  /// is the only rank.
  Communicator *communicator = nullptr;
  /// Dispatch all messages in this way, wherever they are stored, instead of in
  /// the cheapest way.
  std::optional<Dispatching> dispatching = {};
};

/// Returns EngineOptions::program of the run in a prepared graph that can be
/// resumed, from this rank's files. Throws Error if there is none.
std::string resumableProgram(const std::string &directory,
                             const Communicator *communicator = nullptr);

/// The work of an engine so far, on this rank.
struct EngineCounts {
  std::uint64_t calls = 0;    ///< of processVertices and processEdges
  std::uint64_t messages = 0; ///< that were generated
  std::uint64_t edges = 0;    ///< that messages were delivered along
  TransferCounts bytes;       ///< from and to the disk
  std::uint64_t passedMessages = 0, passedBytes = 0; ///< to other ranks
  DispatchingCounts dispatching;
  /// Bytes of vertex data that calls could have changed, but did not.
  std::uint64_t unchangedBytes = 0;
  /// The predictions of `bytes`, without unchanged bytes, and of
  /// `passedBytes`.
  TransferCounts predicted;
  std::uint64_t predictedPassedBytes = 0;
};

} // namespace heddle::graph::ooc

#endif
