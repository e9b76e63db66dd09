// Rehearsal: which code is run in advance, what it waits for, and its guards.

#include "async/plan/Rehearsal.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// The rehearsal from %start on, for the sake of all that waits.
struct Rehearsed {
  ParsedFunction F;
  Directive D;
  LoopShape Shape = F.shape();
  TaskLocals Locals;
  LatencyAnalysis Latency = F.latency();
  VariableClasses Classes;
  std::optional<Rehearsal> Found;

  Rehearsed(const std::string &IR, bool IsAhead, StringRef Ordered = "")
      : F(IR) {
    if (!Ordered.empty())
      Classes.Variables.push_back({cast<PHINode>(&F.value(Ordered)),
                                   VariableClass::Ordered,
                                   nullptr,
                                   nullptr,
                                   {}});
    SmallPtrSet<const Instruction *, 8> Unhidden;
    for (const Access &A : Latency.accesses())
      if (A.isLongLatency())
        Unhidden.insert(A.I);
    Found = planRehearsal(F.context(), {D, Shape, Locals, Latency, Classes},
                          &F.value("start"), Unhidden,
                          IsAhead ? &F.value("start") : nullptr);
  }

  /// The reads that are waited for, in program order.
  std::string waits() const {
    std::string Names;
    if (Found)
      for (const Request &Wait : Found->Waits)
        Names += (Wait.For->I->getName() + " ").str();
    return Names;
  }
  bool repeats(StringRef Name) {
    return Found && Found->Repeated.contains(&F.value(Name));
  }
  bool guards(StringRef Name) {
    return Found && Found->Guards.contains(&F.value(Name));
  }
};

/// Reads a pointer from an unpredictable place, and what it points to.
const std::string Pointer = UnpredictablePlace +
                            "  %start = load ptr, ptr %place\n"
                            "  %field = getelementptr i8, ptr %start, i64 8\n"
                            "  %x = load i64, ptr %field\n";
const std::string Store = "  %y = add i64 %x, 1\n"
                          "  store i64 %y, ptr %field\n"
                          "  %behind = load i64, ptr %start\n";

TEST(Rehearsal, RunsUpToTheFirstStore) {
  Rehearsed R(loopOver(Pointer + Store), /*IsAhead=*/false);
  EXPECT_EQ(R.waits(), "start x ");
  EXPECT_TRUE(R.repeats("y"));
  EXPECT_FALSE(R.repeats("behind"));
  EXPECT_FALSE(R.repeats("index"));
  EXPECT_FALSE(R.guards("x"));
}

TEST(Rehearsal, FollowsPointersInFrontOfTheTurnThatNobodyChanges) {
  Rehearsed R(loopOver(Pointer + "  store i64 %x, ptr %c\n"),
              /*IsAhead=*/true);
  EXPECT_EQ(R.waits(), "start x ");
  EXPECT_TRUE(R.repeats("x"));
}

TEST(Rehearsal, OnlyRequestsBehindPointersThatOthersMayChange) {
  Rehearsed R(loopOver(Pointer + "  store ptr %field, ptr %place\n"),
              /*IsAhead=*/true);
  EXPECT_EQ(R.waits(), "start x ");
  EXPECT_TRUE(R.repeats("start"));
  EXPECT_FALSE(R.repeats("x"));
}

TEST(Rehearsal, ReadsNothingWhereTheIterationMayNotComeToAtItsTurn) {
  Rehearsed R(loopOver(UnpredictablePlace +
                       "  %start = load i64, ptr %c\n"
                       "  %any = icmp ne i64 %start, 0\n"
                       "  br i1 %any, label %then, label %stop\n"
                       "then:\n"
                       "  %x = load i64, ptr %place\n"
                       "  br label %stop\n"
                       "stop:\n"
                       "  store i64 0, ptr %c\n"),
              /*IsAhead=*/true);
  EXPECT_EQ(R.waits(), "x ");
  EXPECT_FALSE(R.repeats("x"));
}

/// A walk from the node behind %start on, whose first key is read before.
std::string walk(const std::string &Next) {
  return loopOver(UnpredictablePlace +
                  "  br label %ahead\n"
                  "ahead:\n"
                  "  %start = load ptr, ptr %place\n"
                  "  %first.place = getelementptr i8, ptr %start, i64 8\n"
                  "  %first = load i64, ptr %first.place\n"
                  "  br label %walk\n"
                  "walk:\n"
                  "  %node = phi ptr [ %start, %ahead ], [ %next, %walk ]\n" +
                  Next +
                  "  %key.place = getelementptr i8, ptr %next, i64 8\n"
                  "  %key = load i64, ptr %key.place\n"
                  "  %more = icmp ne i64 %key, %i\n"
                  "  br i1 %more, label %walk, label %found\n"
                  "found:\n"
                  "  store i64 %i, ptr %c\n");
}

