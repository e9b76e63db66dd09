//===- CheckpointFuzz.cpp - Bytes as changes to a checkpoint --------------===//
//
// A good checkpoint of a run, in which the bytes replace some numbers; the
// checksum is right. What remains of the bytes are the changes in its journal.
//
//===----------------------------------------------------------------------===//

#include "../support/TemporaryDirectory.h"
#include "Fuzz.h"
#include "FuzzInput.h"
#include "graphlib/ooc/disk/Checksum.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/detail/ooc/memory/CallChanges.h"
#include "heddle/graph/detail/ooc/recovery/Checkpoint.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace heddle::graph;
using namespace heddle::graph::ooc;
using namespace heddle::test;

constexpr std::uint64_t GraphSum = 99;

/// One partition of two batches.
GraphLayout smallLayout() {
  GraphLayout layout;
  layout.vertices = 40000;
  layout.batchVertices = BatchUnit;
  layout.partitionBegins = {0, layout.vertices};
  layout.files.resize(1);
  layout.deriveBatches();
  layout.deriveGroups();
  return layout;
}

/// The files of a run, with a copy of one window of two.
struct Run {
  Run() {
    const std::vector<char> window(2 * BatchUnit * sizeof(std::uint32_t));
    writeText(directory.arrayPath(0), {window.data(), window.size()});
    Checkpoint checkpoint;
    checkpoint.program = "bfs";
    checkpoint.results = {"4444", "", "88888888"};
    WindowCopy copy = {.slot = 0,
                       .checksum = checksumOf(
                           window.data(), BatchUnit * sizeof(std::uint32_t))};
    checkpoint.arrays = {{"distance", 32, {copy, WindowCopy()}},
                         {"changed", 1, {WindowCopy(), WindowCopy()}}};
    directory.write(checkpoint, GraphSum);
    good = readText(path);
    good.resize(good.size() - sizeof(std::uint64_t));
  }

  const TemporaryDirectory parent;
  RunDirectory directory{parent / "part-0"};
  const std::string path = parent / "part-0/checkpoint-0";
  std::string good; ///< without the checksum
};

} // namespace

void heddle::test::fuzzCheckpoint(std::span<const std::uint8_t> bytes) {
  static const GraphLayout layout = smallLayout();
  static Run run;
  FuzzInput input(bytes);
  std::string file = run.good;
  for (std::size_t patches = input.below(5); patches > 0; --patches) {
    const std::uint64_t value = input.number(8);
    const std::size_t at = input.number(2) % (file.size() - sizeof(value));
    std::memcpy(file.data() + at, &value, sizeof(value));
  }
  if (input.below(8) == 0)
    file.resize(input.number(2) % file.size());
  const std::uint64_t checksum = checksumOf(file.data(), file.size());
  file.append(reinterpret_cast<const char *>(&checksum), sizeof(checksum));
  writeText(run.path, file);
  try {
    Checkpoint checkpoint = run.directory.read(GraphSum);
    while (!input.empty())
      checkpoint.changes += static_cast<char>(input.byte());
    applyChanges(layout, 0, run.directory, checkpoint);
    EXPECT_EQ(checkpoint.arrays.size(), 2u);
  } catch (const Error &) {
    return;
  }
}

heddle::test::FuzzSeeds heddle::test::seedsOfCheckpoint() {
  using namespace std::literals;
  // No patches, not cut off, and an element of each of the two arrays.
  const std::string whole = "\0\1"s;
  const std::string changes = "\0\0\0\0\0\0\0\0\1\0\0\0\4\0\0\0\5\0\0\0abcd"
                              "\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\6\0\0\0x"s;
  std::string patched = "\1"s + std::string(8, '\xff') + "\x40\0"s + "\1"s;
  return {whole, whole + changes, patched, patched + changes};
}
