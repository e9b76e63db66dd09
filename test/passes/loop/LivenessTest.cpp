// Liveness: the values of some blocks that are needed in others.

#include "loop/Liveness.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

struct Live {
  ParsedFunction F;
  Liveness Found;

  /// Analyses all blocks of the function but the first and the last.
  explicit Live(const std::string &IR) : F(IR), Found(body(F)) {}

  static SmallVector<BasicBlock *> body(ParsedFunction &F) {
    SmallVector<BasicBlock *> Blocks;
    for (BasicBlock &Block : F.function())
      Blocks.push_back(&Block);
    return {Blocks.begin() + 1, Blocks.end() - 1};
  }

  bool isLive(StringRef Value, StringRef Block) {
    return Found.into(&F.block(Block)).contains(&F.value(Value));
  }
};

TEST(Liveness, AValueIsLiveFromItsDefinitionToItsUses) {
  Live L(loopOver("  %x = mul i64 %i, 3\n"
                  "  br label %second\n"
                  "second:\n"
                  "  br label %third\n"
                  "third:\n"
                  "  %out = getelementptr i64, ptr %a, i64 %x\n"
                  "  store i64 0, ptr %out\n"));
  EXPECT_FALSE(L.isLive("x", "loop"));
  EXPECT_TRUE(L.isLive("x", "second"));
  EXPECT_TRUE(L.isLive("x", "third"));
  EXPECT_FALSE(L.isLive("x", "latch"));
  EXPECT_TRUE(L.isLive("i", "latch"));
}

TEST(Liveness, APhiUsesItsOperandAtTheEndOfThePredecessor) {
  Live L(loopOver("  %x = mul i64 %i, 3\n"
                  "  %odd = trunc i64 %i to i1\n"
                  "  br i1 %odd, label %then, label %else\n"
                  "then:\n"
                  "  br label %join\n"
                  "else:\n"
                  "  br label %join\n"
                  "join:\n"
                  "  %y = phi i64 [ %x, %then ], [ 0, %else ]\n"
                  "  %out = getelementptr i64, ptr %a, i64 %y\n"
                  "  store i64 0, ptr %out\n"));
  EXPECT_TRUE(L.isLive("x", "then"));
  EXPECT_FALSE(L.isLive("x", "else"));
  EXPECT_FALSE(L.isLive("x", "join"));
  EXPECT_FALSE(L.isLive("y", "join"));
}

TEST(Liveness, AValueThatALoopUsesIsLiveAroundIt) {
  Live L(loopOver("  %x = mul i64 %i, 3\n"
                  "  br label %inner\n"
                  "inner:\n"
                  "  %j = phi i64 [ 0, %loop ], [ %j.next, %back ]\n"
                  "  %out = getelementptr i64, ptr %a, i64 %x\n"
                  "  store i64 %j, ptr %out\n"
                  "  br label %back\n"
                  "back:\n"
                  "  %j.next = add i64 %j, 1\n"
                  "  %last = icmp eq i64 %j.next, 8\n"
                  "  br i1 %last, label %rest, label %inner\n"
                  "rest:\n"));
  EXPECT_TRUE(L.isLive("x", "inner"));
  EXPECT_TRUE(L.isLive("x", "back"));
  EXPECT_FALSE(L.isLive("x", "rest"));
}

TEST(Liveness, ValuesOfOtherBlocksDoNotCount) {
  Live L("define void @test(ptr %a, i64 %n) {\n"
         "entry:\n"
         "  %outside = mul i64 %n, 3\n"
         "  br label %loop\n"
         "loop:\n"
         "  br label %second\n"
         "second:\n"
         "  store i64 %outside, ptr %a\n"
         "  br label %exit\n"
         "exit:\n"
         "  ret void\n"
         "}\n");
  EXPECT_TRUE(L.Found.into(&L.F.block("second")).empty());
}

} // namespace
