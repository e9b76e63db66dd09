// LateUpdates: computations with Ordered variables move down to their uses.

#include "async/order/LateUpdates.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// The function after the move, with %v as its only Ordered variable.
struct Delayed {
  ParsedFunction F;

  explicit Delayed(const std::string &IR) : F(IR) {
    auto *Phi = cast<PHINode>(&F.value("v"));
    VariableClasses Classes;
    Classes.Variables.push_back(
        {Phi,
         VariableClass::Ordered,
         Phi->getIncomingValueForBlock(F.loop().getLoopLatch()),
         nullptr,
         {}});
    delayUpdates(F.context(), Classes);
    EXPECT_FALSE(verifyFunction(F.function(), &errs()));
  }

  bool isBefore(StringRef First, StringRef Second) {
    return F.value(First).comesBefore(&F.value(Second));
  }
};

TEST(LateUpdates, AProductMovesBehindTheLoadThatItIsAddedTo) {
  Delayed D(loopOver("  %v = phi i64 [ 0, %entry ], [ %v.next, %latch ]\n"
                     "  %product = mul i64 %v, 31\n" +
                     UnpredictablePlace +
                     "  %x = load i64, ptr %place\n"
                     "  %v.next = add i64 %product, %x\n"));
  EXPECT_TRUE(D.isBefore("x", "product"));
  EXPECT_TRUE(D.isBefore("product", "v.next"));
}

TEST(LateUpdates, ChainsMoveAsAWhole) {
  Delayed D(loopOver("  %v = phi i64 [ 0, %entry ], [ %v.next, %latch ]\n"
                     "  %one = mul i64 %v, 31\n"
                     "  %two = xor i64 %one, 5\n" +
                     UnpredictablePlace +
                     "  %x = load i64, ptr %place\n"
                     "  %v.next = add i64 %two, %x\n"));
  EXPECT_TRUE(D.isBefore("x", "one"));
  EXPECT_TRUE(D.isBefore("one", "two"));
}

TEST(LateUpdates, AValueMovesToTheBlockThatNeedsIt) {
  Delayed D(loopOver("  %v = phi i64 [ 0, %entry ], [ %v.next, %latch ]\n"
                     "  %product = mul i64 %v, 31\n"
                     "  %odd = trunc i64 %i to i1\n"
                     "  br i1 %odd, label %then, label %rest\n"
                     "then:\n"
                     "  br label %rest\n"
                     "rest:\n"
                     "  %v.next = add i64 %product, %i\n"));
  EXPECT_EQ(D.F.value("product").getParent(), &D.F.block("rest"));
}

TEST(LateUpdates, NothingMovesIntoAnInnerLoop) {
  Delayed D(loopOver("  %v = phi i64 [ 0, %entry ], [ %v.next, %latch ]\n"
                     "  %product = mul i64 %v, 31\n"
                     "  br label %inner\n"
                     "inner:\n"
                     "  %j = phi i64 [ 0, %loop ], [ %j.next, %inner ]\n"
                     "  %out = getelementptr i64, ptr %a, i64 %j\n"
                     "  store i64 %product, ptr %out\n"
                     "  %j.next = add i64 %j, 1\n"
                     "  %last = icmp eq i64 %j.next, 8\n"
                     "  br i1 %last, label %rest, label %inner\n"
                     "rest:\n"
                     "  %v.next = add i64 %v, %i\n"));
  EXPECT_EQ(D.F.value("product").getParent(), &D.F.block("loop"));
}

TEST(LateUpdates, MemoryAccessesStayWhereTheyAre) {
  Delayed D(loopOver("  %v = phi i64 [ 0, %entry ], [ %v.next, %latch ]\n"
                     "  %p = getelementptr i64, ptr %a, i64 %v\n"
                     "  %y = load i64, ptr %p\n" +
                     UnpredictablePlace +
                     "  %x = load i64, ptr %place\n"
                     "  %v.next = add i64 %y, %x\n"));
  EXPECT_TRUE(D.isBefore("y", "x"));
}

TEST(LateUpdates, OtherValuesStayWhereTheyAre) {
  Delayed D(loopOver("  %v = phi i64 [ 0, %entry ], [ %v.next, %latch ]\n"
                     "  %other = mul i64 %i, 31\n" +
                     UnpredictablePlace +
                     "  %x = load i64, ptr %place\n"
                     "  %sum = add i64 %other, %x\n"
                     "  %v.next = add i64 %v, %sum\n"));
  EXPECT_TRUE(D.isBefore("other", "x"));
}

} // namespace
