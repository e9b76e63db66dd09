//===- IoModelTest.cpp - Predicted transfers of calls ---------------------===//

#include "heddle/graph/detail/ooc/model/IoModel.h"

#include <gtest/gtest.h>

namespace {

using namespace heddle::graph::ooc;

constexpr std::uint64_t BatchBytes = BatchUnit * 4; // of four-byte elements
constexpr std::uint64_t Much = std::uint64_t(1) << 40;

/// One partition with four batches of a block each. There are 100000 edges from
/// 10000 vertices of each block to each batch.
class IoModelTest : public testing::Test {
protected:
  static constexpr std::size_t Batches = 4;
  static constexpr std::uint32_t Edges = 100000, Sources = 10000;

  IoModelTest() {
    layout.vertices = Batches * BatchUnit;
    layout.edges = Batches * Batches * Edges;
    layout.batchVertices = BatchUnit;
    layout.partitionBegins = {0, layout.vertices};
    layout.files.resize(1);
    layout.deriveBatches();
    layout.deriveGroups();
    for (std::size_t batch = 0; batch < Batches; ++batch) {
      layout.chunks.push_back(
          {.edges = Batches * Edges, .sources = Batches * Sources});
      index.ofChunks.emplace_back();
      for (std::uint32_t block = 0; block <= Batches; ++block)
        index.ofChunks.back().push_back({block * Sources, block * Edges});
    }
    place();
  }

  /// Places the chunks as in the file, and behind them a dispatching graph: in
  /// each block, a number of sources have edges to two batches.
  void place() {
    constexpr std::uint32_t DispatchingSources = 2 * Sources;
    std::uint64_t end = 0;
    for (Chunk &chunk : layout.chunks) {
      chunk.offset = end;
      end = layout.places(0, chunk).end;
    }
    layout.dispatchingGraphs = {{.edges = Batches * 2 * DispatchingSources,
                                 .sources = Batches * DispatchingSources,
                                 .offset = end}};
    index.ofDispatching.resize(1);
    for (std::uint32_t block = 0; block <= Batches; ++block)
      index.ofDispatching[0].push_back(
          {block * DispatchingSources, block * 2 * DispatchingSources});
    end = layout.placesOfDispatching(0, layout.dispatchingGraphs[0]).end;
    layout.files[0].bytes = roundUpToBlock(end);
  }

  IoModel make(bool isResumed = false) const {
    return IoModel(layout, RankGroup(nullptr), index, filterCounts,
                   WeightKind::None, isResumed);
  }

  /// Returns what `call` adds to the prediction.
  template <typename Call>
  static TransferCounts during(IoModel &model, Call call) {
    const TransferCounts before = model.predicted();
    call();
    const TransferCounts after = model.predicted();
    return {after.read - before.read, after.written - before.written};
  }

  /// Sends messages of `bytes` bytes from a number of vertices of some blocks.
  static TransferCounts sendAlongEdges(IoModel &model,
                                       const MessageCounts &counts,
                                       std::size_t messageBytes = 4) {
    return during(model, [&] {
      model.messagesGenerated({}, All, counts, messageBytes);
      model.edgesProcessed({});
    });
  }

  /// The bytes of the blocks of edges to all batches, with targets of two
  /// bytes, without the ends of pieces.
  static std::uint64_t edgeBytes(std::uint64_t blocksPerBatch) {
    return Batches * blocksPerBatch * (Edges * 2 + Sources * 6);
  }

  /// The most bytes of the blocks in which the arrays of a piece begin and end:
  /// targets, sources and rows.
  static constexpr std::uint64_t BesidePiece = 3 * 2 * BlockBytes;

  static constexpr std::uint64_t AllVertices = BatchUnit;
  static const BatchSet All;

