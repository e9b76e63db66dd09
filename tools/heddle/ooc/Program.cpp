//===- Program.cpp - The programs of `heddle ooc run` ---------------------===//

#include "Program.h"

#include "../command/Options.h"
#include "../run/Algorithms.h"
#include "graphlib/files/Quote.h"

#include "heddle/graph/messages/BreadthFirstSearch.h"
#include "heddle/graph/messages/ConnectedComponents.h"
#include "heddle/graph/messages/PageRank.h"
#include "heddle/graph/messages/ShortestPaths.h"
#include "heddle/graph/ooc/Engine.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <sstream>

namespace heddle {

namespace {

using graph::ooc::Engine;
using graph::ooc::EngineOptions;
using VertexId = std::uint32_t;

/// The highest of all, of several the lowest vertex.
struct Highest {
  double value = -1;
  std::uint64_t vertex = 0;

  Highest &operator+=(const Highest &other) {
    if (other.value > value || (other.value == value && other.vertex < vertex))
      *this = other;
    return *this;
  }
};

template <typename EngineType, typename Array>
Highest highestOf(EngineType &engine, const Array &array) {
  return engine.processVertices(
      [&](VertexId v) { return Highest{static_cast<double>(array[v]), v}; },
      {array});
}

template <graph::EdgeWeight Weight> class RunOnEngine : public ProgramRun {
public:
  RunOnEngine(const Program &program, const std::string &directory,
              const EngineOptions &options)
      : program(program), engine(directory, options) {}

  graph::ooc::EngineCounts counts() const override { return engine.counts(); }

  void rehearse(bool withValues) override {
    engine.rehearse([&] {
      Facts none;
      this->run(none);
      if (withValues)
        this->forEachValue([](std::uint64_t, const std::string &) {});
    });
  }

protected:
  /// The vertex to start from: by default the one with most out-edges.
  VertexId source(Facts &facts) {
    if (engine.vertexCount() == 0)
      throw graph::Error("the graph has no vertex to start from");
    const std::uint64_t chosen =
        program.source ? *program.source
                       : highestOf(engine, engine.outDegrees()).vertex;
    if (chosen >= engine.vertexCount())
      throw graph::Error(fmt::format("source {}: expected a vertex below {}",
                                     chosen, engine.vertexCount()));
    facts.add("source", "source", chosen);
    return static_cast<VertexId>(chosen);
  }

  /// Visits the values of an array; `none` is shown as "-".
  template <typename T>
  void visitArray(const std::string &name, std::optional<T> none,
                  const ValueVisitor &visit) {
    engine.forEachValue(
        engine.template vertexArray<T>(name), [&](VertexId v, const T &value) {
          visit(v, none && value == *none ? std::string("-")
                                          : fmt::format("{}", value));
        });
  }

  const Program program;
  Engine<Weight> engine;
};

class PageRankRun final : public RunOnEngine<graph::Unweighted> {
public:
  using RunOnEngine::RunOnEngine;

  void run(Facts &facts) override {
    const auto result = graph::pageRankByMessages(engine, program.pageRank);
    facts.add("iterations", "iterations", result.iterations);
    facts.add("change", "change in the last", result.change);
    if (engine.vertexCount() == 0)
      return;
    const Highest highest =
        highestOf(engine, engine.template vertexArray<float>("rank"));
    facts.add("highest_vertex", "highest", highest.vertex,
              fmt::format("{:.6g}, vertex {}", highest.value, highest.vertex));
    facts.addSilently("highest_value", highest.value);
  }

  void forEachValue(const ValueVisitor &visit) override {
    visitArray<float>("rank", std::nullopt, visit);
  }
};

class BreadthFirstRun final : public RunOnEngine<graph::Unweighted> {
public:
  using RunOnEngine::RunOnEngine;

  void run(Facts &facts) override {
    const auto result = graph::breadthFirstByMessages(engine, source(facts));
    facts.add("reached", "vertices reached", result.reachedVertices);
    facts.add("levels", "levels", result.levels);
  }

  void forEachValue(const ValueVisitor &visit) override {
    visitArray<VertexId>("parent", graph::NoVertex<VertexId>, visit);
  }
};

class ComponentsRun final : public RunOnEngine<graph::Unweighted> {
public:
  using RunOnEngine::RunOnEngine;

