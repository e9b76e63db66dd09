// UninterruptedRegions: where no suspension may be, and why.

#include "async/regions/UninterruptedRegions.h"
#include "loop/Refusal.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

struct Regions {
  ParsedFunction F;
  TaskLocals Locals;
  LatencyAnalysis Latency = F.latency();
  UninterruptedRegions Found{F.context(), Latency, Locals};

  explicit Regions(const std::string &IR) : F(IR) {}

  /// Why there can be no suspension in front of the value %name, or "".
  std::string forbids(StringRef Name) { return forbids(F.value(Name)); }
  std::string forbids(const Instruction &At) {
    const auto Why = Found.forbids(&At);
    return Why ? textOf(Why->Kind) : "";
  }
};

const std::string Split = "a suspension here would split a read-modify-write";
const std::string Locked =
    "it lies between the acquire and the release of a lock";
const std::string Own = "it lies between the write and the use of a variable "
                        "that all iterations share";

/// b[a[i]] += 1, with other code before, in between, and behind.
const std::string Update = UnpredictablePlace + "  %before = xor i64 %i, 1\n"
                                                "  %x = load i64, ptr %place\n"
                                                "  %sum = add i64 %x, 1\n"
                                                "  store i64 %sum, ptr %place\n"
                                                "  %behind = xor i64 %i, 2\n";

TEST(UninterruptedRegions, AReadModifyWriteIsNotSplit) {
  Regions R(loopOver(Update));
  EXPECT_EQ(R.forbids("before"), "");
  EXPECT_EQ(R.forbids("x"), "");
  EXPECT_EQ(R.forbids("sum"), Split);
  EXPECT_EQ(R.forbids(R.F.instruction<StoreInst>()), Split);
  EXPECT_EQ(R.forbids("behind"), "");
}

TEST(UninterruptedRegions, AModificationIsKnownByItsLoadAndItsStore) {
  Regions R(loopOver(Update));
  const auto Reads = R.Found.readsAround(&R.F.value("sum"));
  ASSERT_EQ(Reads.size(), 1u);
  EXPECT_EQ(Reads[0], &R.F.value("x"));
  EXPECT_TRUE(R.Found.readsAround(&R.F.value("before")).empty());
  const auto Writes = R.Found.modificationsFrom(&R.F.value("x"));
  ASSERT_EQ(Writes.size(), 1u);
  EXPECT_EQ(Writes[0], &R.F.instruction<StoreInst>());
  EXPECT_TRUE(R.Found.modificationsFrom(&R.F.value("index")).empty());
}

TEST(UninterruptedRegions, AnElementOfOneIterationMayBeUpdatedInParts) {
  Regions R(loopOver("  %p = getelementptr i64, ptr %a, i64 %i\n"
                     "  %x = load i64, ptr %p\n"
                     "  %sum = add i64 %x, 1\n"
                     "  store i64 %sum, ptr %p\n"));
  EXPECT_EQ(R.forbids("sum"), "");
}

TEST(UninterruptedRegions, AnElementThatOthersMayWriteToIsNot) {
  Regions R(loopOver("  %p = getelementptr i64, ptr %a, i64 %i\n"
                     "  %x = load i64, ptr %p\n"
                     "  %sum = add i64 %x, 1\n"
                     "  store i64 %sum, ptr %p\n"
                     "  %q = getelementptr i64, ptr %a, i64 %x\n"
                     "  store i64 0, ptr %q\n"));
  EXPECT_EQ(R.forbids("sum"), Split);
}

TEST(UninterruptedRegions, AnEqualAddressIsTheSameByAnotherName) {
  Regions R(loopOver(UnpredictablePlace +
                     "  %x = load i64, ptr %place\n"
                     "  %again = load i64, ptr %index.place\n"
                     "  %there = getelementptr i64, ptr %b, i64 %again\n"
                     "  store i64 1, ptr %there\n"));
  EXPECT_EQ(R.forbids("again"), Split);
}

