// InvariantLoads: which loads of variables move in front of the loop.

#include "async/analysis/InvariantLoads.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

struct Hoisted {
  ParsedFunction F;
  Directive D;
  TaskLocals Locals;

  explicit Hoisted(const std::string &IR, StringRef Name = "test")
      : F(IR, Name) {}

  /// True if the load %x is moved in front of the loop.
  bool isHoisted() {
    hoistInvariantLoads(F.context(), D, Locals);
    EXPECT_FALSE(verifyFunction(F.function(), &errs()));
    return F.value("x").getParent() == &F.block("entry");
  }
};

bool isHoisted(const std::string &IR) { return Hoisted(IR).isHoisted(); }

const std::string Global = "@g = global i64 0\n"
                           "@h = global [8 x i64] zeroinitializer\n"
                           "declare void @act()\n"
                           "declare void @look() memory(read)\n"
                           "declare void @look_at(ptr) memory(read)\n";
const std::string Read = "  %x = load i64, ptr @g\n";

std::string around(const std::string &Body) { return loopOver(Body, Global); }

/// A store to an unknown address.
const std::string StoreAnywhere = "  %q = load ptr, ptr %place\n"
                                  "  store i64 %i, ptr %q\n";

TEST(InvariantLoads, AVariableThatNothingChangesIsReadOnce) {
  Hoisted H(around(Read));
  EXPECT_TRUE(hoistInvariantLoads(H.F.context(), H.D, H.Locals));
  EXPECT_EQ(H.F.value("x").getParent(), &H.F.block("entry"));
  EXPECT_FALSE(hoistInvariantLoads(H.F.context(), H.D, H.Locals));
}

TEST(InvariantLoads, AVariableThatTheBodyAssignsIsNot) {
  EXPECT_FALSE(isHoisted(around(Read + "  store i64 %i, ptr @g\n")));
  EXPECT_FALSE(isHoisted(
      around(Read + "  %old = atomicrmw add ptr @g, i64 1 monotonic\n")));
}

TEST(InvariantLoads, AnotherNameOfTheSamePlaceCountsAsWell) {
  const std::string Element = "  %first = getelementptr i64, ptr @h, i64 2\n"
                              "  %x = load i64, ptr %first\n";
  EXPECT_FALSE(
      isHoisted(around(Element + "  %again = getelementptr i8, ptr @h, i64 16\n"
                                 "  store i64 %i, ptr %again\n")));
  EXPECT_FALSE(
      isHoisted(around(Element + "  %any = getelementptr i64, ptr @h, i64 %i\n"
                                 "  store i64 %i, ptr %any\n")));
  EXPECT_TRUE(isHoisted(around("  %x = load i64, ptr %a\n"
                               "  %same = getelementptr i64, ptr %a, i64 0\n"
                               "  %y = load i64, ptr %same\n")));
  EXPECT_TRUE(
      isHoisted(around(Element + "  %other = getelementptr i64, ptr @h, i64 3\n"
                                 "  store i64 %i, ptr %other\n")));
}

TEST(InvariantLoads, NoIterationReadsWhatAnotherWroteThroughAPointer) {
  // The load is hoisted if every iteration reads before it writes.
  const std::string NextBlock = "  br label %next\nnext:\n";
  EXPECT_TRUE(
      isHoisted(around(NextBlock + Read + UnpredictablePlace + StoreAnywhere)));
  EXPECT_FALSE(
      isHoisted(around(NextBlock + UnpredictablePlace + StoreAnywhere + Read)));
  EXPECT_FALSE(isHoisted(around("  %odd = trunc i64 %i to i1\n"
                                "  br i1 %odd, label %then, label %rest\n"
                                "then:\n" +
                                Read +
                                "  br label %rest\n"
                                "rest:\n" +
                                UnpredictablePlace + StoreAnywhere)));
}

TEST(InvariantLoads, ACopyWritesLikeAStore) {
  const std::string NextBlock = "  br label %next\nnext:\n";
  auto CopyTo = [](const std::string &Where) {
    return "  call void @llvm.memcpy.p0.p0.i64(ptr " + Where +
           ", ptr %a, i64 8, i1 false)\n";
  };
  const std::string CopyAnywhere =
      UnpredictablePlace + "  %q = load ptr, ptr %place\n" + CopyTo("%q");
  EXPECT_TRUE(isHoisted(around(NextBlock + Read + CopyAnywhere)));
  EXPECT_FALSE(isHoisted(around(NextBlock + CopyAnywhere + Read)));
  EXPECT_FALSE(isHoisted(around(Read + CopyTo("@g"))));
  EXPECT_FALSE(isHoisted(around("  %x = load i64, ptr @h\n"
                                "  %any = getelementptr i64, ptr @h, i64 %i\n" +
                                CopyTo("%any"))));
}

