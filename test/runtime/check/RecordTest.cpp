//===- RecordTest.cpp - Which accesses are conflicts ----------------------===//
//
// Sequences of accesses by the functions that programs call, and what they
// report. Each is done at places of all sizes, and where other places of the
// same granule have been accessed before, at once and by the log.
//
//===----------------------------------------------------------------------===//

#include "check/check.h"
extern "C" {
#include "check/log.h"
#include "check/report.h"
}

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>
#include <string>
#include <vector>

static std::vector<heddle_finding> Findings;
/// Where further findings like the first one are to be counted, or null.
static uint64_t *Further;

extern "C" uint64_t *
__wrap_heddle_report_conflict(const struct heddle_finding *Finding) {
  Findings.push_back(*Finding);
  return Further;
}

namespace {

/// An access of an iteration: 'r' reads, 'w' writes, 's' writes the value that
/// is there, '+' adds, '?' and '>' ask for and take the maximum, a digit sets
/// a place that is not set; 'f' makes a new object, 'x' exempts it, '(' and ')'
/// acquire and release a lock, '[' and ']' are around what happens once.
struct Step {
  unsigned Iteration;
  char What;
};

/// A loop, of the frame that it is declared in, over some memory. Conflicts are
/// not reported but kept.
class TestLoop {
  alignas(4096) static char Memory[64];
  heddle_check_loop Description{"loop.c", "loop", 1, 1};
  unsigned Bytes, Iteration = 0;
  bool Logs, HasEnded = false;

public:
  /// The place is of \p Bytes bytes. Inline, since the runtime tells by the
  /// frames of what it is called from whether the loop was left.
  [[gnu::always_inline]] explicit TestLoop(unsigned Bytes, bool Logs = false)
      : Bytes(Bytes), Logs(Logs) {
    forgetFindings();
    heddle_check_begin(&Description);
  }
  ~TestLoop() { end(); }

  char *memory() { return Memory; }

  /// Begins iterations up to \p To, which count from 1.
  void goTo(unsigned To);
  void read(const char *At, unsigned Bytes);
  void write(const char *At, unsigned Bytes, bool IsSilent = false);
  void step(const Step &S, const char *Place);

