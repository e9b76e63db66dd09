// Packs rows of all lengths and compares every lane with the graph library's
// layout.

#include "MemRef.h"
#include "heddle/graph/detail/EdgeVector.h"

#include <cstdio>
#include <cstdlib>

using heddle::graph::EdgeVectorLayout;

template <typename Lane, typename Weight> struct Packed {
  MemRef<std::int64_t> rows;
  MemRef<Lane, 2> edges;
  MemRef<Weight, 2> weights;
};
template <typename Lane> struct Packed<Lane, void> {
  MemRef<std::int64_t> rows;
  MemRef<Lane, 2> edges;
};

extern "C" {
void _mlir_ciface_pack16x32(Packed<std::uint32_t, double> *,
                            MemRef<std::int64_t> *, MemRef<std::uint32_t> *,
                            MemRef<double> *);
void _mlir_ciface_pack8x32(Packed<std::uint32_t, float> *,
                           MemRef<std::int32_t> *, MemRef<std::uint32_t> *,
                           MemRef<float> *);
void _mlir_ciface_pack8x64(Packed<std::uint64_t, void> *,
                           MemRef<std::int64_t> *, MemRef<std::uint64_t> *);
void _mlir_ciface_pack4x64(Packed<std::uint64_t, void> *,
                           MemRef<std::int64_t> *, MemRef<std::uint64_t> *);
}

static void require(bool holds, const char *what) {
  if (holds)
    return;
  std::printf("wrong: %s\n", what);
  std::exit(1);
}

template <typename Lane, unsigned Lanes, typename Weight, typename Position,
          typename Pack>
static void check(std::vector<Position> positions, Pack pack) {
  using Layout = EdgeVectorLayout<Lane, Lanes>;
  std::vector<Lane> coordinates(positions.empty() ? 0 : positions.back());
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    coordinates[k] = Lane((k * 0x9E3779B97F4A7C15u) % Layout::MostVertices);
  Packed<Lane, Weight> packed;
  MemRef<Position> p(positions);
  MemRef<Lane> c(coordinates);
  std::vector<std::conditional_t<std::is_void_v<Weight>, char, Weight>> values;
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    values.push_back(k + 1);
  if constexpr (std::is_void_v<Weight>) {
    pack(&packed, &p, &c);
  } else {
    MemRef<Weight> w(values);
    pack(&packed, &p, &c, &w);
  }
  const std::size_t rows = positions.empty() ? 0 : positions.size() - 1;
  require(packed.rows.sizes[0] == std::int64_t(rows + 1), "rows");
  require(reinterpret_cast<std::uintptr_t>(packed.edges.aligned) %
                  (Lanes * sizeof(Lane)) ==
              0,
          "alignment");
  std::int64_t vector = 0;
  for (std::size_t v = 0; v < rows; ++v) {
    require(packed.rows.aligned[v] == vector, "first edge vector of a row");
    for (Position k = positions[v]; k < positions[v + 1]; k += Lanes, ++vector)
      for (unsigned i = 0; i < Lanes; ++i) {
        const bool isEdge = k + Position(i) < positions[v + 1];
        const Lane expected = isEdge ? Layout::edge(v, i, coordinates[k + i])
                                     : Layout::padding(v, i);
        const std::size_t at = vector * Lanes + i;
        require(packed.edges.aligned[at] == expected, "lane");
        if constexpr (!std::is_void_v<Weight>)
          require(packed.weights.aligned[at] == (isEdge ? values[k + i] : 0),
                  "weight");
      }
  }
  require(packed.rows.aligned[rows] == vector, "number of edge vectors");
  require(packed.edges.sizes[0] == vector, "size");
  if (rows == 0)
    std::printf("no rows\n");
  else
    std::printf("%u lanes of %u bits: %zu rows, %lld edge vectors\n", Lanes,
                Layout::LaneBits, rows, (long long)vector);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    std::vector<std::int64_t> positions{0, 1};
    std::vector<std::uint32_t> coordinates{1u << 29};
    std::vector<double> values{1};
    MemRef<std::int64_t> p(positions);
    MemRef<std::uint32_t> c(coordinates);
    MemRef<double> w(values);
    Packed<std::uint32_t, double> packed;
    _mlir_ciface_pack16x32(&packed, &p, &c, &w);
    return 0;
  }
  // Empty rows in front make the numbers of the others long.
  static constexpr std::size_t Empty = 70000;
  auto rows = [](auto... positions) {
    std::vector<std::common_type_t<decltype(positions)...>> all(Empty);
    (all.push_back(positions), ...);
    return all;
  };
  using Long = std::int64_t;
  check<std::uint32_t, 16, double>(
      rows(Long(0), Long(0), Long(1), Long(17), Long(17), Long(113)),
      _mlir_ciface_pack16x32);
  check<std::uint32_t, 8, float>(rows(0, 0, 1, 17, 17, 89),
                                 _mlir_ciface_pack8x32);
  check<std::uint64_t, 8, void>(
      rows(Long(0), Long(0), Long(1), Long(17), Long(17), Long(89)),
      _mlir_ciface_pack8x64);
  check<std::uint64_t, 4, void>(
      rows(Long(0), Long(0), Long(1), Long(17), Long(17), Long(80)),
      _mlir_ciface_pack4x64);
  check<std::uint32_t, 16, double>(std::vector<Long>(), _mlir_ciface_pack16x32);
}
