// What functions of other files leave as it is.

#include "async/places/ArrayPointers.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

const std::string Declarations = "@g = global [4 x ptr] zeroinitializer\n"
                                 "@k = constant [4 x i64] zeroinitializer\n"
                                 "declare i64 @hash(...) nounwind\n";

/// What finds an element of the array that begins at %p.
const std::string Element = "  %e = getelementptr i64, ptr %p, i64 %x\n"
                            "  %v = load i64, ptr %e\n";

/// True if the call %x of hash() with \p Arguments leaves %p, which is read
/// from \p Variable and used by \p Uses , as it is.
bool leaves(const std::string &Arguments, const std::string &Uses = Element,
            const std::string &Variable = "%object",
            const std::string &Type = "ptr") {
  ParsedFunction F(
      loopOver("  %p = load " + Type + ", ptr " + Variable + "\n" +
                   "  %row = getelementptr ptr, ptr %rows, i64 %i\n"
                   "  %node = load ptr, ptr %row\n"
                   "  %x = call i64 (...) @hash(" +
                   Arguments + ")\n" + Uses,
               {.Globals = Declarations,
                .Entry = "  %own = alloca [2 x i64]\n"
                         "  %pair = alloca { ptr, i64 }\n"
                         "  store ptr %object, ptr %pair\n"
                         "  %filled = alloca { ptr, i64 }\n"
                         "  call i64 (...) @hash(ptr %filled, ptr %other)\n",
                .Arguments = "ptr %object, ptr %rows, ptr %other"}));
  return leavesArray(cast<CallBase>(F.value("x")), cast<LoadInst>(F.value("p")),
                     F.loop());
}

TEST(ArrayPointers, WhoIsNotHandedAnObjectLeavesItsArrays) {
  EXPECT_TRUE(leaves("i64 %i"));
  EXPECT_TRUE(leaves("ptr %row"));
  EXPECT_TRUE(leaves("ptr %node, ptr null"));
  EXPECT_TRUE(leaves("ptr %own, ptr @k"));
}

TEST(ArrayPointers, WhoIsHandedWhatLeadsThereDoesNot) {
  EXPECT_FALSE(leaves("ptr %object"));
  EXPECT_FALSE(leaves("i64 %i, ptr %other"));
  EXPECT_FALSE(leaves("ptr %pair"));
  EXPECT_FALSE(leaves("ptr %filled"));
  EXPECT_FALSE(leaves("ptr @g"));
  EXPECT_FALSE(leaves("ptr @hash"));
}

TEST(ArrayPointers, GlobalVariablesMayBeKnown) {
  EXPECT_FALSE(leaves("i64 %i", Element, "@g"));
}

TEST(ArrayPointers, WhatIsCalledForItsEffectHasOne) {
  const std::string Other = "  %e = getelementptr i64, ptr %p, i64 %i\n"
                            "  %v = load i64, ptr %e\n";
  EXPECT_FALSE(leaves("i64 %i", Other));
  EXPECT_TRUE(leaves("ptr %node", Other));
}

TEST(ArrayPointers, ObjectsAndEndsOfListsAreNoArrays) {
  EXPECT_FALSE(leaves("i64 %i", "  store i64 %x, ptr %p\n"));
  EXPECT_FALSE(leaves("i64 %i", "  %e = getelementptr i64, ptr %p, i64 1\n"
                                "  store i64 %x, ptr %e\n"));
  EXPECT_FALSE(leaves("i64 %i", "  store ptr %p, ptr %rows\n"));
  EXPECT_FALSE(leaves("ptr %row", "  %c = icmp eq ptr %p, null\n"));
  EXPECT_FALSE(leaves("i64 %i", Element + "  %q = load ptr, ptr %object\n"
                                          "  store i64 %x, ptr %q\n"));
  EXPECT_TRUE(leaves("ptr %row", "  %c = icmp eq ptr %p, %row\n"));
}

TEST(ArrayPointers, LengthsMapNumbersToIndices) {
  auto LeavesLength = [](const std::string &Uses) {
    return leaves("i64 %i", Uses, "%object", "i64");
  };
  EXPECT_TRUE(LeavesLength("  %s = urem i64 %x, %p\n"));
  EXPECT_TRUE(LeavesLength("  %m = add i64 %p, -1\n"
                           "  %s = and i64 %x, %m\n"));
  EXPECT_TRUE(LeavesLength("  %c = icmp ult i64 %x, %p\n"));
  EXPECT_FALSE(LeavesLength("  %c = icmp eq i64 %p, 0\n"
                            "  %s = select i1 %c, i64 %x, i64 %i\n"));
  EXPECT_FALSE(LeavesLength("  %s = add i64 %x, %p\n"));
  EXPECT_FALSE(LeavesLength("  %s = udiv i64 %p, %x\n"));
}

} // namespace
