//===- PassingTest.cpp - Messages between machines ------------------------===//

#include "PreparedGraph.h"

#include "heddle/graph/detail/ooc/ranks/Passing.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// The first of two ranks, which never receives anything.
class BrokenNetwork final : public ooc::Communicator {
public:
  unsigned rank() const override { return 0; }
  unsigned ranks() const override { return 2; }
  std::vector<std::string> gather(const std::string &bytes) override {
    return {bytes, bytes};
  }
  void send(unsigned, Bytes) override {}
  std::size_t underWay() override { return 0; }
  std::optional<Packet> receive() override {
    throw Error("the network is down");
  }
};

TEST(Passing, WhoGeneratesMessagesHearsOfItsEnd) {
  const PreparedGraph<> graph(evenGraph(true),
                              {.partitions = 2, .batchVertices = 1});
  const ooc::GraphLayout &layout = graph.layout;
  std::deque<ooc::CheckedFile> files;
  files.emplace_back(ooc::edgesPath(graph.path(), 0),
                     ooc::sumsPath(graph.path(), 0), layout.files[0].bytes,
                     layout.files[0].checksum);
  ooc::FilterCounts filterCounts;
  ooc::MessageStore store(graph.path());
  ooc::KeptBytes keptBytes;
  ooc::StepMessages messages(layout, sizeof(std::uint32_t));
  ooc::BatchQueue queue(layout, ooc::shareOf(layout, 0, 2), false);
  BrokenNetwork network;
  ooc::Passing passing(network, layout, files, filterCounts, store, keptBytes,
                       messages, queue);
  // After the messages of this rank, the queue waits for those of the other,
  // and is finally notified that they will not arrive.
  EXPECT_EQ(errorOf([&] {
              while (queue.take(false)) {
              }
            }),
            "the network is down");
  EXPECT_EQ(errorOf([&] { passing.add(0, 0); }), "the network is down");
  EXPECT_EQ(errorOf([&] { passing.finish(); }), "the network is down");
}

} // namespace
