//===- IoQueue.cpp - Concurrent transfers --------------------------------===//

#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/disk/BlockFile.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <liburing.h>
#include <unistd.h>

namespace heddle::graph::ooc {

namespace {

// Larger transfers are no faster, and other requests wait for them longer.
constexpr std::size_t PieceBytes = std::size_t(1) << 18;
constexpr unsigned Depth = 64;

/// A ring may get the addresses of one that has ended, perhaps another
/// thread's. The kernel orders the two; liburing's system calls tell
/// ThreadSanitizer nothing of it, this does.
std::atomic<unsigned> endedRings;

/// Containers may forbid it.
void warnOfNoUring(int error) {
  static std::atomic_flag isSaid = ATOMIC_FLAG_INIT;
  if (!isSaid.test_and_set())
    std::fprintf(stderr,
                 "heddle: warning: io_uring is not available (%s): files are "
                 "read and written one piece at a time, which is slower\n",
                 std::strerror(error));
}

} // namespace

/// Without io_uring, each transfer is done when it is begun.
class IoQueue::Ring {
public:
  Ring() : pieces(Depth) {
    const int result = io_uring_queue_init(Depth, &ring, 0);
    isThere = result == 0;
    endedRings.load(std::memory_order_acquire);
    if (!isThere)
      warnOfNoUring(-result);
    for (Piece &piece : pieces)
      idle.push_back(&piece);
  }

  ~Ring() {
    while (idle.size() < pieces.size())
      reapOne();
    endedRings.fetch_add(1, std::memory_order_release);
    if (isThere)
      io_uring_queue_exit(&ring);
  }

  void transfer(const BlockFile &file, std::uint64_t offset, std::byte *memory,
                std::size_t bytes, Request &request) {
    HEDDLE_ASSERT(offset % BlockBytes == 0 && bytes % BlockBytes == 0);
    HEDDLE_ASSERT(reinterpret_cast<std::uintptr_t>(memory) % BlockBytes == 0);
    (request.isWrite ? counts.written : counts.read) += bytes;
    while (bytes > 0) {
      const std::size_t size = std::min(bytes, PieceBytes);
      // Requests that are not submitted never complete.
      if (idle.empty() && isThere)
        submit();
      while (idle.empty())
        reapOne();
      Piece &piece = *idle.back();
      idle.pop_back();
      piece = {&request, &file, offset, memory, size};
      ++request.pieces;
      begin(piece);
      offset += size;
      memory += size;
      bytes -= size;
    }
    if (isThere)
      submit();
  }

  void settle(Request &request) {
    while (request.pieces > 0)
      reapOne();
  }

  void wait(Request &request) {
    settle(request);
    if (request.problem.empty())
      return;
    const std::string problem = std::exchange(request.problem, {});
    if (request.isWrite)
      throw WriteError(problem);
    throw Error(problem);
  }

  TransferCounts counts;

private:
  struct Piece {
    Request *request = nullptr;
    const BlockFile *file = nullptr;
    std::uint64_t offset = 0;
    std::byte *memory = nullptr;
    std::size_t bytes = 0;
  };

  void begin(Piece &piece) {
    if (!isThere)
      return finish(piece, doNow(piece));
    io_uring_sqe *entry = io_uring_get_sqe(&ring);
    if (!entry) {
      submit();
      entry = io_uring_get_sqe(&ring);
    }
    io_uring_prep_rw(piece.request->isWrite ? IORING_OP_WRITE : IORING_OP_READ,
                     entry, piece.file->descriptor(), piece.memory,
                     static_cast<unsigned>(piece.bytes), piece.offset);
    io_uring_sqe_set_data(entry, &piece);
  }

  static ssize_t doNow(const Piece &piece) {
    const auto offset = static_cast<off_t>(piece.offset);
    const ssize_t done = piece.request->isWrite
                             ? pwrite(piece.file->descriptor(), piece.memory,
                                      piece.bytes, offset)
                             : pread(piece.file->descriptor(), piece.memory,
                                     piece.bytes, offset);
    return done < 0 ? -errno : done;
  }

  void submit() {
    int result;
    while ((result = io_uring_submit(&ring)) == -EINTR || result == -EAGAIN) {
    }
    if (result < 0)
      throw Error(std::string("io_uring: ") + std::strerror(-result));
  }

  void reapOne() {
    io_uring_cqe *completion;
    int result;
    while ((result = io_uring_wait_cqe(&ring, &completion)) == -EINTR) {
    }
    if (result < 0)
      throw Error(std::string("io_uring: ") + std::strerror(-result));
    auto &piece = *static_cast<Piece *>(io_uring_cqe_get_data(completion));
    const int done = completion->res;
    io_uring_cqe_seen(&ring, completion);
    finish(piece, done);
  }

  /// After a transfer of `done` bytes, or an error -`done`.
  void finish(Piece &piece, ssize_t done) {
    const bool again = done == -EINTR || done == -EAGAIN;
    if (done > 0) {
      const auto size = static_cast<std::size_t>(done);
      piece.offset += size;
      piece.memory += size;
      piece.bytes -= size;
    } else if (!again) {
      tell(piece, done == 0 ? piece.request->isWrite
                                  ? "the device is full"
                                  : "expected " + std::to_string(piece.bytes) +
                                        " more bytes, found the end of the file"
                            : std::strerror(static_cast<int>(-done)));
    }
    if (piece.bytes > 0 && piece.request->problem.empty()) {
      begin(piece);
      if (isThere)
        submit();
      return;
    }
    HEDDLE_ASSERT(piece.request->pieces > 0);
    --piece.request->pieces;
    idle.push_back(&piece);
  }

  static void tell(const Piece &piece, const std::string &problem) {
    if (piece.request->problem.empty())
      piece.request->problem = piece.file->path() + ": byte " +
                               std::to_string(piece.offset) + ": " + problem;
  }

  io_uring ring;
  bool isThere = false;
  std::vector<Piece> pieces;
  std::vector<Piece *> idle;
};

IoQueue::IoQueue() : ring(std::make_unique<Ring>()) {}
IoQueue::~IoQueue() = default;
IoQueue::IoQueue(IoQueue &&) noexcept = default;

void IoQueue::read(const BlockFile &file, std::uint64_t offset, std::byte *to,
                   std::size_t bytes, Request &request) {
  request.isWrite = false;
  ring->transfer(file, offset, to, bytes, request);
}

void IoQueue::write(const BlockFile &file, std::uint64_t offset,
                    const std::byte *from, std::size_t bytes,
                    Request &request) {
  request.isWrite = true;
  ring->transfer(file, offset, const_cast<std::byte *>(from), bytes, request);
}

void IoQueue::wait(Request &request) { ring->wait(request); }

void IoQueue::settle(Request &request) noexcept { ring->settle(request); }

const TransferCounts &IoQueue::counts() const { return ring->counts; }

} // namespace heddle::graph::ooc
