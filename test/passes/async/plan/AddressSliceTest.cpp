// AddressSlice: instructions that are repeated to compute an address early.

#include "async/plan/AddressSlice.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// Returns the names of the instructions that are repeated to compute %address
/// at %at, in order; "none" if that is impossible. Loads called %ready are at
/// hand.
std::string sliceAt(const std::string &Body) {
  ParsedFunction F(loopOver(Body));
  SetVector<Instruction *> Slice;
  if (!addressSliceAt(
          &F.value("address"), &F.value("at"),
          [](const LoadInst *Load) { return Load->getName() == "ready"; },
          F.context().DT, Slice))
    return "none";
  std::string Names;
  for (Instruction *I : Slice)
    Names += (I->getName() + " ").str();
  return Names;
}

const std::string At = "  %at = xor i64 %i, 1\n";

TEST(AddressSliceAt, WhatIsThereAlreadyIsNotRepeated) {
  EXPECT_EQ(sliceAt("  %address = getelementptr i64, ptr %a, i64 %i\n" + At),
            "");
}

TEST(AddressSliceAt, OperandsComeFirst) {
  EXPECT_EQ(sliceAt(At +
                    "  %twice = shl i64 %i, 1\n"
                    "  %other = add i64 %twice, 3\n"
                    "  %index = add i64 %twice, %other\n"
                    "  %address = getelementptr i64, ptr %a, i64 %index\n"),
            "twice other index address ");
}

TEST(AddressSliceAt, ALoadIsRepeatedIfItIsAtHand) {
  auto Through = [](const std::string &Name, const std::string &Kind = "") {
    return At + "  %" + Name + " = load " + Kind +
           "i64, ptr %b\n"
           "  %address = getelementptr i64, ptr %a, i64 %" +
           Name + "\n";
  };
  EXPECT_EQ(sliceAt(Through("ready")), "ready address ");
  EXPECT_EQ(sliceAt(Through("late")), "none");
  EXPECT_EQ(sliceAt(Through("ready", "volatile ")), "none");
}

TEST(AddressSliceAt, AWriteInBetweenMayChangeWhatALoadReads) {
  EXPECT_EQ(sliceAt(At +
                    "  store i64 0, ptr %c\n"
                    "  %ready = load i64, ptr %b\n"
                    "  %address = getelementptr i64, ptr %a, i64 %ready\n"),
            "none");
  // Nothing else depends on memory.
  EXPECT_EQ(sliceAt(At +
                    "  store i64 0, ptr %c\n"
                    "  %twice = shl i64 %i, 1\n"
                    "  %address = getelementptr i64, ptr %a, i64 %twice\n"),
            "twice address ");
}

TEST(AddressSliceAt, ADivisionMayOnlyMoveWhereItIsReached) {
  const std::string Division =
      "  %quotient = udiv i64 %i, %n\n"
      "  %address = getelementptr i64, ptr %a, i64 %quotient\n";
  EXPECT_EQ(sliceAt(At + Division), "quotient address ");
  ParsedFunction F(loopOver(At + "  call void @mayEnd()\n" + Division,
                            "declare void @mayEnd() memory(none)\n"));
  SetVector<Instruction *> Slice;
  EXPECT_FALSE(addressSliceAt(
      &F.value("address"), &F.value("at"),
      [](const LoadInst *) { return true; }, F.context().DT, Slice));
}

TEST(AddressSliceAt, PhisAndOtherBlocksAreOutOfReach) {
  EXPECT_EQ(sliceAt(At +
                    "  br label %next\n"
                    "next:\n"
                    "  %index = add i64 %i, 1\n"
                    "  %address = getelementptr i64, ptr %a, i64 %index\n"),
            "none");
  EXPECT_EQ(sliceAt(At + "  %odd = trunc i64 %at to i1\n"
                         "  br i1 %odd, label %then, label %next\n"
                         "then:\n"
                         "  br label %next\n"
                         "next:\n"
                         "  %address = phi ptr [ %a, %loop ], [ %b, %then ]\n"),
            "none");
}

TEST(AddressSliceAt, CallsAreNotRepeated) {
  ParsedFunction F(
      loopOver(At + "  %index = call i64 @hash(i64 %i)\n"
                    "  %address = getelementptr i64, ptr %a, i64 %index\n",
               "declare i64 @hash(i64) memory(none) nounwind willreturn\n"));
  SetVector<Instruction *> Slice;
  EXPECT_FALSE(addressSliceAt(
      &F.value("address"), &F.value("at"),
      [](const LoadInst *) { return true; }, F.context().DT, Slice));
}

TEST(AddressSliceAt, ALargeComputationIsNotRepeated) {
  auto SumOf = [](unsigned Terms) {
    std::string Body = At + "  %s0 = xor i64 %i, 5\n";
    for (unsigned I = 1; I < Terms; ++I) {
      const std::string N = std::to_string(I);
      Body += "  %t" + N + " = mul i64 %i, " + N + "\n  %s" + N +
              " = add i64 %s" + std::to_string(I - 1) + ", %t" + N + "\n";
    }
    return Body + "  %address = getelementptr i64, ptr %a, i64 %s" +
           std::to_string(Terms - 1) + "\n";
  };
  EXPECT_NE(sliceAt(SumOf(4)), "none");
  EXPECT_EQ(sliceAt(SumOf(100)), "none");
}

