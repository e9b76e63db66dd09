// Stream: where a stream begins in each task, and which lines it touches.

#include "async/plan/Stream.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// A row from a loaded start, of \p Count elements.
std::string row(const std::string &Count) {
  return loopOver(UnpredictablePlace +
                  "  %start = load i64, ptr %place\n"
                  "  br label %inner\n"
                  "inner:\n"
                  "  %j = phi i64 [ 0, %loop ], [ %j.next, %inner ]\n"
                  "  %k = add i64 %start, %j\n"
                  "  %p = getelementptr i64, ptr %c, i64 %k\n"
                  "  %x = load i64, ptr %p\n"
                  "  %j.next = add nuw nsw i64 %j, 1\n"
                  "  %inner.done = icmp eq i64 %j.next, " +
                  Count +
                  "\n"
                  "  br i1 %inner.done, label %rest, label %inner\n"
                  "rest:\n");
}

struct Found {
  ParsedFunction F;
  const LoopContext C = F.context();
  const LatencyAnalysis Latency = F.latency();
  const Access &A = *Latency.find(&F.value("x"));
  const Stream S = streamOf(A, C.L, C.SE);

  explicit Found(const std::string &IR) : F(IR) {}

  SmallVector<int64_t, 2> lines() { return linesOf(S, A, 64, C.SE); }
};

TEST(Stream, BeginsInFrontOfItsInnerLoop) {
  Found R(row("%n"));
  EXPECT_EQ(R.S.Inner, R.C.LI.getLoopFor(&R.F.block("inner")));
  EXPECT_TRUE(R.C.SE.isLoopInvariant(R.S.Start, R.S.Inner));
  EXPECT_FALSE(R.C.SE.isLoopInvariant(R.S.Start, &R.C.L));
}

TEST(Stream, BeginsInFrontOfAllLoopsThatItRunsThrough) {
  Found R(loopOver(UnpredictablePlace +
                   "  %start = load i64, ptr %place\n"
                   "  br label %middle\n"
                   "middle:\n"
                   "  %r = phi i64 [ 0, %loop ], [ %r.next, %middle.latch ]\n"
                   "  %offset = mul i64 %r, 4\n"
                   "  %begin = add i64 %start, %offset\n"
                   "  br label %inner\n"
                   "inner:\n"
                   "  %j = phi i64 [ 0, %middle ], [ %j.next, %inner ]\n"
                   "  %k = add i64 %begin, %j\n"
                   "  %p = getelementptr i64, ptr %c, i64 %k\n"
                   "  %x = load i64, ptr %p\n"
                   "  %j.next = add nuw nsw i64 %j, 1\n"
                   "  %inner.done = icmp eq i64 %j.next, 4\n"
                   "  br i1 %inner.done, label %middle.latch, label %inner\n"
                   "middle.latch:\n"
                   "  %r.next = add nuw nsw i64 %r, 1\n"
                   "  %middle.done = icmp eq i64 %r.next, %n\n"
                   "  br i1 %middle.done, label %rest, label %middle\n"
                   "rest:\n"));
  EXPECT_EQ(R.S.Inner, R.C.LI.getLoopFor(&R.F.block("middle")));
}

TEST(Stream, AShortStreamTouchesItsLines) {
  // It may begin anywhere in a line.
  EXPECT_EQ(Found(row("2")).lines(), (SmallVector<int64_t, 2>{0}));
  EXPECT_EQ(Found(row("8")).lines(), (SmallVector<int64_t, 2>{0, 56}));
  EXPECT_EQ(Found(row("9")).lines(), (SmallVector<int64_t, 2>{0, 64}));
  EXPECT_EQ(Found(row("16")).lines(), (SmallVector<int64_t, 2>{0, 64, 120}));
}

TEST(Stream, OfAStreamOfUnknownLengthOneLineIsKnown) {
  EXPECT_EQ(Found(row("%n")).lines(), (SmallVector<int64_t, 2>{0}));
}

} // namespace
