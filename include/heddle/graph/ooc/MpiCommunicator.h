//===- MpiCommunicator.h - Ranks that MPI has started ----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_MPICOMMUNICATOR_H
#define HEDDLE_GRAPH_OOC_MPICOMMUNICATOR_H

#include "heddle/graph/ooc/Communicator.h"

#include <memory>

namespace heddle::graph::ooc {

/// All ranks of the job that this process belongs to. Where one of them ends
/// without ending this, MPI ends the others; where an exception ends this, it
/// ends all of them, before anybody can catch it. Functions throw Error for
/// more than 2 GiB at a time.
///
///   MpiCommunicator communicator;
///   try {
///     work(communicator);
///   } catch (const Error &error) {
///     std::cerr << error.what() << '\n';
///     communicator.abort(EXIT_FAILURE);
///   }
class MpiCommunicator final : public Communicator {
public:
  /// Whether mpirun, or what does its work, has started this process.
  static bool isStartedByMpi();

  /// One for a process. Throws Error if MPI does not allow several threads.
  MpiCommunicator();
  ~MpiCommunicator() override;

  unsigned rank() const override;
  unsigned ranks() const override;
  std::vector<std::string> gather(const std::string &bytes) override;
  void send(unsigned to, Bytes bytes) override;
  std::size_t underWay() override;
  std::optional<Packet> receive() override;

  /// Called by a rank that has failed, with what has gone wrong: what has on
  /// each, if all of them call this within a second, and else nothing.
  std::vector<std::string> gatherFailures(const std::string &message);

  /// Ends all ranks, after those whose gatherFailures() has returned something
  /// have come here.
  [[noreturn]] void abort(int status);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace heddle::graph::ooc

#endif
