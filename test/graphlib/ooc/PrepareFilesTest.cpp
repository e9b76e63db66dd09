//===- PrepareFilesTest.cpp - Files of a graph that is being prepared ----===//

#include "../../../graphlib/ooc/disk/BlockAppender.h"
#include "../../../graphlib/ooc/edges/EdgeBuckets.h"
#include "PreparedGraph.h"

#include "heddle/graph/detail/ooc/disk/CheckedFile.h"

#include <random>

namespace {

using namespace heddle::graph;
using namespace heddle::graph::ooc;
using namespace heddle::test;

TEST(BlockAppender, ChecksumsAreThoseOfItsBlocks) {
  const TemporaryDirectory directory;
  // A block has the checksums of 1024.
  for (const std::size_t blocks : {0, 1, 1024, 3000}) {
    SCOPED_TRACE(blocks);
    std::vector<std::uint32_t> values(blocks * BlockBytes / 4);
    std::ranges::generate(values, std::mt19937(1));
    IoQueue queue;
    BlockAppender appender(directory / "file", directory / "sums", queue);
    const std::span<const std::uint32_t> all = values;
    // Appending continues after a flush.
    const std::size_t begun = blocks / 3 * BlockBytes / 4;
    appender.append(all.first(begun));
    appender.flush();
    appender.append(all.subspan(begun));
    const std::uint64_t checksum = appender.finish();
    ASSERT_EQ(appender.position(), values.size() * 4);

    const CheckedFile file(directory / "file", directory / "sums",
                           values.size() * 4, checksum);
    const std::string bytes = readText(directory / "file");
    EXPECT_EQ(file.checkedBytes(), bytes.size());
    file.check(0, reinterpret_cast<const std::byte *>(bytes.data()),
               bytes.size());
  }
}

TEST(EdgeBuckets, EachKeepsItsOrder) {
  using Element = EdgeBuckets<std::int32_t>::Element;
  const TemporaryDirectory directory;
  constexpr std::size_t Count = 3;
  // The least memory, with which a piece has few edges.
  EdgeBuckets<std::int32_t> buckets(directory / ".", Count, 0);
  std::array<std::vector<std::int32_t>, Count> expected;
  std::mt19937 random(1);
  for (std::int32_t i = 0; i < 100'000; ++i) {
    // One bucket has most edges, one has none.
    const std::size_t bucket = random() % 100 == 0 ? 2 : 0;
    buckets.append(bucket, {1, 2, i});
    expected[bucket].push_back(i);
  }
  buckets.finish();
  for (std::size_t bucket = 0; bucket < Count; ++bucket) {
    std::vector<std::int32_t> found;
    buckets.forEachPiece(bucket, [&](std::span<const Element> piece) {
      for (const Element &edge : piece)
        found.push_back(edge.weight);
    });
    EXPECT_EQ(buckets.size(bucket), expected[bucket].size());
    EXPECT_TRUE(found == expected[bucket]) << bucket;
  }
}

} // namespace
