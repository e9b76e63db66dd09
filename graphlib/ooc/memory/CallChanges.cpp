//===- CallChanges.cpp - The vertex data that a call changes -------------===//

#include "heddle/graph/detail/ooc/memory/CallChanges.h"

#include "../disk/Checksum.h"
#include "heddle/graph/Error.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

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

ElementsByWindow byWindow(const std::string &changes) {
  ElementsByWindow result;
  for (std::size_t at = 0; at < changes.size();) {
    ElementsHeader header;
    std::memcpy(&header, changes.data() + at, sizeof(header));
    at += sizeof(header);
    result[{header.array, header.batch}].push_back(
        {header, changes.data() + at});
    at += header.count * (sizeof(std::uint32_t) + std::uint64_t(header.bytes));
    HEDDLE_ASSERT(at <= changes.size() && "the journal's checksum was right");
  }
  return result;
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
  const ElementsByWindow changed = byWindow(checkpoint.changes);
  for (auto window = changed.begin(); window != changed.end();) {
    const std::uint32_t number = window->first.first;
    ArrayCopies &array = checkpoint.arrays.at(number);
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