TEST(UninterruptedRegions, OtherFieldsOfAnElementAreNoHalves) {
  auto Fields = [](const std::string &Offset) {
    return loopOver(UnpredictablePlace +
                    "  %x = load i32, ptr %place\n"
                    "  %sum = add i32 %x, 1\n"
                    "  %field = getelementptr i8, ptr %place, i64 " +
                    Offset + "\n  store i32 %sum, ptr %field\n");
  };
  EXPECT_EQ(Regions(Fields("4")).forbids("sum"), "");
  EXPECT_EQ(Regions(Fields("2")).forbids("sum"), Split);
}

TEST(UninterruptedRegions, AnotherElementThatTheValueFlowsIntoMayBeTheSame) {
  // b[a[i]] is copied to b[c[i]], which may be equal.
  const std::string Copy = UnpredictablePlace +
                           "  %x = load i64, ptr %place\n"
                           "  %j.place = getelementptr i64, ptr %c, i64 %i\n"
                           "  %j = load i64, ptr %j.place\n"
                           "  %q = getelementptr i64, ptr %b, i64 %j\n";
  EXPECT_EQ(Regions(loopOver(Copy + "  store i64 %x, ptr %q\n")).forbids("j"),
            Split);
  EXPECT_EQ(Regions(loopOver(Copy + "  store i64 %i, ptr %q\n")).forbids("j"),
            "");
}

const std::string Locks = "declare void @pthread_mutex_lock(ptr) nounwind\n"
                          "declare void @pthread_mutex_unlock(ptr) nounwind\n";

TEST(UninterruptedRegions, ALockIsHeldWithoutSuspension) {
  Regions R(loopOver("  call void @pthread_mutex_lock(ptr %c)\n"
                     "  %held = xor i64 %i, 1\n"
                     "  call void @pthread_mutex_unlock(ptr %c)\n"
                     "  %free = xor i64 %i, 2\n",
                     Locks));
  EXPECT_EQ(R.forbids(R.F.instruction<CallInst>(0)), "");
  EXPECT_EQ(R.forbids("held"), Locked);
  EXPECT_EQ(R.forbids("free"), "");
}

TEST(UninterruptedRegions, ALockThatIsNotReleasedIsHeldToTheEnd) {
  Regions R(loopOver("  %free = xor i64 %i, 2\n"
                     "  call void @pthread_mutex_lock(ptr %c)\n"
                     "  %held = xor i64 %i, 1\n",
                     Locks));
  EXPECT_EQ(R.forbids("free"), "");
  EXPECT_EQ(R.forbids("held"), Locked);
  EXPECT_EQ(R.forbids("done"), Locked);
}

TEST(UninterruptedRegions, AnAtomicIsALockUntilTheStore) {
  Regions R(loopOver("  %x = atomicrmw xchg ptr %c, i64 1 acquire\n"
                     "  %held = xor i64 %i, 1\n"
                     "  store atomic i64 0, ptr %c release, align 8\n"));
  EXPECT_EQ(R.forbids("held"), Locked);
}

TEST(UninterruptedRegions, TwoAtomicsAreALockIfTheFirstAcquires) {
  auto Pair = [](const std::string &Ordering) {
    return loopOver("  %x = atomicrmw add ptr %c, i64 1 " + Ordering +
                    "\n  %held = xor i64 %i, 1\n"
                    "  %y = atomicrmw sub ptr %c, i64 1 monotonic\n");
  };
  EXPECT_EQ(Regions(Pair("acquire")).forbids("held"), Locked);
  EXPECT_EQ(Regions(Pair("monotonic")).forbids("held"), "");
}

TEST(UninterruptedRegions, ALockMayBeReleasedByAnotherExpression) {
  auto InOrder = [](const std::string &Taken) {
    return loopOver(UnpredictablePlace +
                    "  %mirrored = sub i64 99, %index\n"
                    "  %other = getelementptr i64, ptr %b, i64 %mirrored\n"
                    "  %x = atomicrmw xchg ptr %place, i64 1 acquire\n"
                    "  %held = xor i64 " +
                    Taken +
                    ", 1\n"
                    "  store atomic i64 0, ptr %other release, align 8\n");
  };
  EXPECT_EQ(Regions(InOrder("%x")).forbids("held"), Locked);
  // Whether it has been taken does not matter to anybody.
  EXPECT_EQ(Regions(InOrder("%i")).forbids("held"), "");
}

