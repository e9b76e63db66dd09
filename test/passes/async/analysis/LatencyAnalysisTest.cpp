// LatencyAnalysis: which accesses the hardware prefetches, and which wait.

#include "async/analysis/LatencyAnalysis.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// Expectations on the access that is called %x.
void expectKind(AddressKind Kind, const std::string &IR) {
  ParsedFunction F(IR);
  const LatencyAnalysis Latency = F.latency();
  const Access *X = Latency.find(&F.value("x"));
  ASSERT_TRUE(X);
  EXPECT_EQ(X->Kind, Kind);
}

unsigned depthOf(StringRef Name, const std::string &IR) {
  ParsedFunction F(IR);
  return F.latency().find(&F.value(Name))->Depth;
}

bool waits(const std::string &IR, bool OnlyFar = false) {
  ParsedFunction F(IR);
  return F.latency(OnlyFar).isLongLatency(&F.value("x"));
}

TEST(LatencyAnalysis, AnAddressFromOutsideTheLoopIsInvariant) {
  expectKind(AddressKind::Invariant, loopOver("  %x = load i64, ptr %a\n"));
}

TEST(LatencyAnalysis, AnElementByTheIterationNumberIsAffine) {
  const std::string IR = loopOver("  %p = getelementptr i64, ptr %a, i64 %i\n"
                                  "  %x = load i64, ptr %p\n");
  expectKind(AddressKind::Affine, IR);
  EXPECT_FALSE(waits(IR));
  EXPECT_EQ(depthOf("x", IR), 0u);
}

TEST(LatencyAnalysis, AnElementByALoadedIndexIsIrregular) {
  const std::string IR =
      loopOver(UnpredictablePlace + "  %x = load i64, ptr %place\n");
  expectKind(AddressKind::Irregular, IR);
  EXPECT_TRUE(waits(IR));
}

TEST(LatencyAnalysis, TheDepthCountsUnpredictableLoadsBeforeTheAccess) {
  const std::string IR =
      loopOver(UnpredictablePlace + "  %x = load i64, ptr %place\n"
                                    "  %q = getelementptr i64, ptr %c, i64 %x\n"
                                    "  %y = load i64, ptr %q\n"
                                    "  %r = getelementptr i64, ptr %c, i64 %y\n"
                                    "  %z = load i64, ptr %r\n");
  // The index itself is prefetched.
  EXPECT_EQ(depthOf("x", IR), 0u);
  EXPECT_EQ(depthOf("y", IR), 1u);
  EXPECT_EQ(depthOf("z", IR), 2u);
}

TEST(LatencyAnalysis, StoresAndAtomicsAreAccessesThatWrite) {
  ParsedFunction F(loopOver(
      UnpredictablePlace +
      "  store i32 1, ptr %place\n"
      "  %x = atomicrmw add ptr %place, i64 1 monotonic\n"
      "  %y = cmpxchg ptr %place, i64 0, i64 1 monotonic monotonic\n"));
  const LatencyAnalysis Latency = F.latency();
  ASSERT_EQ(Latency.accesses().size(), 4u);
  EXPECT_FALSE(Latency.accesses()[0].Writes);
  for (const Access &A : Latency.accesses().drop_front()) {
    EXPECT_TRUE(A.Writes);
    EXPECT_TRUE(A.isLongLatency());
  }
  EXPECT_EQ(Latency.accesses()[1].Bytes, 4u);
  EXPECT_EQ(Latency.accesses()[2].Bytes, 8u);
}

TEST(LatencyAnalysis, AHashOfTheIterationNumberIsIrregular) {
  expectKind(AddressKind::Irregular,
             loopOver("  %h = mul i64 %i, 2654435761\n"
                      "  %m = and i64 %h, 1048575\n"
                      "  %p = getelementptr i64, ptr %a, i64 %m\n"
                      "  %x = load i64, ptr %p\n"));
}

TEST(LatencyAnalysis, ARingThatIsWalkedInSmallStepsIsAffine) {
  expectKind(AddressKind::Affine,
             loopOver("  %m = and i64 %i, 1048575\n"
                      "  %p = getelementptr i64, ptr %a, i64 %m\n"
                      "  %x = load i64, ptr %p\n"));
}

TEST(LatencyAnalysis, SmallObjectsStayInTheCache) {
  const std::string Lookup = "  %p = getelementptr i8, ptr @table, i64 %index\n"
                             "  %x = load i8, ptr %p\n";
  expectKind(AddressKind::Affine,
             loopOver(UnpredictablePlace + Lookup,
                      "@table = global [256 x i8] zeroinitializer\n"));
  expectKind(AddressKind::Irregular,
             loopOver(UnpredictablePlace + Lookup,
                      "@table = global [65536 x i8] zeroinitializer\n"));
}

TEST(LatencyAnalysis, ClausesOverrideWhatTheAddressSays) {
  EXPECT_FALSE(
      waits(loopOver(UnpredictablePlace +
                     "  %x = load i64, ptr %place, !heddle.near !0\n") +
            "!0 = !{}\n"));
  EXPECT_TRUE(waits(loopOver("  %p = getelementptr i64, ptr %a, i64 %i\n"
                             "  %x = load i64, ptr %p, !heddle.remote !0\n") +
                    "!0 = !{}\n"));
}

TEST(LatencyAnalysis, BesideFarMemoryNearMemoryDoesNotCount) {
  const std::string Near =
      loopOver(UnpredictablePlace + "  %x = load i64, ptr %place\n");
  EXPECT_TRUE(waits(Near, /*OnlyFar=*/false));
  EXPECT_FALSE(waits(Near, /*OnlyFar=*/true));
}

