//===- CallChanges.cpp - The vertex data that a call changes -------------===//

#include "heddle/graph/detail/ooc/memory/CallChanges.h"

#include "../disk/Checksum.h"
#include "heddle/graph/Error.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <system_error>

namespace heddle::graph::ooc {

namespace {

/// Precedes elements of a window: their indices in it, as uint32_t, and then
/// the elements. Elements of one bit are recorded as whole bytes.
struct ElementsHeader {
  std::uint32_t array; ///< its number
  std::uint32_t batch; ///< its number in the partition
  std::uint32_t count;
  std::uint32_t bytes; ///< of an element
};
static_assert(sizeof(ElementsHeader) == 16, "a format on disk");

/// The bytes of an element of `bits` bits.
std::uint64_t encodedBytes(std::uint64_t bits) {
  return std::max<std::uint64_t>(bits / 8, 1);
}

std::string encode(const ArrayStorage &array, std::uint32_t batchInPartition,
                   std::span<const std::byte> window,
                   std::span<const std::uint32_t> vertices) {
  const std::uint64_t bits = array.elementBits();
  std::vector<std::uint32_t> places(vertices.begin(), vertices.end());
  if (bits < 8) {
    for (std::uint32_t &place : places)
      place = static_cast<std::uint32_t>(place * bits / 8);
    places.erase(std::unique(places.begin(), places.end()), places.end());
  }
  const auto bytes = static_cast<std::uint32_t>(encodedBytes(bits));
  const ElementsHeader header = {array.number(), batchInPartition,
                                 static_cast<std::uint32_t>(places.size()),
                                 bytes};
  std::string result(reinterpret_cast<const char *>(&header), sizeof(header));
  result.append(reinterpret_cast<const char *>(places.data()),
                places.size() * sizeof(places[0]));
  for (const std::uint64_t place : places) {
    HEDDLE_ASSERT((place + 1) * bytes <= window.size());
    result.append(reinterpret_cast<const char *>(window.data()) + place * bytes,
                  bytes);
  }
  return result;
}

/// Elements of a window as encode() returns them.
struct Elements {
  ElementsHeader header;
  const char *encoded; ///< without the header
};

/// Elements by array and batch, in the order of the calls that changed them.
using ElementsByWindow =
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Elements>>;

/// The changes of a partition, as its journal has them.
class RecordedChanges {
public:
  RecordedChanges(const GraphLayout &layout, std::size_t partition,
                  const RunDirectory &directory, const Checkpoint &checkpoint)
      : layout(layout), partition(partition), directory(directory),
        checkpoint(checkpoint) {}

  /// Throws Error if the checkpoint has no such elements.
  ElementsByWindow byWindow() const {
    ElementsByWindow result;
    std::string_view rest = checkpoint.changes;
    while (!rest.empty()) {
      Elements elements;
      if (rest.size() < sizeof(elements.header))
        fail();
      std::memcpy(&elements.header, rest.data(), sizeof(elements.header));
      rest.remove_prefix(sizeof(elements.header));
      elements.encoded = rest.data();
      const std::uint64_t bytes = check(elements, rest.size());
      result[{elements.header.array, elements.header.batch}].push_back(
          elements);
      rest.remove_prefix(bytes);
    }
    return result;
  }

private:
  [[noreturn]] void fail() const {
    throw Error(directory.path() +
                ": expected a journal of changes to the arrays of its "
                "checkpoint, found others: a file is damaged; start the run "
                "again");
  }

  /// Returns the number of bytes that the elements take, of `most`.
  std::uint64_t check(const Elements &elements, std::uint64_t most) const {
    const auto &[number, batch, count, bytes] = elements.header;
    if (number >= checkpoint.arrays.size())
      fail();
    const ArrayCopies &array = checkpoint.arrays[number];
    const std::uint64_t bytesOfEach = sizeof(std::uint32_t) + bytes;
    if (batch >= array.windows.size() ||
        bytes != encodedBytes(array.elementBits) || count > most / bytesOfEach)
      fail();
    const std::uint64_t windowBytes = windowBytesOf(
        layout, layout.firstBatchOf[partition] + batch, array.elementBits);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t place;
      std::memcpy(&place, elements.encoded + i * sizeof(place), sizeof(place));
      if (place >= windowBytes / bytes)
        fail();
    }
    return count * bytesOfEach;
  }

