//===- Plan.cpp - The cost of an iteration -------------------------------===//

#include "heddle/graph/ooc/Plan.h"

#include "../edges/BatchSize.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/detail/ooc/memory/ProgramMemory.h"
#include "heddle/graph/detail/ooc/messages/ChunkScan.h"
#include "heddle/graph/ooc/Prepare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace heddle::graph::ooc {

namespace {

constexpr double ChecksumBytes = sizeof(std::uint32_t);
constexpr double DegreeBytes = sizeof(std::uint32_t);
constexpr double RowBytes = sizeof(std::uint32_t);
// The target of an edge of a dispatching graph: the index of a batch in its
// group.
constexpr double DestinationBytes = 1;
// For each block of messages that were dispatched to a batch: their number, and
// a checksum.
constexpr double RunBytes = 2 * sizeof(std::uint32_t);
// Filters have a bit for each vertex.
constexpr double FilterBytesPerVertex = 1.0 / 8;
// The blocks of messages for which a thread of a run has memory.
constexpr double MessageBuffers = MessageReader::BlocksAhead + 2;

/// The bytes of edges and their sources in a chunk (DCSR, section 4.1): target
/// and weight of each edge, `edgeBytes` in all; and for each source its index
/// in the block, and the beginning of its edges.
double bytesOfEdges(double edges, double sources, std::uint64_t edgeBytes) {
  return edges * static_cast<double>(edgeBytes) +
         sources * (sizeof(std::uint16_t) + sizeof(std::uint32_t));
}

/// The expected number of pairs with at least one edge, if each edge falls on
/// each of `pairs` pairs (of a source vertex and an index of a target) with the
/// same probability.
double pairsWithEdges(double edges, double pairs) {
  return pairs > 0 ? -pairs * std::expm1(-edges / pairs) : 0;
}

/// Computes the quantities of section 4.5 for one of several equal ranks.
class Planner {
public:
  explicit Planner(const PlanOptions &options)
      : options(options), ranks(options.ranks),
        vertices(options.vertices / ranks), edges(options.edges / ranks),
        recordBytes(static_cast<double>(options.messageBytes +
                                        sizeof(std::uint16_t))) {}

  IterationPlan run() {
    check();
    chooseBatches();
    plan.vertexBytes = vertices * static_cast<double>(options.vertexBytes);
    countMessages();
    measureGraph();
    divideMemory();
    addPhases();
    return plan;
  }

private:
  void check() const {
    if (options.vertices == 0 && options.edges > 0)
      throw Error("expected vertices for the edges, found none");
    const double units = std::max(std::ceil(options.vertices / BatchUnit), 1.0);
    if (ranks > units)
      throw Error("expected at most " +
                  std::to_string(static_cast<std::uint64_t>(units)) +
                  " ranks for so few vertices, found " +
                  std::to_string(options.ranks));
  }

  void chooseBatches() {
    std::uint64_t units = usualBatchUnits(static_cast<std::uint64_t>(vertices),
                                          options.memoryBytes, options.threads,
                                          options.vertexBytes);
    // An edge counts at both ends, as in prepare().
    const auto edgesOf = [&](std::uint64_t batchUnits) {
      return static_cast<double>(batchUnits * BatchUnit) * 2 * edges / vertices;
    };
    while (units > 1 &&
           edgesOf(units) > std::numeric_limits<std::uint32_t>::max())
      units /= 2;
    plan.batchVertices = units * BatchUnit;
    plan.batches =
        std::ceil(vertices / static_cast<double>(plan.batchVertices));
  }

