//===- WindowPool.h - The vertex data that are in memory -------*- C++ -*-===//
//
// A vertex array has its place in the address space from the start, and what
// belongs to a batch, its window, comes into memory when the batch is worked on
// and leaves it when others need the room. What is done to vertices finds them
// where an ordinary array would have them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MEMORY_WINDOWPOOL_H
#define HEDDLE_GRAPH_DETAIL_OOC_MEMORY_WINDOWPOOL_H

#include "heddle/graph/detail/ooc/disk/BlockFile.h"
#include "heddle/graph/detail/ooc/disk/CheckedFile.h"
#include "heddle/graph/detail/ooc/recovery/Checkpoint.h"
#include "heddle/graph/ooc/Layout.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// Bytes of a window of an array, and of where its copies are, which have room
/// for that of any batch.
inline std::uint64_t windowBytesOf(const GraphLayout &layout, std::size_t batch,
                                   std::uint64_t elementBits) {
  return roundUpToBlock((layout.batchSize(batch) * elementBits + 7) / 8);
}
inline std::uint64_t slotBytesOf(const GraphLayout &layout,
                                 std::uint64_t elementBits) {
  return layout.batchVertices * elementBits / 8;
}

/// Throws Error if a window that was read is not what was written.
void checkWindow(const BlockFile &file, std::uint64_t offset,
                 std::span<const std::byte> window, std::uint64_t checksum);

/// The data of all vertices under one name, of which a rank has those of its
/// share.
class ArrayStorage {
public:
  ArrayStorage(const GraphLayout &layout, const Share &share, std::string name,
               std::uint64_t elementBits);
  ~ArrayStorage();
  ArrayStorage(const ArrayStorage &) = delete;
  ArrayStorage &operator=(const ArrayStorage &) = delete;

  const std::string &name() const { return arrayName; }
  std::uint64_t elementBits() const { return bits; }
  /// Among the arrays of the run.
  std::uint32_t number() const { return arrayNumber; }
  /// The element of vertex 0, in memory or not.
  std::byte *memory() const { return first; }
  /// Of all windows of the share.
  std::uint64_t bytes() const { return shareBytes; }
  /// That of a batch in memory, if it is there.
  std::span<std::byte> window(std::size_t batch) const {
    return {windowMemory(batch), windowBytes(batch)};
  }
  /// Whether it lies with the edges, and is not written.
  bool isConstant() const { return liesWithEdges; }

private:
  friend class WindowPool;

  enum class Place { Nowhere, Moving, InMemory };

  struct Window {
    Place place = Place::Nowhere;
    bool isInUse = false;
    bool mayDiffer = false; ///< from its copy
    std::uint64_t lastUse = 0;
    WindowCopy copy;
  };

  std::byte *windowMemory(std::size_t batch) const {
    return first + layout.batchBegins[batch] * bits / 8;
  }
  std::size_t windowBytes(std::size_t batch) const {
    return windowBytesOf(layout, batch, bits);
  }
  std::uint64_t slotBytes() const { return slotBytesOf(layout, bits); }

  /// Copies of the windows of a partition.
  struct Copies {
    std::optional<BlockFile> file; ///< once it is open
    BlockFile::Mode mode = BlockFile::Mode::Create;
    bool isKept = false;
    bool isWritten = false; ///< since it was last on the device
    std::vector<std::uint32_t> slotUsers;
    std::vector<std::int64_t> freeSlots;
  };
  Copies &copiesOf(std::size_t batch) {
    return copies[layout.partitionOf[batch] - firstPartition];
  }

  const GraphLayout &layout;
  const std::size_t firstPartition;
  const std::string arrayName;
  const std::uint64_t bits;
  std::uint32_t arrayNumber = 0;
  std::uint64_t totalBytes = 0, shareBytes = 0;
  std::byte *first = nullptr;
  std::vector<Window> windows;
  bool liesWithEdges = false; ///< the out-degrees
  std::vector<Copies> copies; ///< per partition of the share
};

/// How an array is used by a call.
struct ArrayUse {
  ArrayStorage *array;
  bool mayWrite;
};

class WindowPool {
public:
  /// Of a share of the graph, in `partFiles`. Copies of windows go to files in
  /// `directories`, one for each partition.
  WindowPool(const GraphLayout &layout, const Share &share,
             std::deque<CheckedFile> &partFiles,
             const std::deque<RunDirectory> &directories)
      : layout(layout), share(share), partFiles(partFiles),
        directories(directories) {}

