// FreeOrder: which variables are put into memory, and where they are accessed.

#include "async/order/FreeOrder.h"
#include "async/order/FreeAccesses.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

struct Freed {
  ParsedFunction F;
  SmallVector<AllocaInst *, 2> Places;

  explicit Freed(const std::string &IR) : F(IR) {
    LoopShape Shape = F.shape();
    LatencyAnalysis Latency = F.latency();
    VariableClasses Classes;
    const MaybeRefusal Why = classifyVariables(
        F.context(), Shape,
        [&](const Instruction *I) { return Latency.isLongLatency(I); },
        Classes);
    EXPECT_FALSE(Why);
    Places = freeOrder(F.context(), Shape, Classes);
    EXPECT_FALSE(verifyFunction(F.function(), &errs()));
  }

  /// The blocks of the loop in which the only variable is read or written.
  template <class T> std::string blocks() {
    std::string Names;
    for (Instruction &I : instructions(F.function()))
      if (auto *Found = dyn_cast<T>(&I);
          Found && Found->getPointerOperand() == Places.front() &&
          F.loop().contains(Found))
        Names += (Names.empty() ? "" : " ") + I.getParent()->getName().str();
    return Names;
  }
};

const std::string IfOdd = UnpredictablePlace +
                          "  %x = load i64, ptr %place\n"
                          "  %odd = trunc i64 %x to i1\n"
                          "  br i1 %odd, label %then, label %latch\n"
                          "then:\n";
const std::string Append = "  %end = getelementptr i64, ptr %c, i64 %v\n"
                           "  store i64 %x, ptr %end\n"
                           "  %new = add i64 %v, 1\n"
                           "  br label %latch\n";

/// A loop that appends some elements.
std::string appends(const std::string &Then) {
  return "define i64 @test(ptr noalias %a, ptr noalias %b, ptr noalias %c, "
         "i64 %n) {\n"
         "entry:\n"
         "  br label %loop\n"
         "loop:\n"
         "  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n"
         "  %v = phi i64 [ 0, %entry ], [ %v.next, %latch ]\n" +
         IfOdd + Then +
         "latch:\n"
         "  %v.next = phi i64 [ %v, %loop ], [ %new, %then ]\n"
         "  %i.next = add i64 %i, 1\n"
         "  %more = icmp ne i64 %i.next, %n\n"
         "  br i1 %more, label %loop, label %exit\n"
         "exit:\n"
         "  %last = phi i64 [ %v.next, %latch ]\n"
         "  ret i64 %last\n"
         "}\n"
         "declare void @keep(i64) nounwind\n";
}

TEST(FreeOrder, ACounterIsReadAndWrittenWhereAnIterationAppends) {
  Freed F(appends(Append));
  ASSERT_EQ(F.Places.size(), 1u);
  EXPECT_EQ(F.blocks<LoadInst>(), "then");
  EXPECT_EQ(F.blocks<StoreInst>(), "then");
  auto &Return = F.F.instruction<ReturnInst>();
  auto *Last = dyn_cast<LoadInst>(Return.getReturnValue());
  ASSERT_TRUE(Last);
  EXPECT_EQ(Last->getPointerOperand(), F.Places.front());
}

TEST(FreeOrder, AnAppendIsOneUpdate) {
  Freed F(appends(Append));
  unsigned Updates = 0;
  FreeAccesses(F.F.loop())
      .findUpdates([&](Instruction *Read, Instruction *Write) {
        ++Updates;
        EXPECT_TRUE(isa<LoadInst>(Read) && isa<StoreInst>(Write));
        EXPECT_TRUE(Read->comesBefore(Write));
      });
  EXPECT_EQ(Updates, 1u);
}

TEST(FreeOrder, WhatDoesNotFollowFromItsFormerValueKeepsItsOrder) {
  const std::string Rest = "  %new = add i64 %m, 3\n"
                           "  br label %latch\n";
  EXPECT_EQ(Freed(appends("  %m = mul i64 %v, 5\n" + Rest)).Places.size(), 1u);
  EXPECT_EQ(Freed(appends("  %m = mul i64 %v, %x\n" + Rest)).Places.size(), 0u);
  EXPECT_EQ(Freed(appends("  %m = mul i64 %x, 5\n" + Rest)).Places.size(), 0u);
}

TEST(FreeOrder, ARowThatTheIterationNotesStaysInOnePiece) {
  // The counter is kept at the beginning, and advanced in another place.
  EXPECT_EQ(
      Freed(appends("  call void @keep(i64 %v)\n" + Append)).Places.size(), 1u);
  const std::string Kept = "  call void @keep(i64 %v)\n";
  std::string Rows = appends("  call void @keep(i64 %v)\n"
                             "  br label %inner\n"
                             "inner:\n"
                             "  %w = phi i64 [ %v, %then ], [ %new, %inner ]\n"
                             "  %end = getelementptr i64, ptr %c, i64 %w\n"
                             "  store i64 %x, ptr %end\n"
                             "  %new = add i64 %w, 1\n"
                             "  %enough = icmp eq i64 %new, %x\n"
                             "  br i1 %enough, label %latch, label %inner\n");
  const std::string From = "[ %new, %then ]\n  %i.next";
  Rows.replace(Rows.find(From), From.size(), "[ %new, %inner ]\n  %i.next");
  EXPECT_EQ(Freed(Rows).Places.size(), 0u);
  Rows.replace(Rows.find(Kept), Kept.size(), "");
  EXPECT_EQ(Freed(Rows).Places.size(), 1u);
}

