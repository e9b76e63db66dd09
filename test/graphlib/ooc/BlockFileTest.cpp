//===- BlockFileTest.cpp - Transfers of any size --------------------------===//

#include "PreparedGraph.h"

#include "heddle/graph/detail/ooc/disk/BlockFile.h"

namespace {

using namespace heddle::graph::ooc;
using namespace heddle::test;

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

} // namespace