  void run(Facts &facts) override {
    facts.add("components", "components",
              graph::connectedComponentsByMessages(engine));
  }

  void forEachValue(const ValueVisitor &visit) override {
    visitArray<VertexId>("component", std::nullopt, visit);
  }
};

template <graph::EdgeWeight Weight>
class ShortestPathsRun final : public RunOnEngine<Weight> {
public:
  using RunOnEngine<Weight>::RunOnEngine;

  void run(Facts &facts) override {
    facts.add(
        "reached", "vertices reached",
        graph::shortestPathsByMessages(this->engine, this->source(facts)));
  }

  void forEachValue(const ValueVisitor &visit) override {
    using Distance = graph::DistanceOf<Weight>;
    this->template visitArray<Distance>("distance",
                                        graph::Unreachable<Distance>, visit);
  }
};

void addSource(CLI::App &command, Program &program) {
  command
      .add_option("--source", program.source,
                  "The vertex to start from [the one with most out-edges]")
      ->check(isNotNegative())
      ->type_name("V");
}

/// Whether the command line accepts such a program.
bool isKnown(const Program &program) {
  const graph::PageRankOptions &options = program.pageRank;
  return std::ranges::any_of(programKinds(),
                             [&](const ProgramKind &kind) {
                               return kind.name == program.algorithm;
                             }) &&
         options.damping >= 0 && options.damping <= 1 &&
         options.tolerance >= 0 && options.iterations >= 1 &&
         options.iterations <= MostIterations;
}

} // namespace

std::string Program::text() const {
  return fmt::format("{} {} {} {} {}", algorithm,
                     source ? fmt::format("{}", *source) : "-",
                     pageRank.damping, pageRank.tolerance, pageRank.iterations);
}

Program Program::parse(const std::string &text) {
  Program program;
  std::string chosen;
  std::istringstream words(text);
  words >> program.algorithm >> chosen >> program.pageRank.damping >>
      program.pageRank.tolerance >> program.pageRank.iterations;
  std::uint64_t source = 0;
  const char *end = chosen.data() + chosen.size();
  const auto [stop, error] = std::from_chars(chosen.data(), end, source);
  const bool hasSource = chosen != "-";
  if (!words || !isKnown(program) ||
      (hasSource && (error != std::errc() || stop != end)))
    throw graph::Error(fmt::format("expected a run of 'heddle ooc run' to "
                                   "resume, found {}; resume it with the "
                                   "program that began it",
                                   graph::quoted(text)));
  if (hasSource)
    program.source = source;
  return program;
}

std::vector<ProgramKind> programKinds() {
  return {{"bfs", breadthFirstAlgorithm().description, addSource},
          {"components",
           "Components of a graph whose edges lead both ways: for each vertex "
           "the lowest one that it is connected with",
           [](CLI::App &, Program &) {}},
          {"pagerank", pageRankAlgorithm().description,
           [](CLI::App &command, Program &program) {
             addPageRankOptions(command, program.pageRank);
           }},
          {"sssp", shortestPathsAlgorithm().description, addSource}};
}

std::unique_ptr<ProgramRun> makeRun(const Program &program,
                                    const std::string &directory,
                                    const EngineOptions &options) {
  if (program.algorithm == "bfs")
    return std::make_unique<BreadthFirstRun>(program, directory, options);
  if (program.algorithm == "components")
    return std::make_unique<ComponentsRun>(program, directory, options);
  if (program.algorithm == "pagerank")
    return std::make_unique<PageRankRun>(program, directory, options);
  switch (graph::ooc::readLayout(directory).weightKind) {
  case graph::ooc::WeightKind::Int32:
    return std::make_unique<ShortestPathsRun<std::int32_t>>(program, directory,
                                                            options);
  case graph::ooc::WeightKind::Float32:
    return std::make_unique<ShortestPathsRun<float>>(program, directory,
                                                     options);
  case graph::ooc::WeightKind::None:
    break;
  }
  throw graph::Error(directory + ": expected a graph with weights, found one "
                                 "without; prepare it with --weights");
}

} // namespace heddle
