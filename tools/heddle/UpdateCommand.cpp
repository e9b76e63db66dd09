//===- UpdateCommand.cpp - `heddle update` -------------------------------===//

#include "command/Commands.h"

#include "command/Options.h"
#include "command/SecondsOf.h"
#include "output/Facts.h"
#include "output/FactsOutput.h"
#include "output/ProgressBar.h"
#include "run/AnyStore.h"
#include "run/RunFacts.h"

#include "heddle/graph/ReadUpdates.h"
#include "heddle/graph/ToCsr.h"
#include "heddle/graph/WriteGraph.h"
#include "heddle/graph/verify/Updates.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace heddle {

namespace {

constexpr double MostUpdatesAtOnce = 1e12;

struct Request {
  InputOptions input;
  std::string streamPath;
  StoreChoice choice = {.store = "cblist"};
  std::uint64_t updatesAtOnce = 10000;
  bool verify = false;
  std::string outputPath;
  std::string jsonPath;
};

template <graph::EdgeWeight Weight>
using Updates = std::span<const graph::EdgeUpdate<std::uint32_t, Weight>>;

template <graph::EdgeWeight Weight>
graph::UpdateStream<std::uint32_t, Weight> readStream(const Request &request,
                                                      std::uint32_t vertices) {
  ProgressBar bar("Reading " + baseName(request.streamPath));
  return graph::readUpdates<std::uint32_t, Weight>(
      request.streamPath, {.vertexCount = vertices, .progress = std::ref(bar)});
}

struct Replay {
  std::size_t changed = 0;
  std::size_t batches = 0;
  double seconds = 0; ///< of the updates alone
};

template <graph::UpdatableGraph Store>
Replay replay(Store &graph, Updates<typename Store::Weight> updates,
              const Request &request) {
  ProgressBar bar("Updating " + baseName(request.input.path),
                  ProgressUnit::Updates);
  Replay result;
  for (std::size_t done = 0; done < updates.size();) {
    const std::size_t count =
        std::min<std::size_t>(request.updatesAtOnce, updates.size() - done);
    result.seconds += secondsOf([&] {
      result.changed += graph.updateEdges(updates.subspan(done, count));
    });
    ++result.batches;
    done += count;
    bar(done, updates.size());
  }
  return result;
}

void describe(const Replay &replay, std::size_t updates, Facts &facts) {
  facts.add("updates", "updates", updates);
  facts.add("changed", "updates with effect", replay.changed);
  facts.addSilently("batches", replay.batches);
  addTime(facts, replay.seconds);
  if (replay.seconds > 0 && updates > 0) {
    const double speed = static_cast<double>(updates) / replay.seconds;
    facts.add("updates_per_second", "throughput", speed,
              fmt::format("{:.3g} updates a second", speed));
  }
}

template <graph::EdgeWeight Weight>
void execute(const Request &request, graph::Csr<std::uint32_t, Weight> csr) {
  FactsOutput output(request.jsonPath);
  const auto stream = readStream<Weight>(request, csr.vertexCount());
  Facts facts;
  facts.add("graph", "graph", baseName(request.input.path));
  facts.add("stream", "stream", baseName(request.streamPath));
  facts.add("store", "store", request.choice.store);
  facts.add("vertices", "vertices", csr.vertexCount());
  facts.add("directed", "directed", csr.isDirected());
  facts.add("edges_before", "edges before", csr.edgeCount());
  graph::Violation violation;
  const auto update = [&](auto graph) {
    if (!request.verify)
      csr = {};
    const Replay done = replay(graph, Updates<Weight>(stream.updates), request);
    facts.add("edges", "edges", graph.edgeCount());
    describe(done, stream.updates.size(), facts);
    if (request.verify)
      violation =
          graph::verifyUpdates(csr, stream.updates, done.changed, graph);
    if (!request.outputPath.empty() && !violation)
      writeGraph(request.outputPath, toCsr(graph));
  };
  if (request.choice.store == "cpma")
    update(toCpmaGraph<graph::CpmaGraph<std::uint32_t, Weight>>(csr));
  else
    update(toCBList<graph::CBList<std::uint32_t, Weight>>(csr));
  if (request.verify)
    addVerification(facts, violation);
  output.show(facts);
  if (violation)
    throw VerificationFailed("wrong graph after the updates: " + *violation);
}

} // namespace

void addUpdateCommand(CLI::App &app) {
  auto request = std::make_shared<Request>();
  CLI::App *command = app.add_subcommand(
      "update", "Add, delete and change the edges of a graph as a stream says");
  addInputOptions(*command, request->input);
  addPositional(*command, "STREAM", request->streamPath,
                "The file: lines of a time, '+', '-' or '=', two vertices and "
                "perhaps a weight; or of two vertices and a time at which "
                "their edge is added; .gz and .zst are decompressed");
  addWeightsOption(*command, request->input,
                   {"none", "int", "float", "random"});
  addChoice(*command, "--store", request->choice.store, {"cblist", "cpma"},
            fmt::format("How the graph is kept [{}]", request->choice.store));
  addReal(*command, "--batch", request->updatesAtOnce, 1, MostUpdatesAtOnce,
          fmt::format("Updates that the store gets at once [{}]",
                      request->updatesAtOnce))
      ->type_name("N");
  addThreadsOption(*command);
  command->add_flag("--verify", request->verify,
                    "Check the graph with code that shares nothing with its "
                    "store; exit status 1 if it is wrong");
  addFile(*command, "--output", request->outputPath,
          "Write the graph to this file in the end; its name says the format, "
          "as for 'heddle convert'");
  addJsonOption(*command, request->jsonPath);
  command->callback([request] {
    if (request->input.path == "-" && request->streamPath == "-")
      throw CLI::ValidationError("STREAM", "GRAPH is standard input already");
    checkParallelEdges(request->input, request->choice);
    visitWeight(request->input, [&]<graph::EdgeWeight Weight>(Weight) {
      if (!request->outputPath.empty())
        graph::checkWritable<Weight>(request->outputPath);
      execute<Weight>(*request, readInput<Weight>(request->input));
    });
  });
}

} // namespace heddle