/// The begin of a loop that allocates memory.
const std::string Allocating =
    "declare noalias ptr @malloc(i64)\n"
    "declare void @free(ptr)\n"
    "define ptr @test(ptr noalias %a, ptr noalias %b, ptr noalias %c, "
    "i64 %n) {\n"
    "entry:\n"
    "  br label %loop\n"
    "loop:\n"
    "  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n";

/// A loop with a buffer that is moved to new memory. \p Others are the phis of
/// other variables, and \p Next those of their next values.
std::string moves(const std::string &Others, const std::string &Next) {
  return Allocating +
         "  %begin = phi ptr [ %c, %entry ], [ %begin.next, %latch ]\n"
         "  %end = phi ptr [ %c, %entry ], [ %end.next, %latch ]\n" +
         Others + IfOdd +
         "  %from = ptrtoint ptr %begin to i64\n"
         "  %to = ptrtoint ptr %end to i64\n"
         "  %size = sub i64 %to, %from\n"
         "  %more = add i64 %size, 8\n"
         "  %moved = call noalias ptr @malloc(i64 %more)\n"
         "  call void @llvm.memcpy.p0.p0.i64(ptr %moved, ptr %begin, "
         "i64 %size, i1 false)\n"
         "  %last = getelementptr i8, ptr %moved, i64 %size\n"
         "  store i64 %x, ptr %last\n"
         "  %behind = getelementptr i8, ptr %last, i64 8\n"
         "  call void @free(ptr %begin)\n"
         "  br label %latch\n"
         "latch:\n"
         "  %begin.next = phi ptr [ %moved, %then ], [ %begin, %loop ]\n"
         "  %end.next = phi ptr [ %behind, %then ], [ %end, %loop ]\n" +
         Next +
         "  %i.next = add nuw nsw i64 %i, 1\n"
         "  %done = icmp eq i64 %i.next, %n\n"
         "  br i1 %done, label %exit, label %loop\n"
         "exit:\n"
         "  %result = phi ptr [ %begin.next, %latch ]\n"
         "  ret ptr %result\n"
         "}\n";
}

/// Code behind the append that reads at \p Address, computed by \p Computed.
std::string reads(const std::string &Computed) {
  return Computed + "  %found = load i64, ptr %address\n"
                    "  store i64 %found, ptr %place\n";
}

TEST(FreeOrder, VariablesThatFollowEachOtherAreFreeTogether) {
  EXPECT_EQ(Freed(moves("", "")).Places.size(), 2u);
}

TEST(FreeOrder, AVariableIsNotFreeWhereOneThatFollowsItIsNot) {
  EXPECT_EQ(
      Freed(moves("  %old = phi ptr [ %c, %entry ], [ %old.next, %latch ]\n",
                  "  %old.next = phi ptr [ %begin, %then ], [ %place, %loop "
                  "]\n"
                  "  store ptr %old, ptr %a\n"))
          .Places.size(),
      0u);
}

TEST(FreeOrder, AListWhoseLastElementIsReadKeepsItsOrder) {
  EXPECT_EQ(Freed(moves("", reads("  %address = getelementptr i8, ptr "
                                  "%end.next, i64 -8\n")))
                .Places.size(),
            0u);
  EXPECT_EQ(Freed(moves("", reads("  %address = getelementptr i8, ptr %end, "
                                  "i64 -8\n")))
                .Places.size(),
            0u);
}

TEST(FreeOrder, AListThatIsReadFromItsBeginningKeepsItsOrder) {
  EXPECT_EQ(Freed(moves("", reads("  %address = getelementptr i64, ptr %begin, "
                                  "i64 %x\n")))
                .Places.size(),
            0u);
}

