//===- ProgramRun.cpp - The programs of `heddle ooc run`, running ---------===//
//
// Apart from their command line, because `heddle bench ooc` has another one.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "heddle/graph/messages/BreadthFirstSearch.h"
#include "heddle/graph/messages/ConnectedComponents.h"
#include "heddle/graph/messages/PageRank.h"
#include "heddle/graph/messages/ShortestPaths.h"
#include "heddle/graph/ooc/Engine.h"

#include <fmt/format.h>

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

} // namespace

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
