//===- WindowPool.cpp - The vertex data that are in memory ---------------===//

#include "heddle/graph/detail/ooc/memory/WindowPool.h"

#include "../../files/FileError.h"
#include "../disk/Checksum.h"
#include "heddle/graph/detail/Assert.h"

#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle::graph::ooc {

void checkWindow(const BlockFile &file, std::uint64_t offset,
                 std::span<const std::byte> window, std::uint64_t checksum) {
  if (checksumOf(window.data(), window.size()) != checksum)
    failAtByte(file.path(), offset,
               "expected " + std::to_string(window.size()) +
                   " bytes with another checksum: the file is damaged");
}

ArrayStorage::ArrayStorage(const GraphLayout &layout, const Share &share,
                           std::string name, std::uint64_t elementBits)
    : layout(layout), firstPartition(share.firstPartition),
      arrayName(std::move(name)), bits(elementBits), windows(layout.batches()),
      copies(share.partitions()) {
  std::uint64_t totalBytes = 0;
  for (std::size_t batch = 0; batch < windows.size(); ++batch)
    totalBytes += windowBytes(batch);
  for (std::size_t batch = share.firstBatch; batch < share.endBatch; ++batch)
    shareBytes += windowBytes(batch);
  if (totalBytes == 0)
    return;
  try {
    addresses = BlockBuffer(totalBytes);
  } catch (const std::bad_alloc &) {
    throw Error("vertex array " + arrayName + ": expected " +
                std::to_string(totalBytes) +
                " bytes of free address space, found less; raise the limit "
                "(ulimit -v)");
  }
  // Huge pages only within windows: one that spans two windows would take
  // memory for part of the other.
  madvise(memory(), totalBytes, MADV_NOHUGEPAGE);
  constexpr std::uintptr_t HugePage = std::uintptr_t(1) << 21;
  for (std::size_t batch = 0; batch < windows.size(); ++batch) {
    const auto begin = reinterpret_cast<std::uintptr_t>(windowMemory(batch));
    const std::uintptr_t firstPage = (begin + HugePage - 1) & -HugePage;
    const std::uintptr_t end = (begin + windowBytes(batch)) & -HugePage;
    if (firstPage < end)
      madvise(reinterpret_cast<void *>(firstPage), end - firstPage,
              MADV_HUGEPAGE);
  }
}

ArrayStorage &WindowPool::add(const std::string &name,
                              std::uint64_t elementBits, bool isKept) {
  ArrayStorage &array = arrays.emplace_back(layout, share, name, elementBits);
  array.arrayNumber = count++;
  for (std::size_t part = 0; part < share.partitions(); ++part) {
    Copies &copies = array.copies[part];
    copies.mode = restore(array, part) ? BlockFile::Mode::Update
                                       : BlockFile::Mode::Create;
    copies.isKept = isKept;
  }
  return array;
}

std::uint64_t WindowPool::filesToOpen() const {
  std::uint64_t files = 0;
  for (const ArrayStorage &array : arrays)
    if (!array.isOutDegrees)
      files += std::ranges::count_if(array.copies, [](const Copies &copies) {
        return !copies.file.has_value();
      });
  return files;
}

void WindowPool::openFiles() {
  for (ArrayStorage &array : arrays)
    for (std::size_t part = 0; !array.isOutDegrees && part < share.partitions();
         ++part) {
      Copies &copies = array.copies[part];
      if (copies.file)
        continue;
      copies.file.emplace(directories[part].arrayPath(array.arrayNumber),
                          copies.mode);
      if (!copies.isKept)
        unlink(copies.file->path().c_str());
    }
}

