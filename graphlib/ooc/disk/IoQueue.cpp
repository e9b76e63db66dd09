//===- IoQueue.cpp - Concurrent transfers --------------------------------===//

#include "../../../runtime/host/messages.h"
#include "../../../runtime/host/signals.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/disk/BlockFile.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <liburing.h>
#include <thread>
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

/// A transfer found the end of the file; no errno has this value.
constexpr int EndOfFile = -1;

/// Containers may forbid it.
void warnOfNoUring(int error) {
  static std::atomic_flag isSaid = ATOMIC_FLAG_INIT;
  if (!isSaid.test_and_set())
    heddle_warn("io_uring is not available (%s): files are read and written "
                "one piece at a time, which is slower",
                std::strerror(error));
}

/// Holds a signal back: a file that may not grow (ulimit -f) is an error.
class HeldSignal {
public:
  explicit HeldSignal(bool isNeeded) : isHeld(isNeeded) {
    if (isHeld)
      held = heddle_hold_signal(SIGXFSZ);
  }
  ~HeldSignal() {
    if (isHeld)
      heddle_release_signal(&held);
  }
  HeldSignal(const HeldSignal &) = delete;
  HeldSignal &operator=(const HeldSignal &) = delete;

private:
  const bool isHeld;
  heddle_held_signal held;
};

/// Whether it is the kernel that cannot do a request now, rather than the
/// device.
bool isPassing(int error) {
  return error == EAGAIN || error == EBUSY || error == EINTR || error == ENOMEM;
}

} // namespace

/// The pieces of a transfer are gathered, then submitted. Pieces that the
/// kernel refuses are transferred while the caller waits; so are all pieces
/// where there is no io_uring.
class IoQueue::Ring {
public:
  Ring() : pieces(Depth) {
    const int result = io_uring_queue_init(Depth, &ring, 0);
    isThere = result == 0;
    isRefused = !isThere;
    endedRings.load(std::memory_order_acquire);
    if (!isThere)
      warnOfNoUring(-result);
    idle.reserve(pieces.size());
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
                std::size_t bytes, Request &request) noexcept {
    HEDDLE_ASSERT(offset % BlockBytes == 0 && bytes % BlockBytes == 0);
    HEDDLE_ASSERT(reinterpret_cast<std::uintptr_t>(memory) % BlockBytes == 0);
    (request.isWrite ? counts.written : counts.read) += bytes;
    while (bytes > 0) {
      const std::size_t size = std::min(bytes, PieceBytes);
      // Requests that are not submitted never complete.
      if (idle.empty())
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
    submit();
  }

  void settle(Request &request) noexcept {
    while (request.pieces > 0)
      reapOne();
  }

  void wait(Request &request) {
    settle(request);
    const int problem = std::exchange(request.problem, 0);
    if (problem == 0)
      return;
    const std::string text =
        std::string(request.path) + ": byte " + std::to_string(request.offset) +
        ": " +
        (problem != EndOfFile ? std::strerror(problem)
         : request.isWrite    ? "the device is full"
                              : "expected " + std::to_string(request.missing) +
                                    " more bytes, found the end of the file");
    if (request.isWrite)
      throw WriteError(text);
    throw Error(text);
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
    if (isRefused)
      return transferNow(piece);
    io_uring_sqe *entry = io_uring_get_sqe(&ring);
    HEDDLE_ASSERT(entry && "there are as many entries as pieces");
    io_uring_prep_rw(piece.request->isWrite ? IORING_OP_WRITE : IORING_OP_READ,
                     entry, piece.file->descriptor(), piece.memory,
                     static_cast<unsigned>(piece.bytes), piece.offset);
    io_uring_sqe_set_data(entry, &piece);
  }

  /// Afterwards, no piece is gathered any more.
  void submit() {
    const HeldSignal held(isLimited);
    while (isThere && io_uring_sq_ready(&ring) > 0) {
      // The kernel takes fewer requests if it finds one of them wrong.
      const int result = io_uring_submit(&ring);
      if (result > 0)
        continue;
      if (result < 0 && !isPassing(-result)) {
        isRefused = true;
        warnOfNoUring(-result);
      }
      transferGathered();
    }
  }

  /// Takes the gathered pieces back from the ring, and transfers them. Without
  /// a thread of the kernel that looks at the ring (SQPOLL), no one else does.
  void transferGathered() {
    std::array<Piece *, Depth> gathered;
    std::size_t count = 0;
    io_uring_sq &entries = ring.sq;
    const unsigned first = *entries.khead;
    for (unsigned i = first; i != entries.sqe_tail; ++i)
      gathered[count++] = reinterpret_cast<Piece *>(
          entries.sqes[i & *entries.kring_mask].user_data);
    entries.sqe_head = entries.sqe_tail = *entries.ktail = first;
    for (std::size_t i = 0; i < count; ++i)
      transferNow(*gathered[i]);
  }

  /// Transfers the rest of a piece.
  void transferNow(Piece &piece) {
    const HeldSignal held(isLimited);
    while (piece.bytes > 0) {
      const auto offset = static_cast<off_t>(piece.offset);
      const ssize_t done = piece.request->isWrite
                               ? pwrite(piece.file->descriptor(), piece.memory,
                                        piece.bytes, offset)
                               : pread(piece.file->descriptor(), piece.memory,
                                       piece.bytes, offset);
      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0) {
        note(piece, done < 0 ? errno : EndOfFile);
        break;
      }
      advance(piece, static_cast<std::size_t>(done));
    }
    retire(piece);
  }

