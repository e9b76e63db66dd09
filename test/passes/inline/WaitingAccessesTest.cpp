// WaitingAccesses: where functions wait for memory.

#include "inline/WaitingAccesses.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// A loop that calls @act, whose body and parameters are given.
struct Callee {
  ParsedFunction F;
  const Function &Act;

  explicit Callee(const std::string &Body, const std::string &Others = "")
      : F(loopOver("  call void @act(ptr %a, i64 %i)\n",
                   {.Globals = "@fixed = constant [8 x i64] zeroinitializer\n"
                               "define void @act(ptr %p, i64 %k) {\n" +
                               Body + "}\n" + Others})),
        Act(*F.instruction<CallInst>().getCalledFunction()) {}

  /// The places if all arguments are as \p Known says.
  unsigned places(Foresight Known) const {
    return waitingPlaces(Act, [=](const Argument &) { return Known; });
  }
};

TEST(WaitingAccessesTest, foreseenAddressesDoNotWait) {
  Callee C("  %a = getelementptr i64, ptr %p, i64 %k\n"
           "  %x = load i64, ptr %a\n"
           "  ret void\n");
  EXPECT_EQ(C.places(Foresight::Foreseen), 0u);
  EXPECT_EQ(C.places(Foresight::None), 1u);
  EXPECT_TRUE(mayWait(C.Act));
}

TEST(WaitingAccessesTest, addressesThatAreLoadedWait) {
  Callee C("  %q = load ptr, ptr %p\n"
           "  %x = load i64, ptr %q\n"
           "  ret void\n");
  EXPECT_EQ(C.places(Foresight::Foreseen), 1u);
  EXPECT_EQ(C.places(Foresight::None), 2u);
}

// The end of a vector is in the cache. A walk from a root is not.
TEST(WaitingAccessesTest, stateThatIterationsShareDoesNotWait) {
  Callee C("  %f = getelementptr inbounds i8, ptr %p, i64 8\n"
           "  %end = load ptr, ptr %f\n"
           "  store i64 %k, ptr %end\n"
           "  %x = load i64, ptr %end\n"
           "  %a = getelementptr i64, ptr %end, i64 %x\n"
           "  store i64 %k, ptr %a\n"
           "  ret void\n");
  EXPECT_EQ(C.places(Foresight::Same), 0u);
  EXPECT_EQ(C.places(Foresight::Foreseen), 2u);
  Callee Walk("  br label %w\n"
              "w:\n"
              "  %n = phi ptr [ %p, %0 ], [ %next, %w ]\n"
              "  %next = load ptr, ptr %n\n"
              "  %c = icmp eq ptr %next, null\n"
              "  br i1 %c, label %e, label %w\n"
              "e:\n"
              "  ret void\n");
  EXPECT_EQ(Walk.places(Foresight::Same), 1u);
}

TEST(WaitingAccessesTest, hashesWait) {
  Callee C("  %h = xor i64 %k, 77\n"
           "  %a = getelementptr i64, ptr %p, i64 %h\n"
           "  %x = load i64, ptr %a\n"
           "  ret void\n");
  EXPECT_EQ(C.places(Foresight::Foreseen), 1u);
}

TEST(WaitingAccessesTest, fieldsOfOneObjectAreOnePlace) {
  Callee C("  %q = load ptr, ptr %p\n"
           "  %a = getelementptr inbounds i8, ptr %q, i64 8\n"
           "  %b = getelementptr inbounds i8, ptr %q, i64 16\n"
           "  %x = load i64, ptr %a\n"
           "  store i64 %x, ptr %b\n"
           "  ret void\n");
  EXPECT_EQ(C.places(Foresight::Foreseen), 1u);
}

TEST(WaitingAccessesTest, ownVariablesAndConstantsDoNotWait) {
  Callee C("  %v = alloca [8 x i64]\n"
           "  %n = load i64, ptr %v\n"
           "  %a = getelementptr i64, ptr %v, i64 %n\n"
           "  %x = load i64, ptr %a\n"
           "  %b = getelementptr i64, ptr @fixed, i64 %n\n"
           "  %y = load i64, ptr %b\n"
           "  ret void\n");
  EXPECT_EQ(C.places(Foresight::None), 0u);
  EXPECT_FALSE(mayWait(C.Act));
}

TEST(WaitingAccessesTest, calleesOfCalleesMayWait) {
  Callee C("  call void @further(ptr %p)\n"
           "  ret void\n",
           "define void @further(ptr %p) {\n"
           "  %x = load i64, ptr %p\n"
           "  ret void\n"
           "}\n");
  EXPECT_EQ(C.places(Foresight::None), 0u);
  EXPECT_TRUE(mayWait(C.Act));
  EXPECT_TRUE(calleesMayWait(C.Act));
  EXPECT_TRUE(mayWaitUnseen(C.F.instruction<CallInst>()));
  EXPECT_FALSE(isRecursive(C.Act));
}

TEST(WaitingAccessesTest, recursionIsFoundThroughOthers) {
  Callee C("  call void @further(ptr %p)\n"
           "  ret void\n",
           "define void @further(ptr %p) {\n"
           "  call void @act(ptr %p, i64 1)\n"
           "  ret void\n"
           "}\n");
  EXPECT_TRUE(isRecursive(C.Act));
  EXPECT_FALSE(mayWait(C.Act));
}

TEST(WaitingAccessesTest, declaredFunctionsMayWait) {
  auto MayWait = [](const std::string &Name, const std::string &Attributes) {
    ParsedFunction F(loopOver(
        "  call void @" + Name + "(ptr %a)\n",
        {.Globals = "declare void @" + Name + "(ptr) " + Attributes + "\n"}));
    return mayWaitUnseen(F.instruction<CallInst>());
  };
  EXPECT_TRUE(MayWait("other", ""));
  EXPECT_TRUE(MayWait("other", "memory(argmem: read)"));
  EXPECT_FALSE(MayWait("other", "memory(none)"));
  EXPECT_FALSE(MayWait("other", "memory(write)"));
  EXPECT_FALSE(MayWait("other", "memory(inaccessiblemem: readwrite)"));
  EXPECT_FALSE(MayWait("other", "noreturn"));
  EXPECT_FALSE(MayWait("pthread_mutex_lock", ""));
  EXPECT_FALSE(MayWait("__kmpc_barrier", ""));
}

TEST(WaitingAccessesTest, operandsOfTheLoopAreNotForeseenIfTheyAreLoaded) {
  ParsedFunction F(loopOver("  %o = getelementptr i64, ptr %a, i64 %i\n"
                            "  %x = load i64, ptr %o\n"
                            "  %e = getelementptr i64, ptr %b, i64 %x\n"
                            "  %y = load i64, ptr %e\n"));
  EXPECT_EQ(foresight(&F.value("e"), F.loop()), Foresight::None);
  EXPECT_EQ(foresight(&F.value("o"), F.loop()), Foresight::Foreseen);
  EXPECT_EQ(waitingPlaces(F.loop()), 1u);
}

} // namespace
