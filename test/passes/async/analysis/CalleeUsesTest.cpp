// CalleeUses: memory that callees access.

#include "async/analysis/CalleeUses.h"
#include "async/analysis/FrameValues.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

struct Uses {
  ParsedFunction F;
  SmallVector<CalleeUse> Found;

  /// Finds the uses of the first call in \p Body, with callees \p Callees.
  Uses(const std::string &Body, const std::string &Callees)
      : F(loopOver(Body, {.Globals = "@g = global i64 0\n"
                                     "@h = global [8 x i64] zeroinitializer\n"
                                     "@fixed = constant i64 7\n" +
                                     Callees})) {
    FrameValues Frames(F.loop());
    Found = CalleeUses().of(F.instruction<CallInst>(), F.loop(), Frames);
  }

  /// The uses of the object \p Root and of those behind \p Pointers pointers in
  /// it, all together; null is any object.
  CalleeUse usesOf(const Value *Root, size_t Pointers = 0) {
    CalleeUse All{.Object = {Root, {}}, .Reads = false, .Writes = false};
    for (const CalleeUse &Use : Found)
      if (Use.Object.Root == Root && Use.Object.Pointers.size() == Pointers) {
        All.Object = Use.Object;
        All.Reads |= Use.Reads;
        All.Writes |= Use.Writes;
        All.IsFixed |= Use.IsFixed;
        All.IsUpdate |= Use.IsUpdate;
        All.StoresVary |= Use.StoresVary;
        All.Acquires |= Use.Acquires;
        All.Releases |= Use.Releases;
      }
    return All;
  }
  CalleeUse usesOf(StringRef Global) { return usesOf(&F.global(Global)); }
};

/// Returns a function @act that executes \p Body.
std::string act(const std::string &Body, const std::string &Parameters = "") {
  return "define void @act(" + Parameters + ") {\n" + Body +
         "  ret void\n"
         "}\n";
}

const std::string Get = "define i64 @get() {\n"
                        "  %x = load i64, ptr @g\n"
                        "  ret i64 %x\n"
                        "}\n";

TEST(CalleeUses, AGetterReadsItsVariable) {
  Uses U("  %x = call i64 @get()\n", Get);
  ASSERT_EQ(U.Found.size(), 1u);
  EXPECT_EQ(U.Found[0].Object.Root, &U.F.global("g"));
  EXPECT_TRUE(U.Found[0].Object.Pointers.empty());
  EXPECT_TRUE(U.Found[0].Reads);
  EXPECT_FALSE(U.Found[0].Writes);
}

TEST(CalleeUses, ASetterWritesItsVariable) {
  Uses U("  call void @set(i64 %n)\n", "define void @set(i64 %x) {\n"
                                       "  store i64 %x, ptr @g\n"
                                       "  ret void\n"
                                       "}\n");
  ASSERT_EQ(U.Found.size(), 1u);
  EXPECT_FALSE(U.Found[0].Reads);
  EXPECT_TRUE(U.Found[0].Writes);
}

TEST(CalleeUses, AtomicsAndCopiesAreAccesses) {
  Uses U("  call void @act()\n",
         act("  %x = atomicrmw add ptr @g, i64 1 monotonic\n"
             "  call void @llvm.memcpy.p0.p0.i64(ptr @h, ptr @g, i64 8, i1 "
             "0)\n") +
             "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n");
  EXPECT_TRUE(U.usesOf("g").Reads && U.usesOf("g").Writes);
  EXPECT_TRUE(U.usesOf("g").IsUpdate);
  EXPECT_FALSE(U.usesOf("h").Reads);
  EXPECT_TRUE(U.usesOf("h").Writes);
}

TEST(CalleeUses, AnAtomicUpdateReadsIfItsResultIsUsed) {
  auto Reads = [](const std::string &Use) {
    return Uses("  call void @act()\n",
                act("  %x = atomicrmw add ptr @g, i64 1 seq_cst\n" + Use))
        .usesOf("g")
        .Reads;
  };
  EXPECT_FALSE(Reads(""));
  EXPECT_TRUE(Reads("  store i64 %x, ptr @h\n"));
}

