// CalleeUses: memory that callees access besides what they are handed.

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
      : F(loopOver("", {.Globals = "@g = global i64 0\n"
                                   "@h = global [8 x i64] zeroinitializer\n"
                                   "@fixed = constant i64 7\n" +
                                   Callees,
                        .Entry = Body})) {
    FrameValues Frames(F.loop());
    Found = CalleeUses().of(F.instruction<CallInst>(), Frames);
  }
};

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
  Uses U("  call void @act(ptr %a)\n",
         "define void @act(ptr %p) {\n"
         "  %x = atomicrmw add ptr @g, i64 1 monotonic\n"
         "  call void @llvm.memcpy.p0.p0.i64(ptr @h, ptr @g, i64 8, i1 0)\n"
         "  ret void\n"
         "}\n"
         "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n");
  ASSERT_EQ(U.Found.size(), 2u);
  EXPECT_EQ(U.Found[0].Object.Root, &U.F.global("g"));
  EXPECT_TRUE(U.Found[0].Reads && U.Found[0].Writes);
  EXPECT_EQ(U.Found[1].Object.Root, &U.F.global("h"));
  EXPECT_FALSE(U.Found[1].Reads);
  EXPECT_TRUE(U.Found[1].Writes);
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

TEST(CalleeUses, AnObjectThatIsHandedOverIsTheCallersToSee) {
  Uses U("  call void @act(ptr %a)\n", "define void @act(ptr %p) {\n"
                                       "  store i64 1, ptr %p\n"
                                       "  ret void\n"
                                       "}\n");
  EXPECT_TRUE(U.Found.empty());
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

TEST(CalleeUses, AnObjectBehindAPointerInItIsNot) {
  Uses U("  %place = getelementptr i8, ptr %a, i64 32\n"
         "  call void @act(ptr %place)\n",
         writesBehind(8));
  ASSERT_EQ(U.Found.size(), 1u);
  EXPECT_EQ(U.Found[0].Object.Root, &U.F.argument(0));
  ASSERT_EQ(U.Found[0].Object.Pointers.size(), 1u);
  EXPECT_EQ(U.Found[0].Object.Pointers[0], 40);
  EXPECT_FALSE(U.Found[0].Reads);
  EXPECT_TRUE(U.Found[0].Writes);
}

TEST(CalleeUses, AnOffsetThatVariesIsUnknown) {
  Uses U("  %place = getelementptr i8, ptr %a, i64 %n\n"
         "  call void @act(ptr %place)\n",
         writesBehind(8));
  ASSERT_EQ(U.Found.size(), 1u);
  ASSERT_EQ(U.Found[0].Object.Pointers.size(), 1u);
  EXPECT_FALSE(U.Found[0].Object.Pointers[0]);
}

TEST(CalleeUses, FunctionsThatAreNotKnownAccessNothing) {
  Uses Declared("  call void @act()\n", "declare void @act()\n");
  EXPECT_TRUE(Declared.Found.empty());
  Uses Replaceable("  call void @act()\n", "define weak void @act() {\n"
                                           "  store i64 1, ptr @g\n"
                                           "  ret void\n"
                                           "}\n");
  EXPECT_TRUE(Replaceable.Found.empty());
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

} // namespace
