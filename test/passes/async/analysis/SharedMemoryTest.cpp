// findOrderedAccesses(): variables in memory that iterations access in order.

#include "async/analysis/SharedMemory.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// The number of accesses in \p IR that must happen in iteration order, with
/// the variables \p Named in a clause.
size_t ordered(const std::string &IR, StringRef Named = "") {
  ParsedFunction F(IR);
  Directive D;
  if (!Named.empty())
    D.Shared.push_back(&F.global(Named));
  return findOrderedAccesses(F.context(), D, TaskLocals()).size();
}

const std::string Global = "@g = global i64 0\n"
                           "@array = global [64 x i64] zeroinitializer\n";

const std::string Update = "  %x = load i64, ptr @g\n"
                           "  %sum = add i64 %x, %i\n"
                           "  store i64 %sum, ptr @g\n";

TEST(SharedMemory, CommutativeUpdatesHappenInAnyOrder) {
  EXPECT_EQ(ordered(loopOver(Update, Global)), 0u);
}

TEST(SharedMemory, AnUpdateWhoseValueIsUsedIsOrdered) {
  EXPECT_EQ(
      ordered(loopOver(Update + "  %p = getelementptr i64, ptr %a, i64 %i\n"
                                "  store i64 %sum, ptr %p\n",
                       Global)),
      2u);
}

TEST(SharedMemory, OtherOperationsAreOrdered) {
  EXPECT_EQ(ordered(loopOver("  %x = load i64, ptr @g\n"
                             "  %y = sub i64 %i, %x\n"
                             "  store i64 %y, ptr @g\n",
                             Global)),
            2u);
}

TEST(SharedMemory, AFlagThatAllSetAlikeIsNotOrdered) {
  EXPECT_EQ(ordered(loopOver("  store i64 1, ptr @g\n", Global)), 0u);
  EXPECT_EQ(ordered(loopOver("  store i64 %i, ptr @g\n", Global)), 1u);
  const std::string Once = "  store i64 1, ptr @g\n";
  EXPECT_EQ(ordered(loopOver(Once + Once, Global)), 0u);
  EXPECT_EQ(ordered(loopOver(Once + "  store i64 2, ptr @g\n", Global)), 2u);
}

TEST(SharedMemory, AVariableInAClauseIsTheUsersBusiness) {
  EXPECT_EQ(ordered(loopOver("  store i64 %i, ptr @g\n", Global), "g"), 0u);
}

TEST(SharedMemory, AtomicAccessesAreNotOrdered) {
  EXPECT_EQ(ordered(loopOver("  store atomic i64 %i, ptr @g monotonic, "
                             "align 8\n",
                             Global)),
            0u);
}

TEST(SharedMemory, ElementsOfOneIterationAreNotOrdered) {
  EXPECT_EQ(ordered(loopOver("  %p = getelementptr i64, ptr %a, i64 %i\n"
                             "  store i64 %i, ptr %p\n"
                             "  %x = load i64, ptr %p\n")),
            0u);
}

/// An inner loop that fills @array, from which the iteration then reads.
const std::string Scratch = "  br label %inner\n"
                            "inner:\n"
                            "  %j = phi i64 [ 0, %loop ], [ %j.next, %inner ]\n"
                            "  %p = getelementptr i64, ptr @array, i64 %j\n"
                            "  store i64 %i, ptr %p\n"
                            "  %j.next = add nuw nsw i64 %j, 1\n"
                            "  %last = icmp eq i64 %j.next, 64\n"
                            "  br i1 %last, label %rest, label %inner\n"
                            "rest:\n"
                            "  %slot = and i64 %i, 63\n"
                            "  %q = getelementptr i64, ptr @array, i64 %slot\n"
                            "  %x = load i64, ptr %q\n";

TEST(SharedMemory, AnArrayThatEachIterationFillsIsScratchSpace) {
  EXPECT_EQ(ordered(loopOver(Scratch, Global)), 2u);
}

/// \p Loop behind the call that gives the thread its iterations, from or to
/// the bounds that it has if \p Bound is one of the loop's.
std::string shared(std::string Loop, const std::string &Bound) {
  const std::string Call =
      "  %first = alloca i64\n"
      "  %last = alloca i64\n"
      "  %stride = alloca i64\n"
      "  call void @__kmpc_for_static_init_8u(ptr null, i32 0, i32 34, ptr "
      "null, ptr %first, ptr %last, ptr %stride, i64 1, i64 1)\n"
      "  %low = load i64, ptr %first\n"
      "  %high = load i64, ptr %last\n";
  Loop.insert(Loop.find("  br label %loop"), Call);
  if (!Bound.empty()) {
    const size_t Compare = Loop.rfind("%n");
    Loop.replace(Compare, 2, Bound);
  }
  return Loop;
}

TEST(SharedMemory, ThreadsOfAWorksharingLoopHaveNoOrder) {
  const std::string Loop =
      loopOver("  store i64 %i, ptr @g\n",
               Global + "declare void @__kmpc_for_static_init_8u(ptr, i32, "
                        "i32, ptr, ptr, ptr, ptr, i64, i64)\n");
  EXPECT_EQ(ordered(Loop), 1u);
  EXPECT_EQ(ordered(shared(Loop, "%high")), 0u);
  // A loop in an iteration of the one that threads share.
  EXPECT_EQ(ordered(shared(Loop, "")), 1u);
}

} // namespace
