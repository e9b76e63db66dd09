//===- RunCommand.cpp - `heddle ooc run` and `heddle ooc resume` ---------===//

#include "Commands.h"
#include "PhaseBar.h"
#include "Program.h"
#include "Ranks.h"

#include "../command/Options.h"
#include "../command/SecondsOf.h"
#include "../output/FactsOutput.h"
#include "../output/ResultFile.h"
#include "../run/RunFacts.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

namespace {

using graph::ooc::Communicator;

struct Request {
  Program program;
  std::string directory;
  std::uint64_t memoryBytes = usualMemoryBytes();
  bool noCheckpoints = false;
  std::string outputPath, jsonPath;
};

/// The peak memory of this program so far. getrusage() would include that of
/// the program which executed this one in the same process.
std::uint64_t peakBytes() {
  constexpr std::string_view Name = "VmHWM:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(Name))
      return std::stoull(line.substr(Name.size())) << 10;
  return 0;
}

/// The work of one rank.
struct RankCounts {
  graph::ooc::EngineCounts counts;
  std::uint64_t peakBytes;
};

std::vector<RankCounts> countsOfRanks(const graph::ooc::EngineCounts &counts,
                                      Communicator *communicator) {
  const RankCounts own = {counts, peakBytes()};
  if (!communicator)
    return {own};
  std::vector<RankCounts> all;
  for (const std::string &bytes : communicator->gather(
           {reinterpret_cast<const char *>(&own), sizeof(own)}))
    std::memcpy(&all.emplace_back(), bytes.data(), sizeof(own));
  return all;
}

std::string asMebibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

/// Adds the ways in which messages were dispatched to batches, if any were.
void addDispatching(Facts &facts, const std::vector<RankCounts> &ranks) {
  graph::ooc::DispatchingCounts all;
  for (const RankCounts &rank : ranks)
    all += rank.counts.dispatching;
  facts.addSilently("pushes", all.pushes);
  facts.addSilently("pulls", all.pulls);
  if (all.pushes + all.pulls == 0)
    facts.addSilently("messages_dispatched", all.messages);
  else
    facts.add("messages_dispatched", "messages dispatched", all.messages,
              fmt::format("{}, in {} pushes and {} pulls", all.messages,
                          all.pushes, all.pulls));
}

void addCounts(Facts &facts, const std::vector<RankCounts> &ranks) {
  const auto sumOf = [&](auto valueOf) {
    std::uint64_t sum = 0;
    for (const RankCounts &rank : ranks)
      sum += valueOf(rank.counts);
    return sum;
  };
  using Counts = graph::ooc::EngineCounts;
  facts.add("calls", "calls", ranks[0].counts.calls);
  facts.add("messages", "messages",
            sumOf([](const Counts &counts) { return counts.messages; }));
  facts.add("edges_followed", "edges followed",
            sumOf([](const Counts &counts) { return counts.edges; }));
  const auto addBytes = [&](const std::string &what, auto measuredOf,
                            auto predictedOf) {
    const std::uint64_t measured = sumOf(measuredOf);
    const std::uint64_t predicted = sumOf(predictedOf);
    facts.add("bytes_" + what, "bytes " + what, measured,
              fmt::format("{}, predicted {}", measured, predicted));
    facts.addSilently("predicted_bytes_" + what, predicted);
  };
  addBytes(
      "read", [](const Counts &counts) { return counts.bytes.read; },
      [](const Counts &counts) { return counts.predicted.read; });
  addBytes(
      "written", [](const Counts &counts) { return counts.bytes.written; },
      [](const Counts &counts) { return counts.predicted.written; });
  if (ranks.size() > 1)
    addBytes(
        "sent", [](const Counts &counts) { return counts.passedBytes; },
        [](const Counts &counts) { return counts.predictedPassedBytes; });
  addDispatching(facts, ranks);
  std::uint64_t peak = 0;
  for (const RankCounts &rank : ranks)
    peak = std::max(peak, rank.peakBytes);
  facts.add("peak_bytes", "memory at most", peak, asMebibytes(peak));
  for (std::size_t i = 0; ranks.size() > 1 && i < ranks.size(); ++i) {
    const Counts &counts = ranks[i].counts;
    JsonObject object;
    object.add("bytes_read", counts.bytes.read)
        .add("bytes_written", counts.bytes.written)
        .add("edges_followed", counts.edges)
        .add("messages_sent", counts.passedMessages)
        .add("bytes_sent", counts.passedBytes)
        .add("predicted_bytes_read", counts.predicted.read)
        .add("predicted_bytes_written", counts.predicted.written)
        .add("predicted_bytes_sent", counts.predictedPassedBytes)
        .add("peak_bytes", ranks[i].peakBytes);
    facts.add(fmt::format("rank_{}", i), fmt::format("rank {}", i), object,
              fmt::format("read {}, wrote {}, sent {} messages, {} bytes; "
                          "predicted {}, {}, {} bytes",
                          counts.bytes.read, counts.bytes.written,
                          counts.passedMessages, counts.passedBytes,
                          counts.predicted.read, counts.predicted.written,
                          counts.predictedPassedBytes));
  }
}

void execute(const Request &request, bool resume, Communicator *communicator) {
  const bool isFirst = !communicator || communicator->rank() == 0;
  std::optional<FactsOutput> output;
  if (isFirst)
    output.emplace(request.jsonPath);
  ResultFile values(isFirst ? request.outputPath : "");

  std::optional<PhaseBar> bar;
  graph::ooc::EngineOptions options = {.memoryBytes = request.memoryBytes,
                                       .checkpoints = !request.noCheckpoints,
                                       .resume = resume,
                                       .program = request.program.text(),
                                       .communicator = communicator};
  if (isFirst)
    options.progress = std::ref(bar.emplace(ProgressUnit::Batches));
  const std::unique_ptr<ProgramRun> run =
      makeRun(request.program, request.directory, options);
  run->rehearse(!request.outputPath.empty());
  Facts facts;
  facts.add("algorithm", "algorithm", request.program.algorithm);
  facts.add("graph", "graph",
            baseName(request.directory.substr(
                0, request.directory.find_last_not_of('/') + 1)));
  if (communicator)
    facts.add("ranks", "ranks", communicator->ranks());
  const double seconds = secondsOf([&] { run->run(facts); });
  addCounts(facts, countsOfRanks(run->counts(), communicator));
  addTime(facts, seconds);
  if (!request.outputPath.empty())
    run->forEachValue([&](std::uint64_t vertex, const std::string &value) {
      values.write(fmt::format("{} {}\n", vertex, value));
    });
  values.commit();
  if (output)
    output->show(facts);
}

void addCommonOptions(CLI::App &command, Request &request) {
  addDirectoryOption(command, request.directory);
  addMemoryOption(command, request.memoryBytes,
                  "Memory limit of the whole run");
  addThreadsOption(command);
  command.add_flag("--no-checkpoints", request.noCheckpoints,
                   "Make no checkpoints: vertex data are written only if they "
                   "do not fit in memory, and an interrupted run cannot be "
                   "resumed");
  addFile(command, "--output", request.outputPath,
          "Write a line with the result for each vertex to this file");
  addJsonOption(command, request.jsonPath);
}

} // namespace

void addOocRunCommand(CLI::App &ooc) {
  CLI::App *run =
      ooc.add_subcommand("run", "Run an algorithm on a prepared graph");
  run->require_subcommand(1);
  for (const ProgramKind &kind : programKinds()) {
    auto request = std::make_shared<Request>();
    request->program.algorithm = kind.name;
    CLI::App *command = run->add_subcommand(kind.name, kind.description);
    addCommonOptions(*command, *request);
    kind.addOptions(*command, request->program);
    command->callback([request] {
      runOnRanks([&](Communicator *communicator) {
        execute(*request, false, communicator);
      });
    });
  }
}

void addOocResumeCommand(CLI::App &ooc) {
  auto request = std::make_shared<Request>();
  CLI::App *command = ooc.add_subcommand(
      "resume", "Resume a run that was interrupted, after the last call that "
                "it completed");
  addCommonOptions(*command, *request);
  command->callback([request] {
    runOnRanks([&](Communicator *communicator) {
      request->program = Program::parse(
          graph::ooc::resumableProgram(request->directory, communicator));
      execute(*request, true, communicator);
    });
  });
}

} // namespace heddle
