//===- MpiCommunicator.cpp - Ranks that MPI has started ------------------===//

#include "heddle/graph/ooc/MpiCommunicator.h"

#include "../../../runtime/host/environment.h"
#include "../../../runtime/host/messages.h"
#include "heddle/graph/Error.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <limits>
#include <mpi.h>
#include <thread>
#include <unistd.h>

namespace heddle::graph::ooc {

namespace {

/// One tag is enough: one thread at a time calls the functions.
constexpr int Tag = 0;

// MPI ends the job if a function fails: results need no checks.
int sizeOf(MPI_Comm communicator) {
  int size;
  MPI_Comm_size(communicator, &size);
  return size;
}

int countOf(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw Error("expected less than 2 GiB in a message between ranks, found " +
                std::to_string(bytes) + " bytes; smaller batches send less");
  return static_cast<int>(bytes);
}

std::vector<std::string> gatherIn(MPI_Comm communicator,
                                  const std::string &bytes) {
  const std::size_t ranks = static_cast<std::size_t>(sizeOf(communicator));
  const int count = countOf(bytes.size());
  std::vector<int> counts(ranks), offsets(ranks);
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, communicator);
  std::size_t total = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    offsets[rank] = countOf(total);
    total += static_cast<std::size_t>(counts[rank]);
  }
  countOf(total);
  std::string joined(total, '\0');
  MPI_Allgatherv(bytes.data(), count, MPI_BYTE, joined.data(), counts.data(),
                 offsets.data(), MPI_BYTE, communicator);
  std::vector<std::string> result;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    result.push_back(joined.substr(static_cast<std::size_t>(offsets[rank]),
                                   static_cast<std::size_t>(counts[rank])));
  return result;
}

} // namespace

struct MpiCommunicator::State {
  struct Sending {
    Bytes bytes;
    MPI_Request request;
  };

  MPI_Comm all = MPI_COMM_NULL;
  MPI_Comm failed = MPI_COMM_NULL; ///< the same ranks, once they have failed
  std::deque<Sending> sendings;
  const int exceptionsBefore = std::uncaught_exceptions();
  bool haveAllFailed = false;
};

bool MpiCommunicator::isStartedByMpi() {
  return heddle_environment("OMPI_COMM_WORLD_SIZE") ||
         heddle_environment("PMIX_RANK") || heddle_environment("PMI_RANK");
}

MpiCommunicator::MpiCommunicator() : state(std::make_unique<State>()) {
  int provided;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED)
    throw Error("expected an MPI library that several threads may use in turn "
                "(MPI_THREAD_SERIALIZED), found one that only one thread may "
                "use");
  MPI_Comm_dup(MPI_COMM_WORLD, &state->all);
  MPI_Comm_dup(MPI_COMM_WORLD, &state->failed);
}

MpiCommunicator::~MpiCommunicator() {
  // The other ranks wait for messages of this one, and MPI_Finalize() would
  // wait for the other ranks.
  if (std::uncaught_exceptions() > state->exceptionsBefore) {
    std::fflush(stdout);
    heddle_say_error("rank %u: an exception has ended the program, and ends "
                     "all ranks",
                     rank());
    abort(EXIT_FAILURE);
  }
  MPI_Comm_free(&state->all);
  MPI_Comm_free(&state->failed);
  MPI_Finalize();
}

unsigned MpiCommunicator::rank() const {
  int rank;
  MPI_Comm_rank(state->all, &rank);
  return static_cast<unsigned>(rank);
}

unsigned MpiCommunicator::ranks() const {
  return static_cast<unsigned>(sizeOf(state->all));
}

std::vector<std::string> MpiCommunicator::gather(const std::string &bytes) {
  return gatherIn(state->all, bytes);
}

void MpiCommunicator::send(unsigned to, Bytes bytes) {
  const int count = countOf(bytes.size());
  State::Sending &sending =
      state->sendings.emplace_back(std::move(bytes), MPI_REQUEST_NULL);
  MPI_Isend(sending.bytes.data(), count, MPI_BYTE, static_cast<int>(to), Tag,
            state->all, &sending.request);
}

std::size_t MpiCommunicator::underWay() {
  std::erase_if(state->sendings, [](State::Sending &sending) {
    int isDone;
    MPI_Test(&sending.request, &isDone, MPI_STATUS_IGNORE);
    return isDone != 0;
  });
  return state->sendings.size();
}

std::optional<Communicator::Packet> MpiCommunicator::receive() {
  int isThere;
  MPI_Message message;
  MPI_Status status;
  MPI_Improbe(MPI_ANY_SOURCE, Tag, state->all, &isThere, &message, &status);
  if (!isThere)
    return std::nullopt;
  int count;
  MPI_Get_count(&status, MPI_BYTE, &count);
  Packet packet = {static_cast<unsigned>(status.MPI_SOURCE),
                   Bytes(static_cast<std::size_t>(count))};
  MPI_Mrecv(packet.bytes.data(), count, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  return packet;
}

std::vector<std::string>
MpiCommunicator::gatherFailures(const std::string &message) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(1);
  MPI_Request request;
  MPI_Ibarrier(state->failed, &request);
  for (int haveAll = 0; !haveAll;) {
    MPI_Test(&request, &haveAll, MPI_STATUS_IGNORE);
    if (!haveAll && Clock::now() > end)
      return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  state->haveAllFailed = true;
  return gatherIn(state->failed, message);
}

void MpiCommunicator::abort(int status) {
  if (state->haveAllFailed)
    MPI_Barrier(state->failed);
  MPI_Abort(state->all, status);
  _exit(status);
}

} // namespace heddle::graph::ooc
