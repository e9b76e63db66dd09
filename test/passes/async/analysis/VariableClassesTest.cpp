// classifyVariables(): what becomes of each loop-carried variable.

#include "async/analysis/VariableClasses.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

struct Classified {
  ParsedFunction F;
  LoopShape Shape = F.shape();
  LatencyAnalysis Latency = F.latency();
  VariableClasses Classes;
  MaybeRefusal Refused = classifyVariables(
      F.context(), Shape,
      [&](const Instruction *I) { return Latency.isLongLatency(I); }, Classes);

  explicit Classified(const std::string &IR) : F(IR) {}

  const LoopVariable &variable(StringRef Name) {
    return *Classes.find(&F.value(Name));
  }
};

/// The class of the variable %v.
void expectClass(VariableClass Class, const std::string &IR) {
  Classified C(IR);
  ASSERT_FALSE(C.Refused) << C.Refused->Reason;
  EXPECT_EQ(C.variable("v").Class, Class);
}

/// A loop with the variable %v, which begins with 0 and is %v.next in the end.
std::string variable(const std::string &Type, const std::string &Body,
                     const std::string &Zero = "0") {
  return loopOver("  %v = phi " + Type + " [ " + Zero +
                  ", %entry ], [ %v.next, %latch ]\n" + Body);
}

const std::string Element = "  %p = getelementptr i64, ptr %a, i64 %i\n"
                            "  %x = load i64, ptr %p\n";
const std::string UnpredictableElement =
    UnpredictablePlace + "  %x = load i64, ptr %place\n";

TEST(VariableClasses, AVariableWithAnInvariantStepIsAnInduction) {
  Classified C(variable("i64", "  %v.next = add i64 %v, 3\n"));
  ASSERT_EQ(C.variable("v").Class, VariableClass::Induction);
  ASSERT_TRUE(C.variable("v").Step);
  EXPECT_EQ(cast<SCEVConstant>(C.variable("v").Step)->getAPInt(), 3);
  EXPECT_EQ(C.variable("i").Class, VariableClass::Induction);
}

TEST(VariableClasses, CommutativeUpdatesMakeASharedVariable) {
  expectClass(VariableClass::Shared,
              variable("i64", Element + "  %v.next = add i64 %v, %x\n"));
  expectClass(VariableClass::Shared,
              variable("i64", Element + "  %v.next = xor i64 %x, %v\n"));
  expectClass(VariableClass::Shared,
              variable("i64", Element + "  %v.next = call i64 "
                                        "@llvm.smax.i64(i64 %v, i64 %x)\n"));
}

TEST(VariableClasses, SubtractionCountsFromTheLeftOnly) {
  expectClass(
      VariableClass::Shared,
      variable("i64", UnpredictableElement + "  %v.next = sub i64 %v, %x\n"));
  expectClass(
      VariableClass::Ordered,
      variable("i64", UnpredictableElement + "  %v.next = sub i64 %x, %v\n"));
}

TEST(VariableClasses, AVariableThatIsAddedToItselfIsNotShared) {
  expectClass(VariableClass::Launch,
              variable("i64", "  %v.next = add i64 %v, %v\n"));
}

TEST(VariableClasses, DifferentOperationsDoNotCommute) {
  expectClass(VariableClass::Ordered,
              variable("i64", UnpredictableElement +
                                  "  %sum = add i64 %v, %x\n"
                                  "  %v.next = mul i64 %sum, 3\n"));
}

TEST(VariableClasses, AVariableWhoseValueIsLookedAtIsNotShared) {
  expectClass(VariableClass::Ordered,
              variable("i64", UnpredictableElement +
                                  "  %v.next = add i64 %v, %x\n"
                                  "  %out = getelementptr i64, ptr %c, i64 %i\n"
                                  "  store i64 %v.next, ptr %out\n"));
}

