//===- RunCommand.cpp - `heddle ooc run` and `heddle ooc resume` ---------===//

#include "Commands.h"
#include "PhaseBar.h"
#include "Program.h"

#include "../FactsOutput.h"
#include "../Options.h"
#include "../WholeFile.h"
#include "../run/RunFacts.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <sys/resource.h>

namespace heddle {

namespace {

struct Request {
  Program program;
  std::string directory;
  std::uint64_t memoryBytes = usualMemoryBytes();
  bool noCheckpoints = false;
  std::string outputPath, jsonPath;
};

/// The most memory that this process has taken so far.
std::uint64_t peakBytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
}

void addCounts(Facts &facts, const graph::ooc::EngineCounts &counts) {
  facts.add("calls", "calls", counts.calls);
  facts.add("messages", "messages", counts.messages);
  facts.add("edges_followed", "edges followed", counts.edges);
  const auto addBytes = [&](const std::string &what, std::uint64_t measured,
                            std::uint64_t predicted) {
    facts.add("bytes_" + what, "bytes " + what, measured,
              fmt::format("{}, predicted {}", measured, predicted));
    facts.addSilently("predicted_bytes_" + what, predicted);
  };
  addBytes("read", counts.bytes.read, counts.predicted.read);
  addBytes("written", counts.bytes.written, counts.predicted.written);
  facts.add(
      "peak_bytes", "memory at most", peakBytes(),
      fmt::format("{:.1f} MiB", static_cast<double>(peakBytes()) / (1 << 20)));
}

void execute(const Request &request, bool resume) {
  FactsOutput output(request.jsonPath);
  std::optional<WholeFile> values;
  if (!request.outputPath.empty())
    values.emplace(request.outputPath);

  PhaseBar bar(ProgressUnit::Batches);
  const std::unique_ptr<ProgramRun> run =
      makeRun(request.program, request.directory,
              {.memoryBytes = request.memoryBytes,
               .checkpoints = !request.noCheckpoints,
               .resume = resume,
               .program = request.program.text(),
               .progress = std::ref(bar)});
  Facts facts;
  facts.add("algorithm", "algorithm", request.program.algorithm);
  facts.add("graph", "graph",
            baseName(request.directory.substr(
                0, request.directory.find_last_not_of('/') + 1)));
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  run->run(facts);
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  addCounts(facts, run->counts());
  addTime(facts, elapsed.count());
  if (values) {
    run->forEachValue([&](std::uint64_t vertex, const std::string &value) {
      values->write(fmt::format("{} {}\n", vertex, value));
    });
    values->commit();
  }
  output.show(facts);
}

void addCommonOptions(CLI::App &command, Request &request) {
  addDirectoryOption(command, request.directory);
  addMemoryOption(command, request.memoryBytes,
                  "Memory that the run may take in all");
  addThreadsOption(command);
  command.add_flag("--no-checkpoints", request.noCheckpoints,
                   "Write vertex data only where the memory is too small for "
                   "them; a run that is cut off cannot be resumed");
  command
      .add_option("--output", request.outputPath,
                  "Write a line with the result for each vertex to this file")
      ->type_name("FILE");
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
    command->callback([request] { execute(*request, false); });
  }
}

void addOocResumeCommand(CLI::App &ooc) {
  auto request = std::make_shared<Request>();
  CLI::App *command = ooc.add_subcommand(
      "resume", "Go on with a run that was cut off, where its last call that "
                "was done left it");
  addCommonOptions(*command, *request);
  command->callback([request] {
    request->program =
        Program::parse(graph::ooc::resumableProgram(request->directory));
    execute(*request, true);
  });
}

} // namespace heddle
