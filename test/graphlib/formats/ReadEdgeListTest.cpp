//===- ReadEdgeListTest.cpp - Good and bad edge lists ---------------------===//

#include "../support/InputFile.h"
#include "../support/Threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <stdexcept>

namespace {

using namespace heddle::graph;
using namespace heddle::test;
using namespace std::string_view_literals;

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

constexpr std::size_t ChunkSizes[] = {1, 2, 3, 5, 8, 64, 1 << 20};

/// Reads with every chunk size, and expects the same edges each time.
void expectPairs(std::string_view text, const Pairs &expected) {
  InputFile file("edges.txt", text);
  for (std::size_t chunkBytes : ChunkSizes) {
    const auto list = readEdgeList(file.path, {.chunkBytes = chunkBytes});
    EXPECT_EQ(pairsOf(list), expected) << chunkBytes << ": " << text;
    std::uint64_t vertexCount = 0;
    for (auto [from, to] : expected)
      vertexCount = std::max({vertexCount, from + 1, to + 1});
    EXPECT_EQ(list.vertexCount, vertexCount);
  }
}

/// Reads with every chunk size, and expects the same error each time.
template <typename VertexId = std::uint32_t, typename Weight = Unweighted>
void expectProblem(std::string_view text, const std::string &expected) {
  InputFile file("edges.txt", text);
  for (std::size_t chunkBytes : ChunkSizes)
    EXPECT_EQ(
        (problemOf<VertexId, Weight>(file.path, {.chunkBytes = chunkBytes})),
        expected)
        << chunkBytes << ": " << text;
}

template <typename Weight>
std::vector<Weight> weightsOf(std::string_view text) {
  InputFile file("edges.txt", text);
  std::vector<Weight> weights;
  for (const auto &edge : readEdgeList<std::uint32_t, Weight>(file.path).edges)
    weights.push_back(edge.weight);
  return weights;
}

TEST(ReadEdgeList, SeparatorsMayBeMixed) {
  expectPairs("0 1\n2\t3\n4,5\n6 , 7\n  8 \t 9  \n10,\t11\n",
              {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}});
}

TEST(ReadEdgeList, CommentsAndEmptyLinesAreSkipped) {
  expectPairs("# from to\n%%MatrixMarket\n\n0 1\n \t\n  # indented\n1 0\n",
              {{0, 1}, {1, 0}});
  expectPairs("# nothing\n% at all", {});
  expectPairs("", {});
  expectPairs("\n", {});
  expectPairs("\r\n\r\n", {});
}

