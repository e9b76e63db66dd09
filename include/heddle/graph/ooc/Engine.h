//===- Engine.h - Messages along edges, out of core ------------*- C++ -*-===//
//
// The three calls of DFOGraph (J. Yu et al., PPoPP 2021, section 3) over a
// graph on disk. A program for SignalSlot, which has vertices and edges in
// memory, runs here unchanged.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_OOC_ENGINE_H
#define HEDDLE_GRAPH_OOC_ENGINE_H

#include "heddle/graph/Error.h"
#include "heddle/graph/detail/ooc/engine/EngineState.h"
#include "heddle/graph/ooc/EngineOptions.h"
#include "heddle/graph/ooc/VertexArray.h"

#include <any>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heddle::graph::ooc {

/// A prepared graph and the values of its vertices. One thread at a time makes
/// calls. The functions that it passes run on the threads of OpenMP and must
/// not throw. `active`, if it is not null, restricts a call to the vertices for
/// which it is true when the call begins. Calls throw Error if a file is
/// damaged or the memory budget is too small, WriteError, and std::bad_alloc.
/// An engine that has thrown can only be destroyed.
///
///   ooc::Engine<> engine("web", {.memoryBytes = 1 << 29});
///   auto &rank = engine.vertexArray<float>("rank");
template <EdgeWeight WeightType = Unweighted,
          VertexIdentifier VertexIdType = std::uint32_t>
class Engine {
public:
  using VertexId = VertexIdType;
  using Weight = WeightType;

  /// Throws Error if there is no such graph, or if it has other weights.
  explicit Engine(const std::string &directory,
                  const EngineOptions &options = {})
      : state(directory, weightKindOf<Weight>(), options) {
    const GraphLayout &layout = state.layout();
    if (layout.vertices > MostVertices<VertexId>)
      throw Error(directory + ": expected at most " +
                  std::to_string(MostVertices<VertexId>) + " vertices, found " +
                  std::to_string(layout.vertices));
  }

  VertexId vertexCount() const {
    return static_cast<VertexId>(state.layout().vertices);
  }
  std::uint64_t edgeCount() const { return state.layout().edges; }
  bool isDirected() const { return !state.layout().isUndirected; }
  EngineCounts counts() const { return state.counts(); }

  /// The array of that name, which lives as long as the engine. Elements of a
  /// new array are zero. Throws Error if the array has elements of another
  /// type.
  template <typename T> VertexArray<T> &vertexArray(const std::string &name) {
    using Shared = std::shared_ptr<VertexArray<T>>;
    std::any &array = arrays[name];
    if (!array.has_value())
      array = std::make_shared<VertexArray<T>>(
          state.addArray(name, VertexArray<T>::ElementBits), vertexCount());
    if (const Shared *found = std::any_cast<Shared>(&array))
      return **found;
    throw Error("vertex array " + name + ": has elements of another type");
  }

  /// The number of edges from each vertex.
  const VertexArray<std::uint32_t> &outDegrees() {
    if (!degrees)
      degrees = std::make_unique<VertexArray<std::uint32_t>>(
          state.addOutDegrees(), vertexCount());
    return *degrees;
  }

  /// Runs `program()` without effect: calls of this engine do nothing, and
  /// return zeros. Throws Error if the memory budget is too small for any of
  /// them; an earlier run can still be resumed then.
  template <typename Program> void rehearse(Program program) {
    state.beginRehearsal();
    program();
    state.endRehearsal();
  }

  /// Calls `work(v)` for every vertex, and returns the sum of the results.
  /// `work` may use the elements of v in the arrays `uses`.
  template <typename Work>
  auto processVertices(Work work, VertexArrayUses uses,
                       VertexArray<bool> *active = nullptr) {
    using Sum = decltype(work(VertexId()));
    if (const auto earlier = state.template resultOfEarlierRun<Sum>())
      return *earlier;
    const std::vector<ArrayUse> touched = usesOf(uses, active);
    if (!state.divideMemory(state.bytesInUse(touched)))
      return Sum();
    BatchSums<Sum> sums(state.share());
    const BatchSet visited = batchesWithAny(active);
    state.workers().forEachBatch(
        "Vertices", visited, areFew(active, visited),
        [&](Worker &worker, std::size_t batch) {
          const auto [begin, end] = verticesOf(batch);
          BatchScope scope =
              state.enter(touched, batch, worker, active != nullptr);
          TouchedVertices *const list = scope.list();
          Sum total = {};
          forEachVertex(begin, end, active, [&](VertexId v) {
            if (list)
              list->add(v - begin);
            total += work(v);
          });
          sums[batch] = total;
          scope.finish();
        });
    state.model().verticesProcessed(touched, visited);
    return state.endCall(sums);
  }

