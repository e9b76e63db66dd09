//===- CompressedInputTest.cpp - Whole and damaged .gz and .zst files -----===//

#include "../support/InputFile.h"

#include <gtest/gtest.h>

#include <zlib.h>
#include <zstd.h>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

std::string gzip(const std::string &text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8,
                         Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string result(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef *>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

/// Returns the text compressed with a checksum, like the command-line tool.
std::string zstd(const std::string &text) {
  ZSTD_CCtx *context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string result(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress2(context, result.data(), result.size(),
                                          text.data(), text.size());
  EXPECT_FALSE(ZSTD_isError(size));
  result.resize(size);
  ZSTD_freeCCtx(context);
  return result;
}

struct Format {
  const char *name, *fileName;
  std::string (*compress)(const std::string &text);
};

class Compressed : public testing::TestWithParam<Format> {
protected:
  std::string compress(const std::string &text) const {
    return GetParam().compress(text);
  }
  std::string problemOfBytes(std::string_view bytes) const {
    InputFile file(GetParam().fileName, bytes);
    return problemOf(file.path, {.chunkBytes = 64});
  }
  std::string name() const { return GetParam().name; }
};

/// Returns lines that compress to a medium size.
std::string manyLines() {
  std::string text;
  for (std::uint64_t i = 0; i < 60000; ++i)
    text += std::to_string(i * 7919 % 100003) + " " + std::to_string(i) + "\n";
  return text;
}

TEST_P(Compressed, ReadsWhatThePlainFileHas) {
  const std::string text = manyLines();
  InputFile plain("edges.txt", text);
  InputFile packed(GetParam().fileName, compress(text));
  const auto expected = pairsOf(readEdgeList(plain.path));
  ASSERT_EQ(expected.size(), 60000u);
  for (std::size_t chunkBytes : {13, 4096, 1 << 20})
    EXPECT_EQ(pairsOf(readEdgeList(packed.path, {.chunkBytes = chunkBytes})),
              expected);
}

TEST_P(Compressed, SeveralInOneFileFollowEachOther) {
  InputFile file(GetParam().fileName,
                 compress("0 1\n2 ") + compress("") + compress("3\n"));
  const auto list = readEdgeList(file.path);
  EXPECT_EQ(pairsOf(list), (decltype(pairsOf(list)){{0, 1}, {2, 3}}));
}

TEST_P(Compressed, NothingCompressedIsAnEmptyList) {
  InputFile file(GetParam().fileName, compress(""));
  EXPECT_EQ(readEdgeList(file.path).edges.size(), 0u);
}

TEST_P(Compressed, AFileCutShortAnywhereIsAnError) {
  const std::string whole = compress("0 1\n2 3\n44 5\n");
  const std::string end =
      ": expected more " + name() + " data, found the end of the file";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string problem = problemOfBytes(whole.substr(0, size));
    EXPECT_TRUE(problem.ends_with(end)) << size << ": " << problem;
  }
  EXPECT_EQ(problemOfBytes(""), ":1" + end);
}

TEST_P(Compressed, AFileCutShortNamesTheLineItGotTo) {
  const std::string whole = compress(manyLines());
  const std::string problem = problemOfBytes(whole.substr(0, whole.size() / 2));
  const int line = std::stoi(problem.substr(1));
  EXPECT_GT(line, 20000);
  EXPECT_LT(line, 40000);
}

TEST_P(Compressed, AMistakeBeforeTheDamageComesFirst) {
  const std::string whole = compress("0 1\n2 x\n" + manyLines());
  EXPECT_EQ(problemOfBytes(whole.substr(0, whole.size() - 10)),
            ":2: expected a vertex below 4294967295, found 'x'");
}

TEST_P(Compressed, AFlippedBitIsNoticedOrWithoutEffect) {
  const std::string whole = compress("0 1\n2 3\n44 5\n0 1\n2 3\n");
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected = {
      {0, 1}, {2, 3}, {44, 5}, {0, 1}, {2, 3}};
  for (std::size_t byte = 0; byte < whole.size(); ++byte)
    for (int bit = 0; bit < 8; ++bit) {
      std::string broken = whole;
      broken[byte] = static_cast<char>(broken[byte] ^ (1 << bit));
      InputFile file(GetParam().fileName, broken);
      try {
        // A few bits of the headers have no effect.
        EXPECT_EQ(pairsOf(readEdgeList(file.path)), expected)
            << byte << " " << bit;
        EXPECT_LT(byte, 10u);
      } catch (const Error &) {
        continue;
      }
    }
}

TEST_P(Compressed, ForeignBytesAreDamage) {
  const std::string damage = ":1: expected " + name() + " data, found damage (";
  for (const char *bytes : {"0 1\n2 3\n", "garbage that is long enough"})
    EXPECT_TRUE(problemOfBytes(bytes).starts_with(damage))
        << problemOfBytes(bytes);
  // After a good part, it is damage on the line behind it.
  const std::string problem =
      problemOfBytes(compress("0 1\n2 3\n") + "garbage, long enough");
  EXPECT_TRUE(
      problem.starts_with(":3: expected " + name() + " data, found damage ("))
      << problem;
}

TEST_P(Compressed, TheNameNeedNotSayIt) {
  for (const char *name : {"edges", "edges.txt", "edges.el", "edges.GZ",
                           "edges.gz", "edges.zst", "edges.tgz"}) {
    InputFile file(name, compress("0 1\n2 3\n"));
    EXPECT_EQ(problemOf(file.path), "accepted") << name;
  }
}

TEST(Gzip, ZerosMayFollow) {
  const std::string whole = gzip("0 1\n2 3\n"), one = gzip("4 5\n");
  const auto edges = [](const std::string &bytes) {
    InputFile file("edges.gz", bytes);
    return readEdgeList(file.path, {.chunkBytes = 64}).edges.size();
  };
  for (const std::size_t zeros : {1, 2, 17, 18, 512, 262144, 1000000}) {
    const std::string padding(zeros, '\0');
    EXPECT_EQ(edges(whole + padding), 2u) << zeros;
    EXPECT_EQ(edges(whole + padding + one + padding), 3u) << zeros;
    InputFile garbage("edges.gz", whole + padding + "garbage, long enough");
    EXPECT_TRUE(problemOf(garbage.path)
                    .starts_with(":3: expected gzip data, found damage ("));
  }
  InputFile nothing("edges.gz", std::string(512, '\0'));
  EXPECT_TRUE(problemOf(nothing.path)
                  .starts_with(":1: expected gzip data, found damage ("));
}

INSTANTIATE_TEST_SUITE_P(Formats, Compressed,
                         testing::Values(Format{"gzip", "edges.txt.gz", gzip},
                                         Format{"zstd", "edges.txt.zst", zstd}),
                         [](const auto &instance) {
                           return std::string(instance.param.name);
                         });

} // namespace