TEST(VariableClasses, FloatingPointReductionsAreReported) {
  Classified Sum(variable("double",
                          Element + "  %d = sitofp i64 %x to double\n"
                                    "  %v.next = fadd double %v, %d\n",
                          "0.0"));
  EXPECT_EQ(Sum.variable("v").Class, VariableClass::Shared);
  EXPECT_EQ(Sum.Classes.ReorderedFloat, &Sum.F.value("v"));
  Classified Max(variable("double",
                          Element + "  %d = sitofp i64 %x to double\n"
                                    "  %v.next = call double "
                                    "@llvm.maxnum.f64(double %v, double %d)\n",
                          "0.0"));
  EXPECT_EQ(Max.variable("v").Class, VariableClass::Shared);
  EXPECT_FALSE(Max.Classes.ReorderedFloat);
}

TEST(VariableClasses, ASelectedUpdateHappensUnderItsCondition) {
  Classified C(variable("i64", Element + "  %sum = add i64 %v, %x\n"
                                         "  %c0 = icmp sgt i64 %x, 0\n"
                                         "  %v.next = select i1 %c0, i64 %sum, "
                                         "i64 %v\n"));
  ASSERT_EQ(C.variable("v").Class, VariableClass::Shared);
  const SharedUpdates &Updates = C.variable("v").Updates;
  EXPECT_TRUE(Updates.Eager.empty());
  ASSERT_EQ(Updates.Selects.size(), 1u);
  EXPECT_EQ(Updates.Selects[0], &C.F.value("v.next"));
}

TEST(VariableClasses, AnUpdateInABranchHappensWhereItStands) {
  Classified C(variable("i64", Element +
                                   "  %c0 = icmp sgt i64 %x, 0\n"
                                   "  br i1 %c0, label %then, label %join\n"
                                   "then:\n"
                                   "  %sum = add i64 %v, %x\n"
                                   "  br label %join\n"
                                   "join:\n"
                                   "  %v.next = phi i64 [ %v, %loop ], "
                                   "[ %sum, %then ]\n"));
  ASSERT_EQ(C.variable("v").Class, VariableClass::Shared);
  const SharedUpdates &Updates = C.variable("v").Updates;
  ASSERT_EQ(Updates.Eager.size(), 1u);
  EXPECT_EQ(Updates.Eager[0], &C.F.value("sum"));
  EXPECT_TRUE(Updates.Edges.empty());
}

TEST(VariableClasses, AnUpdateThatSomePathsDropHappensOnTheEdge) {
  Classified C(variable("i64", Element +
                                   "  %sum = add i64 %v, %x\n"
                                   "  %c0 = icmp sgt i64 %x, 0\n"
                                   "  br i1 %c0, label %then, label %join\n"
                                   "then:\n"
                                   "  br label %join\n"
                                   "join:\n"
                                   "  %v.next = phi i64 [ %v, %loop ], "
                                   "[ %sum, %then ]\n"));
  ASSERT_EQ(C.variable("v").Class, VariableClass::Shared);
  const SharedUpdates &Updates = C.variable("v").Updates;
  EXPECT_TRUE(Updates.Eager.empty());
  ASSERT_EQ(Updates.Edges.size(), 1u);
  EXPECT_EQ(Updates.Edges[0].From, &C.F.block("then"));
  EXPECT_EQ(Updates.Edges[0].Next, &C.F.value("sum"));
}

TEST(VariableClasses, AFlagThatIsOnlySetIsShared) {
  expectClass(VariableClass::Shared,
              variable("i64", Element + "  %c0 = icmp sgt i64 %x, 0\n"
                                        "  %v.next = select i1 %c0, i64 1, "
                                        "i64 %v\n"));
}

TEST(VariableClasses, ASelectThatAVariableDecidesIsNotAnUpdate) {
  expectClass(VariableClass::Ordered,
              variable("i1", UnpredictableElement +
                                 "  %c0 = icmp sgt i64 %x, 0\n"
                                 "  %v.next = select i1 %v, i1 %c0, i1 %v\n"));
}