/// The slice of %address for another iteration of the inner loop of \p Body,
/// and the number of unpredictable loads in it.
struct InLoop {
  std::string Names;
  unsigned Level = 0;

  explicit InLoop(const std::string &Body, const std::string &Start = "",
                  const std::string &Next = "  %j.next = add i64 %j, 1\n") {
    ParsedFunction F(
        loopOver(Start +
                 "  br label %inner\n"
                 "inner:\n"
                 "  %j = phi i64 [ 0, %loop ], [ %j.next, %more ]\n" +
                 Body +
                 "  br label %more\n"
                 "more:\n" +
                 Next +
                 "  %inner.done = icmp eq i64 %j.next, %n\n"
                 "  br i1 %inner.done, label %rest, label %inner\n"
                 "rest:\n"));
    const LatencyAnalysis Latency = F.latency();
    SetVector<Instruction *> Slice;
    const LoopContext C = F.context();
    if (!addressSliceInLoop(&F.value("address"),
                            *C.LI.getLoopFor(&F.block("inner")), Latency, C,
                            Slice, Level)) {
      Names = "none";
      return;
    }
    for (Instruction *I : Slice)
      Names += (I->getName() + " ").str();
  }
};

TEST(AddressSliceInLoop, AnElementIsKnownByTheNumberOfItsIteration) {
  InLoop S("  %k = mul i64 %j, 3\n"
           "  %address = getelementptr i64, ptr %a, i64 %k\n");
  EXPECT_EQ(S.Names, "k address ");
  EXPECT_EQ(S.Level, 0u);
}

TEST(AddressSliceInLoop, AnAddressFromOutsideIsKnown) {
  EXPECT_EQ(
      InLoop("", "  %address = getelementptr i64, ptr %a, i64 %i\n").Names, "");
}

TEST(AddressSliceInLoop, PredictableLoadsAreOnNoLevel) {
  InLoop S("  %p = getelementptr i64, ptr %a, i64 %j\n"
           "  %x = load i64, ptr %p\n"
           "  %address = getelementptr i64, ptr %b, i64 %x\n");
  EXPECT_EQ(S.Names, "p x address ");
  EXPECT_EQ(S.Level, 0u);
}

TEST(AddressSliceInLoop, UnpredictableLoadsAreCounted) {
  InLoop S("  %p = getelementptr i64, ptr %a, i64 %j\n"
           "  %x = load i64, ptr %p\n"
           "  %q = getelementptr i64, ptr %b, i64 %x\n"
           "  %y = load i64, ptr %q\n"
           "  %r = getelementptr i64, ptr %c, i64 %y\n"
           "  %z = load i64, ptr %r\n"
           "  %both = add i64 %x, %z\n"
           "  %address = getelementptr i64, ptr %b, i64 %both\n");
  EXPECT_EQ(S.Level, 2u);
}

TEST(AddressSliceInLoop, AnIterationThatHangsOnTheOneBeforeIsNotKnown) {
  const std::string Body = "  %address = getelementptr i64, ptr %a, i64 %j\n"
                           "  %x = load i64, ptr %address\n";
  EXPECT_EQ(InLoop(Body).Names, "address ");
  EXPECT_EQ(InLoop(Body, "", "  %j.next = add i64 %x, 1\n").Names, "none");
  EXPECT_EQ(InLoop(Body, "", "  %j.next = mul i64 %j, 3\n").Names, "none");
  EXPECT_EQ(InLoop(Body, "", "  %j.next = add i64 %j, %i\n").Names, "none");
}

TEST(AddressSliceInLoop, ALoadUnderAConditionMayBeValidOnlyThere) {
  const std::string Branch = "  %odd = trunc i64 %j to i1\n"
                             "  br i1 %odd, label %then, label %more\n"
                             "then:\n";
  EXPECT_EQ(InLoop(Branch + "  %p = getelementptr i64, ptr %a, i64 %j\n"
                            "  %x = load i64, ptr %p\n"
                            "  %address = getelementptr i64, ptr %b, i64 %x\n")
                .Names,
            "none");
  EXPECT_EQ(
      InLoop(Branch + "  %address = getelementptr i64, ptr %b, i64 %j\n").Names,
      "address ");
}

TEST(AddressSliceInLoop, AtomicLoadsAndCallsAreNotRepeated) {
  EXPECT_EQ(InLoop("  %x = load atomic i64, ptr %a monotonic, align 8\n"
                   "  %address = getelementptr i64, ptr %b, i64 %x\n")
                .Names,
            "none");
  EXPECT_EQ(InLoop("  %x = call i64 @llvm.bswap.i64(i64 %j)\n"
                   "  %address = getelementptr i64, ptr %b, i64 %x\n")
                .Names,
            "none");
}

} // namespace
