//===- WindowPool.h - The vertex data that are in memory -------*- C++ -*-===//
//
// A vertex array has addresses for all vertices from the start, so that
// programs index it like an ordinary array. Its window of a batch, the elements
// of the batch's vertices, is loaded when a thread works on the batch, and
// evicted when other windows need the memory.
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
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// The bytes of an array's window of a batch, and those of a slot in its file
/// of copies, which has room for the window of any batch.
inline std::uint64_t windowBytesOf(const GraphLayout &layout, std::size_t batch,
                                   std::uint64_t elementBits) {
  return roundUpToBlock((layout.batchSize(batch) * elementBits + 7) / 8);
}
inline std::uint64_t slotBytesOf(const GraphLayout &layout,
                                 std::uint64_t elementBits) {
  return layout.batchVertices * elementBits / 8;
}

/// Throws Error if a window that was read has another checksum than the window
/// that was written.
void checkWindow(const BlockFile &file, std::uint64_t offset,
                 std::span<const std::byte> window, std::uint64_t checksum);

/// A vertex array. A rank has the windows of its share.
class ArrayStorage {
public:
  ArrayStorage(const GraphLayout &layout, const Share &share, std::string name,
               std::uint64_t elementBits);
  ArrayStorage(const ArrayStorage &) = delete;
  ArrayStorage &operator=(const ArrayStorage &) = delete;

  const std::string &name() const { return arrayName; }
  std::uint64_t elementBits() const { return bits; }
  /// The number of the array in the run.
  std::uint32_t number() const { return arrayNumber; }
  /// The address of the element of vertex 0, whether it is in memory or not.
  std::byte *memory() const { return addresses.data(); }
  /// The bytes of all windows of the share.
  std::uint64_t bytes() const { return shareBytes; }
  /// The addresses of a batch's window, whether it is in memory or not.
  std::span<std::byte> window(std::size_t batch) const {
    return {windowMemory(batch), windowBytes(batch)};
  }
  /// Whether this is the array of out-degrees, which is stored in the files of
  /// edges and is never written.
  bool isConstant() const { return isOutDegrees; }

private:
  friend class WindowPool;

  enum class Place {
    OnDisk, ///< or all zeros, if it has no copy there
    Moving, ///< while a thread loads or evicts it
    InMemory
  };

  struct Window {
    Place place = Place::OnDisk;
    bool isInUse = false;
    bool mayDiffer = false; ///< from its copy on disk
    std::uint64_t lastUse = 0;
    WindowCopy copy;
  };

  std::byte *windowMemory(std::size_t batch) const {
    return memory() + layout.batchBegins[batch] * bits / 8;
  }
  std::size_t windowBytes(std::size_t batch) const {
    return windowBytesOf(layout, batch, bits);
  }
  std::uint64_t slotBytes() const { return slotBytesOf(layout, bits); }

  /// The file with copies of the windows of a partition.
  struct Copies {
    std::optional<BlockFile> file; ///< once it is open
    BlockFile::Mode mode = BlockFile::Mode::Create;
    bool isKept = false;    ///< when the program ends
    bool isWritten = false; ///< since the last sync
    /// The number of windows and checkpoints that refer to each slot.
    std::vector<std::uint32_t> slotUsers;
    std::vector<std::int64_t> freeSlots; ///< those without users
  };
  Copies &copiesOf(std::size_t batch) {
    return copies[layout.partitionOf[batch] - firstPartition];
  }

  const GraphLayout &layout;
  const std::size_t firstPartition;
  const std::string arrayName;
  const std::uint64_t bits;
  std::uint32_t arrayNumber = 0;
  std::uint64_t shareBytes = 0;
  BlockBuffer addresses; ///< for all windows
  std::vector<Window> windows;
  bool isOutDegrees = false;
  std::vector<Copies> copies; ///< per partition of the share
};

/// An array that a call uses.
struct ArrayUse {
  ArrayStorage *array;
  bool mayWrite;
};

/// A set of batches: a flag for each batch of the graph.
using BatchSet = std::vector<std::uint8_t>;

