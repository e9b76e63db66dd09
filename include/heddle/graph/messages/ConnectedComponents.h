//===- ConnectedComponents.h - Components by messages -----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_MESSAGES_CONNECTEDCOMPONENTS_H
#define HEDDLE_GRAPH_MESSAGES_CONNECTEDCOMPONENTS_H

#include "heddle/graph/Error.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace heddle::graph {

/// Computes the result of connectedComponents() by calls of an engine, for an
/// undirected graph. The vertex array "component", of VertexIds, has for each
/// vertex the lowest vertex of its component. Returns the number of components.
/// Throws Error if edges have a direction, because messages follow it, and the
/// exceptions of the engine.
template <typename Engine>
std::uint64_t connectedComponentsByMessages(Engine &engine) {
  using VertexId = typename Engine::VertexId;
  if (engine.isDirected())
    throw Error("components: expected a graph whose edges lead both ways");
  auto &component = engine.template vertexArray<VertexId>("component");
  auto &active = engine.template vertexArray<bool>("active");
  engine.processVertices(
      [&](VertexId v) {
        component[v] = v;
        active[v] = true;
        return 0;
      },
      {component, active});
  std::uint64_t changes;
  do
    changes = engine.processEdges(
        [&](VertexId v) {
          active[v] = false;
          return std::optional(component[v]);
        },
        {std::as_const(component), active},
        [&](VertexId message, VertexId, VertexId to, auto) -> std::uint64_t {
          if (message >= component[to])
            return 0;
          component[to] = message;
          active[to] = true;
          return 1;
        },
        {component, active}, &active);
  while (changes != 0);
  return engine.processVertices(
      [&](VertexId v) -> std::uint64_t { return component[v] == v; },
      {std::as_const(component)});
}

} // namespace heddle::graph

#endif