TEST(UninterruptedRegions, LocksTakenInALoopAreHeldFromTheFirst) {
  Regions R(loopOver("  br label %take\n"
                     "take:\n"
                     "  %j = phi i64 [ 0, %loop ], [ %next, %take ]\n"
                     "  %between = xor i64 %i, %j\n"
                     "  %place = getelementptr i64, ptr %b, i64 %j\n"
                     "  %x = atomicrmw xchg ptr %place, i64 1 acquire\n"
                     "  %next = add i64 %j, %x\n"
                     "  %more = icmp slt i64 %next, 3\n"
                     "  br i1 %more, label %take, label %held\n"
                     "held:\n"
                     "  %index.place = getelementptr i64, ptr %a, i64 %i\n"
                     "  %index = load i64, ptr %index.place\n"
                     "  %other = getelementptr i64, ptr %b, i64 %index\n"
                     "  store atomic i64 0, ptr %other release, align 8\n"));
  EXPECT_EQ(R.forbids("index"), Locked);
  EXPECT_EQ(R.forbids("between"), Locked);
}

const std::string Global = "@g = global i64 0\n";

TEST(UninterruptedRegions, WhatAnIterationWroteItReadsBackUndisturbed) {
  Regions R(loopOver("  store i64 %i, ptr @g\n"
                     "  %between = xor i64 %i, 1\n"
                     "  %x = load i64, ptr @g\n"
                     "  %behind = shl i64 %x, 3\n",
                     Global));
  EXPECT_EQ(R.forbids("between"), Own);
  EXPECT_EQ(R.forbids("x"), Own);
  EXPECT_EQ(R.forbids("behind"), "");
}

TEST(UninterruptedRegions, AVariableThatIsNotAlwaysWrittenIsOthersToo) {
  Regions R(loopOver("  %odd = trunc i64 %i to i1\n"
                     "  br i1 %odd, label %then, label %join\n"
                     "then:\n"
                     "  store i64 %i, ptr @g\n"
                     "  br label %join\n"
                     "join:\n"
                     "  %between = xor i64 %i, 1\n"
                     "  %x = load i64, ptr @g\n",
                     Global));
  EXPECT_EQ(R.forbids("between"), "");
}

TEST(UninterruptedRegions, ACallMayWriteOrReadTheVariable) {
  Regions Writes(loopOver("  call void @callee()\n"
                          "  %between = xor i64 %i, 1\n"
                          "  %x = load i64, ptr @g\n",
                          Global + "declare void @callee() nounwind\n"));
  EXPECT_EQ(Writes.forbids("between"), Own);
  Regions Reads(loopOver("  store i64 %i, ptr @g\n"
                         "  %between = xor i64 %i, 1\n"
                         "  call void @callee()\n",
                         Global + "declare void @callee() nounwind\n"));
  EXPECT_EQ(Reads.forbids("between"), Own);
  Regions Neither(loopOver("  store i64 %i, ptr @g\n"
                           "  %between = xor i64 %i, 1\n"
                           "  call void @callee()\n",
                           Global + "declare void @callee() nounwind "
                                    "memory(none)\n"));
  EXPECT_EQ(Neither.forbids("between"), "");
}

/// Stores to the element \p Filled of %row, which \p Row defines, and then
/// reads the one with the number a[i].
std::string readOfRow(const std::string &Row, const std::string &Filled) {
  return loopOver(UnpredictablePlace + Row +
                  "  %filled = getelementptr i64, ptr %row, i64 " + Filled +
                  "  store i64 %i, ptr %filled\n"
                  "  %between = xor i64 %i, 1\n"
                  "  %read = getelementptr i64, ptr %row, i64 %index\n"
                  "  %x = load i64, ptr %read\n");
}

