//===- FormatFuzz.cpp - Bytes as files of graphs --------------------------===//
//
// The first two bytes choose a format and the weights, the others are the file.
// Whether it is read at once or piece by piece, the result is an error or the
// same good graph.
//
//===----------------------------------------------------------------------===//

#include "../graphlib/support/FlatGraph.h"
#include "../support/TemporaryDirectory.h"
#include "Fuzz.h"
#include "FuzzInput.h"
#include "graphlib/formats/Formats.h"
#include "heddle/graph/Generate.h"
#include "heddle/graph/RandomWeights.h"
#include "heddle/graph/ReadUpdates.h"
#include "heddle/graph/ToCsr.h"
#include "heddle/graph/WriteGraph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// A file in memory, without a name that tells its format.
class FileInMemory {
public:
  explicit FileInMemory(std::span<const std::uint8_t> bytes)
      : descriptor(memfd_create("fuzz", MFD_CLOEXEC)),
        path("/proc/self/fd/" + std::to_string(descriptor)) {
    EXPECT_EQ(write(descriptor, bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
  }
  ~FileInMemory() { close(descriptor); }
  FileInMemory(const FileInMemory &) = delete;
  FileInMemory &operator=(const FileInMemory &) = delete;

private:
  const int descriptor;

public:
  const std::string path;
};

template <typename Rows>
void expectGood(const Rows &rows, std::size_t vertices) {
  const auto offsets = std::span(rows.offsets);
  if (offsets.empty())
    return;
  ASSERT_EQ(offsets.size(), vertices + 1);
  ASSERT_EQ(offsets.front(), 0u);
  ASSERT_EQ(offsets.back(), rows.targets.size());
  ASSERT_TRUE(std::ranges::is_sorted(offsets));
  for (const auto target : rows.targets)
    ASSERT_LT(target, vertices);
}

template <EdgeWeight Weight>
bool isReadAtOnce(const std::string &path, GraphFormat format,
                  const ReadOptions &options) {
  try {
    const auto graph = readGraph<std::uint32_t, Weight>(
        path, {.format = format, .text = options});
    expectGood(graph.outRows(), graph.vertexCount());
    expectGood(graph.inRows(), graph.vertexCount());
    return true;
  } catch (const Error &) {
    return false;
  }
}

template <EdgeWeight Weight>
bool isReadInPieces(const std::string &path, GraphFormat format,
                    const ReadOptions &options) {
  try {
    visitFormat(format, [&](auto chosen) {
      const auto source = chosen.template open<Weight>(path, options);
      for (auto piece = source->next(); !piece.empty(); piece = source->next())
        for (const auto &edge : piece)
          ASSERT_LT(std::max(edge.from, edge.to), source->vertexCount());
    });
    return true;
  } catch (const Error &) {
    return false;
  }
}

template <EdgeWeight Weight>
void read(const std::string &path, std::optional<GraphFormat> chosen) {
  // Small chunks have more ends, and many vertices take long.
  const ReadOptions options = {.vertexCount = 5000, .chunkBytes = 64};
  GraphFormat format = GraphFormat::EdgeList;
  try {
    format = chosen ? *chosen : formatOfFile(path);
  } catch (const Error &) {
    return;
  }
  EXPECT_EQ(isReadAtOnce<Weight>(path, format, options),
            isReadInPieces<Weight>(path, format, options));
}

void readStream(const std::string &path) {
  try {
    const auto stream = readUpdates<std::uint32_t, float>(path);
    EXPECT_EQ(stream.updates.size(), stream.times.size());
  } catch (const Error &) {
    return;
  }
}

std::string sampleOf(std::size_t format, const std::string &ending) {
  const TemporaryDirectory directory;
  const std::string path = directory / ("a" + ending);
  const auto graph = withRandomWeights(
      buildCsr(generateKronecker({.scale = 3, .edgesPerVertex = 2}),
               {.directed = format % 2 == 0}));
  try {
    writeGraph(path, graph, {.format = AllFormats[format]});
  } catch (const Error &) {
    writeGraph(
        path,
        withRandomWeights(buildCsr(generateGrid(2, 3), {.directed = false})),
        {.format = AllFormats[format]});
  }
  return readText(path);
}

} // namespace

void heddle::test::fuzzFormat(std::span<const std::uint8_t> bytes) {
  omp_set_num_threads(1);
  FuzzInput input(bytes);
  const std::size_t which = input.below(std::size(AllFormats) + 2),
                    weights = input.below(3);
  const FileInMemory file(
      bytes.subspan(std::min<std::size_t>(bytes.size(), 2)));
  std::optional<GraphFormat> format;
  if (which < std::size(AllFormats))
    format = AllFormats[which];
  else if (which > std::size(AllFormats))
    return readStream(file.path);
  if (weights == 0)
    return read<Unweighted>(file.path, format);
  if (weights == 1)
    return read<std::int32_t>(file.path, format);
  read<float>(file.path, format);
}

heddle::test::FuzzSeeds heddle::test::seedsOfFormat() {
  FuzzSeeds seeds;
  for (std::size_t format = 0; format < std::size(AllFormats); ++format)
    for (const char *ending : {"", ".gz", ".zst"})
      if (!descriptionOf(AllFormats[format]).isMapped || !*ending)
        for (char weights = 0; weights < 3; ++weights)
          seeds.push_back(std::string{static_cast<char>(format), weights} +
                          sampleOf(format, ending));
  const auto other = static_cast<char>(std::size(AllFormats));
  seeds.push_back(std::string{other, 0} + "3 2\n2\n1 3\n2\n");
  seeds.push_back(std::string{other, 1} + "c\np max 2 1\nn 1 s\na 1 2 3\n");
  seeds.push_back(std::string{other, 2} + "% asym\n1 2 -1e-3 99\n");
  seeds.push_back(std::string{static_cast<char>(other + 1), 0} +
                  "1 + 0 1 5\n2 = 0 1 .5\n3 - 0 1\n");
  return seeds;
}