TEST(Rehearsal, DoesNotWaitAgainForTheLinkBesideAKey) {
  Rehearsed R(walk("  %next = load ptr, ptr %node\n"), /*IsAhead=*/false);
  EXPECT_EQ(R.waits(), "start first key ");
  EXPECT_TRUE(R.repeats("next"));
}

TEST(Rehearsal, WaitsForALinkFarFromTheKey) {
  Rehearsed R(walk("  %link = getelementptr i8, ptr %node, i64 200\n"
                   "  %next = load ptr, ptr %link\n"),
              /*IsAhead=*/false);
  EXPECT_EQ(R.waits(), "start first next key ");
}

TEST(Rehearsal, RequestsAnObjectFromItsFirstByteToItsLast) {
  Rehearsed R(walk("  %next = load ptr, ptr %node\n"), /*IsAhead=*/false);
  ASSERT_EQ(R.waits(), "start first key ");
  // The link is in front of the key.
  EXPECT_EQ(R.Found->Waits[2].Lines, (SmallVector<int64_t, 2>{-8, 0}));
}

TEST(Rehearsal, EndsAtTheTurn) {
  ParsedFunction F(loopOver(Pointer + "  store i64 %x, ptr %c\n"));
  Directive D;
  LoopShape Shape = F.shape();
  TaskLocals Locals;
  LatencyAnalysis Latency = F.latency();
  VariableClasses Classes;
  SmallPtrSet<const Instruction *, 8> Unhidden{&F.value("start"),
                                               &F.value("x")};
  const auto Found =
      planRehearsal(F.context(), {D, Shape, Locals, Latency, Classes},
                    &F.value("start"), Unhidden, &F.value("field"));
  ASSERT_TRUE(Found);
  EXPECT_TRUE(Found->Repeated.contains(&F.value("start")));
  EXPECT_FALSE(Found->Repeated.contains(&F.value("x")));
}

TEST(Rehearsal, LeavesOutWhatDependsOnOrderedVariables) {
  Rehearsed R(loopOver("  %v = phi i64 [ 0, %entry ], [ %v.next, %latch ]\n" +
                       UnpredictablePlace +
                       "  %start = load i64, ptr %place\n"
                       "  %v.next = add i64 %v, %start\n"
                       "  %q = getelementptr i64, ptr %b, i64 %v.next\n"
                       "  %x = load i64, ptr %q\n"
                       "  %r = getelementptr i64, ptr %c, i64 %start\n"
                       "  %z = load i64, ptr %r\n"),
              /*IsAhead=*/true, "v");
  EXPECT_EQ(R.waits(), "start z ");
  EXPECT_FALSE(R.repeats("x"));
}

TEST(Rehearsal, DividesByWhatMayChangeUnlessItIsZero) {
  Rehearsed R(loopOver("  %index.place = getelementptr i64, ptr %a, i64 %i\n"
                       "  %key = load i64, ptr %index.place\n"
                       "  %start = load i64, ptr %c\n"
                       "  %hash = urem i64 %key, %start\n"
                       "  %q = getelementptr i64, ptr %b, i64 %hash\n"
                       "  %x = load i64, ptr %q\n"
                       "  %signed = sdiv i64 %key, %start\n"
                       "  %r = getelementptr i64, ptr %b, i64 %signed\n"
                       "  %z = load i64, ptr %r\n"
                       "  store i64 %z, ptr %c\n"),
              /*IsAhead=*/true);
  EXPECT_EQ(R.waits(), "x ");
  EXPECT_TRUE(R.guards("hash"));
  EXPECT_FALSE(R.repeats("x"));
  EXPECT_FALSE(R.repeats("signed"));
}

TEST(Rehearsal, GuardsNothingThatIterationsLeaveAlone) {
  Rehearsed R(loopOver("  %index.place = getelementptr i64, ptr %a, i64 %i\n"
                       "  %index = load i64, ptr %index.place\n"
                       "  %start = load i64, ptr %c\n"
                       "  %hash = urem i64 %index, %start\n"
                       "  %q = getelementptr i64, ptr %a, i64 %hash\n"
                       "  %x = load i64, ptr %q\n"
                       "  store i64 %x, ptr %b\n"),
              /*IsAhead=*/true);
  EXPECT_EQ(R.waits(), "x ");
  EXPECT_FALSE(R.guards("hash"));
  EXPECT_TRUE(R.repeats("x"));
}

