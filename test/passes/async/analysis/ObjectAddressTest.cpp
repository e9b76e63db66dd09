// ObjectAddress: the object that an address points into, and how far apart two
// addresses are.

#include "async/analysis/ObjectAddress.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

struct Addresses {
  ParsedFunction F;

  explicit Addresses(const std::string &Body, const std::string &Globals = "")
      : F(loopOver(Body, Globals)) {}

  ObjectAddress at(StringRef Name) { return ObjectAddress(&F.value(Name)); }

  /// The distance from %p to %q, as far as is known at \p At.
  std::optional<Distance> distance(const Instruction &At) {
    return heddle::distance(at("p"), at("q"), &At, F.context());
  }
  std::optional<Distance> distance() {
    return distance(*F.block("latch").getTerminator());
  }
};

void expectDistance(int64_t Least, int64_t Most, const std::string &Body) {
  std::optional<Distance> Found = Addresses(Body).distance();
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Least, Least);
  EXPECT_EQ(Found->Most, Most);
}

void expectUnknown(const std::string &Body) {
  EXPECT_FALSE(Addresses(Body).distance());
}

TEST(ObjectAddress, AFieldIsAtAConstantOffsetOfItsObject) {
  Addresses A("  %p = getelementptr { i64, i64 }, ptr %a, i64 2, i32 1\n");
  EXPECT_EQ(A.at("p").base(), &A.F.argument(0));
  EXPECT_EQ(A.at("p").constant(), 40);
  EXPECT_TRUE(A.at("p").variables().empty());
}

TEST(ObjectAddress, AnElementIsAtItsIndexTimesItsSize) {
  Addresses A("  %e = getelementptr { i64, i64 }, ptr %a, i64 %i\n"
              "  %p = getelementptr i8, ptr %e, i64 8\n");
  EXPECT_EQ(A.at("p").base(), &A.F.argument(0));
  EXPECT_EQ(A.at("p").constant(), 8);
  ASSERT_EQ(A.at("p").variables().size(), 1u);
  EXPECT_EQ(A.at("p").variables().front().first, &A.F.value("i"));
  EXPECT_EQ(A.at("p").variables().front().second, 16);
}

TEST(ObjectAddress, AnElementAtTheDistanceOfAPointerIsWhereThatPoints) {
  const std::string Distance = "  %f = getelementptr i64, ptr %b, i64 %i\n"
                               "  %x = ptrtoint ptr %f to i64\n"
                               "  %y = ptrtoint ptr %a to i64\n"
                               "  %d = sub i64 %x, %y\n";
  auto IsDirect = [&](const std::string &Element) {
    Addresses A(Distance + Element +
                "  %p = getelementptr i8, ptr %e, i64 8\n");
    const ObjectAddress At = A.at("p");
    return At.base() == &A.F.argument(1) && At.constant() == 8 &&
           At.variables().size() == 1 &&
           At.variables().front().first == &A.F.value("i");
  };
  EXPECT_TRUE(IsDirect("  %e = getelementptr i8, ptr %a, i64 %d\n"));
  EXPECT_TRUE(IsDirect("  %k = ashr exact i64 %d, 4\n"
                       "  %e = getelementptr { i64, i64 }, ptr %a, i64 %k\n"));
  EXPECT_TRUE(IsDirect("  %k = sdiv exact i64 %d, 24\n"
                       "  %e = getelementptr [3 x i64], ptr %a, i64 %k\n"));
  // Not the distance from there, rounded, or in other units.
  EXPECT_FALSE(IsDirect("  %e = getelementptr i8, ptr %c, i64 %d\n"));
  EXPECT_FALSE(IsDirect("  %k = ashr i64 %d, 4\n"
                        "  %e = getelementptr { i64, i64 }, ptr %a, i64 %k\n"));
  EXPECT_FALSE(IsDirect("  %k = ashr exact i64 %d, 3\n"
                        "  %e = getelementptr { i64, i64 }, ptr %a, i64 %k\n"));
  EXPECT_FALSE(IsDirect("  %e = getelementptr i16, ptr %a, i64 %d\n"));
}

TEST(ObjectAddress, OneIndexUsedTwiceAddsUp) {
  Addresses A("  %e = getelementptr i64, ptr %a, i64 %i\n"
              "  %p = getelementptr i32, ptr %e, i64 %i\n");
  ASSERT_EQ(A.at("p").variables().size(), 1u);
  EXPECT_EQ(A.at("p").variables().front().second, 12);
}

TEST(ObjectAddress, ALoadedPointerIsAnObjectOfItsOwn) {
  Addresses A("  %object = load ptr, ptr %a\n"
              "  %p = getelementptr i8, ptr %object, i64 4\n");
  EXPECT_EQ(A.at("p").base(), &A.F.value("object"));
}