  /// Returns the kinds of what was found since the loop began.
  std::vector<heddle_finding_kind> end();
  const std::vector<heddle_finding> &findings() const;

private:
  /// Unless there is a loop around this one.
  static void forgetFindings();
  heddle_check_site *site(unsigned Bytes, heddle_check_operation Operation,
                          unsigned Flags = 0);
};

alignas(4096) char TestLoop::Memory[64];

void TestLoop::forgetFindings() {
  if (!heddle_check_depth)
    Findings.clear();
}

const std::vector<heddle_finding> &TestLoop::findings() const {
  return Findings;
}

void TestLoop::goTo(unsigned To) {
  for (; Iteration < To; ++Iteration) {
    heddle_check_iteration(&Description);
    if (Logs && heddle_innermost->if_quick && !heddle_innermost->cells.log_end)
      heddle_use_log(heddle_innermost, true);
  }
}

heddle_check_site *TestLoop::site(unsigned Bytes,
                                  heddle_check_operation Operation,
                                  unsigned Flags) {
  // The runtime keeps sites for ever.
  static auto &Sites = *new std::deque<heddle_check_site>;
  heddle_check_site &Site = Sites.emplace_back();
  Site.file = Site.function = Site.place = Site.variable = "";
  Site.bytes = Bytes;
  Site.operation = Operation;
  Site.flags = Flags | HEDDLE_CHECK_DIRECT;
  return &Site;
}

void TestLoop::read(const char *At, unsigned Bytes) {
  heddle_check_site *Site = site(Bytes, HEDDLE_CHECK_PLAIN);
  (Bytes == 8   ? heddle_check_read_8
   : Bytes == 4 ? heddle_check_read_4
                : heddle_check_read)(Site, At, At);
}

void TestLoop::write(const char *At, unsigned Bytes, bool IsSilent) {
  heddle_check_site *Site = site(Bytes, HEDDLE_CHECK_PLAIN);
  (Bytes == 8   ? heddle_check_write_8
   : Bytes == 4 ? heddle_check_write_4
                : heddle_check_write)(Site, At, At, IsSilent);
}

void TestLoop::step(const Step &S, const char *Place) {
  goTo(S.Iteration);
  auto Update = [&](heddle_check_operation Operation, uint64_t Value,
                    unsigned Flags = 0) {
    (Bytes == 8   ? heddle_check_update_8
     : Bytes == 4 ? heddle_check_update_4
                  : heddle_check_update)(site(Bytes, Operation, Flags), Place,
                                         Place, Value);
  };
  static char Lock;
  switch (S.What) {
  case 'r':
    return read(Place, Bytes);
  case 'w':
    return write(Place, Bytes);
  case 's':
    return write(Place, Bytes, /*IsSilent=*/true);
  case '+':
    return Update(HEDDLE_CHECK_ADD, 0);
  case '?':
    return Update(HEDDLE_CHECK_MAXIMUM, 0, HEDDLE_CHECK_DECIDES);
  case '>':
    return Update(HEDDLE_CHECK_MAXIMUM, 0);
  case 'f':
    return heddle_check_fresh(Place, Bytes);
  case 'x':
    return heddle_check_exempt(Place, Bytes);
  case '(':
    return heddle_check_acquire(&Lock, 1);
  case ')':
    return heddle_check_release(&Lock);
  case '[':
    return heddle_check_pause(1);
  case ']':
    return heddle_check_resume();
  default:
    return Update(HEDDLE_CHECK_SET, S.What - '0');
  }
}

std::vector<heddle_finding_kind> TestLoop::end() {
  if (!HasEnded)
    heddle_check_end(&Description);
  HasEnded = true;
  std::vector<heddle_finding_kind> Kinds;
  for (const heddle_finding &Finding : Findings)
    Kinds.push_back(Finding.kind);
  return Kinds;
}

struct Case {
  const char *Name;
  std::vector<Step> Steps;
  /// The kinds of conflicts, in order.
  std::vector<heddle_finding_kind> Found;
};

const Case Cases[] = {
    {"OneIteration", {{1, 'r'}, {1, 'w'}, {1, 'r'}, {1, '+'}, {1, 'w'}}, {}},
    {"AllRead", {{1, 'r'}, {2, 'r'}, {3, 'r'}}, {}},
    {"ReadsWritten", {{1, 'w'}, {2, 'r'}}, {HEDDLE_FINDING_READS}},
    {"WritesRead", {{1, 'r'}, {2, 'w'}}, {HEDDLE_FINDING_READS}},
    {"WritesTwice", {{1, 'w'}, {2, 'w'}}, {HEDDLE_FINDING_ORDER}},
    {"WritesTheSame", {{1, 'w'}, {2, 's'}, {3, 's'}}, {}},
    {"ReadsWhatStays", {{1, 's'}, {2, 'r'}, {3, 's'}}, {}},
    {"ReadsAfterTheSame",
     {{1, 's'}, {2, 's'}, {2, 'w'}, {3, 'r'}},
     {HEDDLE_FINDING_READS}},
    {"ReadsItsOwn", {{1, 'w'}, {2, 'w'}, {2, 'r'}, {3, 'w'}, {3, 'r'}}, {}},
    {"ReadsItsOwnAtFirst",
     {{1, 'w'}, {2, 'w'}, {2, 'r'}, {3, 'w'}, {4, 'w'}, {4, 'r'}},
     {HEDDLE_FINDING_ORDER}},
    {"Adds", {{1, '+'}, {2, '+'}, {2, '+'}, {3, '+'}}, {}},
    {"AddsAndMaximum", {{1, '+'}, {2, '>'}}, {HEDDLE_FINDING_TORN}},
    {"AddsAndReads", {{1, '+'}, {2, 'r'}}, {HEDDLE_FINDING_READS}},
    {"ReadsAndAdds", {{1, 'r'}, {2, '+'}}, {HEDDLE_FINDING_READS}},
    {"AddsAndWrites", {{1, '+'}, {2, 'w'}}, {HEDDLE_FINDING_ORDER}},
    {"WritesAndAdds", {{1, 'w'}, {1, '+'}, {2, '+'}}, {HEDDLE_FINDING_TORN}},
    {"Maximum", {{1, '?'}, {1, '>'}, {2, '?'}, {3, '?'}, {3, '>'}}, {}},
    {"SetsOne", {{1, '1'}, {2, '1'}, {3, '1'}}, {}},
    {"SetsNine", {{1, '9'}, {2, '9'}, {3, '9'}}, {}},
    {"SetsOthers", {{1, '1'}, {2, '9'}}, {HEDDLE_FINDING_TORN}},
    {"SetsAndReads", {{1, '1'}, {2, 'r'}}, {HEDDLE_FINDING_READS}},
    {"SetsManyValues", {{1, '2'}, {2, '2'}, {3, '3'}}, {HEDDLE_FINDING_TORN}},
    {"ReportsOnce",
     {{1, 'w'}, {2, 'r'}, {3, 'r'}, {4, 'w'}},
     {HEDDLE_FINDING_READS}},
    {"Fresh", {{1, 'w'}, {2, 'f'}, {2, 'r'}, {2, 'w'}}, {}},
    {"FreshOnce",
     {{1, 'w'}, {2, 'f'}, {2, 'w'}, {3, 'r'}},
     {HEDDLE_FINDING_READS}},
    {"Exempt", {{0, 'x'}, {1, 'w'}, {2, 'r'}, {3, 'w'}}, {}},
    {"UnderLock",
     {{1, '('}, {1, 'w'}, {1, ')'}, {2, '('}, {2, 'r'}, {2, 'w'}, {2, ')'}},
     {}},
    {"WithoutLock",
     {{1, '('}, {1, 'w'}, {1, ')'}, {2, 'r'}},
     {HEDDLE_FINDING_READS}},
    {"Paused", {{1, 'w'}, {2, '['}, {2, 'r'}, {2, 'w'}, {2, ']'}}, {}},
};

/// A place, and others that iteration 1 reads before.
struct Places {
  const char *Name;
  unsigned Offset, Bytes;
  std::vector<std::pair<unsigned, unsigned>> Before;
};

const Places AllPlaces[] = {
    {"Eight", 0, 8, {}},
    {"Lower", 0, 4, {}},
    {"Upper", 4, 4, {}},
    {"Short", 2, 2, {}},
    {"Byte", 5, 1, {}},
    {"UpperBesideLower", 4, 4, {{0, 4}}},
    {"LowerInEight", 0, 4, {{8, 8}}},
    {"UpperInEight", 4, 4, {{8, 8}}},
    {"EightInFours", 8, 8, {{0, 4}, {4, 4}}},
    {"EightInBytes", 16, 8, {{1, 1}, {2, 2}}},
    {"OddBytes", 1, 3, {}},
    {"TwoGranules", 6, 4, {}},
    {"Long", 4, 24, {{0, 4}}},
};

class RecordTest : public testing::TestWithParam<
                       std::tuple<const Case *, const Places *, bool>> {};

TEST_P(RecordTest, Finds) {
  const auto &[C, P, Logs] = GetParam();
  TestLoop Loop(P->Bytes, Logs);
  auto *Place = Loop.memory() + P->Offset;
  if (C->Steps.front().Iteration == 1) {
    Loop.goTo(1);
    for (auto [Offset, Bytes] : P->Before)
      Loop.read(Loop.memory() + Offset, Bytes);
  }
  for (const Step &S : C->Steps)
    Loop.step(S, Place);
  // A place that lies in several granules is one place in each of them.
  const unsigned Parts = (P->Offset % 8 + P->Bytes + 7) / 8;
  std::vector<heddle_finding_kind> Found = Loop.end(), Expected;
  for (heddle_finding_kind Kind : C->Found)
    Expected.insert(Expected.end(), Parts, Kind);
  EXPECT_EQ(Found, Expected);
}

std::vector<const Case *> allCases() {
  std::vector<const Case *> All;
  for (const Case &C : Cases)
    All.push_back(&C);
  return All;
}

std::vector<const Places *> allPlaces() {
  std::vector<const Places *> All;
  for (const Places &P : AllPlaces)
    All.push_back(&P);
  return All;
}

INSTANTIATE_TEST_SUITE_P(All, RecordTest,
                         testing::Combine(testing::ValuesIn(allCases()),
                                          testing::ValuesIn(allPlaces()),
                                          testing::Bool()),
                         [](const auto &Info) {
                           return std::string(std::get<0>(Info.param)->Name) +
                                  "_" + std::get<1>(Info.param)->Name +
                                  (std::get<2>(Info.param) ? "_Logged" : "");
                         });

/// Places of one granule that overlap, or do not.
TEST(RecordTest, ComparesPlacesThatOverlap) {
  for (unsigned A = 0; A < 8; ++A)
    for (unsigned B = 0; B < 8; ++B)
      for (unsigned BytesOfA : {1u, 2u, 4u, 8u})
        for (unsigned BytesOfB : {1u, 2u, 4u, 8u}) {
          if (A % BytesOfA || B % BytesOfB)
            continue;
          TestLoop Loop(BytesOfA, (A + B) % 2);
          Loop.goTo(1);
          Loop.write(Loop.memory() + A, BytesOfA);
          Loop.goTo(2);
          Loop.read(Loop.memory() + B, BytesOfB);
          const bool Overlap = A < B + BytesOfB && B < A + BytesOfA;
          EXPECT_EQ(Loop.end().size(), Overlap ? 1u : 0u)
              << A << ' ' << BytesOfA << ", " << B << ' ' << BytesOfB;
        }
}

TEST(RecordTest, ForgetsWhatTheLoopBeforeDid) {
  for (int I = 0; I < 3; ++I) {
    TestLoop Loop(8);
    Loop.goTo(1);
    Loop.write(Loop.memory(), 8);
    Loop.write(Loop.memory() + 12, 4);
    EXPECT_TRUE(Loop.end().empty());
  }
}

/// More of the memory than tables have room for at first.
TEST(RecordTest, KnowsManyPlaces) {
  std::vector<char> Memory(4 << 20);
  for (bool Logs : {false, true}) {
    TestLoop Loop(4, Logs);
    Loop.goTo(1);
    for (size_t I = 0; I < Memory.size(); I += 1024)
      Loop.write(Memory.data() + I, 4);
    Loop.goTo(2);
    for (size_t I = 0; I < Memory.size(); I += 512)
      Loop.read(Memory.data() + I, 4);
    EXPECT_EQ(Loop.end().size(), Memory.size() / 1024);
  }
}

/// After the first conflict of two sites, further ones are only counted, once
/// for each place.
TEST(RecordTest, CountsWhatIsKnown) {
  for (bool Logs : {false, true}) {
    static heddle_check_site Writer, Reader;
    for (heddle_check_site *Site : {&Writer, &Reader}) {
      Site->file = Site->function = Site->place = Site->variable = "";
      Site->bytes = 8;
      Site->flags = HEDDLE_CHECK_DIRECT;
    }
    std::vector<uint64_t> Memory(100);
    static uint64_t Count;
    const uint64_t Before = Count;
    Further = &Count;
    TestLoop Loop(8, Logs);
    Loop.goTo(1);
    for (uint64_t &At : Memory)
      heddle_check_write_8(&Writer, &At, &At, 0);
    for (unsigned Iteration : {2, 3}) {
      Loop.goTo(Iteration);
      for (uint64_t &At : Memory)
        heddle_check_read_8(&Reader, &At, &At);
    }
    // Its own places, and one that overlaps.
    Loop.goTo(4);
    heddle_check_write_8(&Writer, &Memory[0], &Memory[0], 0);
    Loop.read(reinterpret_cast<char *>(&Memory[1]), 4);
    Loop.end();
    Further = nullptr;
    EXPECT_EQ(Loop.findings().size(), Before ? 0u : 1u);
    EXPECT_EQ(Loop.findings().size() + Count - Before, Memory.size());
  }
}

/// Entries of a log keep the iteration that made them.
TEST(RecordTest, LogsIterations) {
  TestLoop Loop(8, /*Logs=*/true);
  Loop.goTo(3);
  Loop.write(Loop.memory(), 8);
  Loop.goTo(5);
  Loop.read(Loop.memory(), 8);
  EXPECT_TRUE(Loop.findings().empty());
  Loop.goTo(6);
  Loop.end();
  ASSERT_EQ(Loop.findings().size(), 1u);
  EXPECT_EQ(Loop.findings()[0].iterations[0], 2u);
  EXPECT_EQ(Loop.findings()[0].iterations[1], 4u);
}

TEST(RecordTest, CountsIterationsFromZero) {
  TestLoop Loop(8);
  Loop.goTo(3);
  Loop.write(Loop.memory(), 8);
  Loop.goTo(5);
  Loop.read(Loop.memory(), 8);
  Loop.end();
  ASSERT_EQ(Loop.findings().size(), 1u);
  EXPECT_EQ(Loop.findings()[0].iterations[0], 2u);
  EXPECT_EQ(Loop.findings()[0].iterations[1], 4u);
}

TEST(RecordTest, RecordsBeforeAPause) {
  TestLoop Loop(8, /*Logs=*/true);
  Loop.goTo(1);
  Loop.write(Loop.memory(), 8);
  Loop.goTo(2);
  Loop.read(Loop.memory(), 8);
  EXPECT_TRUE(Loop.findings().empty());
  heddle_check_pause(0);
  EXPECT_EQ(Loop.findings().size(), 1u);
  Loop.goTo(3);
  Loop.write(Loop.memory() + 8, 8);
  Loop.goTo(4);
  Loop.read(Loop.memory() + 8, 8);
  EXPECT_EQ(Loop.end().size(), 2u);
}

/// What iterations do to bytes.
class ByteModel {
  struct Byte {
    /// Readers of what is not their own; writers of other values, or of any.
    std::set<unsigned> Readers, Writers, All;
    unsigned Last = 0; ///< The last writer.
  };
  Byte Bytes[32];

public:
  /// A value depends on the order of iterations.
  bool HasConflict = false;
  /// Two iterations have written to one place.
  bool HasWrites = false;

