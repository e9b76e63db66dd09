// TaskLocals: which stack variables belong to one iteration.

#include "async/analysis/TaskLocals.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

const std::string Declarations = "declare void @use(ptr)\n"
                                 "@elsewhere = global i64 0\n";

/// A loop with a variable %v, with \p Entry in front of it.
std::string withVariable(const std::string &Body, const std::string &Entry = "",
                         const std::string &Exit = "ret void") {
  return loopOver(Body, {.Globals = Declarations,
                         .Entry = "  %v = alloca [4 x i64]\n" + Entry,
                         .Exit = Exit});
}

struct Found {
  ParsedFunction F;
  Directive D;
  TaskLocals Locals;

  explicit Found(const std::string &IR) : F(IR) {}

  /// True if %v is found to be each task's own.
  bool isLocal() {
    EXPECT_FALSE(findTaskLocals(F.loop(), D, Locals));
    EXPECT_FALSE(verifyFunction(F.function(), &errs()));
    return Locals.contains(cast<AllocaInst>(&F.value("v")));
  }
};

bool isLocal(const std::string &IR) { return Found(IR).isLocal(); }

TEST(TaskLocals, AVariableThatOnlyTheBodyUsesIsTheTasksOwn) {
  EXPECT_TRUE(isLocal(withVariable("  call void @use(ptr %v)\n")));
}

TEST(TaskLocals, AVariableThatIsUsedAroundTheLoopIsNot) {
  const std::string Use = "  call void @use(ptr %v)\n";
  EXPECT_FALSE(isLocal(withVariable(Use, "  store i64 0, ptr %v\n")));
  EXPECT_FALSE(
      isLocal(withVariable(Use, "", "call void @use(ptr %v)\n  ret void")));
}

TEST(TaskLocals, AVariableThatTheBodyDoesNotUseIsNot) {
  EXPECT_FALSE(isLocal(withVariable("", "  call void @use(ptr %v)\n")));
  EXPECT_FALSE(isLocal(withVariable("")));
}

TEST(TaskLocals, LifetimesAreNoUses) {
  EXPECT_TRUE(isLocal(
      withVariable("  call void @use(ptr %v)\n",
                   "  call void @llvm.lifetime.start.p0(ptr %v)\n",
                   "call void @llvm.lifetime.end.p0(ptr %v)\n  ret void")));
}

TEST(TaskLocals, AConditionInFrontOfTheLoopIsNoUse) {
  EXPECT_TRUE(isLocal(withVariable("  call void @use(ptr %v)\n"
                                   "  %both = and i1 %null, true\n",
                                   "  %null = icmp eq ptr %v, null\n")));
}

TEST(TaskLocals, AddressesThatWereMovedOutAreComputedInTheLoopAgain) {
  Found R(withVariable("  store i64 %i, ptr %last\n"
                       "  call void @use(ptr %last)\n",
                       "  %second = getelementptr i64, ptr %v, i64 1\n"
                       "  %last = getelementptr i64, ptr %second, i64 2\n"));
  EXPECT_TRUE(R.isLocal());
  for (Instruction &I : R.F.block("entry"))
    EXPECT_FALSE(isa<GetElementPtrInst>(I));
  const Value *Place = R.F.instruction<StoreInst>().getPointerOperand();
  auto *Last = cast<GetElementPtrInst>(Place);
  EXPECT_EQ(Last->getParent(), &R.F.block("loop"));
  auto *Second = cast<GetElementPtrInst>(Last->getPointerOperand());
  EXPECT_EQ(Second->getParent(), &R.F.block("loop"));
}

TEST(TaskLocals, AnAddressThatLeavesTheLoopIsOfOneVariable) {
  EXPECT_FALSE(
      isLocal(withVariable("  call void @use(ptr %second)\n",
                           "  %second = getelementptr i64, ptr %v, i64 1\n",
                           "store ptr %second, ptr @elsewhere\n  ret void")));
}

TEST(TaskLocals, APointerThatGoesFromIterationToIterationIsOfOneVariable) {
  EXPECT_FALSE(
      isLocal(withVariable("  %p = phi ptr [ %v, %entry ], [ %q, %latch ]\n"
                           "  call void @use(ptr %v)\n"
                           "  %q = getelementptr i64, ptr %p, i64 1\n")));
}

TEST(TaskLocals, AnAddressThatAPhiChoosesIsComputedOnItsEdge) {
  Found R(withVariable("  %odd = trunc i64 %i to i1\n"
                       "  br i1 %odd, label %then, label %rest\n"
                       "then:\n"
                       "  br label %rest\n"
                       "rest:\n"
                       "  %p = phi ptr [ %second, %then ], [ %v, %loop ]\n"
                       "  call void @use(ptr %p)\n",
                       "  %second = getelementptr i64, ptr %v, i64 1\n"));
  EXPECT_TRUE(R.isLocal());
  auto *Phi = cast<PHINode>(&R.F.value("p"));
  auto *Address =
      cast<Instruction>(Phi->getIncomingValueForBlock(&R.F.block("then")));
  EXPECT_EQ(Address->getParent(), &R.F.block("then"));
}

TEST(TaskLocals, ClausesSayWhoseAVariableIs) {
  const std::string Own = withVariable("  call void @use(ptr %v)\n");
  const std::string Around =
      withVariable("  call void @use(ptr %v)\n", "  store i64 0, ptr %v\n");
  Found Shared(Own), Sequential(Own), Private(Around);
  Shared.D.Shared.push_back(&Shared.F.value("v"));
  EXPECT_FALSE(Shared.isLocal());
  Sequential.D.Sequential.push_back(&Sequential.F.value("v"));
  EXPECT_FALSE(Sequential.isLocal());
  Private.D.Private.push_back(&Private.F.value("v"));
  EXPECT_TRUE(Private.isLocal());
}

TEST(TaskLocals, OnlyALocalVariableCanBePrivate) {
  Found R(withVariable("  call void @use(ptr %v)\n"));
  R.D.Private.push_back(&R.F.global("elsewhere"));
  MaybeRefusal Why = findTaskLocals(R.F.loop(), R.D, R.Locals);
  ASSERT_TRUE(Why);
  EXPECT_EQ(Why->Kind, RefusalKind::PrivateNotLocal);
}

TEST(TaskLocals, LifetimesOfOtherVariablesAreExtended) {
  const std::string Lifetimes = "  call void @llvm.lifetime.start.p0(ptr %v)\n"
                                "  call void @use(ptr %v)\n"
                                "  call void @llvm.lifetime.end.p0(ptr %v)\n";
  auto Markers = [](Found &R) {
    extendLifetimes(R.F.loop(), R.Locals);
    return count_if(instructions(R.F.function()), [](const Instruction &I) {
      return I.isLifetimeStartOrEnd();
    });
  };
  Found Own(withVariable(Lifetimes)), Shared(withVariable(Lifetimes)),
      Around(withVariable("", Lifetimes));
  EXPECT_TRUE(Own.isLocal());
  EXPECT_EQ(Markers(Own), 2);
  Shared.D.Shared.push_back(&Shared.F.value("v"));
  EXPECT_FALSE(Shared.isLocal());
  EXPECT_EQ(Markers(Shared), 0);
  EXPECT_EQ(Markers(Around), 2);
}

} // namespace
