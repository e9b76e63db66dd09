// BodyCopy: a function's body is restored, or stays as it is.

#include "loop/BodyCopy.h"
#include "support/ParsedFunction.h"
#include "llvm/IR/IRBuilder.h"

using namespace heddle;
using namespace llvm;

namespace {

std::string textOf(const Function &F) {
  std::string Text;
  raw_string_ostream(Text) << F;
  return Text;
}

const std::string Loop =
    loopOver(UnpredictablePlace + "  %x = load i64, ptr %place\n"
                                  "  store i64 %x, ptr %index.place\n");

/// Removes a store, and adds an instruction and a block.
void change(ParsedFunction &F) {
  F.instruction<StoreInst>().eraseFromParent();
  IRBuilder<> B(&F.block("loop"), F.block("loop").getFirstInsertionPt());
  B.CreateStore(B.CreateAdd(&F.argument(3), B.getInt64(1), "x"),
                &F.argument(0));
  F.block("latch").splitBasicBlock(F.block("latch").begin(), "latch");
}

TEST(BodyCopy, RestoresTheBodyThatWasCopied) {
  ParsedFunction F(Loop);
  const std::string Before = textOf(F.function());
  {
    BodyCopy Copy(F.function());
    change(F);
    EXPECT_NE(textOf(F.function()), Before);
    Copy.restore();
  }
  EXPECT_EQ(textOf(F.function()), Before);
  EXPECT_FALSE(verifyFunction(F.function(), &errs()));
}

TEST(BodyCopy, LeavesTheBodyThatIsToStay) {
  ParsedFunction F(Loop);
  BodyCopy Copy(F.function());
  change(F);
  const std::string Changed = textOf(F.function());
  Copy.discard();
  EXPECT_EQ(textOf(F.function()), Changed);
  EXPECT_FALSE(verifyFunction(F.function(), &errs()));
}

TEST(BodyCopy, TheCopyIsNoUserOfTheArguments) {
  ParsedFunction F(Loop);
  const unsigned Uses = F.argument(0).getNumUses();
  BodyCopy Copy(F.function());
  EXPECT_EQ(F.argument(0).getNumUses(), Uses);
}

TEST(BodyCopy, FindsWhatHasTakenAPlace) {
  ParsedFunction F(Loop);
  Instruction *X = &F.value("x");
  BasicBlock *Latch = &F.block("latch");
  BodyCopy Copy(F.function());
  Copy.restore();
  EXPECT_NE(Copy.restored(X), X);
  EXPECT_EQ(Copy.restored(X), &F.value("x"));
  EXPECT_EQ(Copy.restored(Latch), &F.block("latch"));
}

TEST(BodyCopy, TablesOfLabelsLeadToTheRestoredBlocks) {
  ParsedFunction F("@table = constant [2 x ptr] [ptr blockaddress(@test, %one),"
                   " ptr blockaddress(@test, %two)]\n"
                   "define void @test(ptr %to) {\n"
                   "entry:\n"
                   "  %known = icmp eq ptr %to, blockaddress(@test, %one)\n"
                   "  indirectbr ptr %to, [label %one, label %two]\n"
                   "one:\n"
                   "  ret void\n"
                   "two:\n"
                   "  ret void\n"
                   "}\n");
  const std::string Before = textOf(F.function());
  {
    BodyCopy Copy(F.function());
    Copy.restore();
  }
  EXPECT_EQ(textOf(F.function()), Before);
  const Constant *Table = F.global("table").getInitializer();
  EXPECT_EQ(cast<BlockAddress>(Table->getOperand(0))->getBasicBlock(),
            &F.block("one"));
  EXPECT_EQ(cast<BlockAddress>(Table->getOperand(1))->getBasicBlock(),
            &F.block("two"));
}

} // namespace