TEST(InvariantLoads, ACalleeMayChangeAVariable) {
  EXPECT_FALSE(isHoisted(around(Read + "  call void @act()\n")));
  EXPECT_TRUE(isHoisted(around(Read + "  call void @look()\n")));
  // Or assign it by a name of its own.
  EXPECT_FALSE(isHoisted(around(Read + "  call void @look_at(ptr @g)\n")));
}

TEST(InvariantLoads, NewMemoryIsNoVariable) {
  const std::string New = "  %new = call noalias ptr @_Znwm(i64 8)\n"
                          "  store i64 %i, ptr %new\n"
                          "  call void @_ZdlPv(ptr %new)\n";
  const std::string Declared = "declare noalias ptr @_Znwm(i64)\n"
                               "declare void @_ZdlPv(ptr)\n";
  const std::string ReadMember = "  %x = load i64, ptr %b\n";
  EXPECT_TRUE(isHoisted(loopOver(ReadMember + New, Global + Declared)));
  // An allocator may count what it gives.
  EXPECT_FALSE(isHoisted(loopOver(Read + New, Global + Declared)));
}

TEST(InvariantLoads, TheRuntimesAtomicsWriteToTheirArgumentsOnly) {
  EXPECT_TRUE(isHoisted(
      loopOver(Read + "  call void @__kmpc_atomic_fixed8_add(ptr %a)\n",
               Global + "declare void @__kmpc_atomic_fixed8_add(ptr)\n")));
  EXPECT_FALSE(isHoisted(
      loopOver(Read + "  call void @__kmpc_atomic_fixed8_add(ptr @g)\n",
               Global + "declare void @__kmpc_atomic_fixed8_add(ptr)\n")));
}

TEST(InvariantLoads, VolatileAndAtomicLoadsStay) {
  EXPECT_FALSE(isHoisted(around("  %x = load volatile i64, ptr @g\n")));
  EXPECT_FALSE(
      isHoisted(around("  %x = load atomic i64, ptr @g monotonic, align 8\n")));
}

TEST(InvariantLoads, BehindABarrierAVariableMayBeAnother) {
  EXPECT_FALSE(isHoisted(around(Read + "  fence acquire\n")));
  EXPECT_FALSE(isHoisted(
      around(Read + "  %flag = load atomic i64, ptr %a acquire, align 8\n")));
  EXPECT_FALSE(isHoisted(
      around(Read + "  call void asm sideeffect \"\", \"~{memory}\"()\n")));
  EXPECT_FALSE(isHoisted(loopOver(
      "  call void @lock(ptr %a)\n" + Read,
      Global + "declare void @lock(ptr) memory(argmem: readwrite)\n")));
}

TEST(InvariantLoads, VariablesInClausesAreTheUsersBusiness) {
  for (auto Clause :
       {&Directive::Private, &Directive::Shared, &Directive::Sequential}) {
    Hoisted H(around(Read));
    (H.D.*Clause).push_back(&H.F.global("g"));
    EXPECT_FALSE(H.isHoisted());
  }
}

TEST(InvariantLoads, WhatIsOneTasksOwnStays) {
  const std::string IR = loopOver("  %p = getelementptr i64, ptr %v, i64 1\n"
                                  "  %x = load i64, ptr %p\n",
                                  {.Entry = "  %v = alloca [2 x i64]\n"});
  EXPECT_TRUE(isHoisted(IR));
  Hoisted Local(IR);
  Local.Locals.insert(cast<AllocaInst>(&Local.F.value("v")));
  EXPECT_FALSE(Local.isHoisted());
}

/// The load under a condition.
std::string conditional(const std::string &Load) {
  return around("  %odd = trunc i64 %i to i1\n"
                "  br i1 %odd, label %then, label %rest\n"
                "then:\n" +
                Load +
                "  br label %rest\n"
                "rest:\n");
}

TEST(InvariantLoads, ALoadUnderAConditionMustBeSafeWithoutIt) {
  EXPECT_TRUE(isHoisted(conditional(Read)));
  EXPECT_FALSE(isHoisted(conditional("  %x = load i64, ptr %a\n")));
}

TEST(InvariantLoads, AddressesFollowTheirPointers) {
  Hoisted H(around("  %p = load ptr, ptr @g\n"
                   "  %q = getelementptr i64, ptr %p, i64 2\n"
                   "  %x = load i64, ptr %q\n"));
  EXPECT_TRUE(H.isHoisted());
  EXPECT_EQ(H.F.value("q").getParent(), &H.F.block("entry"));
}

TEST(InvariantLoads, WhatIsKnownOfALoadInTheLoopIsNotKnownInFrontOfIt) {
  Hoisted H(around("  %x = load i64, ptr @g, !range !0, !tbaa !1\n") +
            "!0 = !{i64 0, i64 9}\n"
            "!1 = !{!2, !2, i64 0}\n"
            "!2 = !{!\"long\", !3, i64 0}\n"
            "!3 = !{!\"tbaa\"}\n");
  EXPECT_TRUE(H.isHoisted());
  EXPECT_FALSE(H.F.value("x").getMetadata(LLVMContext::MD_range));
  EXPECT_TRUE(H.F.value("x").getMetadata(LLVMContext::MD_tbaa));
}

