//===- LongPaths.cpp - Breadth-first search of many steps ----------------===//
//
// In a graph of long paths most steps have few active vertices. The rival is
// the same engine without the groups that say where there are any: as in
// DFOGraph, each step tests all vertices.
//
//===----------------------------------------------------------------------===//

#include "OocContext.h"

#include "../Report.h"

#include "../../output/ResultFile.h"

#include "heddle/graph/messages/BreadthFirstSearch.h"
#include "heddle/graph/ooc/Engine.h"

#include <cstdio>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace heddle::bench {

namespace {

/// Like breadthFirstByMessages(), but without passing the active vertices to
/// calls.
template <typename Engine>
graph::BreadthFirstByMessagesResult
breadthFirstByScan(Engine &engine, typename Engine::VertexId source) {
  using VertexId = typename Engine::VertexId;
  using graph::Unweighted;
  auto &parent = engine.template vertexArray<VertexId>("parent");
  auto &active = engine.template vertexArray<bool>("active");
  engine.processVertices(
      [&](VertexId v) {
        parent[v] = v == source ? source : graph::NoVertex<VertexId>;
        active[v] = v == source;
        return 0;
      },
      {parent, active});
  graph::BreadthFirstByMessagesResult result;
  for (std::uint64_t found = 1; found != 0; ++result.levels) {
    result.reachedVertices += found;
    found = engine.processEdges(
        [&](VertexId v) -> std::optional<Unweighted> {
          if (!std::as_const(active)[v])
            return std::nullopt;
          active[v] = false;
          return Unweighted();
        },
        {active},
        [&](Unweighted, VertexId from, VertexId to, auto) -> std::uint64_t {
          if (parent[to] != graph::NoVertex<VertexId>)
            return 0;
          parent[to] = from;
          active[to] = true;
          return 1;
        },
        {parent, active});
  }
  --result.levels;
  return result;
}

OocOutcome search(bool scans, const OocInput &input,
                  const std::string &directory, std::uint64_t memoryBytes,
                  const std::string &valuesPath, const MemoryGroup *group) {
  using VertexId = std::uint32_t;
  graph::ooc::Engine<> engine(directory, {.memoryBytes = memoryBytes});
  const auto source = static_cast<VertexId>(input.source);
  OocOutcome outcome = timeInGroup(group, [&] {
    if (scans)
      breadthFirstByScan(engine, source);
    else
      breadthFirstByMessages(engine, source);
  });
  const graph::ooc::EngineCounts counts = engine.counts();
  outcome.bytesRead = counts.bytes.read;
  outcome.bytesWritten = counts.bytes.written;
  outcome.steps = counts.calls - 1;
  if (!valuesPath.empty()) {
    ResultFile values(valuesPath);
    engine.forEachValue(engine.vertexArray<VertexId>("parent"),
                        [&](VertexId, VertexId parent) {
                          values.write(parent == graph::NoVertex<VertexId>
                                           ? std::string("-\n")
                                           : fmt::format("{}\n", parent));
                        });
    values.commit();
  }
  return outcome;
}

} // namespace

void measureLongPaths(OocContext &context) {
  const OocInput &input = context.input(true);
  const std::uint64_t memoryBytes = context.options.memoryBytes.back();
  const std::string directory =
      context.prepared(input, false, memoryBytes).directory;
  Program program;
  program.algorithm = "bfs";
  program.source = input.source;
  std::vector<OocRival> rivals;
  for (const bool scans : {false, true})
    rivals.push_back(
        {scans ? "scan" : "groups", directory, memoryBytes,
         [&, scans](const std::string &valuesPath, const MemoryGroup *group) {
           return search(scans, input, directory, memoryBytes, valuesPath,
                         group);
         }});
  const std::vector<OocStanding> results =
      context.compete(rivals, program, input);
  fmt::print("Breadth-first search of long paths: {}, {} vertices, {} edges, "
             "{} steps\n",
             input.name, input.vertices, input.edges, results[0].last.steps);
  fmt::print("{:>7} {:<8} {:>9} {:>14}\n", "memory", "", "seconds",
             "groups is");
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    const OocOutcome &last = results[i].last;
    const Standing &standing = results[i].standing;
    fmt::print("{:>7} {:<8} {:>9.3f} {:>13.2f}x\n", formatBytes(memoryBytes),
               rivals[i].name, standing.seconds, 1 / standing.speed);
    context.rows.push_back(JsonObject()
                               .add("figure", "long-paths")
                               .add("graph", input.name)
                               .add("memory_bytes", memoryBytes)
                               .add("version", rivals[i].name)
                               .add("steps", last.steps)
                               .add("seconds", standing.seconds)
                               .add("bytes_read", last.bytesRead)
                               .add("bytes_written", last.bytesWritten)
                               .add("groups_speed", 1 / standing.speed));
  }
  std::fflush(stdout);
}

} // namespace heddle::bench
