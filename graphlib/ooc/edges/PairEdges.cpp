//===- PairEdges.cpp - Pairs of binary numbers, piece by piece -----------===//

#include "EdgeReaders.h"

#include "../../formats/PairsFile.h"

namespace heddle::graph::ooc {

namespace {

template <EdgeWeight Weight> class PairEdges final : public EdgeSource<Weight> {
public:
  using typename EdgeSource<Weight>::Edges;

  PairEdges(const std::string &path, const ReadOptions &options)
      : file(path, options) {}

  Edges next() override { return file.next(); }
  std::uint64_t vertexCount() const override { return file.vertexCount(); }

private:
  PairsFile<std::uint32_t, Weight> file;
};

} // namespace

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> openPairs(const std::string &path,
                                    const ReadOptions &options) {
  return std::make_unique<PairEdges<Weight>>(path, options);
}

#define HEDDLE_INSTANTIATE(Weight)                                             \
  template EdgeSourcePointer<Weight> openPairs(const std::string &,            \
                                               const ReadOptions &);
HEDDLE_FOR_ALL_SOURCES(HEDDLE_INSTANTIATE)

} // namespace heddle::graph::ooc