  /// How many bytes of windows may be in memory. Moves out what is beyond. Not
  /// while windows are in use.
  void setLimit(std::uint64_t bytes, IoQueue &queue);

  /// Copies of each array of a partition.
  using PartitionCopies = std::vector<ArrayCopies>;

  /// A new array of zeros, or the one that the run that is resumed has under
  /// that name. Its files are gone in the end unless `isKept`. Throws Error if
  /// there is no room for it in the address space, or if the other has elements
  /// of another size.
  ArrayStorage &add(const std::string &name, std::uint64_t elementBits,
                    bool isKept);

  /// Opens the files of arrays that have been added, before they are used.
  /// Throws WriteError.
  void openFiles();
  /// How many it will open.
  std::uint64_t filesToOpen() const;

  /// The out-degrees.
  ArrayStorage &addOutDegrees();

  /// How many there are, without these.
  std::uint32_t arrayCount() const { return count; }

  /// The most that acquire() may need for a batch.
  static std::uint64_t bytesOfBatch(const GraphLayout &layout,
                                    std::span<const ArrayUse> uses);
  /// Of all arrays.
  std::uint64_t bytesOfArrays() const;
  /// Of windows that were not written, for they were what their copies are.
  std::uint64_t unchangedBytes() const { return unchanged; }

  /// Brings the windows of a batch into memory, where they stay until they are
  /// released. No other thread may be working on this batch. Throws Error,
  /// WriteError, and what else comes of files.
  void acquire(std::span<const ArrayUse> uses, std::size_t batch,
               IoQueue &queue);
  void release(std::span<const ArrayUse> uses, std::size_t batch);

  /// Whether the window of a batch is in memory. Not while anything is done.
  static bool isInMemory(const ArrayStorage &array, std::size_t batch) {
    return array.windows[batch].place == ArrayStorage::Place::InMemory;
  }

  /// Lets go of the memory of a window that is not of the share.
  static void drop(const ArrayStorage &array, std::size_t batch);

  /// Writes the windows of a batch that have changed. Not while anything else
  /// is done to this batch.
  void saveBatch(std::size_t batch, IoQueue &queue);

  /// Arrays that are added will be as these are, for each partition of the
  /// share. The copies stay as they are, as with keepCopies().
  void restore(std::vector<PartitionCopies> copies) {
    restored = copies;
    keptCopies.push_back(std::move(copies));
  }

  /// Where the copies of all windows are, for each partition of the share, once
  /// they are on the device. They stay as they are until this has been called
  /// twice more.
  std::vector<PartitionCopies> keepCopies();

private:
  struct Victim {
    ArrayStorage *array;
    std::size_t batch;
  };

  void makeRoom(std::uint64_t bytes, std::unique_lock<std::mutex> &lock,
                IoQueue &queue);
  std::optional<Victim> oldest() const;
  void moveOut(const Victim &victim, IoQueue &queue);
  void save(ArrayStorage &array, std::size_t batch, IoQueue &queue);
  void load(ArrayStorage &array, std::size_t batch, IoQueue &queue,
            IoQueue::Request &request);
  void check(ArrayStorage &array, std::size_t batch) const;
  std::uint64_t degreesOffset(std::size_t batch) const;
  CheckedFile &partFileOf(std::size_t batch) const {
    return partFiles[layout.partitionOf[batch] - share.firstPartition];
  }
  using Copies = ArrayStorage::Copies;
  std::int64_t takeSlot(Copies &copies);
  static void giveSlotBack(Copies &copies, std::int64_t slot);
  bool restore(ArrayStorage &array, std::size_t partition);
  static void giveBack(ArrayStorage &array,
                       const std::vector<PartitionCopies> &kept,
                       std::size_t index);

  const GraphLayout &layout;
  const Share share;
  std::deque<CheckedFile> &partFiles;
  const std::deque<RunDirectory> &directories;
  std::vector<PartitionCopies> restored;
  std::deque<ArrayStorage> arrays;
  std::uint32_t count = 0;
  std::mutex mutex, slotMutex;
  std::condition_variable changed;
  std::uint64_t limit = 0, inMemory = 0, uses = 0;
  std::atomic<std::uint64_t> unchanged = 0;
  /// That of the last checkpoint, behind that of the one before.
  std::deque<std::vector<PartitionCopies>> keptCopies;
};

} // namespace heddle::graph::ooc

#endif