  const GraphLayout &layout;
  const std::size_t partition;
  const RunDirectory &directory;
  const Checkpoint &checkpoint;
};

/// Throws Error if the checkpoint refers to windows that its files cannot have.
void checkCopies(const GraphLayout &layout, std::size_t partition,
                 const RunDirectory &directory, const Checkpoint &checkpoint) {
  const auto expect = [&](bool isRight, const std::string &expected,
                          std::uint64_t found) {
    if (!isRight)
      throw Error(directory.path() + ": expected " + expected +
                  " in the checkpoint, found " + std::to_string(found) +
                  ": a file is damaged; start the run again");
  };
  const std::size_t firstBatch = layout.firstBatchOf[partition];
  const std::size_t batches = layout.firstBatchOf[partition + 1] - firstBatch;
  constexpr std::uint64_t mostBits = std::uint64_t(1) << 20;
  for (std::uint32_t number = 0; number < checkpoint.arrays.size(); ++number) {
    const ArrayCopies &array = checkpoint.arrays[number];
    const std::uint64_t bits = array.elementBits;
    expect(bits == 1 || (bits > 0 && bits % 8 == 0 && bits <= mostBits),
           "elements of 1 bit or some bytes", bits);
    expect(array.windows.size() == batches,
           std::to_string(batches) + " windows of an array",
           array.windows.size());
    std::error_code isMissing;
    std::uint64_t fileBytes =
        std::filesystem::file_size(directory.arrayPath(number), isMissing);
    if (isMissing)
      fileBytes = 0;
    const std::uint64_t slots = fileBytes / slotBytesOf(layout, bits) + 1;
    std::set<std::int64_t> used;
    for (std::size_t i = 0; i < batches; ++i) {
      const WindowCopy &copy = array.windows[i];
      if (copy.slot == -1)
        continue;
      expect(copy.slot >= 0 && static_cast<std::uint64_t>(copy.slot) < slots &&
                 copy.offset(slotBytesOf(layout, bits)) +
                         windowBytesOf(layout, firstBatch + i, bits) <=
                     fileBytes &&
                 used.insert(copy.slot).second,
             "a place of a window in a file of " + std::to_string(fileBytes) +
                 " bytes, of its own,",
             static_cast<std::uint64_t>(copy.slot));
    }
  }
}

void apply(const Elements &elements, std::byte *window) {
  const auto &[header, encoded] = elements;
  const char *values = encoded + header.count * sizeof(std::uint32_t);
  for (std::uint32_t i = 0; i < header.count; ++i) {
    std::uint32_t place;
    std::memcpy(&place, encoded + i * sizeof(place), sizeof(place));
    std::memcpy(window + std::uint64_t(place) * header.bytes,
                values + std::uint64_t(i) * header.bytes, header.bytes);
  }
}

/// The copies of an array's windows, in a file that no one else has open.
class CopiesOnDisk {
public:
  CopiesOnDisk(const std::string &path, std::uint64_t slotBytes,
               std::vector<WindowCopy> &windows)
      : file(path, BlockFile::Mode::Update), slotBytes(slotBytes),
        windows(windows), buffer(slotBytes) {
    for (const WindowCopy &copy : windows)
      if (copy.slot >= 0)
        used.insert(copy.slot);
  }