/// Restores a new array from the resumed run's partition, if present. Returns
/// whether it is.
bool WindowPool::restore(ArrayStorage &array, std::size_t partition) {
  if (restored.empty())
    return false;
  const auto found =
      std::ranges::find(restored[partition], array.name(), &ArrayCopies::name);
  if (found == restored[partition].end())
    return false;
  if (found->elementBits != array.bits)
    throw Error("vertex array " + array.name() + ": expected elements of " +
                std::to_string(array.bits) + " bits, found " +
                std::to_string(found->elementBits) +
                " bits in the resumed run; resume it with the program that "
                "began it");
  std::size_t batch = layout.firstBatchOf[share.firstPartition + partition];
  Copies &copies = array.copies[partition];
  HEDDLE_ASSERT(copies.slotUsers.empty() && copies.freeSlots.empty());
  for (const WindowCopy &copy : found->windows) {
    array.windows[batch++].copy = copy;
    if (copy.slot < 0)
      continue;
    const auto slot = static_cast<std::size_t>(copy.slot);
    if (copies.slotUsers.size() <= slot)
      copies.slotUsers.resize(slot + 1);
    // One user is the window, the other the checkpoint that it comes from.
    copies.slotUsers[slot] += 2;
  }
  for (std::size_t slot = 0; slot < copies.slotUsers.size(); ++slot)
    if (copies.slotUsers[slot] == 0)
      copies.freeSlots.push_back(static_cast<std::int64_t>(slot));
  return true;
}

ArrayStorage &WindowPool::addOutDegrees() {
  ArrayStorage &array = arrays.emplace_back(layout, share, "out-degree", 32);
  array.isOutDegrees = true;
  return array;
}

std::uint64_t WindowPool::bytesOfBatch(const GraphLayout &layout,
                                       std::span<const ArrayUse> uses) {
  std::uint64_t bytes = 0;
  for (const ArrayUse &use : uses)
    bytes += roundUpToBlock(layout.batchVertices * use.array->bits / 8);
  return bytes;
}

std::uint64_t WindowPool::bytesOfArrays() const {
  std::uint64_t bytes = 0;
  for (const ArrayStorage &array : arrays)
    bytes += array.bytes();
  return bytes;
}

void WindowPool::setLimit(std::uint64_t bytes, IoQueue &queue) {
  std::unique_lock lock(mutex);
  limit = bytes;
  makeRoom(0, lock, queue);
}

