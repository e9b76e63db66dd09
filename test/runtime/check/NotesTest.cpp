//===- NotesTest.cpp - What is known of places ----------------------------===//

extern "C" {
#include "check/quick.h"
}

#include <gtest/gtest.h>

#include <vector>

namespace {

class NotesTest : public testing::Test {
protected:
  static constexpr uintptr_t Start = uintptr_t(1) << 30;
  heddle_cells Cells = {};

  NotesTest() { begin(); }
  ~NotesTest() override { heddle_cells_free(&Cells); }

  void begin() {
    heddle_cells_clear(&Cells);
    ++Cells.iteration;
  }

  /// Notes a read if that can be; returns whether.
  bool note(uintptr_t Address, unsigned Bytes) {
    const heddle_access Access = {.kind = HEDDLE_ACCESS_READ,
                                  .operation = 0,
                                  .noted = 0,
                                  .is_silent = false,
                                  .is_hidden = false,
                                  .iteration = Cells.iteration,
                                  .site = 1,
                                  .value = 0};
    return heddle_noted(&Cells, heddle_blocks_at(&Cells, Address, Bytes),
                        &Access, Address, Bytes);
  }

  bool isNoted(uintptr_t Address) {
    const heddle_block *Block = heddle_blocks_find(&Cells, Address);
    return Block && heddle_is_noted(&Cells, heddle_note_at(Block, Address));
  }

  unsigned scale(uintptr_t Address) {
    return heddle_scale(heddle_blocks_find(&Cells, Address));
  }
};

TEST_F(NotesTest, AreAsFineAsTheirPlaces) {
  static const struct {
    unsigned Offset, Bytes, Scale;
  } Places[] = {{0, 8, 3}, {0, 4, 2}, {4, 4, 2}, {2, 2, 1}, {8, 2, 1},
                {7, 1, 0}, {8, 1, 0}, {1, 3, 0}, {2, 6, 1}};
  uintptr_t Block = Start;
  for (const auto &P : Places) {
    EXPECT_TRUE(note(Block + P.Offset, P.Bytes));
    EXPECT_EQ(scale(Block), P.Scale) << P.Offset << ' ' << P.Bytes;
    Block += HEDDLE_BLOCK;
  }
}

TEST_F(NotesTest, KeepWhatTheySayWhenTheyGetFiner) {
  EXPECT_TRUE(note(Start, 8));
  EXPECT_TRUE(note(Start + 8, 4));
  EXPECT_TRUE(note(Start + 4088, 8));
  EXPECT_TRUE(note(Start + 12, 4));
  EXPECT_EQ(scale(Start), 2u);
  EXPECT_TRUE(note(Start + 17, 1));
  EXPECT_EQ(scale(Start), 0u);
  for (unsigned Noted : {0, 7, 8, 11, 12, 15, 17, 4088, 4095})
    EXPECT_TRUE(isNoted(Start + Noted)) << Noted;
  for (unsigned Empty : {16, 18, 24, 4087})
    EXPECT_FALSE(isNoted(Start + Empty)) << Empty;
  // The same places again, and others that reach into them.
  EXPECT_TRUE(note(Start, 8));
  EXPECT_TRUE(note(Start + 12, 4));
  EXPECT_FALSE(note(Start + 4, 4));
  EXPECT_FALSE(note(Start + 8, 8));
  EXPECT_FALSE(note(Start + 16, 2));
}

TEST_F(NotesTest, BecomeCellsOfTheirPlaces) {
  EXPECT_TRUE(note(Start, 8));
  EXPECT_TRUE(note(Start + 8, 4));
  EXPECT_TRUE(note(Start + 12, 4));
  for (unsigned Granule : {0u, 8u}) {
    heddle_block *Block = heddle_blocks_find(&Cells, Start);
    heddle_notes_to_cells(&Cells, Block, Start + Granule);
    const heddle_note *First = heddle_note_of_granule(Block, Start + Granule);
    ASSERT_TRUE(heddle_has_cells(&Cells, First));
    unsigned Count = 0;
    for (const heddle_cell *Cell = heddle_cells_first(&Cells, First); Cell;
         Cell = heddle_cells_next(&Cells, Cell), ++Count)
      EXPECT_EQ(Cell->readers[0], Cells.iteration);
    EXPECT_EQ(Count, Granule ? 2u : 1u);
  }
  // The next loop knows nothing of them.
  begin();
  EXPECT_TRUE(note(Start, 8));
  EXPECT_TRUE(note(Start + 8, 8));
}

TEST_F(NotesTest, AreForgottenWithTheirPlaces) {
  for (unsigned At = 0; At < 3 * HEDDLE_BLOCK; At += 8)
    EXPECT_TRUE(note(Start + At, 8));
  heddle_cells_forget(&Cells, Start + 20, Start + HEDDLE_BLOCK + 8);
  EXPECT_TRUE(isNoted(Start + 8));
  EXPECT_FALSE(isNoted(Start + 16));
  EXPECT_FALSE(isNoted(Start + HEDDLE_BLOCK));
  EXPECT_TRUE(isNoted(Start + HEDDLE_BLOCK + 8));
  heddle_cells_forget(&Cells, 0, UINTPTR_MAX);
  EXPECT_FALSE(isNoted(Start + 8));
  EXPECT_FALSE(isNoted(Start + 3 * HEDDLE_BLOCK - 8));
}

TEST_F(NotesTest, OfEarlierLoopsAreEmpty) {
  // Numbers of iterations, then those of blocks, start again.
  for (uint32_t Iteration : {7u, UINT32_MAX - 1, 9u}) {
    EXPECT_TRUE(note(Start, 8));
    Cells.iteration = std::max(Cells.iteration, Iteration);
    begin();
    EXPECT_FALSE(isNoted(Start));
  }
  EXPECT_LT(Cells.iteration, 100u);
  for (int I = 0; I < 70000; ++I) {
    if (I % 1000 == 0)
      EXPECT_TRUE(note(Start + 8 * (I / 1000), 8));
    begin();
    ASSERT_FALSE(isNoted(Start + 8 * (I / 1000)));
  }
}

TEST_F(NotesTest, KnowSomeValuesToSet) {
  for (int Loop = 0; Loop < 3; ++Loop, begin()) {
    EXPECT_EQ(heddle_noted_set(&Cells, 1), HEDDLE_NOTED_SET + 0u);
    std::vector<unsigned> Noted;
    for (uint64_t Value = 2; Value < 40; ++Value)
      Noted.push_back(heddle_noted_set(&Cells, Value));
    EXPECT_EQ(Noted.front(), HEDDLE_NOTED_SET + 1u);
    EXPECT_EQ(Noted.back(), unsigned(HEDDLE_NOTED_OPERATIONS));
    EXPECT_EQ(heddle_noted_set(&Cells, 2), Noted.front());
  }
}

} // namespace