TEST(UninterruptedRegions, ABufferIsReadBeforeOthersFillIt) {
  const std::string Whole = "  %row = getelementptr i64, ptr %c, i64 0\n";
  EXPECT_EQ(Regions(readOfRow(Whole, "3\n")).forbids("between"), Own);
  // Others write elsewhere.
  EXPECT_EQ(Regions(readOfRow(Whole, "%i\n")).forbids("between"), "");
}

TEST(UninterruptedRegions, ARowIsABufferIfOthersMayHaveItToo) {
  auto RowOf = [](const std::string &Number) {
    return "  %part = and i64 " + Number +
           ", 3\n"
           "  %row = getelementptr [8 x i64], ptr %c, i64 ";
  };
  for (std::string Number : {"%i", "%index"})
    EXPECT_EQ(
        Regions(readOfRow(RowOf(Number) + "%part\n", "3\n")).forbids("between"),
        Own)
        << Number;
  EXPECT_EQ(Regions(readOfRow(RowOf("%i") + "%i\n", "3\n")).forbids("between"),
            "");
}

TEST(UninterruptedRegions, ARowIsTheIterationsOwnUnlessItsStrideIsZero) {
  // %n does not change in the loop.
  Regions R(readOfRow("  %number = mul i64 %i, %n\n"
                      "  %row = getelementptr [8 x i64], ptr %c, i64 %number\n",
                      "3\n"));
  EXPECT_EQ(R.forbids("between"), "");
  EXPECT_EQ(R.Found.nonZero().size(), 1u);
  EXPECT_TRUE(Regions(readOfRow("  %row = getelementptr [8 x i64], ptr %c, "
                                "i64 %i\n",
                                "3\n"))
                  .Found.nonZero()
                  .empty());
}

/// Iterations decide by the elements of %b with the numbers a[i] on stores to
/// \p Elements .
std::string claimIn(const std::string &Elements) {
  return loopOver(UnpredictablePlace +
                      "  %x = load i64, ptr %place\n"
                      "  %is.free = icmp eq i64 %x, 0\n"
                      "  br i1 %is.free, label %claim, label %latch\n"
                      "claim:\n"
                      "  %between = xor i64 %i, 1\n" +
                      Elements,
                  {.Arguments = "ptr %a, ptr %b, ptr %c"});
}

TEST(UninterruptedRegions, TwoArraysAreComparedBeforeTheLoop) {
  Regions Two(claimIn("  %other = getelementptr i64, ptr %c, i64 %index\n"
                      "  store i64 1, ptr %other\n"));
  EXPECT_EQ(Two.forbids("between"), "");
  EXPECT_EQ(Two.Found.nonZero().size(), 1u);
  // The element with the number of the iteration is of it alone.
  Regions Own(claimIn("  %other = getelementptr i64, ptr %c, i64 %i\n"
                      "  store i64 1, ptr %other\n"));
  EXPECT_TRUE(Own.Found.nonZero().empty());
  // Of elements with other numbers from the same index, the arrays are told
  // apart by their beginnings.
  Regions Scaled(claimIn("  %number = mul i64 %index, 3\n"
                         "  %other = getelementptr i64, ptr %c, i64 %number\n"
                         "  store i64 1, ptr %other\n"));
  EXPECT_EQ(Scaled.forbids("between"), "");
  EXPECT_EQ(Scaled.Found.nonZero().size(), 1u);
  // Those with another index are others.
  Regions Other(claimIn("  %next.place = getelementptr i64, ptr %b, i64 %i\n"
                        "  %next = load i64, ptr %next.place\n"
                        "  %other = getelementptr i64, ptr %c, i64 %next\n"
                        "  store i64 1, ptr %other\n"));
  EXPECT_TRUE(Other.Found.nonZero().empty());
}