TEST(VariableClasses, TheNextValueOfALaunchVariableWaitsForNothing) {
  Classified C(variable("i64", Element + "  %m = mul i64 %v, 3\n"
                                         "  %v.next = add i64 %m, %x\n"));
  ASSERT_EQ(C.variable("v").Class, VariableClass::Launch);
  EXPECT_TRUE(is_contained(C.Classes.LaunchSlice, &C.F.value("v.next")));
  EXPECT_TRUE(is_contained(C.Classes.LaunchSlice, &C.F.value("x")));
}

TEST(VariableClasses, LaunchVariablesMayDependOnEachOther) {
  Classified C(loopOver("  %v = phi i64 [ 0, %entry ], [ %w.next, %latch ]\n"
                        "  %w = phi i64 [ 1, %entry ], [ %v.next, %latch ]\n"
                        "  %v.next = mul i64 %v, 3\n"
                        "  %w.next = mul i64 %w, 5\n"));
  EXPECT_EQ(C.variable("v").Class, VariableClass::Launch);
  EXPECT_EQ(C.variable("w").Class, VariableClass::Launch);
}

TEST(VariableClasses, WhatDependsOnAnOrderedVariableIsOrdered) {
  Classified C(loopOver("  %v = phi i64 [ 0, %entry ], [ %v.next, %latch ]\n"
                        "  %w = phi i64 [ 1, %entry ], [ %w.next, %latch ]\n" +
                        UnpredictableElement +
                        "  %m = mul i64 %w, 3\n"
                        "  %w.next = add i64 %m, %x\n"
                        "  %o = mul i64 %v, 3\n"
                        "  %v.next = add i64 %o, %w\n"));
  EXPECT_EQ(C.variable("w").Class, VariableClass::Ordered);
  EXPECT_EQ(C.variable("v").Class, VariableClass::Ordered);
}

TEST(VariableClasses, AValueThatWaitsForMemoryIsUpdatedInOrder) {
  expectClass(VariableClass::Ordered,
              variable("i64", UnpredictableElement +
                                  "  %m = mul i64 %v, 31\n"
                                  "  %v.next = add i64 %m, %x\n"));
}

TEST(VariableClasses, TheNextElementOfAListIsLoadedAtLaunch) {
  // No task can begin before it knows its element.
  expectClass(VariableClass::Launch,
              variable("ptr",
                       "  %link = getelementptr i8, ptr %v, i64 8\n"
                       "  %v.next = load ptr, ptr %link\n",
                       "%a"));
}

TEST(VariableClasses, ALinkThatTheBodyMayChangeIsNotKnownAtLaunch) {
  expectClass(VariableClass::Ordered,
              variable("ptr",
                       "  %link = getelementptr i8, ptr %v, i64 8\n"
                       "  %v.next = load ptr, ptr %link\n"
                       "  store ptr %b, ptr %link\n",
                       "%a"));
}

/// A loop that ends when \p Body's %last is true.
std::string whileLoop(const std::string &Body) {
  return "define void @test(ptr noalias %a, ptr noalias %b) {\n"
         "entry:\n"
         "  br label %loop\n"
         "loop:\n"
         "  %v = phi ptr [ %a, %entry ], [ %v.next, %loop ]\n" +
         Body +
         "  br i1 %last, label %exit, label %loop\n"
         "exit:\n"
         "  ret void\n"
         "}\n";
}

TEST(VariableClasses, TheConditionOfAnUncountedLoopIsKnownAtLaunch) {
  Classified C(whileLoop("  %v.next = load ptr, ptr %v\n"
                         "  %last = icmp eq ptr %v.next, null\n"));
  ASSERT_FALSE(C.Refused);
  EXPECT_FALSE(C.Shape.BackedgeCount);
  EXPECT_TRUE(is_contained(C.Classes.LaunchSlice, &C.F.value("last")));
}

