//===- SignalSlot.h - Messages along edges ---------------------*- C++ -*-===//
//
// The three calls of DFOGraph (J. Yu et al., PPoPP 2021, figure 2): vertex
// arrays, a call for every vertex, and messages from vertices to the targets of
// their out-edges. Each step of a program names the arrays that it accesses,
// and accesses one vertex at a time. So the same program also runs on graphs
// that do not fit in memory (ooc/Engine.h). SignalSlot has all of the graph in
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_SIGNALSLOT_H
#define HEDDLE_GRAPH_SIGNALSLOT_H

#include "heddle/graph/Error.h"
#include "heddle/graph/Frontier.h"

#include <any>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>

namespace heddle::graph {

/// An array that a step accesses.
class VertexArrayUse {
public:
  template <typename T>
  VertexArrayUse(const VertexArray<T> &array) : elements(array.size()) {}

  std::size_t size() const { return elements; }

private:
  std::size_t elements;
};
using VertexArrayUses = std::initializer_list<VertexArrayUse>;

/// A graph and the values of its vertices. One thread at a time makes calls.
/// The functions that it passes run on the threads of OpenMP and must not
/// throw. `active`, if it is not null, restricts a call to the vertices for
/// which it is true when the call begins.
///
///   SignalSlot engine(graph);
///   auto &distance = engine.vertexArray<float>("distance");
template <Graph Store> class SignalSlot {
public:
  using VertexId = typename Store::VertexId;
  using Weight = typename Store::Weight;

  /// The graph must outlive this object.
  explicit SignalSlot(const Store &graph)
      : graph(graph), senders(graph.vertexCount()),
        receivers(graph.vertexCount()) {}

  VertexId vertexCount() const { return graph.vertexCount(); }
  bool isDirected() const { return graph.isDirected(); }

  /// The current out-degree of each vertex.
  const VertexArray<typename Store::EdgeId> &outDegrees() {
    degrees = VertexArray<typename Store::EdgeId>(graph.vertexCount());
    processVertices(
        [&](VertexId v) {
          degrees[v] = graph.outDegree(v);
          return 0;
        },
        {degrees});
    return degrees;
  }

  /// The array of that name, which lives as long as this object. Elements of a
  /// new array are undefined. Throws Error if the array has elements of another
  /// type.
  template <typename T> VertexArray<T> &vertexArray(const std::string &name) {
    using Shared = std::shared_ptr<VertexArray<T>>;
    std::any &array = arrays[name];
    if (!array.has_value())
      array = std::make_shared<VertexArray<T>>(graph.vertexCount());
    if (const Shared *found = std::any_cast<Shared>(&array))
      return **found;
    throw Error("vertex array " + name + ": has elements of another type");
  }

  /// Calls `work(v)` for every vertex, and returns the sum of the results.
  /// `work` may use the elements of v in the arrays `uses`. Throws Error if the
  /// size of an array is not the number of vertices.
  template <typename Work>
  auto processVertices(Work work, VertexArrayUses uses,
                       const VertexArray<bool> *active = nullptr) const {
    check(uses);
    constexpr VertexId Chunk = 1024;
    const VertexId vertices = graph.vertexCount();
    return detail::sumInParallel(
        vertices / Chunk + 1, worthThreads(vertices), [&](std::size_t chunk) {
          decltype(work(VertexId())) sum = {};
          const auto begin = static_cast<VertexId>(chunk * Chunk);
          const VertexId end = begin + std::min(Chunk, vertices - begin);
          for (VertexId v = begin; v < end; ++v)
            if (!active || (*active)[v])
              sum += work(v);
          return sum;
        });
  }

  /// Calls `signal(v)` for every vertex, which returns a std::optional message.
  /// Then calls `slot(message, from, to, weight)` for each edge from a vertex
  /// that has sent a message, and returns the sum of the results. A signal may
  /// use the elements of its vertex in the arrays `signalUses`, a slot those of
  /// `to` in the arrays `slotUses`. Slots for the same vertex run one after the
  /// other. Throws Error if the size of an array is not the number of vertices,
  /// and std::bad_alloc.
  template <typename Signal, typename Slot>
  auto processEdges(Signal signal, VertexArrayUses signalUses, Slot slot,
                    VertexArrayUses slotUses,
                    const VertexArray<bool> *active = nullptr) {
    check(signalUses);
    check(slotUses);
    using Message = typename decltype(signal(VertexId()))::value_type;
    VertexArray<Message> messages(graph.vertexCount());
    collect(signal, messages, active);

    // Delivers all messages to one vertex.
    const auto deliver = [&](VertexId to) {
      decltype(slot(Message(), to, to, Weight())) sum = {};
      for (const auto [from, weight] : graph.inEdges(to))
        if (senders.bitmap().test(from))
          sum += slot(messages[from], from, to, weight);
      return sum;
    };
    constexpr typename Store::EdgeId ManyShare = 20;
    const bool many = senders.outDegreeSum(graph) + senders.size() >
                      graph.edgeCount() / ManyShare;
    if (!many)
      findReceivers();
    senders.makeDense();
    return many ? processVertices(deliver, {}) : receivers.sum(deliver);
  }

private:
  void check(VertexArrayUses uses) const {
    for (const VertexArrayUse &use : uses)
      if (use.size() != graph.vertexCount())
        throw Error("vertex array: expected an element for each of " +
                    std::to_string(graph.vertexCount()) + " vertices, found " +
                    std::to_string(use.size()));
  }

  template <typename Signal, typename Message>
  void collect(Signal signal, VertexArray<Message> &messages,
               const VertexArray<bool> *active) {
    const VertexId vertices = graph.vertexCount();
    senders.clearSparse();
#pragma omp parallel if (worthThreads(vertices))
    {
      typename Frontier<VertexId>::Appender sent(senders);
#pragma omp for schedule(dynamic, 1024) nowait
      for (VertexId v = 0; v < vertices; ++v)
        if (!active || (*active)[v])
          if (const auto message = signal(v)) {
            messages[v] = *message;
            sent.append(v);
          }
    }
  }

  /// Finds the vertices to which at least one message is sent.
  void findReceivers() {
    receivers.clearDense();
    senders.sum([&](VertexId from) {
      for (const auto [to, weight] : graph.outEdges(from))
        receivers.bitmap().setShared(to);
      return 0;
    });
    receivers.makeSparse();
  }

  const Store &graph;
  std::map<std::string, std::any> arrays;
  VertexArray<typename Store::EdgeId> degrees;
  Frontier<VertexId> senders, receivers;
};

} // namespace heddle::graph

#endif
