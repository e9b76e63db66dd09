//===- Communicator.h - The machines that share a graph --------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_COMMUNICATOR_H
#define HEDDLE_GRAPH_OOC_COMMUNICATOR_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// Joins the programs, one for each machine and called ranks, that work on a
/// graph together. Of one thread at a time.
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

  /// What each of the ranks has given, in their order. All of them call this.
  virtual std::vector<std::string> gather(const std::string &bytes) = 0;

  /// Begins to send to another rank. What is sent to one rank comes in the same
  /// order.
  virtual void send(unsigned to, Bytes bytes) = 0;

  /// How many packets are still on their way.
  virtual std::size_t underWay() = 0;

  /// A packet that has come, if there is one.
  virtual std::optional<Packet> receive() = 0;
};

} // namespace heddle::graph::ooc

#endif
