// Ownership: read-modify-writes of far memory that one task at a time does.

#include "async/regions/Ownership.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// A loop with \p Body over arrays %far and %other in far memory and %near.
std::string farLoop(const std::string &Body) {
  return loopOver(
      "  %index.place = getelementptr i64, ptr %near, i64 %i\n"
      "  %index = load i64, ptr %index.place\n"
      "  %place = getelementptr i64, ptr addrspace(100) %far, i64 %index\n" +
          Body,
      {.Globals = "declare void @act(ptr addrspace(100))\n",
       .Arguments = "ptr addrspace(100) noalias %far, ptr addrspace(100) "
                    "noalias %other, ptr %near"});
}

/// True if the load %x and the first store are a modification to own.
bool canBeOwned(const std::string &IR) {
  ParsedFunction F(IR);
  return canBeOwned(
      {cast<LoadInst>(&F.value("x")), &F.instruction<StoreInst>()}, F.context(),
      Directive());
}

const std::string Load =
    "  %x = load i64, ptr addrspace(100) %place, align 8\n";
const std::string Store =
    "  %sum = add i64 %x, 1\n"
    "  store i64 %sum, ptr addrspace(100) %place, align 8\n";

TEST(Ownership, ACounterInFarMemoryCanBeOwned) {
  EXPECT_TRUE(canBeOwned(farLoop(Load + Store)));
}

TEST(Ownership, NearMemoryIsNotOwned) {
  EXPECT_FALSE(canBeOwned(loopOver(UnpredictablePlace +
                                   "  %x = load i64, ptr %place\n"
                                   "  %sum = add i64 %x, 1\n"
                                   "  store i64 %sum, ptr %place\n")));
}

TEST(Ownership, BothAccessesMustBeToOneAddress) {
  EXPECT_FALSE(canBeOwned(farLoop(
      Load + "  %next = getelementptr i64, ptr addrspace(100) %place, i64 1\n"
             "  store i64 %x, ptr addrspace(100) %next, align 8\n")));
}

TEST(Ownership, AtomicAndVolatileAccessesAreNotOwned) {
  EXPECT_FALSE(canBeOwned(
      farLoop("  %x = load volatile i64, ptr addrspace(100) %place, align 8\n" +
              Store)));
  EXPECT_FALSE(canBeOwned(farLoop(
      Load + "  %sum = add i64 %x, 1\n"
             "  store atomic i64 %sum, ptr addrspace(100) %place monotonic, "
             "align 8\n")));
}

TEST(Ownership, AnAccessThatMayCrossALineIsNotOwned) {
  EXPECT_FALSE(canBeOwned(farLoop(
      "  %x = load i64, ptr addrspace(100) %place, align 4\n" + Store)));
  EXPECT_FALSE(canBeOwned(farLoop(
      Load + "  %sum = add i64 %x, 1\n"
             "  store i64 %sum, ptr addrspace(100) %place, align 4\n")));
  auto Vector = [](unsigned Elements, unsigned Alignment) {
    const std::string Type = "<" + std::to_string(Elements) + " x i64>";
    const std::string Place = ", ptr addrspace(100) %place, align " +
                              std::to_string(Alignment) + "\n";
    return farLoop("  %x = load " + Type + Place + "  store " + Type + " %x" +
                   Place);
  };
  EXPECT_TRUE(canBeOwned(Vector(8, 64)));
  EXPECT_FALSE(canBeOwned(Vector(16, 128)));
}

TEST(Ownership, AStoreMustHaveItsLoadBeforeIt) {
  EXPECT_FALSE(canBeOwned(
      farLoop("  %odd = trunc i64 %i to i1\n"
              "  br i1 %odd, label %then, label %rest\n"
              "then:\n" +
              Load +
              "  br label %rest\n"
              "rest:\n"
              "  store i64 1, ptr addrspace(100) %place, align 8\n")));
}

TEST(Ownership, BothAccessesMustBeInOneLoop) {
  EXPECT_FALSE(canBeOwned(
      farLoop(Load + "  br label %inner\n"
                     "inner:\n"
                     "  %j = phi i64 [ 0, %loop ], [ %j.next, %inner ]\n"
                     "  store i64 %j, ptr addrspace(100) %place, align 8\n"
                     "  %j.next = add i64 %j, 1\n"
                     "  %last = icmp eq i64 %j.next, 8\n"
                     "  br i1 %last, label %rest, label %inner\n"
                     "rest:\n")));
}

TEST(Ownership, NothingElseMayStoreThere) {
  EXPECT_FALSE(canBeOwned(
      farLoop(Load + Store +
              "  %q = getelementptr i64, ptr addrspace(100) %far, i64 %i\n"
              "  store i64 0, ptr addrspace(100) %q\n")));
  EXPECT_FALSE(canBeOwned(farLoop(
      Load + Store +
      "  %old = atomicrmw add ptr addrspace(100) %far, i64 1 monotonic\n")));
  EXPECT_FALSE(canBeOwned(
      farLoop(Load + Store + "  call void @act(ptr addrspace(100) %far)\n")));
}

TEST(Ownership, StoresElsewhereDoNoHarm) {
  EXPECT_TRUE(canBeOwned(
      farLoop(Load + Store +
              "  %q = getelementptr i64, ptr addrspace(100) %other, i64 %i\n"
              "  store i64 0, ptr addrspace(100) %q\n")));
  // Near and far memory are disjoint.
  EXPECT_TRUE(canBeOwned(
      farLoop(Load + Store +
              "  %q = load ptr, ptr %index.place\n"
              "  store i64 0, ptr %q\n"
              "  call void @llvm.memset.p0.i64(ptr %q, i8 0, i64 64, i1 0)\n") +
      "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"));
  EXPECT_FALSE(canBeOwned(
      farLoop(Load + Store +
              "  call void @llvm.memset.p100.i64(ptr addrspace(100) %far, i8 "
              "0, i64 64, i1 0)\n") +
      "declare void @llvm.memset.p100.i64(ptr addrspace(100), i8, i64, i1)\n"));
}

} // namespace
