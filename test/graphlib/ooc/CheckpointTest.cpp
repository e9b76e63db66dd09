//===- CheckpointTest.cpp - Runs that are cut off, and damaged files ------===//

#include "CutOff.h"
#include "PreparedGraph.h"

#include "heddle/graph/algorithms/ConnectedComponents.h"
#include "heddle/graph/messages/ConnectedComponents.h"
#include "heddle/graph/messages/PageRank.h"
#include "heddle/graph/ooc/CheckGraph.h"

#include <map>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::test;
namespace fs = std::filesystem;

TEST(Checkpoint, ARunGoesOnWhereItWasCutOff) {
  const PreparedGraph graph(evenGraph(false), {.batchVertices = 1});
  const VertexArray<std::uint32_t> expected = connectedComponents(graph.csr);
  int cuts = 0;
  for (int steps = 1; steps < 67; steps += 7)
    cuts += cutsUntilDone([&](bool resume) {
      // Calls that are done are not repeated, so that each run gets further.
      ooc::Engine<> engine(graph.path(), {.checkpoints = true,
                                          .resume = resume,
                                          .progress = cutOffAfter(steps + 20)});
      connectedComponentsByMessages(engine);
      expectValues(engine, "component", expected);
    });
  EXPECT_GT(cuts, 10);
}

TEST(Checkpoint, CallsThatAreDoneAreNotDoneAgain) {
  const PreparedGraph graph(evenGraph(true), {.batchVertices = 1});
  std::vector<int> done;
  const auto run = [&](bool resume, int calls) {
    ooc::Engine<> engine(graph.path(), {.checkpoints = true, .resume = resume});
    auto &values = engine.vertexArray<int>("values");
    for (int call = 0; call < calls; ++call)
      EXPECT_EQ(engine.processVertices(
                    [&](std::uint32_t v) {
                      if (v == 0)
                        done.push_back(call);
                      values[v] += call;
                      return v == 0 ? values[v] : 0;
                    },
                    {values}),
                call * (call + 1) / 2);
  };
  run(false, 3);
  EXPECT_EQ(done, (std::vector<int>{0, 1, 2}));
  done.clear();
  run(true, 5);
  EXPECT_EQ(done, (std::vector<int>{3, 4}));
}

TEST(FullDisk, AGraphThatCannotBeWrittenIsNone) {
  const TemporaryDirectory directory;
  const Csr<> csr = evenGraph(true);
  ooc::CsrEdges<Unweighted> edges(csr);
  {
    const FullDisk full(1 << 20);
    EXPECT_THROW(ooc::prepare(edges, directory / "graph"), WriteError);
  }
  EXPECT_FALSE(fs::exists(directory / "graph"));
  ooc::CsrEdges<Unweighted> again(csr);
  EXPECT_EQ(ooc::prepare(again, directory / "graph").edges, csr.edgeCount());
}

TEST(FullDisk, ARunGoesOnOnceThereIsRoom) {
  const PreparedGraph graph(evenGraph(false), {.batchVertices = 1});
  const VertexArray<std::uint32_t> expected = connectedComponents(graph.csr);
  {
    // Room for one copy of the components, and not for two.
    const FullDisk full(1 << 20);
    ooc::Engine<> engine(graph.path(), {.checkpoints = true});
    const std::string problem =
        errorOf<WriteError>([&] { connectedComponentsByMessages(engine); });
    EXPECT_NE(problem.find("/run/part-0/array-"), std::string::npos) << problem;
  }
  ooc::Engine<> engine(graph.path(), {.checkpoints = true, .resume = true});
  connectedComponentsByMessages(engine);
  expectValues(engine, "component", expected);
}

TEST(Checkpoint, AnotherProgramDoesNotGoOn) {
  const PreparedGraph graph(buildCsr(generateGrid(3, 3)));
  {
    ooc::Engine<> engine(graph.path(),
                         {.checkpoints = true, .program = "first"});
    engine.processVertices([](std::uint32_t) { return 1; }, {});
  }
  EXPECT_EQ(ooc::resumableProgram(graph.path()), "first");
  ooc::Engine<> engine(graph.path(), {.resume = true});
  EXPECT_THROW(engine.processVertices([](std::uint32_t) { return 1.0; }, {}),
               Error);
}

TEST(Checkpoint, TwoRunsDoNotShareADirectory) {
  const PreparedGraph graph(buildCsr(generateGrid(3, 3)));
  const ooc::Engine<> engine(graph.path());
  EXPECT_EQ(errorOf([&] { const ooc::Engine<> other(graph.path()); }),
            graph.path() +
                "/run/part-0: another run uses this directory; wait until it "
                "has ended");
}

TEST(Checkpoint, NothingToGoOnWith) {
  const PreparedGraph graph(buildCsr(generateGrid(3, 3)));
  EXPECT_EQ(errorOf([&] {
              const ooc::Engine<> engine(graph.path(), {.resume = true});
            }),
            graph.path() +
                "/run/part-0: expected a run to resume, found none; start a "
                "new one");
}

/// The ranks that a complete run of PageRank finds, and its error.
struct Outcome {
  std::vector<float> ranks;
  std::string problem;
};

