// Registers: which variables become registers.

#include "ir/Registers.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

TEST(Registers, AVariableThatIsWrittenToWithoutABranchStaysInMemory) {
  ParsedFunction F("define i64 @test(i1 %c, i64 %x) {\n"
                   "  %plain = alloca i64\n"
                   "  %chosen = alloca i64\n"
                   "  %other = alloca i64\n"
                   "  %unused = alloca i64\n"
                   "  store i64 %x, ptr %plain\n"
                   "  store i64 0, ptr %chosen\n"
                   "  %place = select i1 %c, ptr %chosen, ptr %other\n"
                   "  store i64 %x, ptr %place\n"
                   "  %a = load i64, ptr %plain\n"
                   "  %b = load i64, ptr %chosen\n"
                   "  %sum = add i64 %a, %b\n"
                   "  ret i64 %sum\n"
                   "}\n");
  SmallVector<AllocaInst *> Variables;
  for (StringRef Name : {"plain", "chosen", "unused"})
    Variables.push_back(cast<AllocaInst>(&F.value(Name)));
  promoteRegisters(F.function(), Variables);
  EXPECT_FALSE(verifyFunction(F.function(), &errs()));
  SmallVector<StringRef> Left;
  for (const Instruction &I : instructions(F.function()))
    if (isa<AllocaInst>(I))
      Left.push_back(I.getName());
  EXPECT_EQ(Left, (SmallVector<StringRef>{"chosen", "other"}));
}

} // namespace