  void change(std::size_t window, std::uint64_t bytes,
              std::span<const Elements> changes) {
    WindowCopy &copy = windows[window];
    if (copy.slot >= 0) {
      queue.read(file, copy.offset(slotBytes), buffer.data(), bytes);
      checkWindow(file, copy.offset(slotBytes), {buffer.data(), bytes},
                  copy.checksum);
    } else {
      std::memset(buffer.data(), 0, bytes);
    }
    for (const Elements &elements : changes)
      apply(elements, buffer.data());
    copy = {takeSlot(), checksumOf(buffer.data(), bytes)};
    queue.write(file, copy.offset(slotBytes), buffer.data(), bytes);
  }

  void sync() const { file.sync(); }

private:
  /// The first slot that the checkpoint does not refer to, so that the
  /// checkpoint remains valid.
  std::int64_t takeSlot() {
    std::int64_t slot = 0;
    while (!used.insert(slot).second)
      ++slot;
    return slot;
  }

  const BlockFile file;
  const std::uint64_t slotBytes;
  std::vector<WindowCopy> &windows;
  std::set<std::int64_t> used;
  BlockBuffer buffer;
  IoQueue queue;
};

} // namespace

TouchedVertices *CallChanges::begin(std::span<const ArrayUse> uses,
                                    bool isForSome, TouchedVertices &touched) {
  if (!areKnown_ || std::ranges::none_of(uses, &ArrayUse::mayWrite))
    return nullptr;
  if (!isForSome) {
    giveUp();
    return nullptr;
  }
  touched.clear();
  return &touched;
}

void CallChanges::end(std::span<const ArrayUse> uses, std::size_t batch,
                      TouchedVertices *touched) {
  HEDDLE_ASSERT(batch < layout.batches());
  if (!touched || !areKnown_)
    return;
  if (touched->areTooMany())
    return giveUp();
  const std::span<std::uint32_t> list = touched->list();
  std::ranges::sort(list);
  const auto repeated = std::ranges::unique(list);
  const auto vertices = list.first(list.size() - repeated.size());
  if (vertices.empty())
    return;
  const std::size_t partition = layout.partitionOf[batch];
  for (const ArrayUse &use : uses) {
    if (!use.mayWrite)
      continue;
    // An upper bound, so that no record that is too large is encoded.
    const std::uint64_t most =
        sizeof(ElementsHeader) +
        vertices.size() *
            (sizeof(std::uint32_t) + encodedBytes(use.array->elementBits()));
    if (bytes + most > MostBytes)
      return giveUp();
    const std::string encoded = encode(
        *use.array,
        static_cast<std::uint32_t>(batch - layout.firstBatchOf[partition]),
        use.array->window(batch), vertices);
    HEDDLE_ASSERT(encoded.size() <= most);
    bytes += encoded.size();
    const std::lock_guard lock(mutex);
    ofPartitions[partition - firstPartition] += encoded;
  }
}

void CallChanges::clear() {
  if (bytes > 0)
    for (std::string &ofPartition : ofPartitions)
      ofPartition.clear();
  bytes = 0;
  areKnown_ = areWanted;
}

void applyChanges(const GraphLayout &layout, std::size_t partition,
                  const RunDirectory &directory, Checkpoint &checkpoint) {
  checkCopies(layout, partition, directory, checkpoint);
  const ElementsByWindow changed =
      RecordedChanges(layout, partition, directory, checkpoint).byWindow();
  for (auto window = changed.begin(); window != changed.end();) {
    const std::uint32_t number = window->first.first;
    ArrayCopies &array = checkpoint.arrays[number];
    CopiesOnDisk copies(directory.arrayPath(number),
                        slotBytesOf(layout, array.elementBits), array.windows);
    for (; window != changed.end() && window->first.first == number; ++window) {
      const std::uint32_t batch = window->first.second;
      copies.change(batch,
                    windowBytesOf(layout,
                                  layout.firstBatchOf[partition] + batch,
                                  array.elementBits),
                    window->second);
    }
    copies.sync();
  }
  checkpoint.changes.clear();
}

} // namespace heddle::graph::ooc