  /// Calls `signal(v)` for every vertex, which returns a std::optional message.
  /// Then calls `slot(message, from, to, weight)` for each edge from a vertex
  /// that has sent a message, and returns the sum of the results. A signal may
  /// use the elements of its vertex in the arrays `signalUses`, a slot those of
  /// `to` in the arrays `slotUses`. Slots for the same vertex run one after the
  /// other.
  template <typename Signal, typename Slot>
  auto processEdges(Signal signal, VertexArrayUses signalUses, Slot slot,
                    VertexArrayUses slotUses,
                    VertexArray<bool> *active = nullptr) {
    using Message = typename decltype(signal(VertexId()))::value_type;
    using Sum = decltype(slot(Message(), VertexId(), VertexId(), Weight()));
    if (const auto earlier = state.template resultOfEarlierRun<Sum>())
      return *earlier;
    const std::vector<ArrayUse> sending = usesOf(signalUses, active),
                                receiving = usesOf(slotUses, nullptr);
    if (!state.divideMemory(
            std::max(state.bytesInUse(sending), state.bytesInUse(receiving)),
            state.messageMemory(sizeof(Message))))
      return Sum();
    StepMessages messages(state.layout(), sizeof(Message));
    BatchQueue queue(state.layout(), state.share(), state.mayDispatch());
    const std::unique_ptr<Passing> passing = state.makePassing(messages, queue);
    generate<Message>(signal, sending, active, messages, passing.get());
    const BatchSums<Sum> sums = process<Message, Sum>(
        messages, slot, receiving, queue, !passing && areFew(messages));
    state.endPassing(passing.get());
    if (passing)
      state.model().messagesPassed(
          messages.counts(0, state.layout().partitions()));
    state.model().edgesProcessed(receiving);
    state.messageStore().end();
    return state.endCall(sums);
  }

  /// Calls `visit(v, value)` for all vertices in order, on the first rank. All
  /// ranks call this.
  template <typename T, typename Visit>
  void forEachValue(const VertexArray<T> &array, Visit visit) {
    const ArrayUse use = {&array.storage(), false};
    const std::uint64_t inUse = state.bytesInUse(std::span(&use, 1));
    if (!state.divideMemory(inUse, state.memoryToCollect(inUse)))
      return;
    state.forEachBatchInOrder(array.storage(), [&](std::size_t batch) {
      const auto [begin, end] = verticesOf(batch);
      for (std::uint64_t v = begin; v < end; ++v)
        visit(static_cast<VertexId>(v), array[v]);
    });
    state.model().valuesRead(std::span(&use, 1));
  }

private:
  std::pair<std::uint64_t, std::uint64_t> verticesOf(std::size_t batch) const {
    const GraphLayout &layout = state.layout();
    return {layout.batchBegins[batch], layout.batchBegins[batch + 1]};
  }

  /// The batches that may have active vertices, or all batches.
  BatchSet batchesWithAny(const VertexArray<bool> *active) const {
    BatchSet result(state.layout().batches(), 1);
    for (std::size_t batch = 0; active && batch < result.size(); ++batch) {
      const auto [begin, end] = verticesOf(batch);
      result[batch] = active->mayHaveAny(begin, end);
    }
    return result;
  }

