// PlaceTerms: whether iterations share places at their number plus something.

#include "async/analysis/PlaceTerms.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// %offset, which varies, and a place %p at \p Index.
bool areShifted(const std::string &Index, const std::string &More = "") {
  ParsedFunction F(loopOver("  %at = getelementptr i64, ptr %b, i64 %i\n"
                            "  %offset = load i64, ptr %at\n" +
                            More + "  %index = " + Index +
                            "\n"
                            "  %p = getelementptr i64, ptr %a, i64 %index\n"
                            "  store i64 0, ptr %p\n"));
  return PlaceTerms(&F.value("p"), &F.context().L).areShifted();
}

TEST(PlaceTerms, ANumberOfTheIterationPlusAnOffsetIsShifted) {
  EXPECT_TRUE(areShifted("add i64 %i, %offset"));
  EXPECT_TRUE(areShifted("sub i64 %i, %offset"));
  EXPECT_TRUE(
      areShifted("add i64 %i, %twice", "  %twice = shl i64 %offset, 1\n"));
  EXPECT_TRUE(areShifted("shl i64 %sum, 1", "  %sum = add i64 %i, %offset\n"));
}

TEST(PlaceTerms, RowsColumnsAndNeighboursAtFixedPlacesAreNot) {
  EXPECT_FALSE(areShifted("add i64 %i, 5"));
  EXPECT_FALSE(areShifted("add i64 %i, %n"));
  EXPECT_FALSE(areShifted("add i64 %row, %offset", "  %row = mul i64 %i, 8\n"));
  EXPECT_FALSE(
      areShifted("add i64 %row, %offset", "  %row = mul i64 %i, %n\n"));
  EXPECT_FALSE(
      areShifted("add i64 %i, %column", "  %column = mul i64 %offset, 4096\n"));
  // All of an iteration find the same there.
  EXPECT_FALSE(
      areShifted("add i64 %i, %first", "  %first = load i64, ptr %c\n"));
}

TEST(PlaceTerms, ArgumentsThatCountTheSameElementsHaveOneScale) {
  auto HaveSameScale = [](const std::string &Index) {
    ParsedFunction F(loopOver("  %one = load i64, ptr %b\n"
                              "  %other = load i64, ptr %c\n"
                              "  %row = shl i64 %one, 3\n"
                              "  %index = " +
                              Index +
                              "\n"
                              "  %p = getelementptr i64, ptr %a, i64 %index\n"
                              "  store i64 0, ptr %p\n"));
    return PlaceTerms(&F.value("p"), nullptr).haveSameScale();
  };
  EXPECT_TRUE(HaveSameScale("add i64 %one, %other"));
  EXPECT_FALSE(HaveSameScale("add i64 %row, %other"));
  EXPECT_FALSE(HaveSameScale("add i64 %one, 3"));
}

} // namespace