TEST(UninterruptedRegions, OfManyArraysFewAreCompared) {
  std::string Stores;
  for (int Place = 0; Place < 9; ++Place) {
    const std::string Name = "%s" + std::to_string(Place);
    Stores += "  " + Name + ".at = mul i64 %n, " + std::to_string(Place) +
              "\n  " + Name + ".all = getelementptr i64, ptr %c, i64 " + Name +
              ".at\n  " + Name + " = getelementptr i64, ptr " + Name +
              ".all, i64 %index\n  store i64 1, ptr " + Name + "\n";
  }
  Regions Many(claimIn(Stores));
  EXPECT_EQ(Many.Found.nonZero().size(), 8u);
  EXPECT_EQ(Many.forbids("between"), Split);
}

TEST(UninterruptedRegions,
     IterationsThatWriteToTheNextPlaceHaveNoneOfTheirOwn) {
  auto Between = [](const std::string &Type) {
    return Regions(loopOver("  %one = getelementptr " + Type +
                            ", ptr %c, i64 %i\n"
                            "  %next = getelementptr i64, ptr %one, i64 1\n"
                            "  store i64 %i, ptr %one\n"
                            "  store i64 %i, ptr %next\n"
                            "  %between = xor i64 %i, 1\n"
                            "  %x = load i64, ptr %one\n"))
        .forbids("between");
  };
  EXPECT_EQ(Between("i64"), Own);
  // Two fields.
  EXPECT_EQ(Between("[2 x i64]"), "");
}

TEST(UninterruptedRegions, VectorInstructionsReadAndWriteBuffers) {
  const std::string Declared =
      "declare <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr>, <2 x i1>, "
      "<2 x i64>)\n"
      "declare void @llvm.masked.store.v2i64.p0(<2 x i64>, ptr, <2 x i1>)\n"
      "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)\n";
  const std::string Gather =
      "  %places = getelementptr i64, ptr %c, <2 x i64> splat (i64 1)\n"
      "  %v = call <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr> %places, "
      "<2 x i1> splat (i1 true), <2 x i64> poison)\n";
  const std::string Store = "  store i64 %i, ptr %c\n";
  const std::string MaskedStore = "  call void @llvm.masked.store.v2i64.p0(<2 "
                                  "x i64> splat (i64 1), ptr %c, "
                                  "<2 x i1> splat (i1 true))\n";
  const std::string Load = "  %p = getelementptr i64, ptr %c, i64 %index\n"
                           "  %x = load i64, ptr %p\n";
  auto Between = [&](const std::string &Write, const std::string &Read) {
    return Regions(loopOver(UnpredictablePlace + Write +
                                "  %between = xor i64 %i, 1\n" + Read,
                            Declared))
        .forbids("between");
  };
  EXPECT_EQ(Between(Store, Gather), Own);
  EXPECT_EQ(Between(MaskedStore, Gather), Own);
  EXPECT_EQ(Between(MaskedStore, Load), Own);
  EXPECT_EQ(Between(Store, "  call void @llvm.prefetch.p0(ptr %c, i32 0, i32 "
                           "3, i32 1)\n"),
            "");
}

const std::string Copies =
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n";

TEST(UninterruptedRegions, CopiesOfAnObjectAreHalves) {
  Regions R(loopOver(
      UnpredictablePlace +
          "  call void @llvm.memcpy.p0.p0.i64(ptr %c, ptr %place, i64 64, "
          "i1 false)\n"
          "  %between = xor i64 %i, 1\n"
          "  call void @llvm.memcpy.p0.p0.i64(ptr %place, ptr %c, i64 64, "
          "i1 false)\n",
      Copies));
  EXPECT_EQ(R.forbids("between"), Split);
}

TEST(UninterruptedRegions, AGetterAndASetterAreHalves) {
  const std::string Callees = Global + "define i64 @get() nounwind noinline {\n"
                                       "  %x = load i64, ptr @g\n"
                                       "  ret i64 %x\n"
                                       "}\n"
                                       "define void @set(i64 %x) nounwind "
                                       "noinline {\n"
                                       "  store i64 %x, ptr @g\n"
                                       "  ret void\n"
                                       "}\n";
  Regions Update(loopOver("  %x = call i64 @get()\n"
                          "  %sum = add i64 %x, 1\n"
                          "  call void @set(i64 %sum)\n",
                          Callees));
  EXPECT_EQ(Update.forbids("sum"), Split);
  // The written value does not depend on the one that was read.
  Regions Unrelated(loopOver("  %x = call i64 @get()\n"
                             "  %sum = add i64 %x, 1\n"
                             "  call void @set(i64 %i)\n",
                             Callees));
  EXPECT_EQ(Unrelated.forbids("sum"), "");
}