TEST(CalleeUses, WhatCalleesOfCalleesDoCounts) {
  Uses U("  %x = call i64 @outer()\n", Get + "define i64 @outer() {\n"
                                             "  %x = call i64 @get()\n"
                                             "  ret i64 %x\n"
                                             "}\n");
  ASSERT_EQ(U.Found.size(), 1u);
  EXPECT_EQ(U.Found[0].Object.Root, &U.F.global("g"));
}

TEST(CalleeUses, RecursionEnds) {
  Uses U("  call void @again()\n", "define void @again() {\n"
                                   "  store i64 1, ptr @g\n"
                                   "  call void @again()\n"
                                   "  ret void\n"
                                   "}\n");
  EXPECT_EQ(U.Found.size(), 1u);
}

TEST(CalleeUses, ConstantsAndTheCalleesOwnVariablesDoNotCount) {
  Uses U("  call void @act()\n", "define void @act() {\n"
                                 "  %v = alloca i64\n"
                                 "  %x = load i64, ptr @fixed\n"
                                 "  store i64 %x, ptr %v\n"
                                 "  ret void\n"
                                 "}\n");
  EXPECT_TRUE(U.Found.empty());
}

TEST(CalleeUses, FunctionsThatCallEachOtherDoTheSame) {
  const std::string Callees = "define void @even() {\n"
                              "  call void @odd()\n"
                              "  ret void\n"
                              "}\n"
                              "define void @odd() {\n"
                              "  store i64 1, ptr @g\n"
                              "  call void @even()\n"
                              "  ret void\n"
                              "}\n";
  for (const char *First : {"even", "odd"}) {
    const std::string Call = "  call void @" + std::string(First) + "()\n";
    EXPECT_TRUE(Uses(Call, Callees).usesOf("g").Writes) << First;
  }
}

TEST(CalleeUses, AnObjectThatIsHandedOverIsTheCallers) {
  Uses U("  call void @act(ptr %a)\n",
         act("  store i64 1, ptr %p\n", "ptr %p"));
  EXPECT_TRUE(U.usesOf(&U.F.argument(0)).Writes);
}

/// Returns code that writes to the target of the pointer at \p Offset in its
/// object.
std::string writesBehind(unsigned Offset) {
  return "define void @act(ptr %p) {\n"
         "  %q = getelementptr i8, ptr %p, i64 " +
         std::to_string(Offset) +
         "\n"
         "  %behind = load ptr, ptr %q\n"
         "  store i64 1, ptr %behind\n"
         "  ret void\n"
         "}\n";
}

TEST(CalleeUses, AnObjectBehindAPointerInItIsAnother) {
  Uses U("  %place = getelementptr i8, ptr %a, i64 32\n"
         "  call void @act(ptr %place)\n",
         writesBehind(8));
  const CalleeUse Behind = U.usesOf(&U.F.argument(0), 1);
  EXPECT_EQ(Behind.Object.Pointers[0], 40);
  EXPECT_FALSE(Behind.Reads);
  EXPECT_TRUE(Behind.Writes);
  EXPECT_FALSE(U.usesOf(&U.F.argument(0)).Writes);
}

TEST(CalleeUses, AnOffsetThatVariesIsUnknown) {
  Uses U("  %place = getelementptr i8, ptr %a, i64 %n\n"
         "  call void @act(ptr %place)\n",
         writesBehind(8));
  EXPECT_FALSE(U.usesOf(&U.F.argument(0), 1).Object.Pointers[0]);
}

TEST(CalleeUses, FunctionsThatAreNotKnownMayAccessAnything) {
  for (const std::string &Callee :
       {std::string("declare void @act()\n"),
        std::string("define weak void @act() {\n  ret void\n}\n")}) {
    Uses U("  call void @act()\n", Callee);
    const Value *Any = nullptr;
    EXPECT_TRUE(U.usesOf(Any).Reads && U.usesOf(Any).Writes) << Callee;
  }
}

