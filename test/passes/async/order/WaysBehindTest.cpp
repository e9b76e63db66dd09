// WaysBehind: where a walk goes on behind what it leaves out.

#include "async/order/WaysBehind.h"
#include "mark/Directive.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// A walk that leaves out the block %append.
struct Walked {
  ParsedFunction F;
  AheadWalk W;
  WaysBehind Ways;
  bool Undisturbed = false;

  explicit Walked(const std::string &IR)
      : F(IR), W(*F.loop().getSubLoops().front()) {
    const Directive D;
    const LoopShape Shape = F.shape();
    const TaskLocals Locals;
    const LatencyAnalysis Latency = F.latency();
    VariableClasses Classes;
    EXPECT_FALSE(classifyVariables(
        F.context(), Shape,
        [&](const Instruction *I) { return Latency.isLongLatency(I); },
        Classes));
    BasicBlock &Append = F.block("append");
    for (Instruction &I : Append)
      if (!I.isTerminator())
        W.Uses.insert(&I);
    W.Cuts[&Append] = &Append.front();
    for (StringRef Name : {"count", "count.next"})
      W.Carried[cast<PHINode>(&F.value(Name))] = cast<PHINode>(&F.value("v"));
    for (StringRef Name : {"walk", "append", "next"})
      W.Ahead.insert(&F.block(Name));
    const LoopFacts Facts{D, Shape, Locals, Latency, Classes};
    Undisturbed = isUndisturbed(F.context(), Facts, W);
    Ways = findWaysBehind(F.context(), Facts, W);
  }

  std::string nextOf(StringRef Block) {
    BasicBlock *Next = Ways.GoesOn.lookup(&F.block(Block));
    return Next ? Next->getName().str() : "";
  }
  bool skips(StringRef Block) { return Ways.Skips.contains(&F.block(Block)); }
  bool passes(StringRef Block) { return Ways.Passed.contains(&F.block(Block)); }
};

const std::string Place = "  %place = getelementptr i64, ptr %c, i64 %count\n";
const std::string Number = Place + "  store i64 %i, ptr %place, !tbaa !2\n";
const std::string Pointer = Place + "  store ptr %p, ptr %place, !tbaa !3\n";
const std::string GoOn = "  br label %next\n";

/// A loop over lists from %a, whose nodes are a pointer and a number.
std::string joins(const std::string &Append,
                  const std::string &IsLast = "icmp eq ptr %p.next, null",
                  const std::string &Behind = "") {
  return "declare void @exit(i32) noreturn\n"
         "define i64 @test(ptr %a, ptr %c, i64 %n) {\n"
         "entry:\n"
         "  br label %loop\n"
         "loop:\n"
         "  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n"
         "  %v = phi i64 [ 0, %entry ], [ %v.next, %latch ]\n"
         "  %bucket = getelementptr ptr, ptr %a, i64 %i\n"
         "  %head = load ptr, ptr %bucket, !tbaa !3\n"
         "  br label %walk\n"
         "walk:\n"
         "  %p = phi ptr [ %head, %loop ], [ %p.next, %next ]\n"
         "  %count = phi i64 [ %v, %loop ], [ %count.next, %next ]\n"
         "  %key.place = getelementptr i8, ptr %p, i64 8\n"
         "  %key = load i64, ptr %key.place, !tbaa !2\n"
         "  %equal = icmp eq i64 %key, %i\n"
         "  br i1 %equal, label %append, label %next\n"
         "append:\n"
         "  %count.new = add i64 %count, 1\n" +
         Append +
         "next:\n"
         "  %count.next = phi i64 [ %count.new, %append ], [ %count, %walk ]\n"
         "  %p.next = load ptr, ptr %p, !tbaa !3\n"
         "  %last = " +
         IsLast +
         "\n"
         "  br i1 %last, label %latch, label %walk\n"
         "latch:\n"
         "  %v.next = phi i64 [ %count.next, %next ]\n" +
         Behind +
         "  %i.next = add i64 %i, 1\n"
         "  %done = icmp eq i64 %i.next, %n\n"
         "  br i1 %done, label %exit, label %loop\n"
         "end:\n"
         "  call void @exit(i32 0)\n"
         "  unreachable\n"
         "exit:\n"
         "  %result = phi i64 [ %v.next, %latch ]\n"
         "  ret i64 %result\n"
         "}\n"
         "!0 = !{!\"root\"}\n"
         "!1 = !{!\"char\", !0}\n"
         "!2 = !{!4, !4, i64 0}\n"
         "!3 = !{!5, !5, i64 0}\n"
         "!4 = !{!\"long\", !1}\n"
         "!5 = !{!\"pointer\", !1}\n";
}

TEST(WaysBehind, AWalkGoesOnPastABranchThatItsOutputMayDecide) {
  Walked W(joins(Number + GoOn));
  EXPECT_TRUE(W.Undisturbed);
  EXPECT_EQ(W.nextOf("append"), "next");
  EXPECT_TRUE(W.skips("walk"));
  EXPECT_FALSE(W.skips("next"));
  EXPECT_TRUE(W.passes("walk"));
  EXPECT_FALSE(W.passes("append"));
}

TEST(WaysBehind, AWalkEndsWhereItsOutputMayBeWhatItFollows) {
  Walked W(joins(Pointer + GoOn));
  EXPECT_TRUE(W.Undisturbed);
  EXPECT_EQ(W.nextOf("append"), "");
}

TEST(WaysBehind, AWalkEndsWhereItsOutputMayEndIt) {
  Walked W(joins(Number + GoOn, "icmp eq i64 %key, 5"));
  ASSERT_EQ(W.nextOf("append"), "next");
  EXPECT_TRUE(W.skips("next"));
  EXPECT_EQ(W.Ways.Skips.lookup(&W.F.block("next")), nullptr);
  EXPECT_FALSE(W.passes("walk"));
}

TEST(WaysBehind, AWalkEndsWhereTheProgramMayEnd) {
  Walked W(joins(Number + "  %full = icmp eq i64 %count.new, 1000\n"
                          "  br i1 %full, label %end, label %next\n"));
  EXPECT_EQ(W.nextOf("append"), "");
}

TEST(WaysBehind, ElementsOfAListThatIterationsRemoveDisturbAWalk) {
  Walked W(joins(Number + GoOn, "icmp eq ptr %p.next, null",
                 "  store ptr null, ptr %p, !tbaa !3\n"));
  EXPECT_FALSE(W.Undisturbed);
}

} // namespace
