//===- RunCommandTest.cpp - `heddle run` and results ----------------------===//

#include "command/Commands.h"
#include "heddle/graph/Error.h"
#include "run/Algorithms.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

namespace heddle {

/// The stores are not what these tests are about: graphs stay as they are.
template <graph::EdgeWeight Weight>
AnyStore<Weight> toStore(graph::Csr<std::uint32_t, Weight> graph,
                         const StoreChoice &) {
  return graph;
}
template AnyStore<graph::Unweighted> toStore(graph::Csr<>, const StoreChoice &);
template AnyStore<std::int32_t> toStore(graph::Csr<std::uint32_t, std::int32_t>,
                                        const StoreChoice &);
template AnyStore<float> toStore(graph::Csr<std::uint32_t, float>,
                                 const StoreChoice &);

namespace {

namespace fs = std::filesystem;

int runs;
graph::Violation violation;

/// An algorithm whose verdict the tests choose. Results are the numbers of the
/// vertices, negated.
class Negation final : public Task {
public:
  void run() override { ++runs; }
  void describe(Facts &facts) const override {
    facts.add("answer", "answer", 42);
  }
  graph::Violation verify() const override { return violation; }
  std::string valueOf(std::uint64_t vertex) const override {
    return fmt::format("-{}", vertex);
  }
};

const Algorithm NegationAlgorithm = {
    .name = "negation",
    .description = "Negate",
    .addOptions = [](CLI::App &, Parameters &) {},
    .prepare = [](const AnyStore<graph::Unweighted> &, const Parameters &)
        -> std::unique_ptr<Task> { return std::make_unique<Negation>(); }};

class RunCommandTest : public testing::Test {
protected:
  fs::path directory =
      fs::path(testing::TempDir()) / ("run-" + std::to_string(getpid()));
  std::string graph = directory / "graph.el";
  std::string json = directory / "result.json";
  std::string output = directory / "values";

  void SetUp() override {
    fs::create_directory(directory);
    std::ofstream(graph) << "0 1\n1 2\n";
    runs = 0;
    violation = {};
  }
  void TearDown() override { fs::remove_all(directory); }

  void run(const std::vector<std::string> &options) {
    CLI::App app;
    addAlgorithm(app, NegationAlgorithm);
    std::vector<std::string> arguments(options.rbegin(), options.rend());
    arguments.push_back(graph);
    arguments.push_back("negation");
    testing::internal::CaptureStdout();
    try {
      app.parse(arguments);
    } catch (...) {
      printed = testing::internal::GetCapturedStdout();
      throw;
    }
    printed = testing::internal::GetCapturedStdout();
  }

  static std::string contentOf(const std::string &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  bool prints(const std::string &text) const {
    return printed.find(text) != std::string::npos;
  }

  std::string printed;
};

TEST_F(RunCommandTest, AResultIsDescribedAndWritten) {
  run({"--verify", "--output", output, "--json", json});
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(prints("answer                42\n")) << printed;
  EXPECT_TRUE(prints("verified              yes\n")) << printed;
  EXPECT_EQ(contentOf(output), "0 -0\n1 -1\n2 -2\n");
  EXPECT_NE(contentOf(json).find(R"("answer": 42, )"), std::string::npos);
  EXPECT_NE(contentOf(json).find(R"("verified": true})"), std::string::npos);
}

TEST_F(RunCommandTest, AWrongResultIsAnErrorAndNotWritten) {
  violation = "vertex 1: expected -1, found -2";
  EXPECT_THROW(run({"--verify", "--output", output, "--json", json}),
               VerificationFailed);
  EXPECT_TRUE(prints("verified              no\n")) << printed;
  EXPECT_FALSE(fs::exists(output));
  EXPECT_NE(contentOf(json).find(R"("verified": false, )"
                                 R"("violation": "vertex 1: expected)"),
            std::string::npos);
}

TEST_F(RunCommandTest, NothingIsVerifiedUnlessAskedFor) {
  violation = "wrong";
  run({});
  EXPECT_FALSE(prints("verified")) << printed;
}

TEST_F(RunCommandTest, TrialsAreRuns) {
  run({"--trials", "5"});
  EXPECT_EQ(runs, 5);
}

TEST_F(RunCommandTest, WhatCannotBeWrittenIsFoundBeforeRunning) {
  EXPECT_THROW(run({"--output", directory / "missing" / "values"}),
               graph::WriteError);
  EXPECT_EQ(runs, 0);
}

} // namespace
} // namespace heddle
