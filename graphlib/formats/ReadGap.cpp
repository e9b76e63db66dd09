//===- ReadGap.cpp - Serialised graphs of the GAP benchmark suite --------===//

#include "../files/Instantiate.h"
#include "CheckRows.h"
#include "Formats.h"
#include "GapHeader.h"

namespace heddle::graph {
namespace {

template <VertexIdentifier VertexId, EdgeWeight Weight> class GapReader {
public:
  GapReader(const std::string &path, bool hasWeights,
            const ReadOptions &options)
      : file(path, options), hasWeights(hasWeights) {}

  Csr<VertexId, Weight> read() {
    const GapHeader header = readGapHeader(file);
    edges = header.edges;
    vertices = header.vertices;
    Rows out = readRows();
    if (!header.directed) {
      file.expectEnd();
      return Csr<VertexId, Weight>(std::move(out));
    }
    Rows in = readRows();
    file.expectEnd();
    return Csr<VertexId, Weight>(std::move(out), std::move(in));
  }

private:
  using Rows = CsrRows<VertexId, Weight>;

  Rows readRows() {
    Rows rows;
    const std::uint64_t offsetsAt = file.position();
    rows.offsets = file.readArray<std::uint64_t>(vertices + 1, "offsets");
    const std::uint64_t targetsAt = file.position();
    readTargets(rows);
    if (const RowProblem problem = problemInOffsets(rows))
      file.fail(offsetsAt + problem.index * sizeof(std::uint64_t),
                problem.text);
    if (const RowProblem problem = problemInTargets(rows))
      file.fail(targetsAt + problem.index * (hasWeights ? 8 : 4), problem.text);
    if (!areSorted(rows))
      sortRows(rows);
    return rows;
  }

  void readTargets(Rows &rows) {
    if (hasWeights)
      readWeightedTargets(rows);
    else if constexpr (sizeof(VertexId) == sizeof(std::uint32_t))
      rows.targets = file.readArray<VertexId>(edges, "targets");
    else
      readWideTargets(rows);
  }

  void readWideTargets(Rows &rows) {
    GrowingArray<VertexId> targets;
    file.readPieces<std::uint32_t>(
        edges, "targets", [&](std::span<const std::uint32_t> piece) {
          VertexId *to = extend(targets, piece.size());
#pragma omp parallel for
          for (std::size_t i = 0; i < piece.size(); ++i)
            to[i] = piece[i];
        });
    rows.targets = targets.take();
  }

  void readWeightedTargets(Rows &rows) {
    GrowingArray<VertexId> targets;
    GrowingArray<Weight> weights;
    constexpr bool isWanted = !std::same_as<Weight, Unweighted>;
    file.readPieces<GapWeightedTarget>(
        edges, "targets and weights",
        [&](std::span<const GapWeightedTarget> piece) {
          VertexId *target = extend(targets, piece.size());
          Weight *weight = nullptr;
          if constexpr (isWanted)
            weight = extend(weights, piece.size());
#pragma omp parallel for
          for (std::size_t i = 0; i < piece.size(); ++i) {
            target[i] = piece[i].target;
            if constexpr (isWanted)
              weight[i] = static_cast<Weight>(piece[i].weight);
          }
        });
    rows.targets = targets.take();
    rows.weights = weights.take();
  }

  template <typename T> T *extend(GrowingArray<T> &array, std::size_t count) {
    return array.extend(count, file.isSizeKnown() ? edges : 0);
  }

  BinaryFile file;
  const bool hasWeights;
  std::uint64_t edges = 0, vertices = 0;
};

} // namespace

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> readGap(const std::string &path, bool hasWeights,
                              const ReadOptions &options) {
  checkGapWeights<Weight>(path, hasWeights);
  return GapReader<VertexId, Weight>(path, hasWeights, options).read();
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template Csr<VertexId, Weight> readGap(const std::string &, bool,            \
                                         const ReadOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)

} // namespace heddle::graph
