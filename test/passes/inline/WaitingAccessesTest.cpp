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

  /// The places if \p Unforeseen says which parameters are.
  unsigned places(bool Unforeseen) const {
    return waitingPlaces(Act, [=](const Argument &) { return Unforeseen; });
  }
};

TEST(WaitingAccessesTest, foreseenAddressesDoNotWait) {
  Callee C("  %a = getelementptr i64, ptr %p, i64 %k\n"
           "  %x = load i64, ptr %a\n"
           "  ret void\n");
  EXPECT_EQ(C.places(false), 0u);
  EXPECT_EQ(C.places(true), 1u);
  EXPECT_TRUE(mayWait(C.Act));
}

TEST(WaitingAccessesTest, addressesThatAreLoadedWait) {
  Callee C("  %q = load ptr, ptr %p\n"
           "  %x = load i64, ptr %q\n"
           "  ret void\n");
  EXPECT_EQ(C.places(false), 1u);
  EXPECT_EQ(C.places(true), 2u);
}

TEST(WaitingAccessesTest, hashesWait) {
  Callee C("  %h = xor i64 %k, 77\n"
           "  %a = getelementptr i64, ptr %p, i64 %h\n"
           "  %x = load i64, ptr %a\n"
           "  ret void\n");
  EXPECT_EQ(C.places(false), 1u);
}

TEST(WaitingAccessesTest, fieldsOfOneObjectAreOnePlace) {
  Callee C("  %q = load ptr, ptr %p\n"
           "  %a = getelementptr inbounds i8, ptr %q, i64 8\n"
           "  %b = getelementptr inbounds i8, ptr %q, i64 16\n"
           "  %x = load i64, ptr %a\n"
           "  store i64 %x, ptr %b\n"
           "  ret void\n");
  EXPECT_EQ(C.places(false), 1u);
}

TEST(WaitingAccessesTest, ownVariablesAndConstantsDoNotWait) {
  Callee C("  %v = alloca [8 x i64]\n"
           "  %n = load i64, ptr %v\n"
           "  %a = getelementptr i64, ptr %v, i64 %n\n"
           "  %x = load i64, ptr %a\n"
           "  %b = getelementptr i64, ptr @fixed, i64 %n\n"
           "  %y = load i64, ptr %b\n"
           "  ret void\n");
  EXPECT_EQ(C.places(true), 0u);
  EXPECT_FALSE(mayWait(C.Act));
}

TEST(WaitingAccessesTest, calleesOfCalleesMayWait) {
  Callee C("  call void @further(ptr %p)\n"
           "  ret void\n",
           "define void @further(ptr %p) {\n"
           "  %x = load i64, ptr %p\n"
           "  ret void\n"
           "}\n");
  EXPECT_EQ(C.places(true), 0u);
  EXPECT_TRUE(mayWait(C.Act));
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

TEST(WaitingAccessesTest, operandsOfTheLoopAreUnforeseenIfTheyAreLoaded) {
  ParsedFunction F(loopOver("  %o = getelementptr i64, ptr %a, i64 %i\n"
                            "  %x = load i64, ptr %o\n"
                            "  %e = getelementptr i64, ptr %b, i64 %x\n"
                            "  %y = load i64, ptr %e\n"));
  EXPECT_TRUE(isUnforeseen(&F.value("e"), F.loop()));
  EXPECT_FALSE(isUnforeseen(&F.value("o"), F.loop()));
  EXPECT_EQ(waitingPlaces(F.loop()), 1u);
}

} // namespace