void WindowPool::acquire(std::span<const ArrayUse> uses, std::size_t batch,
                         IoQueue &queue) {
  using Place = ArrayStorage::Place;
  HEDDLE_ASSERT(batch >= share.firstBatch && batch < share.endBatch);
  std::vector<ArrayStorage *> absent;
  absent.reserve(uses.size());
  std::uint64_t bytes = 0;
  {
    std::unique_lock lock(mutex);
    for (const ArrayUse &use : uses) {
      ArrayStorage::Window &window = use.array->windows[batch];
      changed.wait(lock, [&] { return window.place != Place::Moving; });
      HEDDLE_ASSERT(!window.isInUse && "one thread works on a batch");
      window.isInUse = true;
      window.mayDiffer |= use.mayWrite;
      window.lastUse = ++this->uses;
      if (window.place == Place::OnDisk) {
        window.place = Place::Moving;
        absent.push_back(use.array);
        bytes += use.array->windowBytes(batch);
      }
    }
    try {
      if (!absent.empty())
        makeRoom(bytes, lock, queue);
    } catch (...) {
      lock.unlock();
      giveUp(uses, absent, batch, 0);
      throw;
    }
  }
  std::vector<IoQueue::Request> requests(absent.size());
  for (std::size_t i = 0; i < absent.size(); ++i)
    load(*absent[i], batch, queue, requests[i]);
  std::exception_ptr failure;
  for (std::size_t i = 0; i < absent.size(); ++i) {
    try {
      queue.wait(requests[i]);
      check(*absent[i], batch);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure) {
    giveUp(uses, absent, batch, bytes);
    std::rethrow_exception(failure);
  }
  if (!absent.empty()) {
    const std::lock_guard lock(mutex);
    for (ArrayStorage *array : absent)
      array->windows[batch].place = Place::InMemory;
    changed.notify_all();
  }
}

/// Ends an acquire() that has failed. The absent windows, for which memory was
/// taken or not, are not in memory: their contents are unknown.
void WindowPool::giveUp(std::span<const ArrayUse> uses,
                        std::span<ArrayStorage *const> absent,
                        std::size_t batch, std::uint64_t bytesTaken) {
  const std::lock_guard lock(mutex);
  for (ArrayStorage *array : absent) {
    drop(*array, batch);
    ArrayStorage::Window &window = array->windows[batch];
    window.place = ArrayStorage::Place::OnDisk;
    window.mayDiffer = false;
  }
  HEDDLE_ASSERT(inMemory >= bytesTaken);
  inMemory -= bytesTaken;
  for (const ArrayUse &use : uses)
    use.array->windows[batch].isInUse = false;
  changed.notify_all();
}

void WindowPool::release(std::span<const ArrayUse> uses, std::size_t batch) {
  const std::lock_guard lock(mutex);
  for (const ArrayUse &use : uses) {
    ArrayStorage::Window &window = use.array->windows[batch];
    HEDDLE_ASSERT(window.isInUse &&
                  window.place == ArrayStorage::Place::InMemory);
    window.isInUse = false;
  }
  changed.notify_all();
}

/// Accounts for `bytes` more bytes of windows, after evicting the least
/// recently used ones.
void WindowPool::makeRoom(std::uint64_t bytes,
                          std::unique_lock<std::mutex> &lock, IoQueue &queue) {
  HEDDLE_ASSERT(lock.owns_lock());
  while (inMemory + bytes > limit) {
    const std::optional<Victim> victim = oldest();
    if (!victim) {
      // Other threads will release or evict theirs.
      changed.wait(lock);
      continue;
    }
    ArrayStorage::Window &window = victim->array->windows[victim->batch];
    window.place = ArrayStorage::Place::Moving;
    lock.unlock();
    std::exception_ptr failure;
    try {
      save(*victim->array, victim->batch, queue);
      drop(*victim->array, victim->batch);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    window.place =
        failure ? ArrayStorage::Place::InMemory : ArrayStorage::Place::OnDisk;
    HEDDLE_ASSERT(!window.isInUse);
    if (!failure) {
      HEDDLE_ASSERT(inMemory >= victim->array->windowBytes(victim->batch));
      inMemory -= victim->array->windowBytes(victim->batch);
    }
    changed.notify_all();
    if (failure)
      std::rethrow_exception(failure);
  }
  inMemory += bytes;
  HEDDLE_ASSERT(inMemory <= limit);
}

std::optional<WindowPool::Victim> WindowPool::oldest() const {
  std::optional<Victim> victim;
  std::uint64_t oldestUse = ~std::uint64_t(0);
  for (const ArrayStorage &array : arrays)
    for (std::size_t batch = share.firstBatch; batch < share.endBatch;
         ++batch) {
      const ArrayStorage::Window &window = array.windows[batch];
      if (window.place == ArrayStorage::Place::InMemory && !window.isInUse &&
          window.lastUse < oldestUse) {
        oldestUse = window.lastUse;
        victim = {const_cast<ArrayStorage *>(&array), batch};
      }
    }
  return victim;
}

void WindowPool::drop(const ArrayStorage &array, std::size_t batch) {
  madvise(array.windowMemory(batch), array.windowBytes(batch), MADV_DONTNEED);
}

/// Writes a window unless its copy has the same checksum: programs do not say
/// which elements they write.
void WindowPool::save(ArrayStorage &array, std::size_t batch, IoQueue &queue) {
  ArrayStorage::Window &window = array.windows[batch];
  if (array.isOutDegrees || !window.mayDiffer)
    return;
  const std::byte *memory = array.windowMemory(batch);
  const std::size_t bytes = array.windowBytes(batch);
  const std::uint64_t checksum = checksumOf(memory, bytes);
  window.mayDiffer = false;
  if (window.copy.slot >= 0 && window.copy.checksum == checksum) {
    unchanged += bytes;
    return;
  }
  Copies &copies = array.copiesOf(batch);
  HEDDLE_ASSERT(copies.file && "open before windows are written");
  const WindowCopy copy = {takeSlot(copies), checksum};
  queue.write(*copies.file, copy.offset(array.slotBytes()), memory, bytes);
  const std::lock_guard lock(slotMutex);
  giveSlotBack(copies, window.copy.slot);
  window.copy = copy;
  copies.isWritten = true;
}

void WindowPool::saveBatch(std::size_t batch, IoQueue &queue) {
  for (ArrayStorage &array : arrays)
    if (array.windows[batch].place == ArrayStorage::Place::InMemory)
      save(array, batch, queue);
}

std::vector<WindowPool::PartitionCopies> WindowPool::keepCopies() {
  std::vector<PartitionCopies> kept(share.partitions());
  for (ArrayStorage &array : arrays) {
    if (array.isOutDegrees)
      continue;
    for (std::size_t part = 0; part < share.partitions(); ++part) {
      Copies &copies = array.copies[part];
      if (copies.isWritten)
        copies.file->sync();
      copies.isWritten = false;
      ArrayCopies &entry =
          kept[part].emplace_back(array.name(), array.elementBits());
      const std::size_t partition = share.firstPartition + part;
      for (std::size_t batch = layout.firstBatchOf[partition];
           batch < layout.firstBatchOf[partition + 1]; ++batch) {
        const WindowCopy &copy = array.windows[batch].copy;
        entry.windows.push_back(copy);
        if (copy.slot >= 0)
          ++copies.slotUsers[static_cast<std::size_t>(copy.slot)];
      }
    }
  }
  keptCopies.push_back(kept);
  if (keptCopies.size() > 2) {
    // Arrays are never removed, and are always in the same order.
    std::size_t index = 0;
    for (ArrayStorage &array : arrays)
      if (!array.isOutDegrees)
        giveBack(array, keptCopies.front(), index++);
    keptCopies.pop_front();
  }
  HEDDLE_ASSERT(keptCopies.size() <= 2);
  return kept;
}

/// Gives back the slots of these kept copies, in which the array has `index`.
void WindowPool::giveBack(ArrayStorage &array,
                          const std::vector<PartitionCopies> &kept,
                          std::size_t index) {
  for (std::size_t part = 0; part < kept.size(); ++part)
    if (index < kept[part].size())
      for (const WindowCopy &copy : kept[part][index].windows)
        giveSlotBack(array.copies[part], copy.slot);
}

std::int64_t WindowPool::takeSlot(Copies &copies) {
  const std::lock_guard lock(slotMutex);
  if (copies.freeSlots.empty()) {
    copies.slotUsers.push_back(0);
    copies.freeSlots.push_back(
        static_cast<std::int64_t>(copies.slotUsers.size()) - 1);
  }
  const std::int64_t slot = copies.freeSlots.back();
  copies.freeSlots.pop_back();
  HEDDLE_ASSERT(copies.slotUsers[static_cast<std::size_t>(slot)] == 0 &&
                "no checkpoint refers to a slot that is written");
  copies.slotUsers[static_cast<std::size_t>(slot)] = 1;
  return slot;
}

void WindowPool::giveSlotBack(Copies &copies, std::int64_t slot) {
  if (slot < 0)
    return;
  HEDDLE_ASSERT(copies.slotUsers[static_cast<std::size_t>(slot)] > 0);
  if (--copies.slotUsers[static_cast<std::size_t>(slot)] == 0)
    copies.freeSlots.push_back(slot);
}

void WindowPool::load(ArrayStorage &array, std::size_t batch, IoQueue &queue,
                      IoQueue::Request &request) {
  std::byte *memory = array.windowMemory(batch);
  const std::size_t bytes = array.windowBytes(batch);
  const WindowCopy &copy = array.windows[batch].copy;
  if (array.isOutDegrees)
    queue.read(partFileOf(batch).file(), degreesOffset(batch), memory, bytes,
               request);
  else if (copy.slot >= 0)
    queue.read(*array.copiesOf(batch).file, copy.offset(array.slotBytes()),
               memory, bytes, request);
}

std::uint64_t WindowPool::degreesOffset(std::size_t batch) const {
  const std::size_t partition = layout.partitionOf[batch];
  return layout.files[partition].degreesOffset +
         (layout.batchBegins[batch] - layout.partitionBegins[partition]) *
             sizeof(std::uint32_t);
}

/// Checks a window that was loaded.
void WindowPool::check(ArrayStorage &array, std::size_t batch) const {
  const std::byte *memory = array.windowMemory(batch);
  const std::size_t bytes = array.windowBytes(batch);
  if (array.isOutDegrees)
    return partFileOf(batch).check(degreesOffset(batch), memory, bytes);
  const WindowCopy &copy = array.windows[batch].copy;
  if (copy.slot >= 0)
    checkWindow(*array.copiesOf(batch).file, copy.offset(array.slotBytes()),
                {memory, bytes}, copy.checksum);
}

} // namespace heddle::graph::ooc