TEST(UninterruptedRegions, ABranchOnTheReadMakesTheWriteDependOnIt) {
  Regions R(loopOver("  %x = call i64 @get()\n"
                     "  %empty = icmp eq i64 %x, 0\n"
                     "  br i1 %empty, label %then, label %join\n"
                     "then:\n"
                     "  %inside = xor i64 %i, 1\n"
                     "  call void @set()\n"
                     "  br label %join\n"
                     "join:\n",
                     Global + "define i64 @get() nounwind noinline {\n"
                              "  %x = load i64, ptr @g\n"
                              "  ret i64 %x\n"
                              "}\n"
                              "define void @set() nounwind noinline {\n"
                              "  store i64 1, ptr @g\n"
                              "  ret void\n"
                              "}\n"));
  EXPECT_EQ(R.forbids("empty"), Split);
  EXPECT_EQ(R.forbids("inside"), Split);
}

TEST(UninterruptedRegions, ACallThatReplacesFramesMayRepeatTheUpdate) {
  auto ForbidsBetween = [](const std::string &Call) {
    Regions R(loopOver(UnpredictablePlace +
                           "  br label %inner\n"
                           "inner:\n"
                           "  %x = load i64, ptr %place\n"
                           "  %sum = add i64 %x, 1\n"
                           "  %odd = trunc i64 %x to i1\n"
                           "  br i1 %odd, label %deep, "
                           "label %back\n"
                           "back:\n"
                           "  %between = xor i64 %i, 1\n"
                           "  br label %inner\n"
                           "deep:\n" +
                           Call +
                           "  br label %rest\n"
                           "rest:\n"
                           "  store i64 %sum, ptr %place\n",
                       "declare void @deeper()\n!0 = !{}\n"));
    return R.forbids("between");
  };
  EXPECT_EQ(ForbidsBetween(""), "");
  EXPECT_EQ(ForbidsBetween("  call void @deeper(), !heddle.overflow !0\n"),
            Split);
}

TEST(UninterruptedRegions, BehindACallOfAnUnlikelyTargetSuspensionsEnd) {
  auto At = [](bool MayEnd, bool Turn) {
    ParsedFunction F(
        loopOver("  call void %f() #0\n"
                 "  %between = xor i64 %i, 1\n"
                 "  call void @other()\n",
                 {.Globals = "declare void @other()\n"
                             "attributes #0 = { \"heddle-unlikely\" }\n",
                  .Entry = "  %f = load ptr, ptr %c\n"}));
    const TaskLocals Locals;
    const LatencyAnalysis Latency = F.latency();
    const UninterruptedRegions Found(F.context(), Latency, Locals, MayEnd);
    EXPECT_EQ(Found.ends().size(), MayEnd);
    const auto Why = Turn ? Found.forbidsTurn(&F.value("between"))
                          : Found.forbids(&F.value("between"));
    return Why ? textOf(Why->Kind) : "";
  };
  EXPECT_EQ(At(false, false), Own);
  EXPECT_EQ(At(true, false), "");
  EXPECT_EQ(At(true, true), Own);
}

TEST(UninterruptedRegions, VariablesOfATaskAreItsOwn) {
  const std::string IR = loopOver("  %x = load i64, ptr %local\n"
                                  "  %sum = add i64 %x, 1\n"
                                  "  store i64 %sum, ptr %local\n",
                                  {.Entry = "  %local = alloca i64\n"});
  EXPECT_EQ(Regions(IR).forbids("sum"), Split);
  ParsedFunction F(IR);
  const LatencyAnalysis Latency = F.latency();
  TaskLocals Locals;
  Locals.insert(&F.instruction<AllocaInst>());
  EXPECT_FALSE(UninterruptedRegions(F.context(), Latency, Locals)
                   .forbids(&F.value("sum")));
}

