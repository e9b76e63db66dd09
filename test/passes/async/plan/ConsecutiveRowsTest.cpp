// ConsecutiveRows: which inner loops go through rows that follow each other.

#include "async/plan/ConsecutiveRows.h"
#include "support/ParsedFunction.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace heddle;
using namespace llvm;

namespace {

/// What varies of a loop over rows of %b, which begin and end at numbers of %a,
/// and whose elements lead to elements of %c.
struct Rows {
  std::string End = "  %next = add nuw nsw i64 %i, 1\n"
                    "  %end.place = getelementptr i64, ptr %a, i64 %next\n"
                    "  %end = load i64, ptr %end.place\n";
  std::string Begin = "  %begin.place = getelementptr i64, ptr %a, i64 %i\n"
                      "  %begin = load i64, ptr %begin.place\n";
  std::string Guard = "  %any = icmp slt i64 %begin, %end\n"
                      "  br i1 %any, label %outside, label %rest\n";
  std::string Element = "  %p = getelementptr i32, ptr %b, i64 %e\n"
                        "  %index = load i32, ptr %p\n"
                        "  %k = zext i32 %index to i64\n"
                        "  %q = getelementptr i64, ptr %c, i64 %k\n"
                        "  %x = load i64, ptr %q\n";
  std::string Step = "  %e.next = add nsw i64 %e, 1\n"
                     "  %more = icmp slt i64 %e.next, %end\n";
  std::string Rest = "";
  std::string Globals = "";

  std::string text() const {
    Surroundings Around;
    Around.Globals = Globals;
    Around.Arguments += ", ptr noalias %d";
    return loopOver(Begin + End + Guard +
                        "outside:\n"
                        "  br label %inner\n"
                        "inner:\n"
                        "  %e = phi i64 [ %begin, %outside ], "
                        "[ %e.next, %inner ]\n" +
                        Element + Step +
                        "  br i1 %more, label %inner, label %rest\n"
                        "rest:\n" +
                        Rest,
                    Around);
  }
};

struct Search {
  ParsedFunction F;
  const LoopContext C = F.context();
  const Directive D;
  const LoopShape Shape = F.shape();
  const TaskLocals Locals;
  const LatencyAnalysis Latency = F.latency();
  const VariableClasses Classes;
  std::optional<ConsecutiveRows> Found;

