// Clamps: which expressions keep a number between two constants. An expression
// is one only if it is so for every number.

#include "ir/Clamps.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// What `%y` is, computed from `%x` by \p Lines.
std::optional<std::pair<int64_t, int64_t>> limits(const std::string &Lines,
                                                  const char *Type = "i32") {
  std::string Text = "define T @test(T %x) {\n" + Lines + "  ret T %y\n}\n";
  for (const char *Operation : {"smax", "smin"})
    Text +=
        "declare T @llvm." + std::string(Operation) + "." + Type + "(T, T)\n";
  for (size_t At; (At = Text.find('T')) != std::string::npos;)
    Text.replace(At, 1, Type);
  ParsedFunction F(Text);
  auto Found = clampOf(F.value("y"));
  if (!Found || Found->Number != &F.argument(0))
    return std::nullopt;
  return std::pair(Found->Least.getSExtValue(), Found->Most.getSExtValue());
}

std::pair<int64_t, int64_t> between(int64_t Least, int64_t Most) {
  return {Least, Most};
}

std::string call(const char *Operation, const char *Operand, const char *Limit,
                 const char *Result, const std::string &Type = "i32") {
  return "  %" + std::string(Result) + " = call " + Type + " @llvm." +
         Operation + "." + Type + "(" + Type + " %" + Operand + ", " + Type +
         " " + Limit + ")\n";
}

TEST(Clamps, TakesGreatestAndLeast) {
  EXPECT_EQ(limits(call("smax", "x", "10", "y")), between(10, INT32_MAX));
  EXPECT_EQ(
      limits(call("smax", "x", "10", "z") + call("smin", "z", "100", "y")),
      between(10, 100));
  EXPECT_EQ(limits("  %c = icmp sgt i32 %x, 10\n"
                   "  %y = select i1 %c, i32 %x, i32 10\n"),
            between(10, INT32_MAX));
}

TEST(Clamps, TakesSelectsNextToTheEndsOfTheType) {
  EXPECT_EQ(limits("  %c = icmp eq i8 %x, 127\n"
                   "  %y = select i1 %c, i8 127, i8 126\n",
                   "i8"),
            between(126, 127));
  EXPECT_EQ(limits("  %c = icmp eq i8 %x, 127\n"
                   "  %z = zext i1 %c to i8\n"
                   "  %y = or disjoint i8 %z, 126\n",
                   "i8"),
            between(126, 127));
}

/// Both agree with a clamp but for few numbers.
TEST(Clamps, RefusesWhatDiffersFarFromTheConstants) {
  // 40 becomes 41.
  EXPECT_EQ(limits("  %m = mul i32 %x, 5\n"
                   "  %c = icmp eq i32 %m, 200\n" +
                   call("smax", "x", "10", "z") +
                   "  %d = zext i1 %c to i32\n  %y = add i32 %z, %d\n"),
            std::nullopt);
  EXPECT_EQ(limits("  %o = xor i32 %x, 1431655765\n"
                   "  %c = icmp eq i32 %o, 286331153\n"
                   "  %z = select i1 %c, i32 77, i32 %x\n" +
                   call("smax", "z", "10", "y")),
            std::nullopt);
  EXPECT_EQ(limits("  %o = and i32 %x, 4096\n"
                   "  %c = icmp ne i32 %o, 0\n"
                   "  %z = select i1 %c, i32 12, i32 %x\n" +
                   call("smax", "z", "10", "y")),
            std::nullopt);
  EXPECT_EQ(limits("  %o = lshr i32 %x, 20\n"
                   "  %c = icmp eq i32 %o, 77\n"
                   "  %z = select i1 %c, i32 12, i32 %x\n" +
                   call("smax", "z", "10", "y")),
            std::nullopt);
}

/// The sum of two constants is where it differs.
TEST(Clamps, LooksAtSums) {
  EXPECT_EQ(limits("  %s = add i32 %x, 70000\n"
                   "  %c = icmp eq i32 %s, 1000000\n"
                   "  %z = select i1 %c, i32 12, i32 %x\n" +
                   call("smax", "z", "10", "y")),
            std::nullopt);
  EXPECT_EQ(limits("  %s = add i32 %x, 70000\n"
                   "  %t = add i32 %s, 5000\n"
                   "  %c = icmp eq i32 %t, 1000000\n"
                   "  %z = select i1 %c, i32 12, i32 %x\n" +
                   call("smax", "z", "10", "y")),
            std::nullopt);
  // Between 5 and 15, without a sign.
  EXPECT_EQ(limits("  %s = add i32 %x, -5\n"
                   "  %c = icmp ult i32 %s, 11\n"
                   "  %b = icmp ult i32 %x, 5\n"
                   "  %e = select i1 %b, i32 5, i32 15\n"
                   "  %y = select i1 %c, i32 %x, i32 %e\n"),
            between(5, 15));
}

} // namespace