TEST(CalleeUses, AttributesSayWhatAFunctionWithoutABodyAccesses) {
  EXPECT_TRUE(Uses("  call void @act()\n", "declare void @act() memory(none)\n")
                  .Found.empty());
  EXPECT_TRUE(Uses("  call void @act()\n", "declare void @act() noreturn\n")
                  .Found.empty());
  Uses Reads("  call void @act()\n", "declare void @act() memory(read)\n");
  const Value *Any = nullptr;
  EXPECT_TRUE(Reads.usesOf(Any).Reads);
  EXPECT_FALSE(Reads.usesOf(Any).Writes);
  Uses Handed("  call void @act(ptr %a)\n",
              "declare void @act(ptr) memory(argmem: write)\n");
  EXPECT_FALSE(Handed.usesOf(Any).Writes);
  EXPECT_TRUE(Handed.usesOf(&Handed.F.argument(0)).Writes);
}

TEST(CalleeUses, AnAddressThatCannotBeNamedIsAnyObject) {
  Uses U("  call void @act(ptr %a)\n",
         "define void @act(ptr %p) {\n"
         "entry:\n"
         "  br label %next\n"
         "next:\n"
         "  %at = phi ptr [ %p, %entry ], [ %behind, %next ]\n"
         "  %behind = load ptr, ptr %at\n"
         "  %more = icmp ne ptr %behind, null\n"
         "  br i1 %more, label %next, label %end\n"
         "end:\n"
         "  store i64 1, ptr %at\n"
         "  ret void\n"
         "}\n");
  const Value *Any = nullptr;
  EXPECT_TRUE(U.usesOf(Any).Writes);
}

TEST(CalleeUses, APlaceIsFixedUnlessArgumentsOrMemoryDecide) {
  auto IsFixed = [](const std::string &Body,
                    const std::string &Number = "i64 %i") {
    return Uses("  call void @act(" + Number + ")\n",
                act(Body + "  store i64 1, ptr %p\n", "i64 %k"))
        .usesOf("h")
        .IsFixed;
  };
  EXPECT_TRUE(IsFixed("  %p = getelementptr i64, ptr @h, i64 3\n"));
  EXPECT_FALSE(IsFixed("  %p = getelementptr i64, ptr @h, i64 %k\n"));
  EXPECT_TRUE(IsFixed("  %p = getelementptr i64, ptr @h, i64 %k\n", "i64 %n"))
      << "the loop hands over the same number";
  EXPECT_FALSE(IsFixed("  %x = load i64, ptr @g\n"
                       "  %p = getelementptr i64, ptr @h, i64 %x\n"));
  Uses Handed("  %place = getelementptr i8, ptr %a, i64 %n\n"
              "  call void @act(ptr %place)\n",
              act("  store i64 1, ptr %p\n", "ptr %p"));
  EXPECT_TRUE(Handed.usesOf(&Handed.F.argument(0)).IsFixed)
      << "the loop does not change it";
}

TEST(CalleeUses, ArgumentsChooseAPlace) {
  Uses U("  %double = shl i64 %i, 1\n"
         "  call void @act(i64 %double)\n",
         act("  %at = add i64 %k, 3\n"
             "  %p = getelementptr i64, ptr @h, i64 %at\n"
             "  store i64 1, ptr %p\n",
             "i64 %k"));
  ASSERT_EQ(U.Found.size(), 1u);
  ASSERT_EQ(U.Found[0].Choice.size(), 1u);
  EXPECT_EQ(U.Found[0].Choice[0], &U.F.value("i"));
}

TEST(CalleeUses, WhatALoopReadsChoosesNothingInACallee) {
  Uses U("  call void @act()\n",
         act("  %x = load i64, ptr @g\n"
             "  %p = getelementptr i64, ptr @h, i64 %x\n"
             "  store i64 1, ptr %p\n"));
  EXPECT_TRUE(U.usesOf("h").Writes);
  EXPECT_TRUE(
      all_of(U.Found, [](const CalleeUse &Use) { return Use.Choice.empty(); }));
}

const std::string Find = "define ptr @find(i64 %k) noinline {\n"
                         "  %p = getelementptr i64, ptr @h, i64 %k\n"
                         "  ret ptr %p\n"
                         "}\n";

