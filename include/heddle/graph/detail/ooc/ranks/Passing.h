//===- Passing.h - Messages between machines -------------------*- C++ -*-===//
//
// The inter-node passing of DFOGraph (J. Yu et al., PPoPP 2021, sections 3.1,
// 4.3 and 4.4): while batches still generate messages, those that are there go
// to the rank behind this one, and then to the others in turn; what a rank does
// not need is left out.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_RANKS_PASSING_H
#define HEDDLE_GRAPH_DETAIL_OOC_RANKS_PASSING_H

#include "heddle/graph/detail/ooc/messages/BatchQueue.h"
#include "heddle/graph/detail/ooc/messages/Messages.h"
#include "heddle/graph/detail/ooc/ranks/Filters.h"
#include "heddle/graph/ooc/Communicator.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace heddle::graph::ooc {

/// What has gone from this rank to others, and what that has read and written.
struct PassedCounts {
  std::uint64_t messages = 0, bytes = 0;
  TransferCounts disk;

  PassedCounts &operator+=(const PassedCounts &other) {
    messages += other.messages;
    bytes += other.bytes;
    disk += other.disk;
    return *this;
  }
};

/// Passes the messages of one step, by a thread of its own.
class Passing {
public:
  /// Enters what comes into `messages`, and has `queue` know when all of a
  /// partition's are there.
  Passing(Communicator &communicator, const GraphLayout &layout,
          std::deque<CheckedFile> &files, FilterCounts &filterCounts,
          MessageStore &store, KeptBytes &keptBytes, StepMessages &messages,
          BatchQueue &queue);
  /// Does not wait for what is on its way.
  ~Passing();

  /// A block has its messages, and they stay as they are. By any thread. Throws
  /// what has ended the passing, if anything has.
  void add(std::size_t partition, std::size_t block);

  /// All blocks have theirs.
  void endGenerating();

  /// Returns when all have got their messages. Throws what comes of the disk
  /// and of the network.
  PassedCounts finish();

  /// What so many bytes of messages of a block take in a packet.
  static std::uint64_t bytesInPacket(std::uint64_t bytes);

  /// Bytes of memory that this takes.
  static std::uint64_t bytes(std::size_t messageBytes);

private:
  struct Place {
    std::size_t partition, block;
  };
  struct Header;

  void run() noexcept;
  void passAll();
  void passTo(unsigned rank);
  bool receive();
  void waitABit();
  std::optional<Place> next(std::size_t index, bool &isEnd);
  void pack(const Place &place, const Share &share);
  void append(const Place &place, const MessageBlock &block, const void *values,
              const std::uint16_t *sources);
  void send(unsigned rank);
  void accept(const Communicator::Packet &packet);

  Communicator &communicator;
  const GraphLayout &layout;
  MessageStore &store;
  StepMessages &messages;
  BatchQueue &queue;
  IoQueue ioQueue;
  FilterReader filters;
  MessageReader reader;
  Communicator::Bytes packet;
  std::vector<std::byte> passingValues; ///< those of a block that are needed
  std::vector<std::uint16_t> passingSources;
  unsigned heardOut = 0; ///< ranks from which all has come
  PassedCounts counts;

  std::mutex mutex;
  std::vector<Place> generated;
  bool isGenerated = false, isStopped = false;
  std::exception_ptr failure;
  std::thread thread;
};

} // namespace heddle::graph::ooc

#endif
