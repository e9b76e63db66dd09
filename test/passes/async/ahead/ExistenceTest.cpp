// Existence: which loops leave it as it is what memory there is.

#include "async/ahead/Existence.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// True if the iterations of a loop that executes \p Code , beside \p Globals ,
/// may change what memory there is.
bool mayChange(const std::string &Code, const std::string &Globals = "") {
  Surroundings Around;
  Around.Globals = Globals;
  ParsedFunction F(loopOver(Code, Around));
  return mayChangeWhatExists(F.context(), F.shape());
}

bool mayChangeByCall(const std::string &Name) {
  return mayChange("  call void @" + Name + "(ptr %a)\n",
                   "declare void @" + Name + "(ptr)\n");
}

TEST(Existence, StaysWhereIterationsReadAndWrite) {
  EXPECT_FALSE(mayChange("  %x = load i64, ptr %a\n"
                         "  store i64 %x, ptr %b\n"));
}

TEST(Existence, StaysWhereMemoryComesFromTheAllocator) {
  EXPECT_FALSE(mayChange("  %p = call ptr @_Znwm(i64 8) builtin\n"
                         "  call void @_ZdlPv(ptr %p) builtin\n",
                         "declare ptr @_Znwm(i64)\n"
                         "declare void @_ZdlPv(ptr)\n"));
  EXPECT_FALSE(mayChangeByCall("free"));
}

TEST(Existence, MayChangeInUnknownCode) {
  EXPECT_TRUE(mayChangeByCall("mprotect"));
  EXPECT_TRUE(mayChangeByCall("__kmpc_omp_task"));
  // Templates of the library run code of the program.
  EXPECT_TRUE(mayChangeByCall("_ZNSt6vectorIlSaIlEE17_M_realloc_insertEv"));
  EXPECT_TRUE(mayChange("  call void %a()\n"));
  EXPECT_TRUE(mayChange("  call void asm sideeffect \"syscall\", \"\"()\n"));
}

TEST(Existence, FollowsFromWhatCalleesDo) {
  const auto CalleeThat = [](const std::string &Does) {
    return "declare void @mprotect(ptr)\n"
           "define linkonce_odr void @_ZNSt6vectorE(ptr %p) {\n" +
           Does +
           "  ret void\n"
           "}\n";
  };
  const std::string Call = "  call void @_ZNSt6vectorE(ptr %a)\n";
  EXPECT_FALSE(mayChange(Call, CalleeThat("  store i64 0, ptr %p\n")));
  EXPECT_TRUE(mayChange(Call, CalleeThat("  call void @mprotect(ptr %p)\n")));
  EXPECT_TRUE(mayChange(Call, CalleeThat("  store volatile i64 0, ptr %p\n")));
}

TEST(Existence, FollowsFromWhatTheAllocatorOfTheProgramDoes) {
  EXPECT_TRUE(mayChange("  %p = call ptr @_Znwm(i64 8) builtin\n",
                        "declare void @mprotect(ptr)\n"
                        "define ptr @_Znwm(i64 %bytes) {\n"
                        "  call void @mprotect(ptr null)\n"
                        "  ret ptr null\n"
                        "}\n"));
}

TEST(Existence, MayChangeWhereIterationsWaitForOtherThreads) {
  EXPECT_TRUE(mayChange("  %x = load atomic i64, ptr %a monotonic, align 8\n"));
  EXPECT_TRUE(mayChange("  fence acquire\n"));
  EXPECT_TRUE(
      mayChange("  %x = atomicrmw add ptr %a, i64 0 monotonic, align 8\n"
                "  store i64 %x, ptr %b\n"));
  EXPECT_TRUE(
      mayChange("  %x = atomicrmw add ptr %a, i64 1 seq_cst, align 8\n"));
}

TEST(Existence, StaysWhereIterationsOnlyCount) {
  EXPECT_FALSE(
      mayChange("  %x = atomicrmw add ptr %a, i64 1 monotonic, align 8\n"));
}

} // namespace