TEST(InvariantLoads, WhatARegionCapturesIsReadByAllThreads) {
  auto Captured = [](const std::string &Name) {
    Hoisted H(loopOver("  %x = load i64, ptr %v\n"
                       "  call void @act()\n",
                       {.Globals = "declare void @act()\n",
                        .Arguments = "ptr dereferenceable(8) %v",
                        .Name = Name}),
              Name);
    return H.isHoisted();
  };
  // Whatever a callee does.
  EXPECT_TRUE(Captured("test.omp_outlined"));
  EXPECT_FALSE(Captured("test"));
}

TEST(InvariantLoads, StoresToFarMemoryChangeNothingElse) {
  EXPECT_TRUE(
      isHoisted(loopOver("  store i64 %i, ptr addrspace(100) %far\n" + Read,
                         {.Globals = "@g = global i64 0\n",
                          .Arguments = "ptr addrspace(100) %far"})));
}

/// True if %v, which begins as %n or as what \p Entry reads and then is what
/// \p Body reads again, is gone. An atomic access is in front of that.
bool isFolded(const std::string &Body, const std::string &Entry,
              const std::string &Start = "%before", bool IsReloadKept = false) {
  Hoisted H(loopOver("  %v = phi i64 [ " + Start +
                         ", %entry ], [ %again, %latch ]\n"
                         "  %p = getelementptr i64, ptr %a, i64 %v\n"
                         "  %old = atomicrmw add ptr %p, i64 1 monotonic\n" +
                         Body + "  %again = load i64, ptr @g\n",
                     {.Globals = Global, .Entry = Entry}));
  hoistInvariantLoads(H.F.context(), H.D, H.Locals);
  EXPECT_FALSE(verifyFunction(H.F.function(), &errs()));
  unsigned Phis = 0;
  bool IsKept = false;
  for (const Instruction &I : H.F.block("loop")) {
    Phis += isa<PHINode>(I);
    IsKept |= I.getName() == "again";
  }
  EXPECT_TRUE(IsKept || !IsReloadKept);
  return Phis == 1;
}

TEST(InvariantLoads, AVariableThatIsReadAgainForTheNextIterationIsTheSame) {
  const std::string ReadBefore = "  %before = load i64, ptr @g\n";
  EXPECT_TRUE(isFolded("", ReadBefore));
  // What is stored in front of the loop.
  EXPECT_TRUE(isFolded("", "  store i64 %n, ptr @g\n", "%n"));
  EXPECT_FALSE(isFolded("", ReadBefore + "  store i64 %n, ptr @g\n"));
  EXPECT_FALSE(isFolded("", "  store i64 %n, ptr @h\n", "%n"));
  // Another variable.
  EXPECT_FALSE(isFolded("", "  %before = load i64, ptr @h\n"));
  // The loop changes it.
  EXPECT_FALSE(isFolded("  store i64 %i, ptr @g\n", ReadBefore));
  EXPECT_FALSE(isFolded("  call void @act()\n", ReadBefore));
  // A copy to another place does not.
  const std::string CopyAnywhere =
      "  %q = load ptr, ptr %a\n"
      "  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %a, i64 8, i1 false)\n";
  EXPECT_TRUE(isFolded("  fence acquire\n" + CopyAnywhere, ReadBefore,
                       "%before", /*IsReloadKept=*/true));
  // An iteration that has waited for another thread reads anew.
  EXPECT_TRUE(isFolded("  fence acquire\n", ReadBefore, "%before",
                       /*IsReloadKept=*/true));
}

/// A loop up to what %x reads in its latch, behind \p Body.
bool isBoundHoisted(const std::string &Body, const std::string &Use = "") {
  return isHoisted(Global +
                   "define void @test(ptr noalias %a, ptr %b) {\n"
                   "entry:\n"
                   "  br label %loop\n"
                   "loop:\n"
                   "  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n"
                   "  %place = getelementptr i64, ptr %b, i64 %i\n" +
                   Body +
                   "  %i.next = add i64 %i, 1\n"
                   "  %x = load i64, ptr @g\n" +
                   Use +
                   "  %more = icmp slt i64 %i.next, %x\n"
                   "  br i1 %more, label %loop, label %exit\n"
                   "exit:\n"
                   "  ret void\n"
                   "}\n");
}

TEST(InvariantLoads, NoIterationChangesTheBoundOfTheLoop) {
  EXPECT_TRUE(isBoundHoisted("  store i64 %i, ptr %place\n"));
  EXPECT_FALSE(isBoundHoisted("  store i64 %i, ptr @g\n"));
  EXPECT_FALSE(isBoundHoisted("  call void @act()\n"));
  // The iteration itself uses what it has written.
  EXPECT_FALSE(isBoundHoisted("  store i64 %i, ptr %place\n",
                              "  store i64 %x, ptr %a\n"));
}

} // namespace