  GraphLayout layout;
  SourceIndex index;
  const FilterCounts filterCounts;
};

const BatchSet IoModelTest::All(Batches, 1);

TEST_F(IoModelTest, BeginsWithWhereBlocksAre) {
  // Each chunk has them in a block of the file, and the dispatching graph.
  EXPECT_EQ(make().predicted().read, (Batches + 1) * BlockBytes);
}

TEST_F(IoModelTest, NewWindowsAreZerosAndNotRead) {
  ArrayStorage array(layout, shareOf(layout, 0, 1), "array", 32);
  IoModel model = make();
  model.callBegun({.windows = Much});
  const ArrayUse use = {&array, true};
  const TransferCounts counts =
      during(model, [&] { model.verticesProcessed({&use, 1}, All); });
  EXPECT_EQ(counts.read, 0);
  EXPECT_EQ(counts.written, 0);
}

TEST_F(IoModelTest, WindowsMoveOutWhereOthersNeedTheRoom) {
  ArrayStorage array(layout, shareOf(layout, 0, 1), "array", 32);
  const ArrayUse use = {&array, true}, constant = {&array, false};
  IoModel model = make();
  model.callBegun({.windows = BatchBytes});
  EXPECT_EQ(
      during(model, [&] { model.verticesProcessed({&use, 1}, All); }).written,
      3 * BatchBytes);
  // Back from the one that is still there: it is written once it leaves, and
  // the others have not changed since.
  const TransferCounts back =
      during(model, [&] { model.verticesProcessed({&constant, 1}, All); });
  EXPECT_EQ(back.read, 3 * BatchBytes);
  EXPECT_EQ(back.written, BatchBytes);
}

TEST_F(IoModelTest, WindowsThatAreUsedTogetherStay) {
  ArrayStorage first(layout, shareOf(layout, 0, 1), "first", 32),
      second(layout, shareOf(layout, 0, 1), "second", 32);
  const ArrayUse uses[] = {{&first, false}, {&second, false}};
  IoModel model = make(true);
  model.callBegun({.windows = 2 * BatchBytes});
  const BatchSet one = {1, 0, 0, 0}, other = {0, 1, 0, 0};
  model.verticesProcessed({&uses[1], 1}, one);
  model.verticesProcessed({&uses[0], 1}, other);
  // The window of the other batch is evicted, though it was used last.
  EXPECT_EQ(during(model, [&] { model.verticesProcessed(uses, one); }).read,
            BatchBytes);
  EXPECT_EQ(during(model, [&] { model.verticesProcessed(uses, one); }).read, 0);
}

TEST_F(IoModelTest, BatchesThatAreNotVisitedCostNothing) {
  ArrayStorage array(layout, shareOf(layout, 0, 1), "array", 32);
  const ArrayUse use = {&array, false};
  IoModel model = make(true);
  model.callBegun({.windows = Much});
  EXPECT_EQ(
      during(model, [&] { model.verticesProcessed({&use, 1}, {0, 1, 0, 0}); })
          .read,
      BatchBytes);
}

TEST_F(IoModelTest, ARunThatGoesOnReadsWhatTheEarlierHasLeft) {
  ArrayStorage array(layout, shareOf(layout, 0, 1), "array", 32);
  const ArrayUse use = {&array, true};
  IoModel model = make(true);
  model.callBegun({.windows = Much});
  EXPECT_EQ(
      during(model, [&] { model.verticesProcessed({&use, 1}, All); }).read,
      Batches * BatchBytes);
}

TEST_F(IoModelTest, CheckpointsWriteWhatMayHaveChangedOnce) {
  ArrayStorage changed(layout, shareOf(layout, 0, 1), "changed", 32),
      read(layout, shareOf(layout, 0, 1), "read", 32);
  const ArrayUse uses[] = {{&changed, true}, {&read, false}};
  IoModel model = make();
  model.callBegun({.windows = Much});
  model.verticesProcessed(uses, All);
  EXPECT_EQ(during(model, [&] { model.checkpointMade(); }).written,
            Batches * BatchBytes);
  EXPECT_EQ(during(model, [&] { model.checkpointMade(); }).written, 0);
}

TEST_F(IoModelTest, MessagesThatDoNotFitAreReadByEachBatch) {
  IoModel model = make();
  model.callBegun({.messages = BatchBytes, .edges = Much});
  const MessageCounts all = {std::vector<std::uint32_t>(Batches, AllVertices)};
  sendAlongEdges(model, all);
  // All vertices have sent a message, so no list names them. One block fits.
  const TransferCounts counts = sendAlongEdges(model, all);
  EXPECT_EQ(counts.written, 3 * BatchBytes);
  EXPECT_EQ(counts.read, Batches * 3 * BatchBytes);
  // For some vertices, a list names them.
  const TransferCounts some =
      sendAlongEdges(model, {{8192, 8192, 8192, 8192}}, 14);
  EXPECT_EQ(some.written, 3 * 8192 * 16);
}

TEST_F(IoModelTest, EdgesThatFitAreReadOnce) {
  IoModel model = make();
  model.callBegun({.messages = Much, .edges = Much});
  const MessageCounts counts = {{1, 1, 1, 1}};
  const std::uint64_t first = sendAlongEdges(model, counts).read;
  EXPECT_GE(first, edgeBytes(Batches));
  EXPECT_LE(first, edgeBytes(Batches) + Batches * CheckedFile::SegmentBytes);
  EXPECT_EQ(sendAlongEdges(model, counts).read, 0);
}

TEST_F(IoModelTest, EdgesThatDoNotFitAreReadAgain) {
  IoModel model = make();
  model.callBegun({.messages = Much, .edges = 3 * edgeBytes(1)});
  const MessageCounts counts = {{1, 1, 1, 1}};
  sendAlongEdges(model, counts);
  const std::uint64_t blocksBeside = 2 * Batches * BesidePiece;
  const std::uint64_t second = sendAlongEdges(model, counts).read;
  EXPECT_GE(second, edgeBytes(1));
  EXPECT_LE(second,
            edgeBytes(1) + Batches * CheckedFile::SegmentBytes + blocksBeside);
  // With less memory, kept blocks are evicted.
  model.callBegun({.messages = Much});
  const std::uint64_t third = sendAlongEdges(model, counts).read;
  EXPECT_GE(third, edgeBytes(Batches));
  EXPECT_LE(third, edgeBytes(Batches) + blocksBeside);
}

TEST_F(IoModelTest, BlocksWithoutMessagesAreLeftOut) {
  IoModel model = make();
  model.callBegun({.messages = Much});
  const std::uint64_t one = sendAlongEdges(model, {{0, 1, 0, 0}}).read;
  EXPECT_GE(one, edgeBytes(1));
  EXPECT_LE(one, edgeBytes(1) + Batches * BesidePiece);
  const std::uint64_t two = sendAlongEdges(model, {{1, 0, 0, 1}}).read;
  EXPECT_GE(two, edgeBytes(2));
  EXPECT_LE(two, edgeBytes(2) + Batches * 2 * BesidePiece);
  EXPECT_EQ(sendAlongEdges(model, {{0, 0, 0, 0}}).read, 0);
}

TEST_F(IoModelTest, SmallGapsAreRead) {
  for (auto &starts : index.ofChunks)
    for (std::uint32_t block = 2; block <= Batches; ++block)
      starts[block].edge -= Edges - 1000; // the edges of block 1
  IoModel model = make();
  model.callBegun({.messages = Much});
  const std::uint64_t both = sendAlongEdges(model, {{1, 1, 1, 0}}).read;
  EXPECT_EQ(sendAlongEdges(model, {{1, 0, 1, 0}}).read, both);
}

TEST_F(IoModelTest, MessagesAreDealtOutWhereThatMovesLess) {
  const MessageCounts counts = {
      std::vector<std::uint32_t>(Batches, AllVertices)};
  const auto moved = [&](bool dispatches) {
    IoModel model = make();
    // The edges are there after the first call.
    model.callBegun(
        {.messages = Much, .edges = Much, .dispatches = dispatches});
    sendAlongEdges(model, counts, 62);
    model.callBegun({.edges = Much, .dispatches = dispatches});
    return sendAlongEdges(model, counts, 62);
  };
  const TransferCounts none = moved(false), some = moved(true);
  constexpr std::uint64_t Messages = Batches * AllVertices * 62;
  constexpr std::uint64_t Copies = Batches * Batches * Sources * 64;
  EXPECT_EQ(none.written, Messages);
  EXPECT_EQ(none.read, Batches * Messages);
  EXPECT_GE(some.written, Messages + Copies);
  EXPECT_LE(some.written, Messages + Copies + Batches * BlockBytes);
  const double pairs = Batches * 2 * 2 * Sources;
  const double expected = Messages + Copies + pairs + pairs / 2 * 6;
  EXPECT_NEAR(static_cast<double>(some.read), expected, 0.05 * expected);
}

} // namespace
