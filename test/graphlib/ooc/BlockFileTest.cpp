//===- BlockFileTest.cpp - Transfers of any size, by any kernel -----------===//
//
// io_uring may be short of memory once or for ever, be forbidden after it was
// set up, or end transfers early. Data arrive all the same, and nothing waits
// for ever. Only the errors of a device are errors.
//
//===----------------------------------------------------------------------===//

#include "PreparedGraph.h"

#include "heddle/graph/Error.h"
#include "heddle/graph/detail/ooc/disk/BlockFile.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <liburing.h>
#include <limits>

namespace {

constexpr unsigned Always = std::numeric_limits<unsigned>::max();

/// What the kernel of the tests does.
struct Faults {
  const char *name = "";
  unsigned from = 0, count = 0; ///< the calls that fail
  int ofSubmit = 0, ofWait = 0; ///< the errors of those calls
  unsigned most = Always;       ///< requests that a submission takes
  int ofTransfer = 0;           ///< the error of transfers, or
  bool isShort = false;         ///< transfers end after a block
} faults;
unsigned submits = 0, waits = 0;

bool fails(unsigned call) {
  return call >= faults.from && call - faults.from < faults.count;
}

/// Waits for all completions, and changes them.
void changeCompletions(io_uring &ring, unsigned expected) {
  io_uring_cq &entries = ring.cq;
  while (io_uring_cq_ready(&ring) < expected)
    io_uring_get_events(&ring);
  for (unsigned i = 0; i < expected; ++i) {
    io_uring_cqe &entry =
        entries.cqes[(*entries.khead + i) & *entries.kring_mask];
    if (faults.ofTransfer != 0)
      entry.res = -faults.ofTransfer;
    else if (faults.isShort && entry.res > int(heddle::graph::ooc::BlockBytes))
      entry.res = int(heddle::graph::ooc::BlockBytes);
  }
}

} // namespace

extern "C" {

int __real_io_uring_submit(io_uring *ring);
int __real___io_uring_get_cqe(io_uring *ring, io_uring_cqe **completion,
                              unsigned submit, unsigned wait, sigset_t *mask);

int __wrap_io_uring_submit(io_uring *ring) {
  if (faults.ofSubmit != 0 && fails(submits++))
    return -faults.ofSubmit;
  io_uring_sq &entries = ring->sq;
  const unsigned end = entries.sqe_tail;
  entries.sqe_tail =
      entries.sqe_head + std::min(end - entries.sqe_head, faults.most);
  const unsigned completed = io_uring_cq_ready(ring);
  const int taken = __real_io_uring_submit(ring);
  entries.sqe_tail = end;
  if (taken > 0 && (faults.ofTransfer != 0 || faults.isShort))
    changeCompletions(*ring, completed + unsigned(taken));
  return taken;
}

int __wrap___io_uring_get_cqe(io_uring *ring, io_uring_cqe **completion,
                              unsigned submit, unsigned wait, sigset_t *mask) {
  if (faults.ofWait != 0 && fails(waits++))
    return -faults.ofWait;
  return __real___io_uring_get_cqe(ring, completion, submit, wait, mask);
}

} // extern "C"

namespace {

using namespace heddle::graph;
using namespace heddle::graph::ooc;
using namespace heddle::test;

TEST(BlockFile, IsMadeWithoutFollowingALink) {
  const TemporaryDirectory directory;
  const std::string victim = directory / "victim";
  writeText(victim, "precious");
  for (const char *name : {"file", "temporary", "dangling"})
    std::filesystem::create_symlink(
        name == std::string("dangling") ? "none" : "victim", directory / name);
  const BlockFile file(directory / "file", BlockFile::Mode::Create);
  const BlockFile other(directory / "dangling", BlockFile::Mode::Create);
  const std::size_t before = directory.entries();
  const BlockFile temporary(directory / "", BlockFile::Mode::Temporary);
  EXPECT_EQ(directory.entries(), before);
  const BlockBuffer block(BlockBytes);
  for (const BlockFile *each : {&file, &other, &temporary})
    IoQueue().write(*each, 0, block.data(), BlockBytes);
  EXPECT_EQ(readText(victim), "precious");
  EXPECT_FALSE(std::filesystem::exists(directory / "none"));
  EXPECT_TRUE(std::filesystem::is_regular_file(
      std::filesystem::symlink_status(directory / "file")));
}

TEST(IoQueue, TransfersMoreThanAreUnderWayAtATime) {
  const TemporaryDirectory directory;
  const BlockFile file(directory / "file", BlockFile::Mode::Create);
  IoQueue queue;
  for (const std::size_t bytes :
       {std::size_t(BlockBytes), std::size_t(16) << 20,
        (std::size_t(16) << 20) + BlockBytes, std::size_t(70) << 20}) {
    const BlockBuffer from(bytes), to(bytes);
    for (std::size_t i = 0; i < bytes; i += 512)
      from.data()[i] = static_cast<std::byte>(i / 512 * 31);
    IoQueue::Request write, read;
    queue.write(file, BlockBytes, from.data(), bytes, write);
    queue.wait(write);
    queue.read(file, BlockBytes, to.data(), bytes, read);
    queue.wait(read);
    EXPECT_TRUE(std::equal(from.data(), from.data() + bytes, to.data()))
        << bytes;
  }
  EXPECT_EQ(queue.counts().read, queue.counts().written);
}

class IoQueueFaults : public testing::Test {
protected:
  void SetUp() override { use({}); }
  void TearDown() override { use({}); }