  /// A rank, and a batch, gets one message from each vertex with edges to it.
  void countMessages() {
    passed = (ranks - 1) * pairsWithEdges(edges / ranks, vertices);
    dispatched = pairsWithEdges(edges, options.vertices * plan.batches);
    scanned = (vertices + passed) * plan.batches;
    if (plan.batches <= 1)
      return;
    groups = std::ceil(plan.batches / MostGroupBatches);
    dispatchingBytes = bytesOfEdges(
        dispatched, pairsWithEdges(edges, options.vertices * groups),
        DestinationBytes);
    plan.dispatches = dispatchingBytes +
                          (vertices + passed) * groups * recordBytes +
                          2 * dispatched * recordBytes <
                      scanned * recordBytes;
  }

  double chunks() const { return ranks * plan.batches; }

  void measureGraph() {
    edgeBytes = bytesOfEdges(edges, dispatched,
                             targetBytesOf(plan.batchVertices) +
                                 bytesOf(options.weights));
    // CSR, unless chunks are too sparse (section 4.1).
    hasRows = edges > 0 &&
              vertices / (edges / chunks()) <= PrepareOptions().inflateRatio;
    double rows = hasRows ? chunks() * vertices * RowBytes : 0;
    if (groups > 0 && edges > 0 &&
        vertices / (dispatched / (ranks * groups)) <=
            PrepareOptions().inflateRatio)
      rows += ranks * groups * vertices * RowBytes;
    const double filters = (ranks - 1) * vertices * FilterBytesPerVertex;
    const double bytes = edgeBytes + dispatchingBytes + rows +
                         sourceBlockBytes() + filters + vertices * DegreeBytes;
    plan.graphBytes = bytes + bytes / BlockBytes * ChecksumBytes;
  }

  double sourceBlockBytes() const {
    return (chunks() + ranks * groups) * (vertices / SourceBlockVertices + 1) *
           sizeof(SourceBlock);
  }

  /// The memory for seeking edges under such a budget.
  double farBytes(std::uint64_t memoryBytes) const {
    return hasRows ? static_cast<double>(FarFile::memoryBytes(
                         FarFile::cacheShare(memoryBytes), options.threads))
                   : 0;
  }

  /// The buffers that edges are read into.
  double scanBytes(std::uint64_t memoryBytes) const {
    const PieceBuffers buffers = PieceBuffers::within(
        memoryBytes, options.threads, targetBytesOf(plan.batchVertices),
        options.weights);
    return options.threads * static_cast<double>(ChunkScan::bytes(buffers));
  }

  /// The memory of everything whose size grows with the budget.
  double sharesOf(std::uint64_t memoryBytes) const {
    return farBytes(memoryBytes) + scanBytes(memoryBytes);
  }

  /// The least budget with room for `bytes` bytes and for its own sharesOf().
  double leastWith(double bytes) const {
    // Budgets beyond this limit all have the same shares.
    const auto needed = [&](double budget) {
      return bytes +
             sharesOf(static_cast<std::uint64_t>(std::min(budget, 0x1p62)));
    };
    double least = bytes;
    while (needed(least) > least)
      least = needed(least);
    return least;
  }

  /// The memory for finding the messages of a call, and for dispatching them.
  double messageIndexBytes() const {
    const double blocks = ranks * (vertices / SourceBlockVertices + 1);
    return blocks * (sizeof(MessageBlock) + sizeof(std::uint8_t) +
                     (plan.dispatches ? plan.batches * RunBytes : 0));
  }

