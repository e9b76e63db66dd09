//===- LayoutFuzz.cpp - Bytes as changes to a prepared graph --------------===//
//
// A good prepared graph, in which the bytes replace some numbers; all checksums
// are right. What is accepted is read as a check and a run do.
//
//===----------------------------------------------------------------------===//

#include "../support/TemporaryDirectory.h"
#include "Fuzz.h"
#include "FuzzInput.h"
#include "graphlib/ooc/disk/Checksum.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/Generate.h"
#include "heddle/graph/ToCsr.h"
#include "heddle/graph/detail/ooc/disk/BlockFile.h"
#include "heddle/graph/ooc/CheckGraph.h"
#include "heddle/graph/ooc/Engine.h"
#include "heddle/graph/ooc/Prepare.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::graph::ooc;
using namespace heddle::test;

/// A graph of two partitions.
class Prepared {
public:
  Prepared() {
    const Csr<> csr =
        buildCsr(generateUniform({.vertices = 40000, .edges = 3000}));
    CsrEdges<Unweighted> edges(csr);
    const GraphLayout layout =
        prepare(edges, path(), {.partitions = 2, .batchVertices = BatchUnit});
    graph = readText(layoutPath(path()));
    graph.resize(graph.size() - sizeof(std::uint64_t));
    for (std::size_t part = 0; part < layout.partitions(); ++part)
      parts.push_back(readText(edgesPath(path(), part)));
    written = parts;
    for (const PartFileInfo &file : layout.files)
      sums.push_back(file.checksum);
    // Behind the header and the beginnings of partitions.
    checksumsAt =
        64 + 8 * (layout.partitions() + 1) + offsetof(PartFileInfo, checksum);
  }

  std::string path() const { return directory / "graph"; }

  /// Replaces numbers as the input says, and writes all files.
  void change(FuzzInput &input) {
    std::string changedGraph = graph;
    std::vector<std::string> changed = parts;
    while (!input.empty()) {
      const std::size_t which = input.below(parts.size() + 1);
      std::string &file = which == 0 ? changedGraph : changed[which - 1];
      const std::size_t width = 1 + input.below(8);
      const std::uint64_t value = input.number(width);
      const std::size_t at = input.number(3) % (file.size() - width);
      std::memcpy(file.data() + at, &value, width);
    }
    for (std::size_t part = 0; part < parts.size(); ++part) {
      if (changed[part] != written[part]) {
        sums[part] = writePart(part, changed[part]);
        written[part] = changed[part];
      }
      std::memcpy(changedGraph.data() + checksumsAt +
                      part * sizeof(PartFileInfo),
                  &sums[part], sizeof(sums[part]));
    }
    const std::uint64_t sum =
        checksumOf(changedGraph.data(), changedGraph.size());
    changedGraph.append(reinterpret_cast<const char *>(&sum), sizeof(sum));
    writeText(layoutPath(path()), changedGraph);
  }

private:
  /// Returns the checksum of the checksums of blocks.
  std::uint64_t writePart(std::size_t part, const std::string &bytes) const {
    std::vector<std::uint32_t> sums;
    for (std::size_t at = 0; at < bytes.size(); at += BlockBytes)
      sums.push_back(
          blockChecksum(reinterpret_cast<const std::byte *>(&bytes[at])));
    const std::size_t sumBytes = sums.size() * sizeof(sums[0]);
    const std::uint64_t result = checksumOf(sums.data(), sumBytes);
    sums.resize(roundUpToBlock(sumBytes) / sizeof(sums[0]));
    writeText(sumsPath(path(), part),
              {reinterpret_cast<const char *>(sums.data()),
               sums.size() * sizeof(sums[0])});
    writeText(edgesPath(path(), part), bytes);
    return result;
  }

  const TemporaryDirectory directory;
  std::string graph; ///< without its checksum
  std::vector<std::string> parts;
  std::vector<std::string> written; ///< what the files of parts have now
  std::vector<std::uint64_t> sums;
  std::size_t checksumsAt = 0;
};

/// Follows all edges, and those of a few vertices, whose edges are sought.
void run(const std::string &path) {
  Engine<> engine(path, {.memoryBytes = std::uint64_t(64) << 20});
  auto &seen = engine.vertexArray<std::uint32_t>("seen");
  for (const std::uint32_t step : {1u, 20000u})
    engine.processEdges(
        [&](std::uint32_t v) {
          return v % step == 0 ? std::optional(v) : std::nullopt;
        },
        {},
        [&](std::uint32_t message, std::uint32_t, std::uint32_t to,
            Unweighted) {
          seen[to] += message;
          return 1;
        },
        {seen});
}

} // namespace

void heddle::test::fuzzLayout(std::span<const std::uint8_t> bytes) {
  static Prepared prepared;
  FuzzInput input(bytes);
  prepared.change(input);
  try {
    readLayout(prepared.path());
  } catch (const Error &) {
    return;
  }
  try {
    checkGraph(prepared.path());
  } catch (const Error &) {
    // Runs check less, but must not crash.
  }
  try {
    run(prepared.path());
  } catch (const Error &) {
    return;
  }
}

heddle::test::FuzzSeeds heddle::test::seedsOfLayout() {
  using namespace std::literals;
  return {""s,
          "\0\7\0\0\0\0\1\0\0\0\x18\0\0"s,     // vertices
          "\0\7\xff\xff\0\0\0\0\0\0\x78\0\0"s, // a number of the layout
          "\1\1\xff\xff\0\0\0"s,               // a target
          "\1\3\xff\xff\xff\xff\0\x20\0"s,
          "\2\3\1\0\0\0\0\x10\0"s};
}