const std::string NumberTable =
    "St10_HashtableIlSt4pairIKllESaIS2_ENSt8__detail10_Select1stESt8equal_toIlE"
    "St4hashIlE";
const std::string OwnHash =
    "St10_HashtableIlSt4pairIKllESaIS2_ENSt8__detail10_Select1stESt8equal_toIlE"
    "4Hash";
const std::string OwnAllocator =
    "St10_HashtableIlSt4pairIKllE5ArenaIS2_ENSt8__detail10_Select1st"
    "ESt8equal_toIlESt4hashIlE";

/// A search in a hash table of the library at %c, of which a member is called.
std::string search(const std::string &Member,
                   const std::string &Type = NumberTable) {
  const std::string Name = "_ZN" + Type + "E" + Member;
  Surroundings Around;
  Around.Globals = "declare void @" + Name + "(ptr)\n";
  return loopOver("  %index.place = getelementptr i64, ptr %a, i64 %i\n"
                  "  %key = load i64, ptr %index.place\n"
                  "  %count.place = getelementptr i8, ptr %c, i64 8\n"
                  "  %start = load i64, ptr %count.place, !tbaa !1\n"
                  "  %hash = urem i64 %key, %start\n"
                  "  %table = load ptr, ptr %c, !tbaa !2\n"
                  "  %q = getelementptr ptr, ptr %table, i64 %hash\n"
                  "  %bucket = load ptr, ptr %q, !tbaa !3\n"
                  "  %node = load ptr, ptr %bucket, !tbaa !4\n"
                  "  %field = getelementptr inbounds i8, ptr %node, i64 8\n"
                  "  %found = load ptr, ptr %field\n"
                  "  %value = load i64, ptr %found\n"
                  "  call void @" +
                      Name + "(ptr %c)\n",
                  Around) +
         R"(
!1 = !{!5, !7, i64 8}
!2 = !{!5, !8, i64 0}
!3 = !{!9, !9, i64 0}
!4 = !{!6, !9, i64 0}
!5 = !{!"_ZTS)" +
         Type + R"(E", !8, i64 0, !7, i64 8}
!6 = !{!"_ZTSNSt8__detail15_Hash_node_baseE", !9, i64 0}
!7 = !{!"long", !10, i64 0}
!8 = !{!"p2 _ZTSNSt8__detail15_Hash_node_baseE", !10, i64 0}
!9 = !{!"p1 _ZTSNSt8__detail15_Hash_node_baseE", !10, i64 0}
!10 = !{!"root"}
)";
}

TEST(Rehearsal, SearchesTablesOfTheLibraryThatStayWhole) {
  Rehearsed R(search("21_M_insert_unique_nodeEv"),
              /*IsAhead=*/true);
  EXPECT_EQ(R.waits(), "bucket node found value ");
  EXPECT_TRUE(R.repeats("found"));
  EXPECT_TRUE(R.guards("found"));
  // What it holds may be anything.
  EXPECT_FALSE(R.repeats("value"));
}

TEST(Rehearsal, SearchesNoTableThatAnIterationReplaces) {
  Rehearsed R(search("14_M_move_assignEv"),
              /*IsAhead=*/true);
  EXPECT_EQ(R.waits(), "bucket ");
  EXPECT_FALSE(R.repeats("bucket"));
}

TEST(Rehearsal, SearchesNoTableThatRunsCodeOfTheProgram) {
  for (const std::string &Type : {OwnHash, OwnAllocator}) {
    Rehearsed R(search("21_M_insert_unique_nodeEv", Type), /*IsAhead=*/true);
    EXPECT_FALSE(R.repeats("bucket"));
  }
}

TEST(Rehearsal, GoesRoundInnerLoopsThatWait) {
  const std::string Walk = UnpredictablePlace +
                           "  %start = load ptr, ptr %place\n"
                           "  br label %walk\n"
                           "walk:\n"
                           "  %p = phi ptr [ %start, %loop ], [ %q, %walk ]\n"
                           "  %q = load ptr, ptr %p\n"
                           "  %end = icmp eq ptr %q, null\n"
                           "  br i1 %end, label %stop, label %walk\n"
                           "stop:\n"
                           "  store ptr %p, ptr %place\n";
  Rehearsed R(loopOver(Walk), /*IsAhead=*/false);
  EXPECT_EQ(R.waits(), "start q ");
  EXPECT_TRUE(R.repeats("p"));
}

TEST(Rehearsal, IsNotPlannedForNothing) {
  Rehearsed R(loopOver("  %start = getelementptr i64, ptr %a, i64 %i\n"
                       "  %x = load i64, ptr %start\n"),
              /*IsAhead=*/false);
  EXPECT_FALSE(R.Found);
}

} // namespace