  /// Whether few vertices of this rank are active, as far as that is known
  /// without reading windows.
  bool areFew(const VertexArray<bool> *active, const BatchSet &visited) const {
    if (!active)
      return false;
    // A word of the set may have several vertices.
    std::uint64_t words = WorkerPool::FewVertices / 4;
    const Share &share = state.share();
    for (std::size_t batch = share.firstBatch; batch < share.endBatch;
         ++batch) {
      const auto [begin, end] = verticesOf(batch);
      if (visited[batch] &&
          (!WindowPool::isInMemory(active->storage(), batch) ||
           !active->areFew(begin, end, words)))
        return false;
    }
    return true;
  }

  /// Whether few vertices have sent messages.
  static bool areFew(const StepMessages &step) {
    std::uint64_t count = 0;
    for (const std::vector<MessageBlock> &blocks : step.blocks)
      for (const MessageBlock &block : blocks)
        count += block.count;
    return count <= WorkerPool::FewVertices;
  }

  static std::vector<ArrayUse> usesOf(VertexArrayUses uses,
                                      const VertexArray<bool> *active) {
    std::vector<ArrayUse> result;
    const auto add = [&](const ArrayUse &use) {
      for (ArrayUse &known : result)
        if (known.array == use.array) {
          known.mayWrite |= use.mayWrite;
          return;
        }
      result.push_back(use);
    };
    for (const VertexArrayUse &use : uses)
      add(use.use);
    if (active)
      add({&active->storage(), false});
    return result;
  }

  template <typename Visit>
  static void forEachVertex(std::uint64_t begin, std::uint64_t end,
                            VertexArray<bool> *active, Visit visit) {
    if (active)
      return active->forEach(begin, end, [&](std::uint64_t v) {
        visit(static_cast<VertexId>(v));
      });
    for (std::uint64_t v = begin; v < end; ++v)
      visit(static_cast<VertexId>(v));
  }

  /// The generating phase (section 3.1).
  template <typename Message, typename Signal>
  void generate(Signal &signal, const std::vector<ArrayUse> &touched,
                VertexArray<bool> *active, StepMessages &messages,
                Passing *passing) {
    const GraphLayout &layout = state.layout();
    const BatchSet visited = batchesWithAny(active);
    state.workers().forEachBatch(
        "Messages", visited, areFew(active, visited),
        [&](Worker &worker, std::size_t batch) {
          const auto [begin, end] = verticesOf(batch);
          const std::size_t part = layout.partitionOf[batch];
          BatchScope scope =
              state.enter(touched, batch, worker, active != nullptr);
          TouchedVertices *const list = scope.list();
          const auto listedSignal = [&](VertexId v) {
            if (list)
              list->add(v - begin);
            return signal(v);
          };
          SentMessages<Message> sent = {worker.messageValues<Message>(),
                                        worker.sources.data()};
          for (std::uint64_t first = begin; first < end;
               first += SourceBlockVertices) {
            const std::size_t index =
                (first - layout.partitionBegins[part]) / SourceBlockVertices;
            MessageBlock &block = messages.blocks[part][index];
            block = sent.collect(listedSignal, first,
                                 std::min(first + SourceBlockVertices, end),
                                 active);
            if (block.count == 0)
              continue;
            worker.messages += block.count;
            messages.hasAny[part][index] = 1;
            state.messageStore().put(block, sizeof(Message), sent.values,
                                     sent.sources, worker.queue);
            if (passing)
              passing->add(part, index);
          }
          scope.finish();
        });
    if (passing)
      passing->endGenerating();
    // Without the messages of other ranks, which may have begun to arrive.
    state.model().messagesGenerated(
        touched, visited,
        messages.counts(state.share().firstPartition,
                        state.share().endPartition),
        sizeof(Message));
  }

  /// Collects the messages of a block.
  template <typename Message> struct SentMessages {
    Message *values;
    std::uint16_t *sources;

    template <typename Signal>
    MessageBlock collect(const Signal &signal, std::uint64_t begin,
                         std::uint64_t end, VertexArray<bool> *active) {
      MessageBlock block;
      forEachVertex(begin, end, active, [&](VertexId v) {
        if (const auto message = signal(v)) {
          sources[block.count] = static_cast<std::uint16_t>(v - begin);
          values[block.count++] = *message;
        }
      });
      block.isFromAll = block.count == end - begin;
      return block;
    }
  };

