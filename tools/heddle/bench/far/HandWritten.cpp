//===- HandWritten.cpp - Loops over io_uring, by hand --------------------===//

#include "HandWritten.h"

#include "FarData.h"

#include "../../command/Error.h"
#include "../TemporaryFiles.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <liburing.h>
#include <unistd.h>
#include <vector>

namespace heddle::bench {

namespace {

// Flags of newer kernels than the library knows.
constexpr unsigned SingleIssuer = 1u << 12, DeferTaskrun = 1u << 13;

constexpr unsigned SubmittedAtOnce = 16;

class Ring {
public:
  Ring(const std::string &path, bool writes, unsigned depth,
       std::uint64_t bufferBytes)
      : depth(depth), bufferBytes(bufferBytes), path(path),
        file(openDirect(path, writes ? O_RDWR : O_RDONLY)) {
    int error = io_uring_queue_init(depth, &uring, SingleIssuer | DeferTaskrun);
    if (error == -EINVAL)
      error = io_uring_queue_init(depth, &uring, 0);
    check(error, "set up io_uring for");
    memory = static_cast<char *>(
        std::aligned_alloc(FarPageBytes, depth * bufferBytes));
    std::memset(memory, 0, depth * bufferBytes);
    const iovec all = {memory, depth * bufferBytes};
    check(io_uring_register_buffers(&uring, &all, 1), "register buffers for");
    check(io_uring_register_files(&uring, &file, 1), "register");
  }
  ~Ring() {
    io_uring_queue_exit(&uring);
    std::free(memory);
    close(file);
  }
  Ring(const Ring &) = delete;
  Ring &operator=(const Ring &) = delete;

  char *buffer(unsigned slot) const { return memory + slot * bufferBytes; }

  void read(unsigned slot, std::uint64_t offset, std::uint64_t bytes) {
    request(io_uring_prep_read_fixed, slot, offset, bytes);
  }
  void write(unsigned slot, std::uint64_t offset, std::uint64_t bytes) {
    request(io_uring_prep_write_fixed, slot, offset, bytes);
  }

  /// Calls `start(slot)` for all slots, and `arrived(slot)` for what has been
  /// done, until nothing is under way. Both may make a request of their slot.
  template <typename Start, typename Arrived>
  void run(Start start, Arrived arrived) {
    for (unsigned slot = 0; slot < depth; ++slot)
      start(slot);
    while (underWay > 0) {
      const int submitted = io_uring_submit_and_wait(&uring, 1);
      if (submitted != -EINTR)
        check(std::min(submitted, 0), "request pages of");
      unsubmitted = 0;
      io_uring_cqe *completions[64];
      const unsigned count =
          io_uring_peek_batch_cqe(&uring, completions, std::size(completions));
      struct {
        unsigned slot;
        int result;
      } done[std::size(completions)];
      for (unsigned i = 0; i < count; ++i)
        done[i] = {static_cast<unsigned>(completions[i]->user_data),
                   completions[i]->res};
      io_uring_cq_advance(&uring, count);
      underWay -= count;
      for (unsigned i = 0; i < count; ++i) {
        check(std::min(done[i].result, 0), "read or write");
        if (static_cast<std::uint64_t>(done[i].result) !=
            expected[done[i].slot])
          throw Error(path + ": is cut short");
        arrived(done[i].slot);
      }
    }
  }

  void sync() {
    if (fsync(file) != 0)
      check(-errno, "write");
  }

  const unsigned depth;
  const std::uint64_t bufferBytes;

private:
  template <typename Prepare>
  void request(Prepare prepare, unsigned slot, std::uint64_t offset,
               std::uint64_t bytes) {
    io_uring_sqe *const entry = io_uring_get_sqe(&uring);
    prepare(entry, 0, buffer(slot), static_cast<unsigned>(bytes), offset, 0);
    expected[slot] = bytes;
    entry->flags |= IOSQE_FIXED_FILE;
    entry->user_data = slot;
    ++underWay;
    if (++unsubmitted >= SubmittedAtOnce) {
      check(std::min(io_uring_submit(&uring), 0), "request pages of");
      unsubmitted = 0;
    }
  }

  void check(int result, const char *what) const {
    if (result < 0)
      throw Error(
          fmt::format("cannot {} {}: {}", what, path, std::strerror(-result)));
  }

