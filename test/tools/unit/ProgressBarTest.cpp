//===- ProgressBarTest.cpp - The text of the progress bar -----------------===//

#include "output/ProgressBar.h"

#include <gtest/gtest.h>

namespace {

using heddle::progressText;

constexpr std::size_t Wide = 200;
constexpr std::uint64_t Gigabyte = 1000000000;

TEST(ProgressText, ShowsHowMuchIsDone) {
  EXPECT_EQ(progressText("Reading a", 0, 100, 0, Wide),
            "Reading a [>                   ]  0%");
  EXPECT_EQ(progressText("Reading a", Gigabyte / 2, Gigabyte, 0.25, Wide),
            "Reading a [==========>         ] 50%  2.00 GB/s  1 s left");
  EXPECT_EQ(progressText("Reading a", 999, 1000, 1, Wide),
            "Reading a [===================>] 99%  999 B/s  1 s left");
  EXPECT_EQ(progressText("Reading a", 1000, 1000, 1, Wide),
            "Reading a [====================] 100%  1.00 kB/s  0 s left");
}

TEST(ProgressText, AnUnknownSizeIsNotGuessed) {
  EXPECT_EQ(progressText("Reading -", 812 * Gigabyte / 1000, 0, 0.58, Wide),
            "Reading -  812 MB  1.40 GB/s");
}

TEST(ProgressText, AFileThatGrewIsDone) {
  EXPECT_EQ(progressText("a", 2000, 1000, 2, Wide),
            "a [====================] 100%  1.00 kB/s  0 s left");
}

TEST(ProgressText, LongTimesAreInMinutesAndHours) {
  const auto left = [](std::uint64_t total) {
    const std::string text = progressText("a", 1000, total, 1, Wide);
    return text.substr(text.rfind("  ") + 2);
  };
  EXPECT_EQ(left(60000), "59 s left");
  EXPECT_EQ(left(61000), "1 min 0 s left");
  EXPECT_EQ(left(126000), "2 min 5 s left");
  EXPECT_EQ(left(7500000), "2 h 4 min left");
}

TEST(ProgressText, SizesHaveThreeDigits) {
  const auto size = [](std::uint64_t bytes) {
    return progressText("", bytes, 0, 0, Wide);
  };
  EXPECT_EQ(size(999), "  999 B");
  EXPECT_EQ(size(1000), "  1.00 kB");
  EXPECT_EQ(size(9999), "  10.0 kB");
  EXPECT_EQ(size(99990), "  100 kB");
  EXPECT_EQ(size(999600), "  1.00 MB");
  EXPECT_EQ(size(UINT64_MAX), "  18.4 EB");
}

TEST(ProgressText, CountsUpdates) {
  const auto text = [](std::uint64_t done) {
    return progressText("", done, 0, 1, Wide, heddle::ProgressUnit::Updates);
  };
  EXPECT_EQ(text(812), "  812 updates  812 updates/s");
  EXPECT_EQ(text(1234567), "  1.23 M updates  1.23 M updates/s");
}

TEST(ProgressText, SaysHowManyBatchesAndWhatTheDiskHasMoved) {
  const auto text = [](std::uint64_t done, double seconds, auto... diskBytes) {
    return progressText("Edges", done, 8, seconds, Wide,
                        heddle::ProgressUnit::Batches, diskBytes...);
  };
  EXPECT_EQ(text(3, 7.0, std::uint64_t(2184000000)),
            "Edges [=======>            ] 37%  3 of 8 batches  312 MB/s  12 s "
            "left");
  EXPECT_EQ(
      text(3, 7.0, std::uint64_t(0)),
      "Edges [=======>            ] 37%  3 of 8 batches  0 B/s  12 s left");
  // The text if transfers are not counted.
  EXPECT_EQ(text(3, 7.0),
            "Edges [=======>            ] 37%  3 of 8 batches  12 s left");
  EXPECT_EQ(text(0, 0, std::uint64_t(5)),
            "Edges [>                   ]  0%  0 of 8 batches");
  // The text of the longest phase, on a usual terminal.
  EXPECT_LT(progressText("Checkpoint", 100, 128, 36, 200,
                         heddle::ProgressUnit::Batches, 36 * Gigabyte)
                .size(),
            80);
}

TEST(ProgressText, FitsTheTerminal) {
  for (std::size_t columns : {0, 1, 2, 10, 30, 80})
    EXPECT_LE(progressText("Reading a", 500, 1000, 1, columns).size(),
              columns == 0 ? 0 : columns - 1);
}

} // namespace