TEST(ObjectAddress, TheSameFieldOfAnotherObject) {
  Addresses A("  %object = load ptr, ptr %a\n"
              "  %p = getelementptr i8, ptr %object, i64 4\n"
              "  %other = getelementptr i64, ptr %b, i64 %i\n");
  const ObjectAddress Moved = A.at("p").withBase(&A.F.value("other"));
  EXPECT_EQ(Moved.base(), &A.F.argument(1));
  EXPECT_EQ(Moved.constant(), 4);
  EXPECT_EQ(Moved.variables().front().second, 8);
}

TEST(ObjectAddress, FieldsOfOneElementAreAConstantDistanceApart) {
  expectDistance(16, 16,
                 UnpredictablePlace +
                     "  %p = getelementptr i8, ptr %place, i64 8\n"
                     "  %q = getelementptr i8, ptr %place, i64 24\n");
}

TEST(ObjectAddress, EqualIndicesCancelOut) {
  expectDistance(-4, -4,
                 UnpredictablePlace +
                     "  %e = getelementptr i64, ptr %b, i64 %index\n"
                     "  %p = getelementptr i8, ptr %e, i64 4\n"
                     "  %q = getelementptr i64, ptr %b, i64 %index\n");
}

TEST(ObjectAddress, ABoundedIndexBoundsTheDistance) {
  expectDistance(0, 24,
                 UnpredictablePlace +
                     "  %p = getelementptr i64, ptr %place, i64 0\n"
                     "  %slot = and i64 %index, 3\n"
                     "  %q = getelementptr i64, ptr %place, i64 %slot\n");
}

TEST(ObjectAddress, TheDistanceBackIsNegative) {
  expectDistance(-24, 0,
                 UnpredictablePlace +
                     "  %slot = and i64 %index, 3\n"
                     "  %p = getelementptr i64, ptr %place, i64 %slot\n"
                     "  %q = getelementptr i64, ptr %place, i64 0\n");
}

TEST(ObjectAddress, ABranchBoundsAnIndexBehindIt) {
  Addresses A(UnpredictablePlace +
              "  %p = getelementptr i64, ptr %place, i64 0\n"
              "  %small = icmp ult i64 %index, 4\n"
              "  br i1 %small, label %then, label %rest\n"
              "then:\n"
              "  %q = getelementptr i64, ptr %place, i64 %index\n"
              "  %x = load i64, ptr %q\n"
              "  br label %rest\n"
              "rest:\n");
  std::optional<Distance> Behind = A.distance(A.F.value("x"));
  ASSERT_TRUE(Behind);
  EXPECT_EQ(Behind->Most, 24);
  EXPECT_FALSE(A.distance(A.F.value("small")));
}

TEST(ObjectAddress, AnUnboundedIndexLeavesTheDistanceUnknown) {
  expectUnknown(UnpredictablePlace +
                "  %p = getelementptr i64, ptr %b, i64 0\n"
                "  %q = getelementptr i64, ptr %b, i64 %index\n");
}

TEST(ObjectAddress, DifferentObjectsAreNoKnownDistanceApart) {
  expectUnknown("  %p = getelementptr i64, ptr %a, i64 1\n"
                "  %q = getelementptr i64, ptr %b, i64 1\n");
}

TEST(ObjectAddress, PointersThatAdvanceTogetherKeepTheirDistance) {
  expectDistance(8, 8,
                 "  %v = phi ptr [ %a, %entry ], [ %v.next, %latch ]\n"
                 "  %w = phi ptr [ %a, %entry ], [ %w.next, %latch ]\n"
                 "  %v.next = getelementptr i8, ptr %v, i64 16\n"
                 "  %w.next = getelementptr i8, ptr %w, i64 16\n"
                 "  %p = getelementptr i8, ptr %v, i64 4\n"
                 "  %q = getelementptr i8, ptr %w, i64 12\n");
}

TEST(ObjectAddress, PointersIntoOneObjectStayAsFarApartAsTheyStart) {
  Addresses A(
      "  %v = phi ptr [ @g, %entry ], [ %v.next, %latch ]\n"
      "  %w = phi ptr [ getelementptr (i8, ptr @g, i64 32), %entry ], [ "
      "%w.next, %latch ]\n"
      "  %v.next = getelementptr i8, ptr %v, i64 16\n"
      "  %w.next = getelementptr i8, ptr %w, i64 16\n"
      "  %p = getelementptr i8, ptr %v, i64 4\n"
      "  %q = getelementptr i8, ptr %w, i64 12\n",
      "@g = global [1024 x i8] zeroinitializer\n");
  std::optional<Distance> Found = A.distance();
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Least, 40);
  EXPECT_EQ(Found->Most, 40);
}

} // namespace