  /// The processing phase (section 3.1).
  template <typename Message, typename Sum, typename Slot>
  BatchSums<Sum> process(const StepMessages &step, Slot &slot,
                         const std::vector<ArrayUse> &touched,
                         BatchQueue &queue, bool areFew) {
    BatchSums<Sum> sums(state.share());
    const std::unique_ptr<Dispatcher> dispatcher = state.makeDispatcher(step);
    const BatchMessages allMessages(step);
    const auto follow = [&](Worker &worker, const BatchQueue::Turn &turn) {
      const std::size_t batch = turn.batch;
      std::optional<Dispatcher::View> view;
      if (dispatcher)
        view.emplace(
            dispatcher->messagesOf(batch, turn.partitions, worker.queue));
      const BatchMessages &messages = view ? view->messages() : allMessages;
      if (!worker.scan.begin(batch, turn.partitions, messages))
        return;
      std::optional<MessageReader> reader;
      if (auto blocks = onDisk(worker.scan.plannedPieces(), batch, messages);
          !blocks.empty())
        reader
            .emplace(state.messageStore(), sizeof(Message), worker.queue,
                     state.kept())
            .begin(std::move(blocks));
      BatchScope scope = state.enter(touched, batch, worker, true);
      Sum total = sums[batch];
      MessagesByVertex<Message> byVertex(worker.messageValues<Message>(),
                                         worker.sent);
      while (const ChunkPiece *piece = worker.scan.next())
        deliverPiece(*piece, batch, messages, reader, byVertex, slot, total,
                     worker.edges, scope.list());
      sums[batch] = total;
      scope.finish();
    };
    state.workers().forEachTurn(
        "Edges", queue, areFew,
        [&](Worker &worker, const BatchQueue::Turn &turn) {
          if (turn.work != BatchQueue::Work::Follow)
            return dispatcher->dispatch(turn, worker.scan, worker.queue);
          follow(worker, turn);
          return Dispatching::None;
        });
    state.endDispatching(dispatcher.get());
    return sums;
  }

  /// Whether a block of vertices has messages and edges in this batch.
  bool isUsed(const BatchMessages &messages, std::size_t partition,
              std::size_t index, std::size_t batch) const {
    const std::vector<SourceBlock> &starts =
        state.blockStarts(partition, batch);
    return messages.hasAny[partition][index] &&
           starts[index].source != starts[index + 1].source;
  }

  /// The blocks of messages on disk that these pieces need, in the order of
  /// use.
  std::vector<const MessageBlock *>
  onDisk(std::span<const ChunkPiece> pieces, std::size_t batch,
         const BatchMessages &messages) const {
    std::vector<const MessageBlock *> result;
    for (const ChunkPiece &piece : pieces)
      for (std::size_t index = piece.block;
           !piece.continuesBlock && index < piece.blockEnd; ++index) {
        const MessageBlock &block = messages.blocks[piece.partition][index];
        if (block.isOnDisk() && isUsed(messages, piece.partition, index, batch))
          result.push_back(&block);
      }
    return result;
  }

  template <typename Message, typename Slot, typename Sum>
  void deliverPiece(const ChunkPiece &piece, std::size_t batch,
                    const BatchMessages &messages,
                    std::optional<MessageReader> &reader,
                    MessagesByVertex<Message> &byVertex, Slot &slot, Sum &total,
                    std::uint64_t &edges, TouchedVertices *list) {
    const GraphLayout &layout = state.layout();
    const std::vector<SourceBlock> &starts =
        state.blockStarts(piece.partition, batch);
    for (std::size_t index = piece.block; index < piece.blockEnd; ++index) {
      if (!isUsed(messages, piece.partition, index, batch))
        continue;
      const MessageBlock &block = messages.blocks[piece.partition][index];
      if (!piece.continuesBlock)
        byVertex.set(block,
                     block.isOnDisk() ? reader->next(block) : block.memory);
      const Delivery<Message> delivery = {
          .piece = piece,
          .begin =
              piece.isSought() ? 0 : starts[index].source - piece.sourceBegin,
          .end =
              (piece.isSought() ? piece.sourceEnd : starts[index + 1].source) -
              piece.sourceBegin,
          .firstSource =
              static_cast<VertexId>(layout.partitionBegins[piece.partition] +
                                    index * SourceBlockVertices),
          .firstTarget = static_cast<VertexId>(layout.batchBegins[batch]),
          .targetBytes = static_cast<std::uint32_t>(layout.targetBytes()),
          .messages = byVertex.data(),
          .present = byVertex.presentBits()};
      total += block.isFromAll ? deliver<true>(delivery, slot, edges)
                               : deliver<false>(delivery, slot, edges);
      if (list)
        listTargets(delivery, block.isFromAll, *list);
    }
  }

