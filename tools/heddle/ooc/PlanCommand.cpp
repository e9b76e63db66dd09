//===- PlanCommand.cpp - `heddle ooc plan` -------------------------------===//

#include "Commands.h"
#include "Ranks.h"

#include "../command/Options.h"
#include "../output/FactsOutput.h"

#include "heddle/graph/ooc/Plan.h"

#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <omp.h>

namespace heddle {

namespace {

using graph::ooc::IterationPlan;
using graph::ooc::PhaseCost;
using graph::ooc::PlanOptions;

struct Request {
  PlanOptions options;
  bool hasWeights = false;
  std::string jsonPath;
};

/// Returns a size for people: 1.50 GiB.
std::string sizeText(double bytes) {
  constexpr const char *Units[] = {"B",   "KiB", "MiB", "GiB",
                                   "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(Units); ++unit)
    bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 2, Units[unit]);
}

std::string timeText(double seconds) {
  return seconds < 3600 ? fmt::format("{:.4g} s", seconds)
                        : fmt::format("{:.2f} h", seconds / 3600);
}

void addCost(Facts &facts, const std::string &key, const std::string &label,
             const PhaseCost &cost) {
  facts.add(key, label,
            JsonObject()
                .add("bytes_read", cost.readBytes)
                .add("bytes_written", cost.writtenBytes)
                .add("bytes_sent", cost.sentBytes)
                .add("disk_seconds", cost.diskSeconds)
                .add("network_seconds", cost.networkSeconds),
            fmt::format("reads {}, writes {}, sends {}; disk {}, network {}",
                        sizeText(cost.readBytes), sizeText(cost.writtenBytes),
                        sizeText(cost.sentBytes), timeText(cost.diskSeconds),
                        timeText(cost.networkSeconds)));
}

void addGraph(Facts &facts, const PlanOptions &options,
              const IterationPlan &plan) {
  facts.add("vertices", "vertices", options.vertices,
            fmt::format("{:.0f}", options.vertices));
  facts.add("edges", "edges", options.edges,
            fmt::format("{:.0f}", options.edges));
  facts.add("ranks", "ranks", options.ranks);
  facts.add(
      "batches", "batches of a rank", plan.batches,
      fmt::format("{:.0f}, of {} vertices", plan.batches, plan.batchVertices));
  facts.addSilently("batch_vertices", plan.batchVertices);
  facts.add("bytes", "on a rank's disk", plan.graphBytes,
            fmt::format("{}, and vertex data of {}", sizeText(plan.graphBytes),
                        sizeText(plan.vertexBytes)));
  facts.addSilently("vertex_bytes", plan.vertexBytes);
}

void addMemory(Facts &facts, const PlanOptions &options,
               const IterationPlan &plan) {
  const bool suffices = plan.memorySuffices(options);
  facts.addVerdict("memory_suffices", "memory suffices", suffices);
  facts.add("least_memory_bytes", "memory needed", plan.leastMemoryBytes,
            fmt::format("{} of {}", sizeText(plan.leastMemoryBytes),
                        sizeText(static_cast<double>(options.memoryBytes))));
  const auto percent = [](double share) { return std::floor(100 * share); };
  facts.add("edges_in_memory", "kept in memory", plan.edgesInMemory,
            fmt::format("{} % of messages, {} % of vertex data, {} % of edges",
                        percent(plan.messagesInMemory),
                        percent(plan.verticesInMemory),
                        percent(plan.edgesInMemory)));
  facts.addSilently("vertices_in_memory", plan.verticesInMemory);
  facts.addSilently("messages_in_memory", plan.messagesInMemory);
  facts.add("dispatches", "dispatches messages", plan.dispatches);
}

void execute(Request &request) {
  FactsOutput output(request.jsonPath);
  PlanOptions &options = request.options;
  // Not earlier: OpenMP ends commands that have no use for it if memory is
  // short.
  if (options.threads == 0)
    options.threads = static_cast<unsigned>(omp_get_max_threads());
  if (request.hasWeights)
    options.weights = graph::ooc::WeightKind::Int32;
  const IterationPlan plan = graph::ooc::planIteration(options);
  Facts facts;
  addGraph(facts, options, plan);
  addMemory(facts, options, plan);
  for (std::size_t phase = 0; phase < plan.phases.size(); ++phase)
    addCost(facts, graph::ooc::PhaseNames[phase], graph::ooc::PhaseNames[phase],
            plan.phases[phase]);
  const PhaseCost ofRank = plan.total();
  addCost(facts, "rank", "a rank", ofRank);
  const double ranks = options.ranks;
  facts.add("all_ranks", "all ranks",
            JsonObject()
                .add("bytes_read", ranks * ofRank.readBytes)
                .add("bytes_written", ranks * ofRank.writtenBytes)
                .add("bytes_sent", ranks * ofRank.sentBytes),
            fmt::format("read {}, write {}, send {}",
                        sizeText(ranks * ofRank.readBytes),
                        sizeText(ranks * ofRank.writtenBytes),
                        sizeText(ranks * ofRank.sentBytes)));
  facts.add("seconds", "time", plan.seconds(),
            fmt::format("{} for an iteration", timeText(plan.seconds())));
  output.show(facts);
}

/// Accepts whole numbers, including 1e12.
CLI::Validator isCount() {
  return CLI::Validator(
      [](std::string &text) {
        constexpr double Most = 1e18;
        double number = 0;
        if (CLI::detail::lexical_cast(text, number) && number >= 0 &&
            number <= Most && number == std::floor(number))
          return std::string();
        return fmt::format("'{}' is not a whole number from 0 to {}", text,
                           Most);
      },
      "");
}

void addSpeedOption(CLI::App &command, const std::string &name,
                    double &bytesPerSecond, const std::string &description) {
  addSize(command, name, bytesPerSecond, description)
      ->check(isWithin(1, 1e18))
      ->type_name("SPEED");
}

} // namespace

void addOocPlanCommand(CLI::App &ooc) {
  auto request = std::make_shared<Request>();
  PlanOptions &options = request->options;
  options.memoryBytes = usualMemoryBytes();
  options.threads = 0; // as here
  CLI::App *command = ooc.add_subcommand(
      "plan", "Predict what an iteration over a graph reads, writes and sends, "
              "and how long that takes");
  command->add_option("--vertices", options.vertices, "Vertices of the graph")
      ->required()
      ->check(isCount())
      ->type_name("N");
  command->add_option("--edges", options.edges, "Edges, in each direction")
      ->required()
      ->check(isCount())
      ->type_name("N");
  command->add_flag("--weights", request->hasWeights, "Edges have weights");
  addBounded(*command, "--vertex-bytes", options.vertexBytes, 0u, 1u << 20,
             "Bytes of vertex data for each vertex [16]");
  addBounded(*command, "--message-bytes", options.messageBytes, 0u, 1u << 20,
             "Bytes of a message [4]");
  addBounded(*command, "--ranks", options.ranks, 1u, 65536u, "Machines [1]");
  addBounded(*command, "--threads", options.threads, 1u, 1024u,
             "Threads of each [as here]");
  addMemoryOption(*command, options.memoryBytes, "Memory of each");
  addSpeedOption(*command, "--disk", options.diskBytesPerSecond,
                 "Bytes that its disk reads or writes in a second, as for "
                 "--memory [2000000000]");
  addSpeedOption(*command, "--network", options.networkBytesPerSecond,
                 "Bytes that it sends in a second [3125000000]");
  addJsonOption(*command, request->jsonPath);
  command->callback([request] { runOnFirstRank([&] { execute(*request); }); });
}

} // namespace heddle