TEST(LatencyAnalysis, NothingPrefetchesFarMemory) {
  const std::string Far =
      loopOver("  %p = getelementptr i64, ptr addrspace(100) %a, i64 %i\n"
               "  %x = load i64, ptr addrspace(100) %p\n",
               {.Arguments = "ptr addrspace(100) %a"});
  expectKind(AddressKind::Irregular, Far);
  EXPECT_TRUE(waits(Far, /*OnlyFar=*/true));
}

TEST(LatencyAnalysis, CopiesFromFarMemoryAreAccessesUpToAPage) {
  auto Copy = [](unsigned Bytes) {
    return loopOver(
        "  call void @llvm.memcpy.p0.p100.i64(ptr %a, ptr addrspace(100) %b, "
        "i64 " +
            std::to_string(Bytes) + ", i1 false)\n",
        {.Globals = "declare void @llvm.memcpy.p0.p100.i64(ptr, ptr "
                    "addrspace(100), i64, i1)\n",
         .Arguments = "ptr %a, ptr addrspace(100) %b"});
  };
  ParsedFunction Page(Copy(4096)), More(Copy(4097));
  const LatencyAnalysis OfPage = Page.latency(true),
                        OfMore = More.latency(true);
  ASSERT_EQ(OfPage.accesses().size(), 1u);
  EXPECT_EQ(OfPage.accesses()[0].Bytes, 4096u);
  EXPECT_FALSE(OfPage.accesses()[0].Writes);
  EXPECT_TRUE(OfMore.accesses().empty());
}

/// Returns an inner loop whose index or pointer begins with %start and is
/// advanced by \p Next.
std::string innerLoop(const std::string &Start, const std::string &Type,
                      const std::string &Body) {
  return loopOver(Start +
                  "  br label %inner\n"
                  "inner:\n"
                  "  %j = phi " +
                  Type + " [ %start, %loop ], [ %j.next, %inner ]\n" + Body +
                  "  br i1 %inner.done, label %rest, label %inner\n"
                  "rest:\n");
}

TEST(LatencyAnalysis, AStreamFromALoadedStartWaitsForItsFirstElement) {
  expectKind(AddressKind::StreamStart,
             innerLoop(UnpredictablePlace + "  %start = load i64, ptr %place\n",
                       "i64",
                       "  %p = getelementptr i64, ptr %c, i64 %j\n"
                       "  %x = load i64, ptr %p\n"
                       "  %j.next = add nuw nsw i64 %j, 1\n"
                       "  %inner.done = icmp eq i64 %x, 0\n"));
}

TEST(LatencyAnalysis, StreamsThatContinueEachOtherAreOneStream) {
  // The inner loop of the next iteration continues where that of the previous
  // one stopped.
  expectKind(AddressKind::Affine,
             loopOver("  %start = phi i64 [ 0, %entry ], [ %j.next, %latch ]\n"
                      "  br label %inner\n"
                      "inner:\n"
                      "  %j = phi i64 [ %start, %loop ], [ %j.next, %inner ]\n"
                      "  %p = getelementptr i64, ptr %c, i64 %j\n"
                      "  %x = load i64, ptr %p\n"
                      "  %j.next = add nuw nsw i64 %j, 1\n"
                      "  %inner.done = icmp eq i64 %x, 0\n"
                      "  br i1 %inner.done, label %rest, label %inner\n"
                      "rest:\n"));
}

TEST(LatencyAnalysis, AListThatIsFollowedIsAnEndlessChain) {
  const std::string List =
      innerLoop(UnpredictablePlace + "  %start = load ptr, ptr %place\n", "ptr",
                "  %x = load i64, ptr %j\n"
                "  %link = getelementptr i8, ptr %j, i64 8\n"
                "  %j.next = load ptr, ptr %link\n"
                "  %inner.done = icmp eq ptr %j.next, null\n");
  expectKind(AddressKind::Irregular, List);
  EXPECT_EQ(depthOf("x", List), EndlessChain);
}

TEST(LatencyAnalysis, AWideStepThatWrapsAroundScatters) {
  // A value that is sign-extended does not wrap around in C.
  auto Widened = [](const std::string &Extension) {
    return loopOver("  %t = trunc i64 %i to i32\n"
                    "  %m = mul i32 %t, 100000\n"
                    "  %e = " +
                    Extension +
                    " i32 %m to i64\n"
                    "  %p = getelementptr i8, ptr %a, i64 %e\n"
                    "  %x = load i8, ptr %p\n");
  };
  expectKind(AddressKind::Affine, Widened("sext"));
  expectKind(AddressKind::Irregular, Widened("zext"));
}

TEST(LatencyAnalysis, AStreamMovesOnByALineAtMost) {
  auto Stepping = [](unsigned Bytes) {
    return innerLoop(UnpredictablePlace + "  %start = load i64, ptr %place\n",
                     "i64",
                     "  %p = getelementptr i8, ptr %c, i64 %j\n"
                     "  %x = load i64, ptr %p\n"
                     "  %j.next = add nuw nsw i64 %j, " +
                         std::to_string(Bytes) +
                         "\n"
                         "  %inner.done = icmp eq i64 %x, 0\n");
  };
  expectKind(AddressKind::StreamStart, Stepping(64));
  expectKind(AddressKind::Irregular, Stepping(65));
}

TEST(LatencyAnalysis, SmallVariablesOnTheStackStayInTheCache) {
  auto Lookup = [](unsigned Bytes) {
    return loopOver(
        UnpredictablePlace + "  %p = getelementptr i8, ptr %table, i64 %index\n"
                             "  %x = load i8, ptr %p\n",
        {.Entry = "  %table = alloca [" + std::to_string(Bytes) + " x i8]\n"});
  };
  expectKind(AddressKind::Affine, Lookup(256));
  expectKind(AddressKind::Irregular, Lookup(65536));
}

} // namespace
