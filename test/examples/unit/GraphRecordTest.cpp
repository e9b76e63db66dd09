//===- GraphRecordTest.cpp - Reading optimisation records -----------------===//

#include "driver/records.h"

#include <gtest/gtest.h>

TEST(Record, OnlyRemarksOfThePassCount) {
  std::vector<Remark> remarks = parseRecord(R"(--- !Passed
Pass:            inline
Name:            Inlined
DebugLoc:        { File: a.cpp, Line: 3, Column: 1 }
Function:        f
Args:
  - String:          ignored
...
--- !Passed
Pass:            heddle
Name:            Interleaved
DebugLoc:        { File: '/some/very/long/folder/with, commas/and-more/bfs.cpp', 
                   Line: 26, Column: 5 }
Function:        expand
Args:
  - String:          'interleaved, '
  - Suspensions:     '3'
    DebugLoc:        { File: other.h, Line: 1, Column: 1 }
  - String:          ' suspension points; it''s done'
...
--- !Missed
Pass:            heddle
Name:            NotInterleaved
DebugLoc:        { File: src/pull.cpp, Line: 7, Column: 1 }
Function:        pull
Args:
  - String:          "\"gathers\" are covered"
  - String:          '; '
  - Next:            nothing
  - Refusal:         Overlapped
...
)");
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_EQ(remarks[0].kind, "Passed");
  EXPECT_EQ(remarks[0].file, "bfs.cpp");
  EXPECT_EQ(remarks[0].line, 26u);
  EXPECT_EQ(remarks[0].message, "interleaved, 3 suspension points; it's done");
  EXPECT_EQ(remarks[1].kind, "Missed");
  EXPECT_EQ(remarks[1].file, "pull.cpp");
  EXPECT_EQ(remarks[1].line, 7u);
  EXPECT_EQ(remarks[1].message, "\"gathers\" are covered; nothing");
}

TEST(Record, EmptyAndCutRecordsGiveNoNonsense) {
  EXPECT_TRUE(parseRecord("").empty());
  EXPECT_TRUE(parseRecord("--- !Passed\nName: X").empty());
  EXPECT_TRUE(parseRecord("--- !Missed\nPass: \"heddle").empty());
}
