//===- OwnMemoryTest.cpp - Memory that an iteration allocates -------------===//

#include "ir/OwnMemory.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

const std::string Globals =
    "@kept = global ptr null\n"
    "declare noalias ptr @malloc(i64)\n"
    "declare ptr @realloc(ptr allocptr captures(none), i64) "
    "allockind(\"realloc\")\n"
    "declare void @free(ptr allocptr)\n"
    "declare void @fill(ptr captures(none))\n"
    "declare void @keep(ptr)\n"
    "declare ptr @find(i64)\n"
    "declare void @_ZdlPv(ptr)\n";

/// Whether what %p, which \p Body calls a function for, points to is the
/// iteration's own.
bool isOwn(const std::string &Body, const std::string &Entry = "",
           const std::string &Exit = "ret void") {
  ParsedFunction F(loopOver(
      Body, Surroundings{.Globals = Globals, .Entry = Entry, .Exit = Exit}));
  return returnsOwnMemory(cast<CallBase>(F.value("p")), F.loop());
}

const std::string Allocates = "  %p = call ptr @malloc(i64 16)\n";

TEST(OwnMemory, UsesThatEndInTheIteration) {
  EXPECT_TRUE(isOwn(Allocates));
  EXPECT_TRUE(isOwn(Allocates + "  %q = getelementptr i64, ptr %p, i64 %i\n"
                                "  store i64 1, ptr %q\n"
                                "  %x = load i64, ptr %p\n"
                                "  call void @fill(ptr %q)\n"
                                "  call void @free(ptr %p)\n"));
  EXPECT_TRUE(isOwn(Allocates + "  call void @_ZdlPv(ptr %p) builtin\n"));
}

TEST(OwnMemory, OnlyAllocationsReturnIt) {
  EXPECT_FALSE(isOwn("  %p = call ptr @find(i64 %i)\n"));
  EXPECT_TRUE(isOwn("  %old = call ptr @malloc(i64 8)\n"
                    "  %p = call ptr @realloc(ptr %old, i64 16)\n"
                    "  call void @free(ptr %p)\n"));
}

TEST(OwnMemory, WhatIsStoredOrHandedOnIsNot) {
  EXPECT_FALSE(isOwn(Allocates + "  store ptr %p, ptr @kept\n"));
  EXPECT_FALSE(isOwn(Allocates + "  %q = getelementptr i8, ptr %p, i64 8\n"
                                 "  store ptr %q, ptr @kept\n"));
  EXPECT_FALSE(isOwn(Allocates + "  call void @keep(ptr %p)\n"));
  // One that is defined by the program may keep it.
  EXPECT_FALSE(isOwn(Allocates + "  call void @_ZdlPv(ptr %p)\n"));
}

TEST(OwnMemory, SizesAreMeasuredButAddressesAreNotKept) {
  const std::string Number = Allocates + "  %x = ptrtoint ptr %p to i64\n";
  const std::string End = Number + "  %end = getelementptr i8, ptr %p, i64 8\n"
                                   "  %y = ptrtoint ptr %end to i64\n";
  EXPECT_TRUE(isOwn(End + "  %size = sub i64 %y, %x\n"
                          "  store i64 %size, ptr @kept\n"
                          "  %same = icmp eq i64 %x, %i\n"));
  EXPECT_FALSE(isOwn(Number + "  %distance = sub i64 %i, %x\n"));
  // From another pointer, if the iteration chooses it.
  EXPECT_FALSE(isOwn(Number + "  %even = trunc i64 %i to i1\n"
                              "  %q = select i1 %even, ptr %p, ptr %a\n"
                              "  %y = ptrtoint ptr %q to i64\n"
                              "  %distance = sub i64 %y, %x\n"));
  EXPECT_FALSE(isOwn(Number + "  store i64 %x, ptr @kept\n"));
  EXPECT_FALSE(isOwn(Number + "  %y = add i64 %x, 8\n"
                              "  store i64 %y, ptr @kept\n"));
}

TEST(OwnMemory, LaterIterationsDoNotGetToIt) {
  EXPECT_FALSE(isOwn("  %last = phi ptr [ null, %entry ], [ %p, %latch ]\n" +
                     Allocates));
  EXPECT_FALSE(isOwn("  %last = phi ptr [ null, %entry ], [ %q, %latch ]\n" +
                     Allocates +
                     "  %even = trunc i64 %i to i1\n"
                     "  %q = select i1 %even, ptr %p, ptr %last\n"));
}

TEST(OwnMemory, ItMayBeFreedBehindTheLoop) {
  const std::string Exit = "%out = phi ptr [ %p, %latch ]\n"
                           "  call void @free(ptr %out)\n  ret void";
  EXPECT_TRUE(isOwn(Allocates, "", Exit));
}

TEST(OwnMemory, AnOuterLoopDoesNotBringItBack) {
  const std::string IR =
      Globals +
      "define void @test(i64 %n) {\n"
      "entry:\n  br label %outer\n"
      "outer:\n  %before = phi ptr [ null, %entry ], [ %after, %outer.latch ]\n"
      "  br label %loop\n"
      "loop:\n  %i = phi i64 [ 0, %outer ], [ %i.next, %loop ]\n"
      "  %p = call ptr @malloc(i64 8)\n"
      "  store i64 %i, ptr %before\n"
      "  %i.next = add i64 %i, 1\n"
      "  %done = icmp eq i64 %i.next, %n\n"
      "  br i1 %done, label %outer.latch, label %loop\n"
      "outer.latch:\n  %after = phi ptr [ %p, %loop ]\n"
      "  br i1 %done, label %outer, label %exit\n"
      "exit:\n  ret void\n}\n";
  ParsedFunction F(IR);
  EXPECT_FALSE(returnsOwnMemory(cast<CallBase>(F.value("p")),
                                *F.loop().getSubLoops().front()));
}

} // namespace
