//===- BatchScopeTest.cpp - Batches that threads work on ------------------===//

#include "heddle/graph/detail/ooc/memory/BatchScope.h"
#include "PreparedGraph.h"

namespace {

using namespace heddle::graph::ooc;
using namespace heddle::test;

/// Two batches, with memory for the window of one of them.
class BatchScopeTest : public testing::Test {
protected:
  BatchScopeTest() {
    layout.vertices = 2 * BatchUnit;
    layout.batchVertices = BatchUnit;
    layout.partitionBegins = {0, layout.vertices};
    layout.files.resize(1);
    layout.deriveBatches();
    layout.deriveGroups();
    directories.emplace_back(directory / "run");
    windows.emplace(layout, shareOf(layout, 0, 1), files, directories);
    changes.emplace(layout, shareOf(layout, 0, 1), true);
    array = &windows->add("value", 32, true);
    windows->openFiles();
    windows->setLimit(BatchUnit * sizeof(std::uint32_t), queue);
  }

  BatchScope enter(const ArrayUse &use, std::size_t batch) {
    return {*windows, *changes, std::span(&use, 1), batch, queue,
            true,     touched};
  }

  std::uint32_t &valueOf(std::uint64_t vertex) {
    return reinterpret_cast<std::uint32_t *>(array->memory())[vertex];
  }

  const TemporaryDirectory directory;
  GraphLayout layout;
  std::deque<CheckedFile> files;
  std::deque<RunDirectory> directories;
  IoQueue queue;
  TouchedVertices touched;
  std::optional<WindowPool> windows;
  std::optional<CallChanges> changes;
  ArrayStorage *array = nullptr;
};

TEST_F(BatchScopeTest, RecordsChangesWhenItIsFinished) {
  const ArrayUse use = {array, true};
  {
    BatchScope scope = enter(use, 0);
    valueOf(3) = 7;
    scope.list()->add(3);
    scope.finish();
  }
  EXPECT_TRUE(changes->areKnown());
  EXPECT_FALSE(changes->areNone());
}

TEST_F(BatchScopeTest, ReleasesWindowsAndForgetsChangesAfterAFailure) {
  const ArrayUse use = {array, true};
  const auto fail = [&] {
    const BatchScope scope = enter(use, 0);
    throw std::runtime_error("failed");
  };
  EXPECT_THROW(fail(), std::runtime_error);
  EXPECT_FALSE(changes->areKnown());
  // This waits for ever while the other window is in use.
  enter(use, 1).finish();
  EXPECT_FALSE(WindowPool::isInMemory(*array, 0));
}

TEST_F(BatchScopeTest, HoldsNothingIfAWindowIsDamaged) {
  const ArrayUse use = {array, true};
  const auto write = [&] {
    BatchScope scope = enter(use, 0);
    valueOf(3) = 7;
    scope.finish();
  };
  write();
  enter(use, 1).finish();
  {
    std::fstream file(directories[0].arrayPath(0),
                      std::ios::in | std::ios::out | std::ios::binary);
    file.put(1);
  }
  EXPECT_NE(errorOf(write).find("byte 0: expected 131072 bytes with another "
                                "checksum"),
            std::string::npos);
  EXPECT_FALSE(WindowPool::isInMemory(*array, 0));
  enter(use, 1).finish();
  EXPECT_TRUE(WindowPool::isInMemory(*array, 1));
}

} // namespace
