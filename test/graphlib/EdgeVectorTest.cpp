//===- EdgeVectorTest.cpp - The bits of a lane ----------------------------===//

#include "heddle/graph/detail/EdgeVector.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace {

using namespace heddle::graph;

using Four64 = EdgeVectorLayout<std::uint64_t, 4>;
using Eight64 = EdgeVectorLayout<std::uint64_t, 8>;
using Eight32 = EdgeVectorLayout<std::uint32_t, 8>;
using Sixteen32 = EdgeVectorLayout<std::uint32_t, 16>;

static_assert(Four64::PieceBits == 12 && Four64::PieceShift == 51);
static_assert(Eight64::PieceBits == 6 && Eight64::PieceShift == 57);
static_assert(Eight32::PieceBits == 4 && Eight32::PieceShift == 27);
static_assert(Sixteen32::PieceBits == 2 && Sixteen32::PieceShift == 29);

static_assert(Four64::MostVertices == std::uint64_t(1) << 48);
static_assert(Eight64::MostVertices == std::uint64_t(1) << 48);
static_assert(Eight32::MostVertices == std::uint32_t(1) << 27);
static_assert(Sixteen32::MostVertices == std::uint32_t(1) << 29);

// Whole lanes, bit by bit: the compiler relies on them.
static_assert(Four64::edge(0xABCDEF012345, 0, 0x123456789ABC) ==
              0x9A28'1234'5678'9ABC);
static_assert(Four64::padding(0xABCDEF012345, 3) == 0x55E0'0000'0000'0000);
static_assert(Eight64::edge(0xABCDEF012345, 1, 0) == 0x9A00'0000'0000'0000);
static_assert(Eight32::edge(0x7ABCDEF, 0, 0x7000001) == 0xFF00'0001);
static_assert(Eight32::padding(0x7ABCDEF, 6) == 0x3800'0000);
static_assert(Sixteen32::edge(0x1ABCDEF0, 14, 1) == 0xA000'0001);
static_assert(Sixteen32::edge(0x1ABCDEF0, 0, 0x1FFFFFFF) == 0x9FFF'FFFF);

template <typename Layout> class EdgeVectorTyped : public testing::Test {
public:
  using Lane = typename Layout::Lane;
  using Vector = std::array<Lane, Layout::Lanes>;

  /// An edge vector with `edges` edges to `neighbour`.
  static Vector vectorOf(Lane topLevel, unsigned edges, Lane neighbour) {
    Vector vector;
    for (unsigned i = 0; i < Layout::Lanes; ++i)
      vector[i] = i < edges ? Layout::edge(topLevel, i, neighbour)
                            : Layout::padding(topLevel, i);
    return vector;
  }

  /// Among them the highest that fits, and each bit alone.
  static std::vector<Lane> vertices() {
    std::vector<Lane> result = {0, Layout::MostVertices - 1,
                                (Layout::MostVertices - 1) / 3};
    for (unsigned bit = 0; bit < Layout::NeighbourBits; ++bit)
      result.push_back(Lane(1) << bit);
    return result;
  }
};
using AllLayouts = testing::Types<Four64, Eight64, Eight32, Sixteen32>;
TYPED_TEST_SUITE(EdgeVectorTyped, AllLayouts);

TYPED_TEST(EdgeVectorTyped, EveryVertexFitsBothAsTopLevelAndAsNeighbour) {
  const auto vertices = this->vertices();
  for (auto topLevel : vertices)
    for (auto neighbour : vertices)
      for (unsigned edges : {0u, 1u, TypeParam::Lanes}) {
        const auto vector = this->vectorOf(topLevel, edges, neighbour);
        ASSERT_EQ(TypeParam::topLevel(vector.data()), topLevel);
        for (unsigned i = 0; i < TypeParam::Lanes; ++i) {
          ASSERT_EQ(TypeParam::isValid(vector[i]), i < edges);
          ASSERT_EQ(TypeParam::neighbour(vector[i]), i < edges ? neighbour : 0);
        }
      }
}

TYPED_TEST(EdgeVectorTyped, VectorsAreOfOneVertexWhateverTheirEdges) {
  const auto vertices = this->vertices();
  for (auto left : vertices)
    for (auto right : vertices) {
      const auto full = this->vectorOf(left, TypeParam::Lanes, 5);
      const auto last = this->vectorOf(right, 1, 2);
      ASSERT_EQ(TypeParam::sameTopLevel(full.data(), last.data()),
                left == right);
    }
}

TYPED_TEST(EdgeVectorTyped, FieldsDoNotOverlap) {
  EXPECT_EQ(TypeParam::ValidMask & TypeParam::TopLevelMask, 0u);
  EXPECT_EQ(TypeParam::ValidMask & TypeParam::NeighbourMask, 0u);
  EXPECT_EQ(TypeParam::TopLevelMask & TypeParam::NeighbourMask, 0u);
}

} // namespace
