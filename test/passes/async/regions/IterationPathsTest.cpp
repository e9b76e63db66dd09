// IterationPaths: where control goes in one iteration.

#include "async/regions/IterationPaths.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

struct PathsOf {
  ParsedFunction F;
  const IterationPaths Paths;

  explicit PathsOf(const std::string &Body)
      : F(loopOver(Body)), Paths(F.loop()) {}

  bool reaches(StringRef From, StringRef To) {
    return Paths.reaches(&F.value(From), &F.value(To));
  }
  bool reaches(StringRef From, StringRef To, StringRef Avoiding) {
    const Instruction *End = &F.value(To), *Passed = &F.value(Avoiding);
    return Paths.reachesAvoiding(&F.value(From), End, Passed,
                                 Paths.blocksTo(End, Passed));
  }
};

TEST(IterationPaths, OneInstructionReachesAnotherWithinTheIteration) {
  PathsOf P("  %first = xor i64 %i, 1\n"
            "  %odd = trunc i64 %i to i1\n"
            "  br i1 %odd, label %then, label %else\n"
            "then:\n"
            "  %one = xor i64 %i, 2\n"
            "  br label %rest\n"
            "else:\n"
            "  %other = xor i64 %i, 3\n"
            "  br label %rest\n"
            "rest:\n"
            "  %last = xor i64 %i, 4\n");
  EXPECT_TRUE(P.reaches("first", "last"));
  EXPECT_TRUE(P.reaches("first", "odd"));
  EXPECT_FALSE(P.reaches("odd", "first"));
  EXPECT_FALSE(P.reaches("last", "first"));
  EXPECT_FALSE(P.reaches("last", "last"));
  EXPECT_FALSE(P.reaches("one", "other"));
  EXPECT_TRUE(P.reaches("first", "last", "one"));
  EXPECT_FALSE(P.reaches("first", "one", "odd"));
  EXPECT_TRUE(P.reaches("one", "last", "first"));
}

TEST(IterationPaths, AnInnerLoopComesBack) {
  PathsOf P("  %before = xor i64 %i, 1\n"
            "  br label %inner\n"
            "inner:\n"
            "  %first = xor i64 %i, 2\n"
            "  %odd = trunc i64 %i to i1\n"
            "  br i1 %odd, label %then, label %next\n"
            "then:\n"
            "  %one = xor i64 %i, 3\n"
            "  br label %next\n"
            "next:\n"
            "  %last = xor i64 %i, 4\n"
            "  %again = icmp ult i64 %last, 9\n"
            "  br i1 %again, label %inner, label %rest\n"
            "rest:\n"
            "  %after = xor i64 %i, 5\n");
  EXPECT_TRUE(P.reaches("last", "first"));
  EXPECT_TRUE(P.reaches("first", "first"));
  EXPECT_FALSE(P.reaches("after", "first"));
  EXPECT_TRUE(P.reaches("last", "one", "before"));
  EXPECT_FALSE(P.reaches("last", "one", "first"));
  EXPECT_TRUE(P.reaches("last", "first", "one"));
  EXPECT_FALSE(P.reaches("before", "after", "last"));
  EXPECT_TRUE(P.reaches("first", "first", "one"));
}

} // namespace