/// A loop that counts in the elements \p Number of a table, which grows.
std::string counts(const std::string &Number) {
  return Allocating +
         "  %begin = phi ptr [ %c, %entry ], [ %now, %latch ]\n"
         "  %size = phi i64 [ 0, %entry ], [ %size.now, %latch ]\n" +
         UnpredictablePlace +
         "  %x = load i64, ptr %place\n"
         "  %is.in = icmp ult i64 %x, %size\n"
         "  br i1 %is.in, label %latch, label %grow\n"
         "grow:\n"
         "  %more = add nuw i64 %size, 100\n"
         "  %bytes = shl i64 %more, 3\n"
         "  %moved = call noalias ptr @malloc(i64 %bytes)\n"
         "  %old.bytes = shl i64 %size, 3\n"
         "  call void @llvm.memcpy.p0.p0.i64(ptr %moved, ptr %begin, "
         "i64 %old.bytes, i1 false)\n"
         "  call void @free(ptr %begin)\n"
         "  br label %latch\n"
         "latch:\n"
         "  %now = phi ptr [ %begin, %loop ], [ %moved, %grow ]\n"
         "  %size.now = phi i64 [ %size, %loop ], [ %more, %grow ]\n"
         "  %element = getelementptr i64, ptr %now, i64 " +
         Number +
         "\n"
         "  %count = load i64, ptr %element\n"
         "  %counted = add i64 %count, 1\n"
         "  store i64 %counted, ptr %element\n"
         "  %i.next = add nuw nsw i64 %i, 1\n"
         "  %done = icmp eq i64 %i.next, %n\n"
         "  br i1 %done, label %exit, label %loop\n"
         "exit:\n"
         "  %result = phi ptr [ %now, %latch ]\n"
         "  ret ptr %result\n"
         "}\n";
}

TEST(FreeOrder, ATableIsFreeWhereItsElementsAreChosenByWhatIsRead) {
  Freed F(counts("%x"));
  EXPECT_EQ(F.Places.size(), 2u);
  // From where the table is read to the count, others must not make it grow.
  SmallVector<std::string> Last;
  FreeAccesses(F.F.loop())
      .findUpdates([&](Instruction *First, Instruction *To) {
        if (First->getType()->isPointerTy() &&
            To->getParent() != First->getParent())
          return;
        if (First->getType()->isPointerTy())
          Last.push_back(To->getOpcodeName());
      });
  EXPECT_TRUE(is_contained(Last, "load"));
  EXPECT_TRUE(is_contained(Last, "store"));
  EXPECT_FALSE(FreeAccesses(F.F.loop())
                   .areKeptApart(F.F.value("count"),
                                 *F.F.value("counted").getNextNode()));
}

TEST(FreeOrder, AStackWhoseTopIsReadIsNoTable) {
  EXPECT_TRUE(Freed(counts("%size.now")).Places.empty());
}

TEST(FreeOrder, AnArrayWithAnElementForEachIterationIsNoTable) {
  Freed F(counts("%i"));
  ASSERT_EQ(F.Places.size(), 1u);
  EXPECT_TRUE(F.Places.front()->getAllocatedType()->isIntegerTy());
}

/// A loop that appends at %end, which is \p End when it begins; \p Code is
/// executed in front of that.
std::string appendsFrom(const std::string &End, const std::string &Code) {
  return "define ptr @test(ptr noalias %a, ptr noalias %b, ptr noalias %c, "
         "i64 %n) {\n"
         "entry:\n"
         "  %begin = load ptr, ptr %c\n"
         "  %to.end = getelementptr i8, ptr %c, i64 8\n"
         "  %first.end = load ptr, ptr %to.end\n"
         "  br label %loop\n"
         "loop:\n"
         "  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n"
         "  %end = phi ptr [ " +
         End + ", %entry ], [ %end.next, %latch ]\n" + IfOdd + Code +
         "  store i64 %x, ptr %end\n"
         "  %behind = getelementptr i8, ptr %end, i64 8\n"
         "  br label %latch\n"
         "latch:\n"
         "  %end.next = phi ptr [ %behind, %then ], [ %end, %loop ]\n"
         "  %i.next = add nuw nsw i64 %i, 1\n"
         "  %done = icmp eq i64 %i.next, %n\n"
         "  br i1 %done, label %exit, label %loop\n"
         "exit:\n"
         "  %result = phi ptr [ %end.next, %latch ]\n"
         "  ret ptr %result\n"
         "}\n";
}

const std::string ReadAtBegin =
    "  %address = getelementptr i64, ptr %begin, i64 %x\n"
    "  %found = load i64, ptr %address\n"
    "  store i64 %found, ptr %place\n";

TEST(FreeOrder, PointersAreIntoOneArrayIfTheirDifferenceIsTaken) {
  EXPECT_EQ(Freed(appendsFrom("%first.end", ReadAtBegin)).Places.size(), 1u);
  EXPECT_EQ(Freed(appendsFrom("%begin", ReadAtBegin)).Places.size(), 0u);
  EXPECT_EQ(Freed(appendsFrom("%first.end",
                              "  %from = ptrtoint ptr %begin to i64\n"
                              "  %to = ptrtoint ptr %end to i64\n"
                              "  %size = sub i64 %to, %from\n"
                              "  %address = getelementptr i8, ptr %begin, i64 "
                              "%size\n"
                              "  %before = getelementptr i8, ptr %address, i64 "
                              "-8\n"
                              "  %found = load i64, ptr %before\n"
                              "  store i64 %found, ptr %place\n"))
                .Places.size(),
            0u);
}

} // namespace