  explicit Search(const Rows &R) : F(R.text()) {
    Found = findConsecutiveRows(C, {D, Shape, Locals, Latency, Classes},
                                *C.LI.getLoopFor(&F.block("inner")));
  }
};

bool areConsecutive(const Rows &R) { return Search(R).Found.has_value(); }

TEST(ConsecutiveRows, EachBeginsWhereTheOneBeforeEnds) {
  Search S{Rows()};
  ASSERT_TRUE(S.Found);
  EXPECT_EQ(S.Found->Index, &S.F.value("e"));
  EXPECT_EQ(S.Found->End, &S.F.value("end"));
  ASSERT_EQ(S.Found->Requests.size(), 1U);
  EXPECT_EQ(S.Found->Requests[0].For->I, &S.F.value("x"));
  // Behind the last element of %a that begins a row.
  EXPECT_TRUE(S.C.SE.isLoopInvariant(S.Found->LastEnd, &S.C.L));
  const SCEV *Numbers = S.C.SE.getAddExpr(
      S.Shape.BackedgeCount, S.C.SE.getOne(S.Shape.BackedgeCount->getType()));
  const SCEV *Bytes =
      S.C.SE.getMinusSCEV(S.Found->LastEnd, S.C.SE.getSCEV(&S.F.argument(0)));
  EXPECT_EQ(Bytes,
            S.C.SE.getMulExpr(Numbers, S.C.SE.getConstant(APInt(64, 8))));
}

TEST(ConsecutiveRows, NarrowNumbersCountAsWell) {
  Rows R;
  R.Begin = "  %begin.place = getelementptr i32, ptr %a, i64 %i\n"
            "  %begin.narrow = load i32, ptr %begin.place\n"
            "  %begin = zext i32 %begin.narrow to i64\n";
  R.End = "  %next = add nuw nsw i64 %i, 1\n"
          "  %end.place = getelementptr i32, ptr %a, i64 %next\n"
          "  %end.narrow = load i32, ptr %end.place\n"
          "  %end = zext i32 %end.narrow to i64\n";
  Search S(R);
  ASSERT_TRUE(S.Found);
  EXPECT_EQ(S.Found->End, &S.F.value("end.narrow"));
  EXPECT_FALSE(S.Found->IsSigned);
}

TEST(ConsecutiveRows, AnEndMayBeKeptForTheNextRow) {
  Rows R;
  R.Begin = "  %begin = phi i64 [ 0, %entry ], [ %end, %latch ]\n";
  EXPECT_TRUE(areConsecutive(R));
  R.Begin = "  %begin = phi i64 [ 0, %entry ], [ %gap, %latch ]\n";
  R.Rest = "  %gap = add i64 %end, 1\n";
  EXPECT_FALSE(areConsecutive(R));
}

TEST(ConsecutiveRows, RowsWithGapsAreNot) {
  Rows R;
  R.End = "  %end.place = getelementptr i64, ptr %d, i64 %i\n"
          "  %end = load i64, ptr %end.place\n";
  EXPECT_FALSE(areConsecutive(R));
  R.End = "  %next = add nuw nsw i64 %i, 2\n"
          "  %end.place = getelementptr i64, ptr %a, i64 %next\n"
          "  %end = load i64, ptr %end.place\n";
  EXPECT_FALSE(areConsecutive(R));
  R = Rows();
  R.Step = "  %e.next = add nsw i64 %e, 2\n"
           "  %more = icmp slt i64 %e.next, %end\n";
  EXPECT_FALSE(areConsecutive(R));
}

TEST(ConsecutiveRows, RowsThatAreLeftOutMayNotExist) {
  Rows R;
  R.Guard = "  %active.place = getelementptr i64, ptr %d, i64 %i\n"
            "  %active = load i64, ptr %active.place\n"
            "  %any = icmp slt i64 %begin, %active\n"
            "  br i1 %any, label %outside, label %rest\n";
  EXPECT_FALSE(areConsecutive(R));
  R.Guard = "  %any = icmp slt i64 %end, 1000\n"
            "  br i1 %any, label %outside, label %rest\n";
  EXPECT_FALSE(areConsecutive(R));
  R.Guard = "  br label %outside\n";
  EXPECT_FALSE(areConsecutive(R));
}

TEST(ConsecutiveRows, NoIterationMovesItsRow) {
  Rows R;
  R.Rest = "  store i64 %i, ptr %d\n";
  EXPECT_TRUE(areConsecutive(R));
  R.Rest = "  store i64 %i, ptr %begin.place\n";
  EXPECT_FALSE(areConsecutive(R));
  R.Rest = "  store i64 %i, ptr %end.place\n";
  EXPECT_FALSE(areConsecutive(R));
}

TEST(ConsecutiveRows, CodeThatIsNotSeenMayChangeAnything) {
  Rows R;
  R.Globals = "declare void @act()\n"
              "declare void @look() nounwind willreturn memory(read)\n";
  R.Rest = "  call void @look()\n";
  EXPECT_TRUE(areConsecutive(R));
  R.Rest = "  call void @act()\n";
  EXPECT_FALSE(areConsecutive(R));
}

TEST(ConsecutiveRows, NoIterationWaitsForAnotherThread) {
  Rows R;
  R.Rest = "  %flag = load atomic i64, ptr %d monotonic, align 8\n";
  EXPECT_TRUE(areConsecutive(R));
  R.Rest = "  %flag = load atomic i64, ptr %d acquire, align 8\n";
  EXPECT_FALSE(areConsecutive(R));
  R.Rest = "  fence seq_cst\n";
  EXPECT_FALSE(areConsecutive(R));
  R.Rest = "  %flag = load volatile i64, ptr %d\n";
  EXPECT_FALSE(areConsecutive(R));
}

TEST(ConsecutiveRows, ElementsLeadToTheSamePlaceInAllIterations) {
  Rows R;
  R.Element = "  %own = add i64 %e, %i\n"
              "  %p = getelementptr i32, ptr %b, i64 %own\n"
              "  %index = load i32, ptr %p\n"
              "  %k = zext i32 %index to i64\n"
              "  %q = getelementptr i64, ptr %c, i64 %k\n"
              "  %x = load i64, ptr %q\n";
  EXPECT_FALSE(areConsecutive(R));
}

TEST(ConsecutiveRows, PointersOfElementsAreNotFollowed) {
  Rows R;
  R.Element += "  %r = getelementptr i64, ptr %d, i64 %x\n"
               "  %y = load i64, ptr %r\n";
  EXPECT_FALSE(areConsecutive(R));
}

TEST(ConsecutiveRows, NothingElseWaits) {
  Rows R;
  R.Rest = "  %far = getelementptr i64, ptr %d, i64 %begin\n"
           "  %y = load i64, ptr %far\n"
           "  %again = getelementptr i64, ptr %d, i64 %y\n"
           "  %z = load i64, ptr %again\n";
  EXPECT_FALSE(areConsecutive(R));
}

} // namespace
