//===- LongPaths.cpp - Breadth-first search of many steps ----------------===//
//
// In a graph of long paths most steps have few active vertices. The rival is
// the same engine without the groups that say where there are any: as in
// DFOGraph, each step tests all vertices.
//
//===----------------------------------------------------------------------===//

#include "OocContext.h"

#include "../Report.h"
#include "../measure/Contest.h"

#include "../../output/ResultFile.h"

#include "heddle/graph/messages/BreadthFirstSearch.h"
#include "heddle/graph/ooc/Engine.h"

#include <cstdio>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace heddle::bench {

namespace {

/// breadthFirstByMessages(), but that no call is told which vertices are
/// active.
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

struct Entry {
  const char *name;
  bool scans;
  OocOutcome last = {};
  bool isVerified = false;
};

OocOutcome search(const Entry &entry, const OocInput &input,
                  const std::string &directory, std::uint64_t memoryBytes,
                  const std::string &valuesPath, const MemoryGroup *group) {
  using VertexId = std::uint32_t;
  graph::ooc::Engine<> engine(directory, {.memoryBytes = memoryBytes});
  const auto source = static_cast<VertexId>(input.source);
  OocOutcome outcome = timeInGroup(group, [&] {
    if (entry.scans)
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
  std::vector<Entry> entries = {{"groups", false}, {"scan", true}};
  std::string repetition;
  std::vector<Rival> rivals;
  for (Entry &entry : entries)
    rivals.push_back([&] {
      const std::string what = fmt::format("{}, {}", entry.name, repetition);
      const std::string values =
          entry.isVerified ? std::string() : context.valuesPath();
      entry.last = context.run(
          what, directory, memoryBytes, [&](const MemoryGroup *group) {
            return search(entry, input, directory, memoryBytes, values, group);
          });
      if (!entry.isVerified)
        context.verify(what, program, input);
      entry.isVerified = true;
      return entry.last.seconds;
    });
  const std::vector<Standing> standings =
      compete(rivals, context.options.repetitions,
              [&](const std::string &text) { repetition = text; });
  context.progress.clear();
  fmt::print("Breadth-first search of long paths: {}, {} vertices, {} edges, "
             "{} steps\n",
             input.name, input.vertices, input.edges, entries[0].last.steps);
  fmt::print("{:>7} {:<8} {:>9} {:>14}\n", "memory", "", "seconds",
             "groups is");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    fmt::print("{:>7} {:<8} {:>9.3f} {:>13.2f}x\n", formatBytes(memoryBytes),
               entries[i].name, standings[i].seconds, 1 / standings[i].speed);
    context.rows.push_back(
        JsonObject()
            .add("figure", "long-paths")
            .add("graph", input.name)
            .add("memory_bytes", memoryBytes)
            .add("version", entries[i].name)
            .add("steps", entries[i].last.steps)
            .add("seconds", standings[i].seconds)
            .add("bytes_read", entries[i].last.bytesRead)
            .add("bytes_written", entries[i].last.bytesWritten)
            .add("groups_speed", 1 / standings[i].speed));
  }
  std::fflush(stdout);
}

} // namespace heddle::bench