  /// Divides memory like MemoryBudget: the rest goes to messages, then to
  /// vertex data, and then to edges.
  void divideMemory() {
    const double inUse = options.threads *
                         static_cast<double>(plan.batchVertices) *
                         static_cast<double>(options.vertexBytes);
    const double fixed =
        ProgramBytes +
        (ranks > 1 ? static_cast<double>(communicatorBytes(options.ranks))
                   : 0) +
        plan.graphBytes / BlockBytes * ChecksumBytes + sourceBlockBytes() +
        messageIndexBytes() +
        options.threads * MessageBuffers * SourceBlockVertices * recordBytes;
    plan.leastMemoryBytes = leastWith(fixed + inUse);
    double free = std::max(static_cast<double>(options.memoryBytes) - fixed -
                               inUse - sharesOf(options.memoryBytes),
                           0.0);
    const auto give = [&](double wanted, double most, double had) {
      const double given = std::min(wanted - had, most);
      free -= given;
      return wanted > 0 ? (given + had) / wanted : 1;
    };
    plan.messagesInMemory =
        give((vertices + passed) * recordBytes, free / 2, 0);
    // Messages in memory are not dispatched.
    plan.dispatches &= plan.messagesInMemory < 1;
    plan.verticesInMemory =
        give(plan.vertexBytes, free, std::min(inUse, plan.vertexBytes));
    // Each window is completely in memory or not at all.
    if (plan.verticesInMemory < 1)
      plan.verticesInMemory =
          std::floor(plan.verticesInMemory * plan.batches) / plan.batches;
    plan.edgesInMemory = give(edgeBytes, free, 0);
  }

  void addPhases() {
    auto &[generate, pass, dispatch, process] = plan.phases;
    const double edgesOnDisk = 1 - plan.edgesInMemory;
    const double messagesOnDisk = (1 - plan.messagesInMemory) * recordBytes;
    const double verticesOnDisk =
        (1 - plan.verticesInMemory) * plan.vertexBytes;
    generate.readBytes = verticesOnDisk;
    // Windows that slots have changed are evicted here, as far as other windows
    // need their memory.
    generate.writtenBytes =
        vertices * messagesOnDisk +
        std::min(plan.verticesInMemory * plan.vertexBytes, verticesOnDisk);
    if (ranks > 1) {
      pass.readBytes =
          (ranks - 1) * vertices * (messagesOnDisk + FilterBytesPerVertex);
      pass.sentBytes = passed * recordBytes;
    }
    if (plan.dispatches)
      dispatch.readBytes = (vertices + passed) * groups * messagesOnDisk +
                           edgesOnDisk * dispatchingBytes;
    dispatch.writtenBytes =
        (passed + (plan.dispatches ? dispatched : 0)) * messagesOnDisk;
    process.readBytes =
        ranks * verticesOnDisk +
        (plan.dispatches ? dispatched : scanned) * messagesOnDisk +
        edgesOnDisk * edgeBytes;
    process.writtenBytes = ranks * verticesOnDisk;
    for (PhaseCost &phase : plan.phases) {
      phase.diskSeconds =
          (phase.readBytes + phase.writtenBytes) / options.diskBytesPerSecond;
      phase.networkSeconds = phase.sentBytes / options.networkBytesPerSecond;
    }
  }

  const PlanOptions &options;
  const double ranks, vertices, edges; ///< the latter two of one rank
  const double recordBytes;            ///< a message, and its sender
  // Messages: from other ranks, dispatched to batches, and read by batches if
  // they are not dispatched.
  double passed = 0, dispatched = 0, scanned = 0;
  double groups = 0; ///< of batches, to which messages are dispatched at a time
  double dispatchingBytes = 0; ///< of dispatching graphs
  double edgeBytes = 0;
  bool hasRows = false; ///< in most chunks
  IterationPlan plan;
};

} // namespace

PhaseCost &PhaseCost::operator+=(const PhaseCost &other) {
  readBytes += other.readBytes;
  writtenBytes += other.writtenBytes;
  sentBytes += other.sentBytes;
  diskSeconds += other.diskSeconds;
  networkSeconds += other.networkSeconds;
  return *this;
}

PhaseCost IterationPlan::total() const {
  PhaseCost total;
  for (const PhaseCost &phase : phases)
    total += phase;
  return total;
}

double IterationPlan::seconds() const {
  const PhaseCost all = total();
  return std::max(all.diskSeconds, all.networkSeconds);
}

IterationPlan planIteration(const PlanOptions &options) {
  return Planner(options).run();
}

} // namespace heddle::graph::ooc