TEST(UninterruptedRegions, AModificationThatATaskOwnsMayBeSuspended) {
  Regions R(loopOver(Update));
  const std::optional<Modification> M = R.Found.onlyAround(&R.F.value("sum"));
  ASSERT_TRUE(M);
  EXPECT_EQ(M->Load, &R.F.value("x"));
  EXPECT_EQ(M->Store, &R.F.instruction<StoreInst>());
  R.Found.permit(*M);
  EXPECT_EQ(R.forbids("sum"), "");
  EXPECT_FALSE(R.Found.onlyAround(&R.F.value("sum")));
}

TEST(UninterruptedRegions, ALockAroundItIsAnotherReason) {
  Regions R(loopOver("  call void @pthread_mutex_lock(ptr %c)\n" + Update +
                         "  call void @pthread_mutex_unlock(ptr %c)\n",
                     Locks));
  EXPECT_FALSE(R.Found.onlyAround(&R.F.value("sum")));
}

TEST(UninterruptedRegions, ALoadWithTwoStoresIsNotOneModification) {
  Regions R(loopOver(Update + "  store i64 %behind, ptr %place\n"));
  EXPECT_FALSE(R.Found.onlyAround(&R.F.value("sum")));
}

TEST(UninterruptedRegions, OneModificationIsPermittedAndNotItsNeighbour) {
  Regions R(loopOver(Update + "  %more = add i64 %x, 2\n"
                              "  store i64 %more, ptr %place\n"));
  R.Found.permit(
      {cast<LoadInst>(&R.F.value("x")), &R.F.instruction<StoreInst>(0)});
  EXPECT_EQ(R.forbids("sum"), Split);
  R.Found.permit(
      {cast<LoadInst>(&R.F.value("x")), &R.F.instruction<StoreInst>(1)});
  EXPECT_EQ(R.forbids("sum"), "");
}

/// An inner loop from an atomic read to a compare-and-exchange of what it has
/// read, which leaves the loop where %done is true.
std::string exchangeUntil(const std::string &Done, const std::string &Place) {
  return UnpredictablePlace + "  br label %again\nagain:\n" +
         "  %x = load atomic i64, ptr " + Place +
         " monotonic, align 8\n"
         "  %sum = add i64 %x, 1\n"
         "  %pair = cmpxchg ptr " +
         Place +
         ", i64 %x, i64 %sum monotonic monotonic\n"
         "  %flag = extractvalue { i64, i1 } %pair, 1\n"
         "  %other = icmp eq i64 %sum, 7\n"
         "  br i1 " +
         Done +
         ", label %behind, label %again\n"
         "behind:\n";
}

TEST(UninterruptedRegions, ACompareAndExchangeThatIsTriedAgainChecksItself) {
  EXPECT_EQ(Regions(loopOver(exchangeUntil("%flag", "%place"))).forbids("sum"),
            "");
  EXPECT_EQ(Regions(loopOver(exchangeUntil("%other", "%place"))).forbids("sum"),
            Split);
  // A variable that all iterations share may be the same again.
  EXPECT_EQ(Regions(loopOver(exchangeUntil("%flag", "%b"))).forbids("sum"),
            Split);
}

TEST(UninterruptedRegions, AnExchangeThatTellsNothingTakesNoLock) {
  const std::string Twice =
      UnpredictablePlace +
      "  %one = cmpxchg ptr %place, i64 0, i64 1 seq_cst seq_cst\n"
      "  %between = xor i64 %i, 1\n"
      "  %two = cmpxchg ptr %place, i64 1, i64 0 seq_cst seq_cst\n";
  EXPECT_EQ(Regions(loopOver(Twice)).forbids("between"), "");
  EXPECT_EQ(Regions(loopOver(Twice + "  %seen = extractvalue { i64, i1 } %one, "
                                     "1\n"))
                .forbids("between"),
            Locked);
}

} // namespace
