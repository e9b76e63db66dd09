//===- AlgorithmCommand.cpp - `heddle run <algorithm>` -------------------===//

#include "Algorithms.h"
#include "RunFacts.h"

#include "../command/Commands.h"
#include "../command/Options.h"
#include "../command/SecondsOf.h"
#include "../output/Facts.h"
#include "../output/FactsOutput.h"
#include "../output/ResultFile.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace heddle {

namespace {

constexpr int MostTrials = 1000000;

struct Request {
  Algorithm algorithm;
  InputOptions input;
  StoreChoice choice;
  Parameters parameters;
  int trials = 1;
  bool verify = false;
  std::string outputPath;
  std::string jsonPath;
};

/// Whether two paths name the same file, which need not exist.
bool isSameFile(const std::string &left, const std::string &right) {
  namespace fs = std::filesystem;
  std::error_code isNoFile; // a pipe, for example, which has no name
  const fs::path resolved = fs::weakly_canonical(fs::absolute(left), isNoFile);
  return !isNoFile &&
         resolved == fs::weakly_canonical(fs::absolute(right), isNoFile);
}

/// A line for each vertex, with its value.
void writeValues(const Task &task, std::uint64_t vertices, ResultFile &file) {
  for (std::uint64_t vertex = 0; vertex < vertices; ++vertex)
    file.write(fmt::format("{} {}\n", vertex, task.valueOf(vertex)));
  file.commit();
}

template <graph::EdgeWeight Weight>
std::unique_ptr<Task> prepare(const Algorithm &algorithm,
                              const AnyStore<Weight> &graph,
                              const Parameters &parameters) {
  if constexpr (std::same_as<Weight, std::int32_t>)
    return algorithm.prepareInt(graph, parameters);
  else if constexpr (std::same_as<Weight, float>)
    return algorithm.prepareFloat(graph, parameters);
  else
    return algorithm.prepare(graph, parameters);
}

void execute(const Request &request) {
  FactsOutput output(request.jsonPath);
  ResultFile values(request.outputPath);

  Facts facts;
  graph::Violation violation;
  visitWeight(request.input, [&]<graph::EdgeWeight Weight>(Weight) {
    auto csr = readInput<Weight>(request.input);
    const std::uint64_t vertices = csr.vertexCount();
    facts.add("algorithm", "algorithm", request.algorithm.name);
    facts.add("graph", "graph", baseName(request.input.path));
    facts.add("vertices", "vertices", vertices);
    facts.add("edges", "edges", csr.edgeCount());
    facts.add("directed", "directed", csr.isDirected());
    facts.add(
        "store", "store", request.choice.store,
        request.choice.hasLanes()
            ? fmt::format("{}, {}", request.choice.store, request.choice.lanes)
            : request.choice.store);
    if (request.choice.hasLanes())
      facts.addSilently("lanes", request.choice.lanes);
    const AnyStore<Weight> graph =
        toStore<Weight>(std::move(csr), request.choice);
    const std::unique_ptr<Task> task =
        prepare<Weight>(request.algorithm, graph, request.parameters);
    std::vector<double> seconds;
    for (int trial = 0; trial < request.trials; ++trial)
      seconds.push_back(secondsOf([&] { task->run(); }));
    task->describe(facts);
    facts.addSilently("trials", request.trials);
    addTime(facts, median(seconds));
    if (request.verify)
      violation = task->verify();
    if (!request.outputPath.empty() && !violation)
      writeValues(*task, vertices, values);
  });

  if (request.verify)
    addVerification(facts, violation);
  output.show(facts);
  if (violation)
    throw VerificationFailed(fmt::format("wrong result of {}: {}",
                                         request.algorithm.name, *violation));
}

} // namespace

void addAlgorithm(CLI::App &run, const Algorithm &algorithm) {
  auto request = std::make_shared<Request>();
  request->algorithm = algorithm;
  CLI::App *command = run.add_subcommand(algorithm.name, algorithm.description);
  addInputOptions(*command, request->input);
  if (algorithm.isWeighted()) {
    request->input.weights = "int";
    addWeightsOption(*command, request->input, {"int", "float", "random"});
  }
  addChoice(*command, "--store", request->choice.store, StoreChoice::stores(),
            "How the graph is kept [csr]");
  const CLI::Option *lanes = addChoice(
      *command, "--lanes", request->choice.lanes, StoreChoice::lanesOfStores(),
      "Lanes and their bits in the edge vectors of vectorsparse [8x32]");
  algorithm.addOptions(*command, request->parameters);
  addThreadsOption(*command);
  addBounded(*command, "--trials", request->trials, 1, MostTrials,
             "Number of runs; the median time is reported [1]");
  command->add_flag("--verify", request->verify,
                    "Check the result with code that shares nothing with the "
                    "algorithm; exit status 1 if it is wrong");
  if (algorithm.hasValues)
    addFile(*command, "--output", request->outputPath,
            "Write a line with the result for each vertex to this file");
  addJsonOption(*command, request->jsonPath);
  command->callback([request, lanes] {
    if (lanes->count() > 0 && !request->choice.hasLanes())
      throw CLI::ValidationError(
          "--lanes", fmt::format("{} has no lanes", request->choice.store));
    checkParallelEdges(request->input, request->choice);
    if (!request->jsonPath.empty() && !request->outputPath.empty() &&
        isSameFile(request->jsonPath, request->outputPath))
      throw CLI::ValidationError("--output", "it is the same file as --json");
    execute(*request);
  });
}

} // namespace heddle