class WindowPool {
public:
  /// `partFiles` are the files of edges, and `directories` those for copies of
  /// windows, both for each partition of the share.
  WindowPool(const GraphLayout &layout, const Share &share,
             std::deque<CheckedFile> &partFiles,
             const std::deque<RunDirectory> &directories)
      : layout(layout), share(share), partFiles(partFiles),
        directories(directories) {}

  /// Sets the number of bytes of windows that may be in memory, and evicts the
  /// rest. Must not be called while windows are in use.
  void setLimit(std::uint64_t bytes, IoQueue &queue);

  /// The copies of the windows of a partition, for each array.
  using PartitionCopies = std::vector<ArrayCopies>;

  /// Adds an array of zeros, or the array of that name from the resumed run.
  /// Its files are removed when the program ends unless `isKept`. Throws Error
  /// if there is no room for it in the address space, or if the array of the
  /// resumed run has elements of another size.
  ArrayStorage &add(const std::string &name, std::uint64_t elementBits,
                    bool isKept);

  /// Opens the files of the arrays that were added, which must precede
  /// acquire(). Throws WriteError.
  void openFiles();
  /// The number of files that openFiles() will open.
  std::uint64_t filesToOpen() const;

  /// Adds the array of out-degrees.
  ArrayStorage &addOutDegrees();

  /// The number of arrays, without the out-degrees.
  std::uint32_t arrayCount() const { return count; }

  /// The bytes that the windows of any batch take at most.
  static std::uint64_t bytesOfBatch(const GraphLayout &layout,
                                    std::span<const ArrayUse> uses);
  /// The bytes of the windows of all arrays.
  std::uint64_t bytesOfArrays() const;
  /// The bytes of evicted windows that were not written because their copies
  /// had the same contents.
  std::uint64_t unchangedBytes() const { return unchanged; }

  /// Loads the windows of a batch and holds them in memory until release(). No
  /// other thread may be working on this batch. Throws Error if a file is
  /// damaged or cannot be read, and WriteError if a window cannot be evicted;
  /// nothing is held then.
  void acquire(std::span<const ArrayUse> uses, std::size_t batch,
               IoQueue &queue);
  void release(std::span<const ArrayUse> uses, std::size_t batch);

  /// Whether the window of a batch is in memory. Must not be called while a
  /// phase is running.
  static bool isInMemory(const ArrayStorage &array, std::size_t batch) {
    return array.windows[batch].place == ArrayStorage::Place::InMemory;
  }

  /// Frees the memory of a window. Its elements become zeros.
  static void drop(const ArrayStorage &array, std::size_t batch);

  /// Writes the windows of a batch that have changed. Must not be called while
  /// another thread works on this batch.
  void saveBatch(std::size_t batch, IoQueue &queue);

  /// Arrays that are added later start with these copies, for each partition of
  /// the share. Their slots are not reused, as after keepCopies().
  void restore(std::vector<PartitionCopies> copies) {
    restored = copies;
    keptCopies.push_back(std::move(copies));
  }

  /// Returns where the copies of all windows are, for each partition of the
  /// share, once the device has them. Their slots are not reused before this
  /// was called twice more.
  std::vector<PartitionCopies> keepCopies();

private:
  struct Victim {
    ArrayStorage *array;
    std::size_t batch;
  };

  void makeRoom(std::uint64_t bytes, std::unique_lock<std::mutex> &lock,
                IoQueue &queue);
  std::optional<Victim> oldest() const;
  void save(ArrayStorage &array, std::size_t batch, IoQueue &queue);
  void load(ArrayStorage &array, std::size_t batch, IoQueue &queue,
            IoQueue::Request &request);
  void check(ArrayStorage &array, std::size_t batch) const;
  void giveUp(std::span<const ArrayUse> uses,
              std::span<ArrayStorage *const> absent, std::size_t batch,
              std::uint64_t bytesTaken);
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
  /// The copies of the last two checkpoints, the older ones first.
  std::deque<std::vector<PartitionCopies>> keptCopies;
};

} // namespace heddle::graph::ooc

#endif
