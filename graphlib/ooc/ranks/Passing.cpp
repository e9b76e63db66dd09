//===- Passing.cpp - Messages between ranks ------------------------------===//

#include "heddle/graph/detail/ooc/ranks/Passing.h"

#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"

#include <bit>
#include <chrono>
#include <cstring>

namespace heddle::graph::ooc {

namespace {

/// The size from which a packet is sent.
constexpr std::size_t PacketBytes = std::size_t(1) << 18;
constexpr std::size_t MostUnderWay = 4;
/// The alignment of messages in a packet.
constexpr std::size_t Alignment = alignof(std::max_align_t);
constexpr std::uint32_t NoMore = ~std::uint32_t(0);

std::size_t aligned(std::size_t bytes) {
  return (bytes + Alignment - 1) / Alignment * Alignment;
}

Share shareOf(const GraphLayout &layout, const Communicator &communicator,
              unsigned rank) {
  return shareOf(layout, rank, communicator.ranks());
}

} // namespace

/// Precedes each block of messages in a packet.
struct Passing::Header {
  std::uint32_t partition, block, count, isFromAll;
};

Passing::Passing(Communicator &communicator, const GraphLayout &layout,
                 std::deque<CheckedFile> &files, FilterCounts &filterCounts,
                 MessageStore &store, KeptBytes &keptBytes,
                 StepMessages &messages, BatchQueue &queue)
    : communicator(communicator), layout(layout), store(store),
      messages(messages), queue(queue),
      filters(layout, files, shareOf(layout, communicator, communicator.rank()),
              filterCounts, ioQueue, keptBytes),
      reader(store, messages.messageBytes, ioQueue, keptBytes),
      passingValues(SourceBlockVertices * messages.messageBytes),
      passingSources(SourceBlockVertices), thread([this] { run(); }) {}

Passing::~Passing() {
  {
    const std::lock_guard lock(mutex);
    isStopped = true;
  }
  if (thread.joinable())
    thread.join();
}

std::uint64_t Passing::bytesInPacket(std::uint64_t bytes) {
  return sizeof(Header) + aligned(bytes);
}

std::uint64_t Passing::bytes(std::size_t messageBytes) {
  const std::uint64_t block = mostBytesOfMessages(messageBytes);
  // Packets that are sent and one that was received, blocks from the disk, one
  // that is filtered, and one that is written to the disk.
  return (MostUnderWay + 2) * (PacketBytes + block) +
         (MessageReader::BlocksAhead + 2) * block;
}

void Passing::add(std::size_t partition, std::size_t block) {
  const std::lock_guard lock(mutex);
  if (failure)
    std::rethrow_exception(failure);
  generated.push_back({partition, block});
}

void Passing::endGenerating() {
  const std::lock_guard lock(mutex);
  isGenerated = true;
}

PassedCounts Passing::finish() {
  thread.join();
  if (failure)
    std::rethrow_exception(failure);
  counts.disk = ioQueue.counts();
  return counts;
}

void Passing::run() noexcept {
  try {
    passAll();
  } catch (...) {
    {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
    queue.fail(failure);
  }
}

void Passing::passAll() {
  const unsigned ranks = communicator.ranks();
  for (unsigned i = 1; i < ranks; ++i)
    passTo((communicator.rank() + i) % ranks);
  while (finishedRanks < ranks - 1 || communicator.underWay() > 0)
    if (!receive())
      waitABit();
}

void Passing::passTo(unsigned rank) {
  const Share share = shareOf(layout, communicator, rank);
  for (std::size_t index = 0;;) {
    bool isEnd = false;
    if (const std::optional<Place> place = next(index, isEnd)) {
      ++index;
      pack(*place, share);
      if (packet.size() >= PacketBytes)
        send(rank);
    } else if (isEnd) {
      break;
    } else if (!receive()) {
      waitABit();
    }
  }
  append({NoMore, 0}, {}, nullptr, nullptr);
  send(rank);
}

/// The block that was added after `index` others, if it was.
std::optional<Passing::Place> Passing::next(std::size_t index, bool &isEnd) {
  const std::lock_guard lock(mutex);
  if (index < generated.size())
    return generated[index];
  isEnd = isGenerated;
  return std::nullopt;
}

void Passing::waitABit() {
  {
    const std::lock_guard lock(mutex);
    if (isStopped)
      throw Error("the run has ended before all messages were passed");
  }
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

/// Adds the messages of a block that a rank needs to the packet. If they are
/// few compared with the vertices that the rank needs, sending all of them
/// costs less than reading the filters (section 4.3).
void Passing::pack(const Place &place, const Share &share) {
  const MessageBlock &block = messages.blocks[place.partition][place.block];
  HEDDLE_ASSERT(block.count > 0 && "blocks without messages are not added");
  const FilterNeed need = filters.needOf(place.partition, place.block, share);
  if (need.most == 0)
    return;
  const std::byte *memory = block.memory;
  if (block.isOnDisk()) {
    reader.begin({&block});
    memory = reader.next(block);
  }
  const std::uint16_t *sources = block.sources(memory, messages.messageBytes);
  if (need.least / 2 >= block.count)
    return append(place, block, memory, sources);

  const FilterReader::Bits &bits =
      filters.read(place.partition, place.block, share);
  MessageBlock passing;
  const auto pass = [&](std::size_t index, std::size_t source) {
    std::memcpy(passingValues.data() + passing.count * messages.messageBytes,
                memory + index * messages.messageBytes, messages.messageBytes);
    passingSources[passing.count++] = static_cast<std::uint16_t>(source);
  };
  if (block.isFromAll) {
    for (std::size_t word = 0; word < bits.size(); ++word)
      for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
        const auto source =
            word * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        pass(source, source);
      }
  } else {
    for (std::size_t i = 0; i < block.count; ++i)
      if (bits[sources[i] / 64] >> (sources[i] % 64) & 1)
        pass(i, sources[i]);
  }
  HEDDLE_ASSERT(passing.count <= block.count);
  passing.isFromAll = block.isFromAll && passing.count == block.count;
  if (passing.count > 0)
    append(place, passing, passingValues.data(), passingSources.data());
}

void Passing::append(const Place &place, const MessageBlock &block,
                     const void *values, const std::uint16_t *sources) {
  const Header header = {static_cast<std::uint32_t>(place.partition),
                         static_cast<std::uint32_t>(place.block), block.count,
                         block.isFromAll};
  const std::size_t at = packet.size();
  packet.resize(at + sizeof(header) +
                aligned(block.bytes(messages.messageBytes)));
  std::byte *to = packet.data() + at;
  std::memcpy(to, &header, sizeof(header));
  to += sizeof(header);
  if (block.count == 0)
    return;
  block.copy(to, messages.messageBytes, values, sources);
  counts.messages += block.count;
}

void Passing::send(unsigned rank) {
  while (communicator.underWay() >= MostUnderWay)
    if (!receive())
      waitABit();
  counts.bytes += packet.size();
  communicator.send(rank, std::move(packet));
  packet.clear();
}

/// Accepts a packet, if one has arrived. Returns whether it has.
bool Passing::receive() {
  const std::optional<Communicator::Packet> received = communicator.receive();
  if (!received)
    return false;
  accept(*received);
  return true;
}

void Passing::accept(const Communicator::Packet &received) {
  for (std::size_t at = 0; at < received.bytes.size();) {
    Header header;
    HEDDLE_ASSERT(received.bytes.size() - at >= sizeof(header));
    std::memcpy(&header, received.bytes.data() + at, sizeof(header));
    at += sizeof(header);
    if (header.partition == NoMore) {
      const Share share = shareOf(layout, communicator, received.from);
      queue.arrive(share.firstPartition, share.endPartition);
      ++finishedRanks;
      HEDDLE_ASSERT(finishedRanks < communicator.ranks());
      return;
    }
    MessageBlock &block = messages.blocks[header.partition][header.block];
    HEDDLE_ASSERT(block.count == 0 && "each block is received once");
    HEDDLE_ASSERT(header.count > 0 && header.count <= SourceBlockVertices);
    block.count = header.count;
    block.isFromAll = header.isFromAll != 0;
    const std::byte *memory = received.bytes.data() + at;
    store.put(block, messages.messageBytes, memory,
              block.sources(memory, messages.messageBytes), ioQueue);
    messages.hasAny[header.partition][header.block] = 1;
    at += aligned(block.bytes(messages.messageBytes));
    HEDDLE_ASSERT(at <= received.bytes.size());
  }
}

} // namespace heddle::graph::ooc