  std::string path;
  int file;
  io_uring uring = {};
  char *memory = nullptr;
  unsigned underWay = 0, unsubmitted = 0;
  std::vector<std::uint64_t> expected = std::vector<std::uint64_t>(depth);
};

/// The one that loops run on.
Ring *current = nullptr;

/// Returns the page that contains the byte at `offset`.
constexpr std::uint64_t pageOf(std::uint64_t offset) {
  return offset / FarPageBytes * FarPageBytes;
}

template <typename T> T valueAt(const char *page, std::uint64_t offset) {
  T value;
  std::memcpy(&value, page + offset % FarPageBytes, sizeof value);
  return value;
}

std::uint64_t gather(std::uint64_t, const std::uint64_t *index,
                     std::int64_t count) {
  Ring *const ring = current;
  std::vector<std::uint64_t> offsets(ring->depth);
  std::uint64_t sum = 0;
  std::int64_t next = 0;
  const auto start = [&](unsigned slot) {
    if (next == count)
      return;
    offsets[slot] = index[next++] * sizeof(std::uint64_t);
    ring->read(slot, pageOf(offsets[slot]), FarPageBytes);
  };
  ring->run(start, [&](unsigned slot) {
    sum += valueAt<std::uint64_t>(ring->buffer(slot), offsets[slot]);
    start(slot);
  });
  return sum;
}

std::uint64_t probe(std::uint64_t, std::uint64_t nodesOffset,
                    std::uint64_t buckets, const std::uint64_t *keys,
                    std::int64_t count) {
  Ring *const ring = current;
  using Node = HashLayout::Node;
  struct Task {
    std::uint64_t key, offset;
    bool isAtHead;
  };
  std::vector<Task> tasks(ring->depth);
  std::uint64_t sum = 0;
  std::int64_t next = 0;
  const auto request = [&](unsigned slot) {
    ring->read(slot, pageOf(tasks[slot].offset), FarPageBytes);
  };
  const auto start = [&](unsigned slot) {
    if (next == count)
      return;
    const std::uint64_t key = keys[next++];
    tasks[slot] = {key, key % buckets * sizeof(std::uint64_t), true};
    request(slot);
  };
  ring->run(start, [&](unsigned slot) {
    Task &task = tasks[slot];
    std::uint64_t at;
    // The next node may be in the same page.
    for (;;) {
      const char *page = ring->buffer(slot);
      if (task.isAtHead) {
        at = valueAt<std::uint64_t>(page, task.offset);
        task.isAtHead = false;
      } else {
        const auto node = valueAt<Node>(page, task.offset);
        at = node.next;
        if (node.key == task.key) {
          sum += node.value;
          at = 0;
        }
      }
      if (at == 0)
        return start(slot);
      const std::uint64_t before = pageOf(task.offset);
      task.offset = nodesOffset + (at - 1) * sizeof(Node);
      if (pageOf(task.offset) != before)
        return request(slot);
    }
  });
  return sum;
}

std::uint64_t lists(std::uint64_t, const std::uint64_t *firsts,
                    std::int64_t count) {
  Ring *const ring = current;
  using Node = ListLayout::Node;
  std::vector<std::uint64_t> offsets(ring->depth);
  std::uint64_t sum = 0;
  std::int64_t next = 0;
  const auto request = [&](unsigned slot, std::uint64_t at) {
    offsets[slot] = (at - 1) * sizeof(Node);
    ring->read(slot, pageOf(offsets[slot]), FarPageBytes);
  };
  const auto start = [&](unsigned slot) {
    if (next < count)
      request(slot, firsts[next++]);
  };
  ring->run(start, [&](unsigned slot) {
    for (;;) {
      const auto node = valueAt<Node>(ring->buffer(slot), offsets[slot]);
      sum += node.value;
      if (node.next == 0)
        return start(slot);
      const std::uint64_t before = pageOf(offsets[slot]);
      const std::uint64_t offset = (node.next - 1) * sizeof(Node);
      if (pageOf(offset) != before)
        return request(slot, node.next);
      offsets[slot] = offset;
    }
  });
  return sum;
}

std::uint64_t scan(std::uint64_t, std::int64_t count) {
  Ring *const ring = current;
  const std::uint64_t fileBytes = count * sizeof(std::uint64_t);
  std::vector<std::uint64_t> bytesOf(ring->depth);
  std::uint64_t sum = 0, next = 0;
  const auto start = [&](unsigned slot) {
    const std::uint64_t bytes = std::min(ring->bufferBytes, fileBytes - next);
    if (bytes == 0)
      return;
    bytesOf[slot] = bytes;
    ring->read(slot, next, bytes);
    next += bytes;
  };
  ring->run(start, [&](unsigned slot) {
    const auto *words =
        reinterpret_cast<const std::uint64_t *>(ring->buffer(slot));
    for (std::uint64_t i = 0; i < bytesOf[slot] / sizeof *words; ++i)
      sum += words[i];
    start(slot);
  });
  return sum;
}

void fill(std::uint64_t, std::int64_t count) {
  Ring *const ring = current;
  const std::uint64_t fileBytes = count * sizeof(std::uint64_t);
  std::uint64_t next = 0;
  const auto start = [&](unsigned slot) {
    const std::uint64_t bytes = std::min(ring->bufferBytes, fileBytes - next);
    if (bytes == 0)
      return;
    auto *words = reinterpret_cast<std::uint64_t *>(ring->buffer(slot));
    for (std::uint64_t i = 0; i < bytes / sizeof *words; ++i)
      words[i] = numberAt(next / sizeof *words + i);
    ring->write(slot, next, bytes);
    next += bytes;
  };
  ring->run(start, start);
  ring->sync();
}

} // namespace

void withRing(const std::string &path, bool writes, unsigned depth,
              std::uint64_t bufferBytes, const std::function<void()> &work) {
  Ring ring(path, writes, depth, bufferBytes);
  current = &ring;
  work();
}

const FarLoops handFarLoops = {gather, probe, lists, scan, fill};

} // namespace heddle::bench
