// EqualMerges: merges of one value are replaced by it, and no others.

#include "async/rewrite/EqualMerges.h"
#include "support/ParsedFunction.h"
#include "llvm/Analysis/ScalarEvolution.h"

using namespace heddle;
using namespace llvm;

namespace {

/// An inner loop that ends at %end, which becomes %end.next.
std::string innerLoop(const std::string &Body) {
  return loopOver("  %bound.place = getelementptr i64, ptr %a, i64 %i\n"
                  "  %bound = load i64, ptr %bound.place\n"
                  "  br label %outside\n"
                  "outside:\n"
                  "  br label %inner\n"
                  "inner:\n"
                  "  %j = phi i64 [ 0, %outside ], [ %j.next, %inner.end ]\n"
                  "  %end = phi i64 [ %bound, %outside ], "
                  "[ %end.next, %inner.end ]\n"
                  "  %place = getelementptr i64, ptr %b, i64 %j\n"
                  "  %x = load i64, ptr %place\n"
                  "  %odd = trunc i64 %x to i1\n" +
                  Body +
                  "  %j.next = add nuw nsw i64 %j, 1\n"
                  "  %more = icmp ult i64 %j.next, %end.next\n"
                  "  br i1 %more, label %inner, label %behind\n"
                  "behind:\n"
                  "  store i64 %end.next, ptr %c\n");
}

const std::string Straight = "  br label %inner.end\ninner.end:\n";

/// True if the count of the inner loop is known in front of it then.
bool isCounted(const std::string &Body) {
  ParsedFunction F(innerLoop(Body));
  const LoopContext C = F.context();
  foldEqualMerges(C);
  EXPECT_FALSE(verifyFunction(F.function(), &errs()));
  return C.SE.hasLoopInvariantBackedgeTakenCount(
      C.LI.getLoopFor(&F.block("inner")));
}

TEST(EqualMerges, AChoiceBetweenOneValueIsThatValue) {
  EXPECT_TRUE(isCounted(
      Straight + "  %end.next = select i1 %odd, i64 %bound, i64 %end\n"));
  EXPECT_TRUE(isCounted("  br i1 %odd, label %then, label %inner.end\n"
                        "then:\n"
                        "  br label %inner.end\n"
                        "inner.end:\n"
                        "  %end.next = phi i64 [ %end, %inner ], "
                        "[ %bound, %then ]\n"));
  EXPECT_TRUE(isCounted(Straight +
                        "  %one = select i1 %odd, i64 %bound, i64 %end\n"
                        "  %end.next = select i1 %odd, i64 %end, i64 %one\n"));
}

TEST(EqualMerges, AnotherValueKeepsTheMerge) {
  EXPECT_FALSE(
      isCounted(Straight + "  %end.next = select i1 %odd, i64 %x, i64 %end\n"));
  EXPECT_FALSE(isCounted(Straight +
                         "  %one = add i64 %end, 1\n"
                         "  %end.next = select i1 %odd, i64 %one, i64 %end\n"));
  EXPECT_FALSE(
      isCounted(Straight + "  %end.next = select i1 %odd, i64 %j, i64 %end\n"));
}

TEST(EqualMerges, AConditionIsNoSource) {
  ParsedFunction F(
      loopOver("  %bound.place = getelementptr i1, ptr %a, i64 %i\n"
               "  %bound = load i1, ptr %bound.place\n"
               "  br label %outside\n"
               "outside:\n"
               "  br label %inner\n"
               "inner:\n"
               "  %flag = phi i1 [ %bound, %outside ], [ %flag.next, %inner ]\n"
               "  %flag.next = select i1 %flag, i1 %bound, i1 false\n"
               "  br i1 %flag.next, label %inner, label %behind\n"
               "behind:\n"
               "  store i1 %flag, ptr %c\n"));
  EXPECT_FALSE(foldEqualMerges(F.context()));
}

TEST(EqualMerges, NothingIsChangedTwice) {
  ParsedFunction F(innerLoop(
      Straight + "  %end.next = select i1 %odd, i64 %bound, i64 %end\n"));
  EXPECT_TRUE(foldEqualMerges(F.context()));
  EXPECT_FALSE(foldEqualMerges(F.context()));
}

} // namespace