TEST(VariableClasses, ALoopWhoseBodyDecidesItsEndIsRefused) {
  Classified C(whileLoop("  %v.next = load ptr, ptr %v\n"
                         "  store ptr null, ptr %v\n"
                         "  %last = icmp eq ptr %v.next, null\n"));
  ASSERT_TRUE(C.Refused);
  EXPECT_EQ(C.Refused->Reason, "an iteration decides by its own work whether "
                               "there is another one");
  EXPECT_TRUE(C.Classes.LaunchSlice.empty());
}

TEST(VariableClasses, AValueOfTheLastIterationIsKept) {
  Classified C(
      loopOver(Element, {.Exit = "%r = phi i64 [ %x, %latch ]\n  ret i64 %r",
                         .Result = "i64"}));
  ASSERT_FALSE(C.Refused);
  ASSERT_EQ(C.Classes.LastValues.size(), 1u);
  EXPECT_EQ(C.Classes.LastValues[0], &C.F.value("r"));
}

TEST(VariableClasses, TheFinalValueOfAVariableIsNoLastValue) {
  Classified C(
      loopOver("  %v = phi i64 [ 0, %entry ], [ %v.next, %latch ]\n" + Element +
                   "  %v.next = add i64 %v, %x\n",
               {.Exit = "%r = phi i64 [ %v.next, %latch ]\n  ret i64 %r",
                .Result = "i64"}));
  ASSERT_FALSE(C.Refused);
  EXPECT_EQ(C.variable("v").Class, VariableClass::Shared);
  EXPECT_TRUE(C.Classes.LastValues.empty());
}

TEST(VariableClasses, ALastValueOfMemoryThatAllIterationsUpdateIsRefused) {
  Classified C(loopOver("  %x = load i64, ptr %c\n"
                        "  %sum = add i64 %x, %i\n"
                        "  store i64 %sum, ptr %c\n",
                        {.Exit = "%r = phi i64 [ %sum, %latch ]\n  ret i64 %r",
                         .Result = "i64"}));
  ASSERT_TRUE(C.Refused);
  EXPECT_EQ(C.Refused->At, &C.F.value("x"));
}

TEST(VariableClasses, OnlyTheAddendOfAMultiplicationIsUpdated) {
  const std::string Float = "  %p = getelementptr double, ptr %a, i64 %i\n"
                            "  %x = load double, ptr %p\n"
                            "  %v.next = call double @llvm.fmuladd.f64(";
  expectClass(
      VariableClass::Shared,
      variable("double", Float + "double %x, double %x, double %v)\n", "0.0"));
  expectClass(VariableClass::Ordered,
              variable("double",
                       UnpredictablePlace +
                           "  %x = load double, ptr %place\n"
                           "  %v.next = call double @llvm.fmuladd.f64(double "
                           "%v, double %x, double %x)\n",
                       "0.0"));
}

TEST(VariableClasses, AllThatIsAssignedMustBeOneValue) {
  auto Assigned = [](const std::string &Other) {
    return variable("i64", UnpredictableElement +
                               "  %small = icmp slt i64 %x, 10\n"
                               "  %large = icmp sgt i64 %x, 99\n"
                               "  %one = select i1 %small, i64 1, i64 %v\n"
                               "  %v.next = select i1 %large, i64 " +
                               Other + ", i64 %one\n");
  };
  expectClass(VariableClass::Shared, Assigned("1"));
  expectClass(VariableClass::Ordered, Assigned("2"));
}

TEST(VariableClasses, ALastValueOfMemoryThatNoIterationUpdatesIsKept) {
  Classified C(loopOver("  %x = load i64, ptr %c\n"
                        "  %sum = add i64 %x, %i\n",
                        {.Exit = "%r = phi i64 [ %sum, %latch ]\n  ret i64 %r",
                         .Result = "i64"}));
  ASSERT_FALSE(C.Refused);
  EXPECT_EQ(C.Classes.LastValues.size(), 1u);
}

} // namespace
