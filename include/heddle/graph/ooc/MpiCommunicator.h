//===- MpiCommunicator.h - Ranks that MPI has started ----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_MPICOMMUNICATOR_H
#define HEDDLE_GRAPH_OOC_MPICOMMUNICATOR_H

#include "heddle/graph/ooc/Communicator.h"

#include <memory>

namespace heddle::graph::ooc {

/// Connects all ranks of this process's MPI job. If a rank exits without
/// destroying its communicator, MPI ends the others. If an exception destroys a
/// communicator, that ends all ranks before the exception can be caught.
/// Functions throw Error for messages of more than 2 GiB.
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
  /// Whether mpirun, or an equivalent, has started this process.
  static bool isStartedByMpi();

  /// A process may have one. Throws Error if the MPI library does not allow
  /// several threads.
  MpiCommunicator();
  ~MpiCommunicator() override;

  unsigned rank() const override;
  unsigned ranks() const override;
  std::vector<std::string> gather(const std::string &bytes) override;
  void send(unsigned to, Bytes bytes) override;
  std::size_t underWay() override;
  std::optional<Packet> receive() override;

  /// Called by a rank that has failed, with its error message. If all ranks
  /// call this within a second, returns the messages of all, and otherwise
  /// nothing.
  std::vector<std::string> gatherFailures(const std::string &message);

  /// Ends all ranks. If gatherFailures() has returned messages, waits until all
  /// ranks call this.
  [[noreturn]] void abort(int status);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace heddle::graph::ooc

#endif
