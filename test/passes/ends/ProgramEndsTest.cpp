// ProgramEnds: what becomes of control that leaves a loop.

#include "ends/ProgramEnds.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

const std::string Declarations =
    "declare i1 @test_next()\n"
    "declare void @act()\n"
    "declare void @exit(i32) noreturn\n"
    "declare void @longjmp(ptr, i32) noreturn\n"
    "declare void @pthread_exit(ptr) noreturn\n"
    "declare ptr @__cxa_begin_catch(ptr)\n"
    "declare void @__clang_call_terminate(ptr) noreturn nounwind\n"
    "declare i32 @__gxx_personality_v0(...)\n"
    "define internal void @jumps() noreturn {\n"
    "  call void @longjmp(ptr null, i32 1) noreturn\n  unreachable\n}\n"
    "define internal void @ends() noreturn {\n"
    "  call void @exit(i32 1) noreturn\n  unreachable\n}\n";

/// A loop with a way to %way, and the blocks \p Rest behind the function's
/// return.
std::string leavingFor(const std::string &Way, const std::string &Rest) {
  return Declarations +
         "define void @test() personality ptr @__gxx_personality_v0 {\n"
         "entry:\n  br label %loop\n"
         "loop:\n  %out = call i1 @test_next()\n"
         "  br i1 %out, label %" +
         Way +
         ", label %body\n"
         "body:\n  invoke void @act() to label %latch unwind label %pad\n"
         "latch:\n  %more = call i1 @test_next()\n"
         "  br i1 %more, label %loop, label %exit\n"
         "exit:\n  ret void\n"
         "pad:\n  %landed = landingpad { ptr, i32 } catch ptr null\n"
         "  %exception = extractvalue { ptr, i32 } %landed, 0\n" +
         Rest + "}\n";
}

const std::string Terminate =
    "  call void @__clang_call_terminate(ptr %exception)\n  unreachable\n";

WayOut wayTo(const std::string &Block, const std::string &IR) {
  ParsedFunction F(IR);
  const Loop &L = *F.context().LI.getLoopFor(&F.block("latch"));
  return ProgramEnds(F.function()).wayOut(F.block(Block), L);
}

WayOut wayToEnd(const std::string &Rest) {
  return wayTo("end", leavingFor("end", Terminate + Rest));
}

TEST(ProgramEnds, CallsThatDoNotReturnEndTheProgram) {
  EXPECT_EQ(wayToEnd("end:\n  call void @exit(i32 1)\n  unreachable\n"),
            WayOut::Ends);
  EXPECT_EQ(wayToEnd("end:\n  call void @ends()\n  unreachable\n"),
            WayOut::Ends);
}

TEST(ProgramEnds, AnythingMayHappenBefore) {
  EXPECT_EQ(wayToEnd("end:\n  call void @act()\n"
                     "  %again = call i1 @test_next()\n"
                     "  br i1 %again, label %end, label %last\n"
                     "last:\n  call void @exit(i32 1)\n  unreachable\n"),
            WayOut::Ends);
}

TEST(ProgramEnds, CodeThatReturnsGoesOn) {
  EXPECT_EQ(wayToEnd("end:\n  call void @act()\n  br label %exit\n"),
            WayOut::GoesOn);
  EXPECT_EQ(wayToEnd("end:\n  %some = call i1 @test_next()\n"
                     "  br i1 %some, label %last, label %exit\n"
                     "last:\n  call void @exit(i32 1)\n  unreachable\n"),
            WayOut::GoesOn);
}

TEST(ProgramEnds, CodeThatNeverEndsGoesOn) {
  EXPECT_EQ(wayToEnd("end:\n  call void @act()\n  br label %end\n"),
            WayOut::GoesOn);
  EXPECT_EQ(wayToEnd("end:\n  %some = call i1 @test_next()\n"
                     "  br i1 %some, label %last, label %wait\n"
                     "wait:\n  br label %wait\n"
                     "last:\n  call void @exit(i32 1)\n  unreachable\n"),
            WayOut::GoesOn);
}

TEST(ProgramEnds, JumpsGoOn) {
  EXPECT_EQ(wayToEnd("end:\n  call void @longjmp(ptr null, i32 1)\n"
                     "  unreachable\n"),
            WayOut::GoesOn);
  EXPECT_EQ(wayToEnd("end:\n  call void @jumps()\n  unreachable\n"),
            WayOut::GoesOn);
}

TEST(ProgramEnds, TheEndOfAThreadIsNoEndOfTheProgram) {
  EXPECT_EQ(wayToEnd("end:\n  call void @pthread_exit(ptr null)\n"
                     "  unreachable\n"),
            WayOut::GoesOn);
}

TEST(ProgramEnds, ExceptionsThatNothingCatchesUnwind) {
  const std::string Other = "other:\n  unreachable\n";
  EXPECT_EQ(wayTo("pad", leavingFor("other", "  call void @act()\n"
                                             "  resume { ptr, i32 } %landed\n" +
                                                 Other)),
            WayOut::Unwinds);
  EXPECT_EQ(wayTo("pad", leavingFor("other", "  call void @act()\n" +
                                                 Terminate + Other)),
            WayOut::Unwinds);
}

TEST(ProgramEnds, APadThatOnlyTerminatesIsAnEnd) {
  EXPECT_EQ(
      wayTo("pad", leavingFor("other", Terminate + "other:\n  unreachable\n")),
      WayOut::Ends);
}

TEST(ProgramEnds, HandlersGoOnOrEnd) {
  const std::string Catch = "  call ptr @__cxa_begin_catch(ptr %exception)\n",
                    Other = "other:\n  unreachable\n";
  EXPECT_EQ(
      wayTo("pad", leavingFor("other", Catch + "  br label %exit\n" + Other)),
      WayOut::GoesOn);
  EXPECT_EQ(wayTo("pad", leavingFor("other", Catch +
                                                 "  call void @exit(i32 1)\n"
                                                 "  unreachable\n" +
                                                 Other)),
            WayOut::Ends);
}

TEST(ProgramEnds, FindsHandlers) {
  ParsedFunction F(leavingFor("other",
                              "  br label %dispatch\n"
                              "dispatch:\n"
                              "  %caught = call ptr @__cxa_begin_catch(ptr "
                              "%exception)\n  br label %exit\n"
                              "other:\n  unreachable\n"));
  EXPECT_EQ(handlerBehind(F.block("pad")), &F.value("caught"));
  EXPECT_EQ(handlerBehind(F.block("other")), nullptr);
}

TEST(ProgramEnds, KnowsWhereExceptionsAreOnTheirWay) {
  ParsedFunction F(
      leavingFor("other", "  %some = call i1 @test_next()\n"
                          "  br i1 %some, label %handler, label %unhandled\n"
                          "handler:\n"
                          "  call ptr @__cxa_begin_catch(ptr %exception)\n"
                          "  br label %latch\n"
                          "unhandled:\n  br label %exit\n"
                          "other:\n  unreachable\n"));
  EXPECT_EQ(unwindingFrom(F.block("pad"), F.loop()),
            &F.instruction<InvokeInst>());
  EXPECT_EQ(unwindingFrom(F.block("unhandled"), F.loop()),
            &F.instruction<InvokeInst>());
  EXPECT_EQ(unwindingFrom(F.block("handler"), F.loop()), nullptr);
  EXPECT_EQ(unwindingFrom(F.block("body"), F.loop()), nullptr);
}

} // namespace