  /// The edges of a block of sources, and the messages of its vertices.
  template <typename Message> struct Delivery {
    ChunkPiece piece;
    std::uint32_t begin, end;
    VertexId firstSource, firstTarget;
    std::uint32_t targetBytes;
    const Message *messages;
    const std::uint64_t *present;
  };

  template <bool FromAll, typename Message, typename Slot>
  static auto deliver(const Delivery<Message> &delivery, Slot &slot,
                      std::uint64_t &edgeCount) {
    decltype(slot(Message(), VertexId(), VertexId(), Weight())) total = {};
    // Local copies: the compiler sees that slots cannot write them.
    const auto [piece, begin, end, firstSource, firstTarget, targetBytes,
                messages, present] = delivery;
    const std::uint32_t edgeBegin = piece.edgeBegin, edgeEnd = piece.edgeEnd;
    const std::uint16_t *const sources = piece.sources;
    const std::uint32_t *const begins = piece.begins;
    const std::byte *const targets = piece.targets;
    const std::uint32_t targetMask =
        ~std::uint32_t(0) >> (32 - 8 * targetBytes);
    const auto *const weights = reinterpret_cast<const Weight *>(piece.weights);
    std::uint64_t edges = 0;
    // In order: what a slot makes of its messages may depend on that.
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint16_t source = sources[i];
      if (!FromAll && (present[source / 64] >> (source % 64) & 1) == 0)
        continue;
      const Message message = messages[source];
      const std::uint32_t first = std::max(begins[i], edgeBegin);
      const std::uint32_t last = std::min(begins[i + 1], edgeEnd);
      for (std::uint32_t edge = first; edge < last; ++edge) {
        Weight weight = {};
        if constexpr (!IsWeightless)
          weight = weights[edge - edgeBegin];
        // The bytes behind the last target can be read.
        std::uint32_t target;
        std::memcpy(&target,
                    targets + std::size_t(edge - edgeBegin) * targetBytes,
                    sizeof(target));
        total += slot(
            message, static_cast<VertexId>(firstSource + source),
            static_cast<VertexId>(firstTarget + (target & targetMask)), weight);
      }
      edges += last > first ? last - first : 0;
    }
    edgeCount += edges;
    return total;
  }

  /// Lists the vertices for which slots were called.
  template <typename Message>
  static void listTargets(const Delivery<Message> &delivery, bool isFromAll,
                          TouchedVertices &list) {
    const ChunkPiece &piece = delivery.piece;
    for (std::uint32_t i = delivery.begin;
         i < delivery.end && !list.areTooMany(); ++i) {
      const std::uint16_t source = piece.sources[i];
      if (!isFromAll &&
          (delivery.present[source / 64] >> (source % 64) & 1) == 0)
        continue;
      const std::uint32_t last = std::min(piece.begins[i + 1], piece.edgeEnd);
      for (std::uint32_t edge = std::max(piece.begins[i], piece.edgeBegin);
           edge < last && !list.areTooMany(); ++edge) {
        std::uint32_t target = 0;
        std::memcpy(&target,
                    piece.targets + std::size_t(edge - piece.edgeBegin) *
                                        delivery.targetBytes,
                    delivery.targetBytes);
        list.add(target);
      }
    }
  }

  static constexpr bool IsWeightless = std::same_as<Weight, Unweighted>;

  EngineState state;
  std::map<std::string, std::any> arrays;
  std::unique_ptr<VertexArray<std::uint32_t>> degrees;
};

} // namespace heddle::graph::ooc

#endif
