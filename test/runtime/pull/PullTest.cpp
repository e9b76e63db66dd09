//===- PullTest.cpp - Every edge and every row once -----------------------===//
//
// Runs the code that the compiler generates for a loop over rows, written by
// hand: each row counts its edges.
//
//===----------------------------------------------------------------------===//

#include "pull/pull.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <ostream>
#include <random>
#include <span>
#include <vector>

extern "C" int32_t __kmpc_global_thread_num(void *place);

namespace {

/// A source location, in the form of OpenMP's run time.
struct SourcePlace {
  int32_t Reserved = 0, Flags = 2, More = 0, Length = 22;
  const char *Text = ";unknown;unknown;0;0;;";
};
SourcePlace Place;

/// The number of edges that have been combined.
using Piece = uint64_t;
constexpr Piece Nothing = 0;

void combine(void *Into, const void *From) {
  *static_cast<Piece *>(Into) += *static_cast<const Piece *>(From);
}

struct Cut {
  uint64_t EdgesPerChunk, RowsPerChunk;
  bool Dynamic;
  int Threads;
};

std::ostream &operator<<(std::ostream &Out, const Cut &How) {
  return Out << How.EdgesPerChunk << " edges or " << How.RowsPerChunk
             << " rows a chunk, " << (How.Dynamic ? "dynamic, " : "static, ")
             << How.Threads << " threads";
}

/// The ends of rows, as `Number`s that grow by `Unit` with every edge.
template <typename Number> class Rows {
  uint64_t Unit;
  Number First;
  std::vector<Number> Ends;

  struct Outcome {
    std::atomic<uint32_t> Finished = 0;
    Piece Whole = Nothing;
  };

public:
  Rows(const std::vector<uint64_t> &Degrees, uint64_t Unit, Number First)
      : Unit(Unit), First(First) {
    for (uint64_t Degree : Degrees)
      Ends.push_back(static_cast<Number>((Ends.empty() ? First : Ends.back()) +
                                         Degree * Unit));
  }

  void check(const Cut &How) {
    std::vector<Outcome> Outcomes(Ends.size());
    std::vector<std::atomic<uint32_t>> Edges(edgesBefore(Ends.back()));
    std::atomic<uint64_t> MostWork = 0;
#pragma omp parallel num_threads(How.Threads)
    {
      run(How, Outcomes, Edges, MostWork);
      // Without a barrier, loops do not get in each other's way.
      run(How, Outcomes, Edges, MostWork);
    }
    for (std::atomic<uint32_t> &Edge : Edges)
      ASSERT_EQ(Edge, 2u) << How;
    for (size_t Row = 0; Row < Ends.size(); ++Row) {
      ASSERT_EQ(Outcomes[Row].Finished, 2u) << "row " << Row << ", " << How;
      ASSERT_EQ(Outcomes[Row].Whole,
                edgesBefore(Ends[Row]) - edgesBefore(beginOf(Row)))
          << "row " << Row << ", " << How;
    }
    // A chunk may begin with a row that was not worth cutting.
    if (How.EdgesPerChunk >= 64 && How.Threads > 1) {
      EXPECT_LE(MostWork, How.EdgesPerChunk + How.EdgesPerChunk / 16) << How;
    }
  }

private:
  Number beginOf(uint64_t Row) const { return Row ? Ends[Row - 1] : First; }
  uint64_t edgesBefore(Number End) const {
    return static_cast<uint64_t>(End - First) / Unit;
  }

  /// The work of each thread of a team.
  void run(const Cut &How, std::vector<Outcome> &Outcomes,
           std::vector<std::atomic<uint32_t>> &Edges,
           std::atomic<uint64_t> &MostWork) {
    heddle_pull_rows About = {};
    About.count = Ends.size();
    About.end = Ends.data();
    About.stride = sizeof(Number);
    About.width = sizeof(Number);
    About.unit = static_cast<uint32_t>(Unit);
    About.begin = First;
    About.piece_bytes = sizeof(Piece);
    About.identity = &Nothing;
    About.combine = combine;
    About.edges_per_chunk = How.EdgesPerChunk;
    About.rows_per_chunk = How.RowsPerChunk;
    About.dynamic = How.Dynamic;
    About.thread = __kmpc_global_thread_num(&Place);
    About.source_place = &Place;
    heddle_pull Pull;
    Piece Carry;
    heddle_pull_begin(&Pull, &About, &Carry);
    while (heddle_pull_next(&Pull)) {
      bool AreWhole = Pull.low == 0 && Pull.high == UINT64_MAX;
      if (AreWhole) {
        EXPECT_EQ(Pull.continued, HEDDLE_PULL_NO_ROW);
        EXPECT_EQ(Pull.deferred, HEDDLE_PULL_NO_ROW);
        EXPECT_EQ(Pull.edges, edgesBefore(Ends[Pull.last]) -
                                  edgesBefore(beginOf(Pull.first)));
      } else {
        EXPECT_EQ(Pull.first, Pull.last);
      }
      uint64_t Work = 0;
      for (uint64_t Row = Pull.first; Row <= Pull.last; ++Row)
        Work += runRow(Pull, Carry, Row, Outcomes[Row], Edges);
      for (uint64_t Most = MostWork;
           Most < Work && !MostWork.compare_exchange_weak(Most, Work);)
        ;
    }
  }

  /// \returns the number of edges that it ran.
  uint64_t runRow(const heddle_pull &Pull, const Piece &Carry, uint64_t Row,
                  Outcome &Result, std::vector<std::atomic<uint32_t>> &Edges) {
    bool IsContinued = Row == Pull.continued;
    Piece Own = IsContinued ? Carry : Nothing;
    uint64_t From = std::max<uint64_t>(beginOf(Row), Pull.low);
    uint64_t To = std::min<uint64_t>(Ends[Row], Pull.high);
    uint64_t Count = 0;
    for (uint64_t Edge = From; Edge < To; Edge += Unit, ++Count) {
      ++Edges[edgesBefore(static_cast<Number>(Edge))];
      ++Own;
    }
    if (Row == Pull.deferred || Ends[Row] > Pull.high) {
      static_cast<Piece *>(Pull.slots)[IsContinued ? 0 : 1] = Own;
      return Count;
    }
    ++Result.Finished;
    Result.Whole = Own;
    return Count;
  }
};

std::vector<uint64_t> degreesOf(unsigned Kind, std::mt19937 &Random) {
  size_t Count = 1 + Random() % 700;
  std::vector<uint64_t> Degrees(Count);
  for (size_t Row = 0; Row < Count; ++Row)
    switch (Kind) {
    case 0: // few edges, many empty rows, hubs
      Degrees[Row] = Random() % 2    ? 0
                     : Random() % 97 ? Random() % 12
                                     : Random() % 3000;
      break;
    case 1: // nothing but empty rows
      break;
    case 2: // all in one row
      Degrees[Row] = Row == Count / 2 ? 20000 : 0;
      break;
    case 3: // all alike
      Degrees[Row] = 64;
      break;
    case 4: // each longer than a chunk
      Degrees[Row] = Row < 20 ? 200 + Random() % 500 : 0;
      break;
    }
  return Degrees;
}

constexpr uint64_t ChunkSizes[] = {0, 1, 64, 65, 100, 1000, 1 << 30};

void checkAll(const std::function<void(const Cut &)> &Check,
              std::mt19937 &Random) {
  for (int Threads : {1, 2, 3, 8})
    Check({ChunkSizes[Random() % std::size(ChunkSizes)],
           Random() % 2 ? Random() % 100 : 0, Random() % 2 == 0, Threads});
}

class PullTest : public testing::TestWithParam<unsigned> {
protected:
  std::mt19937 Random{GetParam()};
};

TEST_P(PullTest, RunsEveryEdgeOfNumberedRowsOnce) {
  for (int Round = 0; Round < 12; ++Round) {
    Rows<uint64_t> Some(degreesOf(GetParam(), Random), 1, Random() % 1000);
    checkAll([&](const Cut &How) { Some.check(How); }, Random);
  }
}

TEST_P(PullTest, RunsEveryEdgeOfNarrowRowsOnce) {
  for (int Round = 0; Round < 12; ++Round) {
    Rows<uint32_t> Some(degreesOf(GetParam(), Random), 1,
                        0xfff00000 * (Round % 2));
    checkAll([&](const Cut &How) { Some.check(How); }, Random);
  }
}

TEST_P(PullTest, RunsEveryEdgeBetweenPointersOnce) {
  for (int Round = 0; Round < 12; ++Round) {
    Rows<uint64_t> Some(degreesOf(GetParam(), Random), 4 + 8 * (Round % 2),
                        0x7f0000000004);
    checkAll([&](const Cut &How) { Some.check(How); }, Random);
  }
}

INSTANTIATE_TEST_SUITE_P(Pull, PullTest, testing::Range(0u, 5u));

/// Rows that end there, which the calling thread's team takes by a dynamic
/// schedule.
heddle_pull_rows inChunksOf64(std::span<const uint64_t> Ends) {
  heddle_pull_rows About = {};
  About.count = Ends.size();
  About.end = Ends.data();
  About.stride = About.width = sizeof(uint64_t);
  About.unit = 1;
  About.piece_bytes = sizeof(Piece);
  About.identity = &Nothing;
  About.combine = combine;
  About.edges_per_chunk = 64;
  About.dynamic = 1;
  About.thread = __kmpc_global_thread_num(&Place);
  About.source_place = &Place;
  return About;
}

/// Parts are combined from a row's first edge to its last.
TEST(Pull, CombinesPartsInTheOrderOfTheEdges) {
  const uint64_t End = 1000;
  std::vector<uint64_t> Order;
#pragma omp parallel num_threads(4)
  {
    Piece Carry;
    heddle_pull_rows About = inChunksOf64({&End, 1});
    About.combine = [](void *Into, const void *From) {
      auto &Earlier = *static_cast<uint64_t *>(Into);
      auto Later = *static_cast<const uint64_t *>(From);
      Earlier = Earlier < Later ? Later : UINT64_MAX;
    };
    heddle_pull Pull;
    heddle_pull_begin(&Pull, &About, &Carry);
    while (heddle_pull_next(&Pull)) {
      if (Pull.deferred != 0 && Pull.high == UINT64_MAX)
        Order.push_back(Carry);
      else
        static_cast<uint64_t *>(Pull.slots)[Pull.continued == 0 ? 0 : 1] =
            Pull.low + 1;
    }
  }
  // The last part begins at the last multiple of a chunk's work.
  EXPECT_EQ(Order, std::vector<uint64_t>{1000 / 64 * 64 + 1});
}

/// The edges that a thread ran before are in its cache.
TEST(Pull, ThreadsTakeFromTheirOwnShareFirstAndThenFromOthers) {
  constexpr uint64_t Count = 1000;
  std::vector<uint64_t> Ends;
  for (uint64_t Row = 0; Row < Count; ++Row)
    Ends.push_back((Row + 1) * 63);
  std::atomic<uint64_t> Finished = 0;
  std::atomic<uint64_t> First[2] = {Count, Count};
#pragma omp parallel num_threads(2)
  {
    Piece Carry;
    const heddle_pull_rows About = inChunksOf64(Ends);
    heddle_pull Pull;
    heddle_pull_begin(&Pull, &About, &Carry);
    const int Thread = omp_get_thread_num();
    while (heddle_pull_next(&Pull)) {
      if (First[Thread] == Count)
        First[Thread] = Pull.first;
      // The second thread gets no further than to its first row.
      while (Thread == 0 ? First[1] == Count : Finished < Count - 1)
        ;
      Finished += Pull.last - Pull.first + 1;
    }
  }
  EXPECT_EQ(Finished, Count);
  EXPECT_EQ(First[0], 0u);
  EXPECT_EQ(First[1], Count / 2);
}

TEST(Pull, NeedsNoOpenMPRegion) {
  Rows<uint64_t> Some({3, 0, 500, 2}, 1, 0);
  Some.check({64, 0, true, 1});
}

} // namespace