  void reapOne() {
    HEDDLE_ASSERT(isThere && "only io_uring has transfers under way");
    io_uring_cqe *completion = nullptr;
    // Completions arrive in shared memory, even if the kernel refuses to wait
    // for them.
    for (int result;
         (result = io_uring_wait_cqe(&ring, &completion)) != 0 || !completion;)
      if (result != -EINTR)
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    auto &piece = *static_cast<Piece *>(io_uring_cqe_get_data(completion));
    const int done = completion->res;
    io_uring_cqe_seen(&ring, completion);
    finish(piece, done);
  }

  /// After a transfer of `done` bytes, or an error -`done`.
  void finish(Piece &piece, int done) {
    if (done > 0)
      advance(piece, static_cast<std::size_t>(done));
    if ((done > 0 && piece.bytes > 0) || isPassing(-done) || done == -ECANCELED)
      return transferNow(piece);
    if (done <= 0)
      note(piece, done == 0 ? EndOfFile : -done);
    retire(piece);
  }

  static void advance(Piece &piece, std::size_t bytes) {
    HEDDLE_ASSERT(bytes <= piece.bytes);
    piece.offset += bytes;
    piece.memory += bytes;
    piece.bytes -= bytes;
  }

  static void note(const Piece &piece, int problem) {
    Request &request = *piece.request;
    if (request.problem != 0)
      return;
    request.problem = problem;
    request.path = piece.file->path();
    request.offset = piece.offset;
    request.missing = piece.bytes;
  }

  void retire(Piece &piece) {
    HEDDLE_ASSERT(piece.request->pieces > 0);
    --piece.request->pieces;
    idle.push_back(&piece);
  }

  io_uring ring;
  bool isThere = false;   ///< the ring
  bool isRefused = false; ///< the kernel takes no more requests
  const bool isLimited = heddle_file_size_is_limited();
  std::vector<Piece> pieces;
  std::vector<Piece *> idle;
};

IoQueue::IoQueue() : ring(std::make_unique<Ring>()) {}
IoQueue::~IoQueue() = default;
IoQueue::IoQueue(IoQueue &&) noexcept = default;

void IoQueue::read(const BlockFile &file, std::uint64_t offset, std::byte *to,
                   std::size_t bytes, Request &request) noexcept {
  request.isWrite = false;
  ring->transfer(file, offset, to, bytes, request);
}

void IoQueue::write(const BlockFile &file, std::uint64_t offset,
                    const std::byte *from, std::size_t bytes,
                    Request &request) noexcept {
  request.isWrite = true;
  ring->transfer(file, offset, const_cast<std::byte *>(from), bytes, request);
}

void IoQueue::wait(Request &request) { ring->wait(request); }

void IoQueue::settle(Request &request) noexcept { ring->settle(request); }

const TransferCounts &IoQueue::counts() const { return ring->counts; }

} // namespace heddle::graph::ooc