TEST(ReadEdgeList, LineEndsMayDiffer) {
  expectPairs("0 1\r\n1 2\n2 3\r\n3 4", {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  expectPairs("7 8\r", {{7, 8}});
}

TEST(ReadEdgeList, WeightsAreIgnoredIfNotWanted) {
  expectPairs("0 1 5\n1 2\n2 3 -0.25\n3,4,1e999\n",
              {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
}

TEST(ReadEdgeList, NumbersNeedNotBeContiguous) {
  expectPairs("1000000 7\n0007 3\n", {{1000000, 7}, {7, 3}});
}

TEST(ReadEdgeList, TimesBehindWeightsAreIgnored) {
  // As KONECT and SNAP publish them.
  const std::string konect = "% asym positive\n% 2 3 3\n"
                             "1 2 1 1082040961\n2\t3\t-1\t1082155839\r\n";
  expectPairs(konect, {{1, 2}, {2, 3}});
  EXPECT_EQ(weightsOf<std::int32_t>(konect),
            (std::vector<std::int32_t>{1, -1}));
  const std::string snap = "6,2,4,1289241911.72836\n6,5,-2,1289241941.5\n";
  expectPairs(snap, {{6, 2}, {6, 5}});
  EXPECT_EQ(weightsOf<float>(snap), (std::vector<float>{4, -2}));
}

TEST(ReadEdgeList, AWeightTooNearToZeroForItsTypeIsZero) {
  EXPECT_EQ(weightsOf<float>("0 1 1e-50\n0 1 -0.000001e-99999999999999\n"),
            (std::vector<float>{0, 0}));
  EXPECT_EQ(weightsOf<double>("0 1 +4e-400\n0 1 ." + std::string(400, '0') +
                              "7\n0 1 " + std::string(50, '7') + "e-450\n"),
            (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(weightsOf<float>("0 1 +1.5\n"), (std::vector<float>{1.5}));
}

TEST(ReadEdgeList, WeightsAreReadAsTheirType) {
  EXPECT_EQ(weightsOf<std::int32_t>("0 1 5\n0 2\t-2147483648\n"),
            (std::vector<std::int32_t>{5, -2147483648}));
  EXPECT_EQ(weightsOf<std::int64_t>("0 1 9223372036854775807"),
            (std::vector<std::int64_t>{9223372036854775807}));
  EXPECT_EQ(weightsOf<float>("0,1,0.5\n0,2,3\n0 3 -1e-3\n"),
            (std::vector<float>{0.5f, 3, -1e-3f}));
  EXPECT_EQ(weightsOf<double>("0 1 0.1\r\n"), (std::vector<double>{0.1}));
}

TEST(ReadEdgeList, TheHighestVerticesAreThoseWhoseCountFits) {
  InputFile file("edges.txt", "0 4294967294\n");
  const auto list = readEdgeList(file.path, {.vertexCount = 4294967295});
  EXPECT_EQ(list.edges[0].to, 4294967294u);
  expectProblem("0 4294967295\n",
                ":1: expected a vertex below 4294967295, found '4294967295'");
  expectProblem(
      "0 99999999999999999999\n",
      ":1: expected a vertex below 4294967295, found '99999999999999999999'");

  InputFile wide("wide.txt", "18446744073709551614 4294967295\n");
  const auto wideList =
      readEdgeList<std::uint64_t>(wide.path, {.vertexCount = UINT64_MAX});
  EXPECT_EQ(wideList.edges[0].from, UINT64_MAX - 1);
  for (const char *vertex : {"18446744073709551615", "18446744073709551616"})
    expectProblem<std::uint64_t>(
        std::string(vertex) + " 0",
        ":1: expected a vertex below 18446744073709551615, found '" +
            std::string(vertex) + "'");
}

TEST(ReadEdgeList, TheVertexCountMayBeGiven) {
  InputFile file("edges.txt", "0 3\n4 1\n");
  EXPECT_EQ(readEdgeList(file.path, {.vertexCount = 100}).vertexCount, 100u);
  EXPECT_EQ(readEdgeList(file.path, {.vertexCount = 5}).vertexCount, 5u);
  EXPECT_EQ(problemOf(file.path, {.vertexCount = 4}),
            ":2: expected a vertex below 4, found '4'");
  EXPECT_EQ(problemOf(file.path, {.vertexCount = 0}),
            ":1: expected a vertex below 0, found '0'");
  EXPECT_EQ(problemOf(file.path, {.vertexCount = std::uint64_t(1) << 32}),
            ": expected at most 4294967295 vertices, found a vertex count of "
            "4294967296");
}

TEST(ReadEdgeList, VerticesMustBeInProportionToTheEdges) {
  const std::string start(":2: expected a vertex below "),
      end("; if that is right, give the number of vertices");
  expectProblem("0 1\n4000000000 1\n#\n2 3\n",
                start + "4194496 in a file of 3 edges, found 4000000000" + end);
  // The most that is believed, and one more.
  expectPairs("0 4194367\n", {{0, 4194367}});
  expectProblem("\n0 4194368\n",
                start + "4194368 in a file of 1 edges, found 4194368" + end);
}

TEST(ReadEdgeList, AByteOrderMarkIsSkipped) {
  expectPairs("\xef\xbb\xbf"
              "0 1\n1 2\n",
              {{0, 1}, {1, 2}});
  expectPairs("\xef\xbb\xbf", {});
  expectProblem("0 1\n\xef\xbb\xbf"
                "1 2\n",
                ":2: expected a vertex below 4294967295, found "
                "'\\xef\\xbb\\xbf1'");
}

TEST(ReadEdgeList, NumbersOfAllLengthsAreReadAlike) {
  // Around the lengths at which the fast way changes.
  std::string text;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;
  std::uint64_t number = 1;
  for (int digits = 1; digits <= 19; ++digits, number = number * 10 + 7)
    for (std::uint64_t leadingZeros : {0, 1, 9}) {
      const std::string word =
          std::string(leadingZeros, '0') + std::to_string(number);
      text += word + " 0\n0," + word + "\n";
      expected.emplace_back(number, 0);
      expected.emplace_back(0, number);
    }
  InputFile file("edges.txt", text);
  for (std::size_t chunkBytes : ChunkSizes)
    EXPECT_EQ(
        pairsOf(readEdgeList<std::uint64_t>(
            file.path, {.vertexCount = UINT64_MAX, .chunkBytes = chunkBytes})),
        expected);
}

TEST(ReadEdgeList, MistakesInVerticesAreNamed) {
  const std::string vertex = ": expected a vertex below 4294967295, found ";
  expectProblem("0 1\n-1 2\n", ":2" + vertex + "'-1'");
  expectProblem("0 +1\n", ":1" + vertex + "'+1'");
  expectProblem("#\n\n7\n", ":3" + vertex + "the end of the line");
  expectProblem("7 ", ":1" + vertex + "the end of the line");
  expectProblem("7", ":1" + vertex + "the end of the line");
  expectProblem("x", ":1" + vertex + "'x'");
  expectProblem("1,,2\n", ":1" + vertex + "','");
  expectProblem(",1,2\n", ":1" + vertex + "','");
  expectProblem("1 2a\n", ":1" + vertex + "'2a'");
  expectProblem("1.5 2\n", ":1" + vertex + "'1.5'");
  expectProblem("0 1\n2;3\n", ":2" + vertex + "'2;3'");
  expectProblem("0 1\r2 3\n", ":1" + vertex + "'1\\x0d2'");
}

TEST(ReadEdgeList, BinaryGarbageIsQuotedSafely) {
  const std::string vertex = ": expected a vertex below 4294967295, found ";
  expectProblem("0 1\n1 \0002\n"sv, ":2" + vertex + "'\\x002'");
  expectProblem("1\0 2\n"sv, ":1" + vertex + "'1\\x00'");
  expectProblem("\x7f"
                "ELF\2\1\1\0\0\n\n"sv,
                ":1" + vertex + "'\\x7fELF\\x02\\x01\\x01\\x00\\x00'");
  expectProblem("\xff", ":1" + vertex + "'\\xff'");
  expectProblem(std::string(100, 'z'),
                ":1" + vertex + "'" + std::string(32, 'z') + "...'");
}

TEST(ReadEdgeList, MistakesAfterTheVerticesAreNamed) {
  expectProblem("0 1 2 3 4\n", ":1: expected nothing more, found '4'");
  expectProblem("0 1 2 3,\n",
                ":1: expected nothing more, found the end of the line");
  expectProblem("0 1 2 noon\n",
                ":1: expected a time or nothing more, found 'noon'");
  expectProblem("0 1 2,\n",
                ":1: expected nothing more, found the end of the line");
  const std::string weight = ":1: expected a weight or nothing more, found ";
  expectProblem("0 1,\n", weight + "the end of the line");
  expectProblem("0 1 heavy\n", weight + "'heavy'");
  expectProblem("0 1 2x\n", weight + "'2x'");
  expectProblem("0 1 nan\n", weight + "'nan'");
}

TEST(ReadEdgeList, WantedWeightsMustFitTheirType) {
  const std::string integer =
      ":1: expected an integer weight from -2147483648 to 2147483647, found ";
  for (std::string word : {"2147483648", "-2147483649", "1.5", "x", "1e3"})
    expectProblem<std::uint32_t, std::int32_t>("0 1 " + word,
                                               integer + "'" + word + "'");
  expectProblem<std::uint32_t, std::int32_t>("0 1\n",
                                             integer + "the end of the line");
  const std::string real = ":1: expected a weight that a floating-point number "
                           "of 32 bits can hold, found ";
  for (std::string word : {"1e39", "+-1", "++1", "+", "1e99999999999999", "nan",
                           "inf", "-inf", "0x1p3", "1.2.3", "."})
    expectProblem<std::uint32_t, float>("0 1 " + word, real + "'" + word + "'");
}

/// Returns many short lines, of which line `bad` is wrong, and those after it.
std::string linesWithMistakeAt(std::size_t lines, std::size_t bad) {
  std::string text;
  for (std::size_t line = 1; line <= lines; ++line)
    text += line >= bad ? "oops\n" : std::to_string(line) + " 1\n";
  return text;
}

TEST(ReadEdgeList, TheFirstMistakeIsFoundAtEveryChunkBoundary) {
  constexpr std::size_t lines = 40;
  for (std::size_t bad = 1; bad <= lines; ++bad) {
    InputFile file("edges.txt", linesWithMistakeAt(lines, bad));
    const std::string expected =
        ":" + std::to_string(bad) +
        ": expected a vertex below 4294967295, found 'oops'";
    for (std::size_t chunkBytes = 1; chunkBytes < 40; ++chunkBytes)
      for (int threads : {1, 3}) {
        ThreadCount scope(threads);
        ASSERT_EQ(problemOf(file.path, {.chunkBytes = chunkBytes}), expected)
            << chunkBytes << " bytes, " << threads << " threads";
      }
  }
}

TEST(ReadEdgeList, ChunksAndThreadsDoNotMatter) {
  std::string text;
  Pairs expected;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const std::uint64_t from = i * i % 1009, to = i * 7919 % 100003;
    text += std::to_string(from) + "\t" + std::to_string(to) + "\n";
    if (i % 10 == 0)
      text += "# " + std::string(i % 70, '-') + "\n";
    expected.emplace_back(from, to);
  }
  InputFile file("edges.txt", text);
  for (std::size_t chunkBytes : {1, 7, 100, 1000, 1 << 20})
    for (int threads : ThreadCounts) {
      ThreadCount scope(threads);
      EXPECT_EQ(pairsOf(readEdgeList(file.path, {.chunkBytes = chunkBytes})),
                expected)
          << chunkBytes << " bytes, " << threads << " threads";
    }
}

TEST(ReadEdgeList, NothingDependsOnWhatIsLookedAtAtOnce) {
  // Lines of all kinds fall on each position where a parser starts.
  constexpr std::string_view lineEnds[] = {"\n", "\r\n", " \n"};
  for (std::string_view lineEnd : lineEnds)
    for (std::size_t commentBytes : {0, 1, 2, 4000, 4095, 4096, 4097, 9000}) {
      std::string text = "#" + std::string(commentBytes, '-') + "\n";
      std::vector<std::int64_t> expected;
      for (std::int64_t i = 0; i < 2000; ++i) {
        expected.push_back(i * i * i);
        text += std::to_string(i % 13 * i) + "," + std::to_string(i) + "\t" +
                std::to_string(expected.back());
        text += lineEnd;
        if (i % 400 == 0)
          text += "#" + std::string(commentBytes, '0') + "\n";
      }
      EXPECT_EQ(weightsOf<std::int64_t>(text), expected);
      EXPECT_EQ(weightsOf<double>(text),
                std::vector<double>(expected.begin(), expected.end()));
      InputFile file("edges.txt", text + "0 1 2 3 4\n");
      EXPECT_EQ(problemOf(file.path),
                ":2007: expected nothing more, found '4'");
    }
}

TEST(ReadEdgeList, BytesBesideDigitsAreNoDigits) {
  for (int byte = 1; byte < 256; ++byte) {
    const bool hasMeaning =
        std::string_view("0123456789 \t\n\r,").find(static_cast<char>(byte)) !=
        std::string::npos;
    if (hasMeaning)
      continue;
    const std::string number = std::string("1") + static_cast<char>(byte) + "2";
    for (const std::string &line : {number + " 3\n", "3 " + number + "\n"}) {
      InputFile file("edges.txt", "0 1\n" + line);
      EXPECT_TRUE(problemOf(file.path).starts_with(":2: expected a vertex"))
          << byte;
    }
  }
}

TEST(ReadEdgeList, MoreEdgesMayFollowThanTheFirstLinesLetExpect) {
  std::string text;
  Pairs expected;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const std::string zeros(i < 500 ? 200 : i < 5000 ? 15 : 0, '0');
    expected.emplace_back(i % 7, i % 1000);
    text += zeros + std::to_string(expected.back().first) + " " + zeros +
            std::to_string(expected.back().second) + "\n";
  }
  InputFile file("edges.txt", text);
  for (int threads : ThreadCounts) {
    ThreadCount scope(threads);
    for (std::size_t chunkBytes : {16, 500, 4096})
      EXPECT_EQ(pairsOf(readEdgeList(file.path, {.chunkBytes = chunkBytes})),
                expected)
          << chunkBytes << " bytes, " << threads << " threads";
  }
}

/// Returns the edges of a file or the error in it, as text.
std::string outcome(const std::string &path, std::size_t chunkBytes) {
  try {
    std::string result;
    const ReadOptions options = {.chunkBytes = chunkBytes};
    for (auto [from, to, weight] :
         readEdgeList<std::uint64_t, double>(path, options).edges)
      result += std::to_string(from) + " " + std::to_string(to) + " " +
                std::to_string(weight) + "\n";
    return result;
  } catch (const Error &error) {
    return error.what();
  }
}

TEST(ReadEdgeList, ChunksDoNotMatterForRandomBytesEither) {
  constexpr std::string_view pieces[] = {
      "1 2 3", "4,5,6", "7\t8\t.5", "0",  "99999999999999999999",
      "-1",    " ",     ",",        "\n", "\n",
      "\n",    "\r\n",  "#",        "%",  "\0"sv,
      "x",     "\xff",  "1e9"};
  std::mt19937 random(11);
  std::size_t accepted = 0;
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (std::size_t left = random() % 12; left > 0; --left) {
      text += pieces[random() % std::size(pieces)];
      text += random() % 3 == 0 ? "" : "\n";
    }
    InputFile file("edges.txt", text);
    const std::string expected = outcome(file.path, 1 << 20);
    accepted += !expected.starts_with(file.path);
    for (std::size_t chunkBytes : {1, 4, 11})
      ASSERT_EQ(outcome(file.path, chunkBytes), expected) << text;
  }
  // Both outcomes must have been seen often.
  EXPECT_GT(accepted, 50u);
  EXPECT_LT(accepted, 450u);
}

TEST(ReadEdgeList, ALineWithoutEndIsAnError) {
  InputFile file("edges.txt", "0 1\n#" + std::string(40 << 20, 'x'));
  EXPECT_EQ(
      problemOf(file.path, {.chunkBytes = 4096}),
      ":2: expected a line of at most 16777216 bytes, found a longer one");
}

TEST(ReadEdgeList, FilesThatCannotBeRead) {
  TemporaryDirectory directory;
  const std::string missing = directory.file("missing.txt");
  EXPECT_EQ(problemOf(missing), ": cannot open: No such file or directory");
  EXPECT_EQ(problemOf(missing + ".gz"),
            ": cannot open: No such file or directory");
  EXPECT_EQ(problemOf(directory.file("")), ":1: cannot read: Is a directory");
}

TEST(ReadEdgeList, ProgressEndsAtTheSizeOfTheFile) {
  const std::string text = linesWithMistakeAt(1000, 1001);
  InputFile file("edges.txt", text);
  // With more threads, the calling one may by chance have little to do.
  ThreadCount scope(1);
  std::vector<std::uint64_t> steps;
  readEdgeList(file.path,
               {.chunkBytes = 16,
                .progress = [&](std::uint64_t done, std::uint64_t total) {
                  EXPECT_EQ(total, text.size());
                  steps.push_back(done);
                }});
  ASSERT_GT(steps.size(), 2u);
  EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
  EXPECT_EQ(steps.back(), text.size());
}

TEST(ReadEdgeList, ProgressMayEndTheReading) {
  InputFile file("edges.txt", "0 1\n");
  const auto stop = [](std::uint64_t, std::uint64_t) {
    throw std::runtime_error("enough");
  };
  EXPECT_THROW(readEdgeList(file.path, {.progress = stop}), std::runtime_error);
}

} // namespace
