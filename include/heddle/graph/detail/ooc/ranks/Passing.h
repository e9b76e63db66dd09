//===- Passing.h - Messages between ranks ----------------------*- C++ -*-===//
//
// The inter-node passing of DFOGraph (J. Yu et al., PPoPP 2021, sections 3.1,
// 4.3 and 4.4): while batches still generate messages, finished blocks are sent
// to the next rank, and then to the others in turn. Messages that a rank does
// not need are left out.
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

/// The messages that this rank has sent to others, and its transfers from and
/// to the disk for that.
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

/// Passes the messages of one step, on a thread of its own.
class Passing {
public:
  /// Enters received messages into `messages`, and notifies `queue` when all
  /// messages of a partition have arrived.
  Passing(Communicator &communicator, const GraphLayout &layout,
          std::deque<CheckedFile> &files, FilterCounts &filterCounts,
          MessageStore &store, KeptBytes &keptBytes, StepMessages &messages,
          BatchQueue &queue);
  /// Stops the thread, which does not wait for messages.
  ~Passing();

  /// Adds a block whose messages are complete. On any thread. Throws the
  /// exception that has ended the passing, if it has failed.
  void add(std::size_t partition, std::size_t block);

  /// Must be called when all blocks have been added.
  void endGenerating();

  /// Returns when all messages are sent and received. Throws Error, WriteError,
  /// and the exceptions of the communicator.
  PassedCounts finish();

  /// The size in a packet of a block with `bytes` bytes of messages.
  static std::uint64_t bytesInPacket(std::uint64_t bytes);

  /// The bytes of memory that this takes.
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
  std::vector<std::byte> passingValues; ///< needed messages of a block
  std::vector<std::uint16_t> passingSources;
  unsigned finishedRanks = 0; ///< that have sent all their messages
  PassedCounts counts;

  std::mutex mutex;
  std::vector<Place> generated;
  bool isGenerated = false, isStopped = false;
  std::exception_ptr failure;
  std::thread thread;
};

} // namespace heddle::graph::ooc

#endif