  void read(unsigned At, unsigned Count, unsigned Iteration) {
    for (unsigned I = At; I < At + Count; ++I) {
      Byte &B = Bytes[I];
      if (B.Last == Iteration)
        continue;
      HasConflict |= !B.Writers.empty();
      B.Readers.insert(Iteration);
    }
  }

  void write(unsigned At, unsigned Count, unsigned Iteration, bool IsSilent) {
    for (unsigned I = At; I < At + Count; ++I) {
      Byte &B = Bytes[I];
      B.Last = Iteration;
      B.All.insert(Iteration);
      HasWrites |= B.All.size() > 1;
      if (IsSilent)
        continue;
      B.Writers.insert(Iteration);
      HasConflict |= B.Readers.size() > B.Readers.count(Iteration);
    }
  }
};

TEST(RecordTest, KnowsWhatIsReadAndWrittenOfEachByte) {
  std::mt19937 Random(1);
  auto Pick = [&](unsigned Count) { return unsigned(Random() % Count); };
  for (int Program = 0; Program < 10000; ++Program) {
    ByteModel Model;
    std::string Text;
    TestLoop Loop(8, /*Logs=*/Program % 2);
    const unsigned Steps = 2 + Pick(6);
    for (unsigned Step = 0, Iteration = 1; Step < Steps; ++Step) {
      Iteration += Step ? Pick(2) : 0;
      Loop.goTo(Iteration);
      const unsigned Bytes = 1u << Pick(5), At = Pick(16 / Bytes) * Bytes;
      const bool Reads = Pick(2), IsSilent = !Reads && !Pick(3);
      Text += std::to_string(Iteration) + (Reads ? " reads " : " writes ") +
              std::to_string(At) + ' ' + std::to_string(Bytes) +
              (IsSilent ? " silently\n" : "\n");
      if (Reads) {
        Loop.read(Loop.memory() + At, Bytes);
        Model.read(At, Bytes, Iteration);
      } else {
        Loop.write(Loop.memory() + At, Bytes, IsSilent);
        Model.write(At, Bytes, Iteration, IsSilent);
      }
    }
    const bool Found = !Loop.end().empty();
    if (Model.HasConflict)
      ASSERT_TRUE(Found) << Text;
    else if (!Model.HasWrites)
      ASSERT_FALSE(Found) << Text;
  }
}

/// What a jump has left is over; the loops around it are not.
TEST(LandingTest, EndsTheLoopsThatWereLeft) {
  TestLoop Outer(8);
  Outer.goTo(1);
  Outer.write(Outer.memory(), 8);
  const uint32_t Depth = heddle_check_depth;
  TestLoop Inner(8);
  Inner.goTo(1);
  EXPECT_EQ(heddle_check_depth, Depth + 1);
  heddle_check_landed(Depth);
  EXPECT_EQ(heddle_check_depth, Depth);
  Outer.goTo(2);
  Outer.read(Outer.memory(), 8);
  Inner.end();
  EXPECT_EQ(Outer.end().size(), 1u);
  EXPECT_EQ(heddle_check_depth, Depth - 1);
}

TEST(LandingTest, LeavesLoopsOfCallersAlone) {
  TestLoop Loop(8);
  Loop.goTo(1);
  heddle_check_landed(heddle_check_depth);
  EXPECT_EQ(heddle_check_depth, 1u);
  Loop.end();
  EXPECT_EQ(heddle_check_depth, 0u);
}

} // namespace
