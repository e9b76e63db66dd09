// Walks through linked structures that other iterations unlink elements of.

#include "async/regions/UninterruptedRegions.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// Why there can be no suspension in front of the value %name, or "".
/// \p Locals are the names of variables of the iteration.
std::string forbids(const std::string &IR, StringRef Name,
                    ArrayRef<StringRef> Locals = {}) {
  ParsedFunction F(IR);
  const LatencyAnalysis Latency = F.latency();
  TaskLocals Variables;
  for (StringRef Local : Locals)
    Variables.insert(cast<AllocaInst>(&F.value(Local)));
  const auto Why = UninterruptedRegions(F.context(), Latency, Variables)
                       .forbids(&F.value(Name));
  return Why ? textOf(Why->Kind) : "";
}

const std::string Split = "a suspension here would split a read-modify-write";

/// Goes along the list at &b[a[i]] until an element's key is %i, and then
/// executes \p Found, in which %at is the place of the link to the element %p.
std::string walk(const std::string &Found) {
  return loopOver(UnpredictablePlace +
                      "  br label %walk\n"
                      "walk:\n"
                      "  %at = phi ptr [ %place, %loop ], [ %p, %look ]\n"
                      "  %p = load ptr, ptr %at\n"
                      "  %end = icmp eq ptr %p, null\n"
                      "  br i1 %end, label %latch.before, label %look\n"
                      "look:\n"
                      "  %key.place = getelementptr i8, ptr %p, i64 8\n"
                      "  %key = load i64, ptr %key.place\n"
                      "  %found = icmp eq i64 %key, %i\n"
                      "  br i1 %found, label %then, label %walk\n"
                      "then:\n" +
                      Found +
                      "  br label %latch.before\n"
                      "latch.before:\n",
                  "declare void @callee(ptr) nounwind\n");
}

TEST(ElementRemovals, AWalkToAnElementThatIsUnlinkedIsWhole) {
  EXPECT_EQ(forbids(walk("  %next = load ptr, ptr %p\n"
                         "  store ptr %next, ptr %at\n"),
                    "p"),
            Split);
}

TEST(ElementRemovals, SoIsAWalkToTheEndOfAListThatOthersCutOff) {
  EXPECT_EQ(forbids(walk("  store ptr null, ptr %at\n"), "p"), Split);
}

TEST(ElementRemovals, ACalleeMayUnlinkAnElement) {
  EXPECT_EQ(forbids(walk("  call void @callee(ptr %p)\n"), "p"), Split);
}

TEST(ElementRemovals, WhereElementsAreOnlyInsertedAWalkMayBeInterrupted) {
  const std::string Insert =
      walk("  %new = getelementptr { ptr, i64 }, ptr %c, i64 %i\n"
           "  store ptr %new, ptr %at\n");
  EXPECT_EQ(forbids(Insert, "p"), "");
  EXPECT_EQ(forbids(Insert, "key"), Split);
}

/// Keeps the places &b[a[i]] and &c[a[i]] in %places, reads the first, and
/// then stores \p What to the one with the number %i mod 2.
std::string storeToKept(const std::string &What) {
  return loopOver(UnpredictablePlace +
                      "  %other = getelementptr i64, ptr %c, i64 %index\n"
                      "  store ptr %place, ptr %places\n"
                      "  %second = getelementptr i8, ptr %places, i64 8\n"
                      "  store ptr %other, ptr %second\n"
                      "  %x = load i64, ptr %place\n"
                      "  %between = add i64 %x, 1\n"
                      "  %odd = and i64 %i, 1\n"
                      "  %chosen = getelementptr ptr, ptr %places, i64 %odd\n"
                      "  %at = load ptr, ptr %chosen\n"
                      "  store i64 " +
                      What + ", ptr %at\n",
                  {.Entry = "  %places = alloca [2 x ptr]\n"});
}

TEST(ElementRemovals, APlaceThatAnIterationKeepsIsTheSameLater) {
  EXPECT_EQ(forbids(storeToKept("%between"), "between", {"places"}), Split);
  // What others may use, too, is another matter.
  EXPECT_EQ(forbids(storeToKept("%between"), "between"),
            "it lies between the write and the use of a variable that all "
            "iterations share");
}

} // namespace