Outcome runPageRank(const std::string &path, bool resume = false) {
  Outcome outcome;
  outcome.problem = errorOf([&] {
    ooc::Engine<> engine(path, {.checkpoints = true, .resume = resume});
    pageRankByMessages(engine, {.iterations = 2});
    engine.forEachValue(
        engine.vertexArray<float>("rank"),
        [&](std::uint32_t, float rank) { outcome.ranks.push_back(rank); });
  });
  return outcome;
}

std::string problemOf(const std::string &path) {
  return runPageRank(path).problem;
}

TEST(Damage, AFlippedBitIsFoundAndItsFileNamed) {
  const PreparedGraph graph(evenGraph(true),
                            {.partitions = 2, .batchVertices = 1});
  ASSERT_EQ(problemOf(graph.path()), "nothing");
  int found = 0;
  for (const char *name : {"graph", "part-0.edges", "part-1.edges",
                           "part-0.sums", "part-1.sums"}) {
    const std::string path = graph.path() + "/" + name;
    const std::uint64_t size = fs::file_size(path);
    // Does not damage the padding of the last block of checksums.
    const std::uint64_t used =
        fs::path(name).extension() == ".sums" ? size / 8 : size;
    for (const std::uint64_t byte :
         {std::uint64_t(0), used / 3, used / 2, used - 1}) {
      flipBit(path, byte);
      const std::string problem =
          errorOf([&] { ooc::checkGraph(graph.path()); });
      EXPECT_NE(problem.find(name), std::string::npos)
          << name << ", byte " << byte << ": " << problem;
      // A run finds the damage if it needs the data.
      const std::string ofRun = problemOf(graph.path());
      EXPECT_TRUE(ofRun == problem || ofRun == "nothing") << ofRun;
      found += ofRun == problem;
      flipBit(path, byte);
    }
  }
  EXPECT_GE(found, 15);
  EXPECT_EQ(problemOf(graph.path()), "nothing");
  EXPECT_EQ(errorOf([&] { ooc::checkGraph(graph.path()); }), "nothing");
}

TEST(Damage, AFlippedBitOfARunIsFoundWhenItGoesOn) {
  const PreparedGraph graph(evenGraph(true), {.batchVertices = 1});
  const Outcome whole = runPageRank(graph.path());
  ASSERT_EQ(whole.problem, "nothing");
  const std::string run = graph.path() + "/run/part-0";
  const std::string saved = graph.path() + "/saved";
  fs::copy(run, saved);
  std::map<std::string, std::size_t> found; // by kinds of files
  for (const auto &entry : fs::directory_iterator(saved)) {
    const std::string name = entry.path().filename();
    if (name == "lock")
      continue;
    const std::string kind = name.substr(0, name.find('-'));
    // Damages files of arrays, in each slot of a window, used or not.
    const std::uint64_t size = entry.file_size();
    const std::uint64_t step = kind == "array"
                                   ? graph.layout.batchVertices * sizeof(float)
                                   : size / 7 + 1;
    for (std::uint64_t byte = 10; byte < size; byte += step) {
      // A run that continues writes, too.
      fs::remove_all(run);
      fs::copy(saved, run);
      flipBit(run + "/" + name, byte);
      const auto [ranks, problem] = runPageRank(graph.path(), true);
      if (problem == "nothing") {
        EXPECT_TRUE(ranks == whole.ranks) << name << ", byte " << byte;
        continue;
      }
      EXPECT_NE(problem.find(name), std::string::npos) << problem;
      ++found[kind];
    }
  }
  // Each window of the ranks is in one slot.
  EXPECT_EQ(found["array"], graph.layout.batches());
  EXPECT_GT(found["checkpoint"], 5u);
}

TEST(Damage, ACheckpointInThePlaceOfTheOtherIsFound) {
  const PreparedGraph graph(evenGraph(true), {.batchVertices = 1});
  ASSERT_EQ(runPageRank(graph.path()).problem, "nothing");
  const std::string first = graph.path() + "/run/part-0/checkpoint-0",
                    second = graph.path() + "/run/part-0/checkpoint-1";
  fs::copy(first, second, fs::copy_options::overwrite_existing);
  const std::string problem = runPageRank(graph.path(), true).problem;
  EXPECT_TRUE(problem.starts_with(
      second + ": expected checkpoint 1 or one that takes its place, found "))
      << problem;
}

TEST(Damage, AMissingOrShortFileIsNamed) {
  for (const char *name : {"graph", "part-0.edges", "part-0.sums"}) {
    const PreparedGraph graph(buildCsr(generateGrid(30, 30)));
    const std::string path = graph.path() + "/" + name;
    fs::resize_file(path, fs::file_size(path) / 2);
    EXPECT_NE(problemOf(graph.path()).find(name), std::string::npos);
    fs::remove(path);
    EXPECT_NE(problemOf(graph.path()).find(name), std::string::npos);
  }
}

TEST(Damage, AGraphOfAnotherVersionIsRefused) {
  const PreparedGraph graph(buildCsr(generateGrid(3, 3)));
  flipBit(graph.path() + "/graph", 12);
  EXPECT_EQ(problemOf(graph.path()),
            graph.path() + "/graph: byte 12: expected a graph prepared for "
                           "version 4, found version 0; prepare it again");
}

} // namespace