TEST(CalleeUses, AnAddressThatACalleeReturnsIsThatOfItsObject) {
  Uses U("  call void @outer(i64 %i)\n", Find +
                                             "define void @outer(i64 %k) {\n"
                                             "  %p = call ptr @find(i64 %k)\n"
                                             "  store i64 1, ptr %p\n"
                                             "  ret void\n"
                                             "}\n");
  EXPECT_TRUE(U.usesOf("h").Writes);
  EXPECT_FALSE(U.usesOf("h").IsFixed);
  const Value *Any = nullptr;
  EXPECT_FALSE(U.usesOf(Any).Writes);
}

TEST(CalleeUses, AFunctionThatReturnsItsOwnResultReturnsAnything) {
  Uses U("  call void @outer(i64 %i)\n", "define ptr @find(i64 %k) {\n"
                                         "  %p = call ptr @find(i64 %k)\n"
                                         "  ret ptr %p\n"
                                         "}\n"
                                         "define void @outer(i64 %k) {\n"
                                         "  %p = call ptr @find(i64 %k)\n"
                                         "  store i64 1, ptr %p\n"
                                         "  ret void\n"
                                         "}\n");
  const Value *Any = nullptr;
  EXPECT_TRUE(U.usesOf(Any).Writes);
}

TEST(CalleeUses, ACallMayBeHandedItsOwnResult) {
  Uses U("  %p = phi ptr [ %a, %entry ], [ %q, %latch ]\n"
         "  %q = call ptr @next(ptr %p)\n",
         "define ptr @next(ptr %p) {\n"
         "  %q = load ptr, ptr %p\n"
         "  ret ptr %q\n"
         "}\n");
  const Value *First = &U.F.argument(0), *Next = &U.F.instruction<CallInst>();
  EXPECT_TRUE(U.usesOf(First).Reads);
  EXPECT_TRUE(U.usesOf(First, 1).Reads);
  EXPECT_TRUE(U.usesOf(Next, 1).Reads);
}

TEST(CalleeUses, TheElementsThatALoopFillsAreFixed) {
  Uses U("  call void @act(i64 %n)\n",
         "define void @act(i64 %k) {\n"
         "entry:\n"
         "  br label %next\n"
         "next:\n"
         "  %at = phi i64 [ 0, %entry ], [ %more, %next ]\n"
         "  %p = getelementptr i64, ptr @h, i64 %at\n"
         "  store i64 %k, ptr %p\n"
         "  %more = add i64 %at, 1\n"
         "  %left = icmp ne i64 %more, 8\n"
         "  br i1 %left, label %next, label %end\n"
         "end:\n"
         "  ret void\n"
         "}\n");
  EXPECT_TRUE(U.usesOf("h").IsFixed);
  EXPECT_TRUE(U.usesOf("h").StoresVary);
}

TEST(CalleeUses, CommutativeUpdatesAreToldFromOtherWrites) {
  auto UsesOf = [](const std::string &Body) {
    return Uses("  call void @act(i64 %n)\n", act(Body, "i64 %k")).usesOf("g");
  };
  const CalleeUse Update = UsesOf("  %x = load i64, ptr @g\n"
                                  "  %y = add i64 %x, %k\n"
                                  "  store i64 %y, ptr @g\n");
  EXPECT_TRUE(Update.IsUpdate && Update.Reads && Update.Writes);
  EXPECT_FALSE(Update.StoresVary);
  EXPECT_TRUE(UsesOf("  store i64 %k, ptr @g\n").StoresVary);
  EXPECT_FALSE(UsesOf("  store i64 3, ptr @g\n").StoresVary);
  EXPECT_TRUE(UsesOf("  %x = load i64, ptr @g\n"
                     "  %y = sub i64 %k, %x\n"
                     "  store i64 %y, ptr @g\n")
                  .StoresVary);
}

