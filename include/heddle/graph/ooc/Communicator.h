//===- Communicator.h - The ranks that work on a graph ---------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_COMMUNICATOR_H
#define HEDDLE_GRAPH_OOC_COMMUNICATOR_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// Connects the ranks: the processes that work on a graph together, usually one
/// on each machine. Used by one thread at a time.
class Communicator {
public:
  using Bytes = std::vector<std::byte>;

  struct Packet {
    unsigned from = 0;
    Bytes bytes;
  };

  Communicator() = default;
  virtual ~Communicator() = default;
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  virtual unsigned rank() const = 0;
  virtual unsigned ranks() const = 0;

  /// Returns the strings that all ranks pass, in the order of ranks. All ranks
  /// call this.
  virtual std::vector<std::string> gather(const std::string &bytes) = 0;

  /// Begins to send a packet to another rank, which receives packets in the
  /// order in which they were sent.
  virtual void send(unsigned to, Bytes bytes) = 0;

  /// The number of sent packets that are still in flight.
  virtual std::size_t underWay() = 0;

  /// A packet that has arrived, if there is one.
  virtual std::optional<Packet> receive() = 0;
};

} // namespace heddle::graph::ooc

#endif