  static void use(const Faults &next) {
    faults = next;
    submits = waits = 0;
  }

  /// Writes and reads more pieces than may be under way.
  static void transfer(IoQueue &queue, const BlockFile &file) {
    constexpr std::size_t Bytes = (std::size_t(20) << 20) + BlockBytes;
    const BlockBuffer from(Bytes), to(Bytes);
    for (std::size_t i = 0; i < Bytes; i += 512)
      from.data()[i] = static_cast<std::byte>(i / 512 * 31 + 1);
    IoQueue::Request first, second;
    queue.write(file, 0, from.data(), Bytes / 2 / BlockBytes * BlockBytes,
                first);
    queue.write(file, 0, from.data(), Bytes, second);
    queue.wait(second);
    queue.wait(first);
    queue.read(file, 0, to.data(), Bytes);
    EXPECT_TRUE(std::equal(from.data(), from.data() + Bytes, to.data()));
  }
};

TEST_F(IoQueueFaults, DataArriveWhateverTheKernelRefuses) {
  const TemporaryDirectory directory;
  const BlockFile file(directory / "file", BlockFile::Mode::Create);
  for (const Faults &each : std::vector<Faults>{
           {"no memory once", 0, 1, ENOMEM},
           {"no memory at the third submission", 2, 1, ENOMEM},
           {"no memory for ever", 0, Always, ENOMEM},
           {"busy once", 0, 1, EAGAIN},
           {"busy for ever", 0, Always, EAGAIN},
           {"busy for ever, from the second submission", 1, Always, EAGAIN},
           {"full for ever", 1, Always, EBUSY},
           {"interrupted for ever", 0, Always, EINTR},
           {"forbidden", 0, Always, EPERM},
           {"forbidden later", 2, Always, EACCES},
           {"unknown", 0, Always, ENOSYS},
           {"no wait", 0, Always, 0, EAGAIN},
           {"a forbidden wait", 0, Always, 0, EPERM},
           {"a wait that is always interrupted", 0, Always, 0, EINTR},
           {"neither submission nor wait", 1, Always, EAGAIN, ENOMEM},
           {"one request a call", 0, 0, 0, 0, 1},
           {"three requests a call, then none", 3, Always, EAGAIN, 0, 3},
           {"transfers that are busy", 0, 0, 0, 0, Always, EAGAIN},
           {"transfers that are interrupted", 0, 0, 0, 0, Always, EINTR},
           {"transfers without memory", 0, 0, 0, 0, Always, ENOMEM},
           {"transfers that are cancelled", 0, 0, 0, 0, Always, ECANCELED},
           {"short transfers", 0, 0, 0, 0, Always, 0, true}}) {
    SCOPED_TRACE(each.name);
    use(each);
    IoQueue queue;
    transfer(queue, file);
    // The ring works again as soon as the kernel does.
    use({});
    transfer(queue, file);
  }
}

TEST_F(IoQueueFaults, ErrorsOfTheDeviceNameThePlace) {
  const TemporaryDirectory directory;
  const BlockFile file(directory / "file", BlockFile::Mode::Create);
  const BlockBuffer block(BlockBytes);
  IoQueue queue;
  queue.write(file, 0, block.data(), BlockBytes);
  // Whether the ring or the queue itself makes the transfer.
  for (const Faults &each : std::vector<Faults>{{}, {"", 0, Always, EAGAIN}}) {
    use(each);
    try {
      queue.read(file, BlockBytes, block.data(), BlockBytes);
      ADD_FAILURE() << "read past the end";
    } catch (const Error &error) {
      EXPECT_NE(std::string(error.what())
                    .find("file: byte 4096: expected 4096 more bytes, found "
                          "the end of the file"),
                std::string::npos)
          << error.what();
    }
  }
  use({.ofTransfer = EIO});
  EXPECT_THROW(queue.write(file, 0, block.data(), BlockBytes), WriteError);
  EXPECT_THROW(queue.read(file, 0, block.data(), BlockBytes), Error);
  use({});
  queue.read(file, 0, block.data(), BlockBytes);
}

} // namespace