TEST(CalleeUses, LocksAreTakenByAcquiringAndGivenBackByReleasing) {
  auto UsesOf = [](const std::string &Body) {
    return Uses("  call void @act()\n", act(Body)).usesOf("g");
  };
  const CalleeUse Take =
      UsesOf("  %x = cmpxchg ptr @g, i64 0, i64 1 acquire monotonic\n");
  EXPECT_TRUE(Take.Acquires);
  EXPECT_FALSE(Take.Releases);
  const CalleeUse Give =
      UsesOf("  store atomic i64 0, ptr @g release, align 8\n");
  EXPECT_FALSE(Give.Acquires);
  EXPECT_TRUE(Give.Releases);
  const CalleeUse Count =
      UsesOf("  %x = atomicrmw add ptr @g, i64 1 monotonic\n");
  EXPECT_FALSE(Count.Acquires || Count.Releases);
}

TEST(CalleeUses, LocksOfTheSystemAreKnownByName) {
  Uses U("  call void @act()\n",
         act("  %x = call i32 @pthread_mutex_trylock(ptr @g)\n") +
             "declare i32 @pthread_mutex_trylock(ptr)\n");
  EXPECT_TRUE(U.usesOf("g").Acquires);
}

TEST(CalleeUses, ObjectsAreToldApartByTheirPointers) {
  auto Behind = [](std::initializer_list<std::optional<int64_t>> Pointers) {
    return UsedObject{nullptr, Pointers};
  };
  EXPECT_TRUE(Behind({}).hasPointersOf(Behind({})));
  EXPECT_TRUE(Behind({8}).hasPointersOf(Behind({8})));
  EXPECT_TRUE(Behind({8}).hasPointersOf(Behind({std::nullopt})));
  EXPECT_TRUE(Behind({std::nullopt}).hasPointersOf(Behind({8})));
  EXPECT_FALSE(Behind({8}).hasPointersOf(Behind({16})));
  EXPECT_FALSE(Behind({8}).hasPointersOf(Behind({})));
  EXPECT_FALSE(Behind({8}).hasPointersOf(Behind({8, 8})));
}

// The search would not end if it took the same uses in another order for new
// ones.
TEST(CalleeUses, RecursiveCallsMaySwapWhatTheyHandOn) {
  const std::string Swap =
      "define void @swap(ptr %p, ptr %q, i64 %a, i64 %b) {\n"
      "  %again = icmp ne i64 %a, 0\n"
      "  br i1 %again, label %more, label %done\n"
      "more:\n"
      "  call void @swap(ptr %q, ptr %p, i64 %b, i64 %a)\n"
      "  br label %done\n"
      "done:\n"
      "  %sum = add i64 %a, %b\n"
      "  %at = getelementptr i64, ptr @h, i64 %sum\n"
      "  %x = load i64, ptr %at\n"
      "  store i64 %x, ptr %p\n"
      "  %y = load i64, ptr %q\n"
      "  ret void\n"
      "}\n";
  Uses U("  call void @swap(ptr @g, ptr @h, i64 %n, i64 %i)\n", Swap);
  EXPECT_TRUE(U.usesOf("g").Reads);
  EXPECT_TRUE(U.usesOf("g").Writes);
  EXPECT_TRUE(U.usesOf("h").Reads);
  EXPECT_TRUE(U.usesOf("h").Writes);
}

// Each level has four times as many chains of pointers.
TEST(CalleeUses, TooManyUsesAreTakenTogether) {
  std::string Levels = "define void @level0(ptr %p) {\n"
                       "  store i64 1, ptr %p\n"
                       "  ret void\n"
                       "}\n";
  for (unsigned Level = 1; Level < 8; ++Level) {
    const std::string Number = std::to_string(Level);
    Levels += "define void @level" + Number + "(ptr %p) {\n";
    for (const std::string Field : {"0", "1", "2", "3"})
      Levels += "  %at" + Field + " = getelementptr ptr, ptr %p, i64 " + Field +
                "\n  %to" + Field + " = load ptr, ptr %at" + Field +
                "\n  call void @level" + std::to_string(Level - 1) +
                "(ptr %to" + Field + ")\n";
    Levels += "  ret void\n"
              "}\n";
  }
  Uses U("  call void @level7(ptr @h)\n", Levels);
  EXPECT_LE(U.Found.size(), 256u);
  EXPECT_TRUE(U.usesOf(nullptr).Writes);
  EXPECT_TRUE(U.usesOf(nullptr).Reads);
}

} // namespace
