//===- Dispatcher.cpp - Dispatches messages to batches -------------------===//

#include "heddle/graph/detail/ooc/messages/Dispatcher.h"

#include "../../files/FileError.h"
#include "ChunkPieces.h"
#include "DispatchedWriters.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <cstring>

namespace heddle::graph::ooc {

namespace {

/// Lists of a chunk's sources that a batch reads ahead.
constexpr std::size_t ListsAhead = 4;
constexpr std::size_t MostListBytes =
    SourceBlockVertices * sizeof(std::uint16_t);

/// The index entry of a block: where its messages are, and whether it has any.
constexpr std::uint64_t IndexBytes =
    sizeof(MessageBlock) + sizeof(std::uint8_t);

/// Finds the messages of ascending sources in a block.
class PlaceFinder {
public:
  PlaceFinder(const MessageBlock &block, const std::uint16_t *sources)
      : isFromAll(block.isFromAll), sources(sources),
        end(sources + block.count), next(sources) {}

  /// Whether this vertex has sent a message, which then has place().
  bool find(std::uint16_t source) {
    if (isFromAll) {
      found = source;
      return true;
    }
    while (next != end && *next < source)
      ++next;
    found = static_cast<std::uint16_t>(next - sources);
    return next != end && *next == source;
  }
  std::uint16_t place() const { return found; }

private:
  const bool isFromAll;
  const std::uint16_t *const sources, *const end;
  const std::uint16_t *next;
  std::uint16_t found = 0;
};

template <std::size_t Bytes>
void gather(std::byte *to, const std::byte *from,
            std::span<const std::uint16_t> places) {
  for (const std::uint16_t place : places) {
    std::memcpy(to, from + place * Bytes, Bytes);
    to += Bytes;
  }
}

void gather(std::byte *to, const std::byte *from,
            std::span<const std::uint16_t> places, std::size_t messageBytes) {
  switch (messageBytes) {
  case 4:
    return gather<4>(to, from, places);
  case 8:
    return gather<8>(to, from, places);
  default:
    for (const std::uint16_t place : places) {
      std::memcpy(to, from + place * messageBytes, messageBytes);
      to += messageBytes;
    }
  }
}

} // namespace

Dispatcher::Dispatcher(const ShareOfGraph &graph, const SeekCost &seekCost,
                       MessageStore &store, KeptBytes &keptBytes,
                       const StepMessages &messages,
                       std::optional<Dispatching> forced, bool mayWait)
    : graph(graph), seekCost(seekCost), store(store), keptBytes(keptBytes),
      messages(messages), forced(forced), mayWait(mayWait),
      copies(graph.share.batches() * graph.layout.partitions()) {}

std::uint64_t Dispatcher::bytes(const GraphLayout &layout, const Share &share,
                                const SourceIndex &index,
                                std::size_t messageBytes, std::size_t threads) {
  std::uint64_t blocks = 0, mostPairs = 0, mostBatches = 0;
  for (std::size_t part = 0; part < layout.partitions(); ++part)
    blocks += layout.sourceBlocks(part);
  for (std::size_t group = 0; group < layout.groups.size(); ++group)
    for (std::size_t part = 0; part < layout.partitions(); ++part) {
      const std::vector<SourceBlock> &starts =
          index.ofDispatching[group * layout.partitions() + part];
      for (std::size_t block = 0; block + 1 < starts.size(); ++block)
        mostPairs = std::max<std::uint64_t>(mostPairs, starts[block + 1].edge -
                                                           starts[block].edge);
      if (!starts.empty())
        mostBatches = std::max<std::uint64_t>(mostBatches,
                                              layout.groups[group].batches());
    }
  if (mostBatches == 0)
    return 0;
  const std::uint64_t pushing = DispatchedWriters::bytes(mostBatches) +
                                mostPairs * sizeof(std::uint16_t) +
                                blocks * IndexBytes;
  const std::uint64_t ofThread = DispatchedWriters::bytes(1) +
                                 ListsAhead * (MostListBytes + 8 * BlockBytes) +
                                 mostBytesOfMessages(messageBytes) +
                                 blocks * IndexBytes;
  const std::uint64_t copies =
      share.batches() *
      (layout.partitions() * sizeof(BatchCopies) + blocks * sizeof(Run));
  return pushing + threads * ofThread + copies;
}

Dispatching Dispatcher::dispatch(const BatchQueue::Turn &turn, ChunkScan &scan,
                                 IoQueue &queue) {
  HEDDLE_ASSERT(turn.partitions.size() == 1);
  if (turn.work == BatchQueue::Work::Dispatch)
    return decide(turn.partitions[0], turn.group, scan, queue);
  HEDDLE_ASSERT(turn.work == BatchQueue::Work::Pull);
  pull(turn.batch, turn.partitions[0], queue);
  return Dispatching::Pull;
}

/// Decides how the messages from a partition reach a group of batches, and
/// pushes them if that is cheapest.
Dispatching Dispatcher::decide(std::size_t partition, std::size_t group,
                               ChunkScan &scan, IoQueue &queue) {
  const std::vector<MessagesOnDisk> blocks = blocksToDispatch(
      partition,
      graph.index.ofDispatching[group * graph.layout.partitions() + partition]);
  if (blocks.empty())
    return Dispatching::None;
  const Dispatching chosen =
      forced ? *forced
             : chooseDispatching(costsOfDispatching(graph.layout, graph.index,
                                                    partition, group, blocks,
                                                    messages.messageBytes,
                                                    seekCost.onDisk),
                                 mayWait);
  if (chosen == Dispatching::Push)
    push(partition, group, blocks, scan, queue);
  return chosen;
}

/// The blocks with messages to dispatch, from which edges lead.
std::vector<MessagesOnDisk>
Dispatcher::blocksToDispatch(std::size_t partition,
                             const std::vector<SourceBlock> &starts) const {
  std::vector<MessagesOnDisk> result;
  const std::vector<MessageBlock> &blocks = messages.blocks[partition];
  for (std::size_t block = 0; block < blocks.size(); ++block)
    if (isDispatched(blocks[block]) && SourceIndex::sources(starts, block) > 0)
      result.push_back({block, blocks[block].count});
  return result;
}

std::vector<const MessageBlock *>
Dispatcher::onDisk(std::size_t partition,
                   std::span<const MessagesOnDisk> blocks) const {
  std::vector<const MessageBlock *> result;
  for (const MessagesOnDisk &place : blocks)
    if (const MessageBlock &block = messages.blocks[partition][place.block];
        block.isOnDisk())
      result.push_back(&block);
  return result;
}

/// Reserves space for all copies that a batch can need.
Dispatcher::BatchCopies &
Dispatcher::beginCopies(std::size_t batch, std::size_t partition,
                        std::span<const MessagesOnDisk> blocks) {
  BatchCopies &result = copiesOf(batch, partition);
  HEDDLE_ASSERT(result.runs.empty() && "messages are dispatched once");
  std::uint64_t bytes = 0;
  for (const auto &[block, count] : blocks) {
    MessageBlock most;
    most.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        count, SourceIndex::sources(startsOf(partition, batch), block)));
    bytes += MessageStore::aligned(most.bytes(messages.messageBytes));
  }
  result.area = store.takeArea(bytes);
  result.runs.resize(messages.blocks[partition].size());
  return result;
}

void Dispatcher::push(std::size_t partition, std::size_t group,
                      std::span<const MessagesOnDisk> blocks, ChunkScan &scan,
                      IoQueue &queue) {
  const BatchGroup &batches = graph.layout.groups[group];
  DispatchedWriters writers(store, queue, batches.batches(),
                            messages.messageBytes);
  for (std::size_t i = 0; i < batches.batches(); ++i)
    writers.begin(i,
                  beginCopies(batches.firstBatch + i, partition, blocks).area);
  MessageReader reader(store, messages.messageBytes, queue, keptBytes);
  reader.begin(onDisk(partition, blocks));

  // The current block is in memory, so that the edges of its sources can be
  // sought.
  const std::size_t count = messages.blocks[partition].size();
  std::vector<MessageBlock> current(count);
  std::vector<std::uint8_t> isCurrent(count);
  BatchMessages seen(messages);
  seen.blocks[partition] = current;
  seen.hasAny[partition] = isCurrent;
  PlacesByBatch places(batches.batches());
  for (const MessagesOnDisk &place : blocks) {
    MessageBlock &block = current[place.block];
    block = messages.blocks[partition][place.block];
    if (block.isOnDisk())
      block.memory = reader.next(block);
    isCurrent[place.block] = 1;
    if (scan.beginDispatching(group, partition, place.block, seen)) {
      places.clear([&](std::size_t i) {
        return std::min(
            block.count,
            SourceIndex::sources(startsOf(partition, batches.firstBatch + i),
                                 place.block));
      });
      findPlaces(scan, block, places);
      for (std::size_t i = 0; i < batches.batches(); ++i)
        copiesOf(batches.firstBatch + i, partition).runs[place.block] =
            write(partition, place.block, block, places.of(i), writers, i);
    }
    isCurrent[place.block] = 0;
  }
  writers.finish();
  ++pushes;
}

/// Finds out which batches need which messages of a block.
void Dispatcher::findPlaces(ChunkScan &scan, const MessageBlock &block,
                            PlacesByBatch &places) const {
  const std::uint16_t *sent =
      block.sources(block.memory, messages.messageBytes);
  while (const ChunkPiece *piece = scan.next()) {
    PlaceFinder finder(block, sent);
    const std::uint32_t sources = piece->sourceEnd - piece->sourceBegin;
    for (std::uint32_t i = 0; i < sources; ++i) {
      const std::uint32_t first = std::max(piece->begins[i], piece->edgeBegin);
      const std::uint32_t last = std::min(piece->begins[i + 1], piece->edgeEnd);
      if (first >= last || piece->sources[i] == SourceBlockVertices ||
          !finder.find(piece->sources[i]))
        continue;
      for (std::uint32_t edge = first; edge < last; ++edge)
        if (!places.add(std::to_integer<std::size_t>(
                            piece->targets[edge - piece->edgeBegin]),
                        finder.place()))
          scan.failAsDamaged("as many edges to a batch as its chunk has "
                             "sources");
    }
  }
}

void Dispatcher::pull(std::size_t batch, std::size_t partition,
                      IoQueue &queue) {
  const std::vector<SourceBlock> &starts = startsOf(partition, batch);
  const std::vector<MessagesOnDisk> blocks =
      blocksToDispatch(partition, starts);
  if (blocks.empty())
    return;
  BatchCopies &result = beginCopies(batch, partition, blocks);
  DispatchedWriters writers(store, queue, 1, messages.messageBytes);
  writers.begin(0, result.area);
  MessageReader reader(store, messages.messageBytes, queue, keptBytes);
  reader.begin(onDisk(partition, blocks));

  // The batch needs the messages from the sources of its chunk.
  RangeReader lists(queue, keptBytes, ListsAhead, MostListBytes);
  const std::uint64_t offset =
      graph.layout.places(partition, graph.layout.chunk(partition, batch))
          .sources;
  std::size_t begun = 0;
  std::vector<std::uint16_t> places;
  for (const MessagesOnDisk &place : blocks) {
    for (; begun < blocks.size() && !lists.isFull(); ++begun)
      lists.begin(fileOf(batch),
                  {FileRange{offset + starts[blocks[begun].block].source *
                                          sizeof(std::uint16_t),
                             SourceIndex::sources(starts, blocks[begun].block) *
                                 sizeof(std::uint16_t)}});
    MessageBlock block = messages.blocks[partition][place.block];
    if (block.isOnDisk())
      block.memory = reader.next(block);
    const auto *needed =
        reinterpret_cast<const std::uint16_t *>(lists.finish()[0]);
    if (!areSources({needed, SourceIndex::sources(starts, place.block)},
                    verticesOfBlock(graph.layout, partition, place.block)))
      failAtByte(fileOf(batch).file().path(), offset,
                 "expected sources in ascending order, found others: the file "
                 "is damaged");
    PlaceFinder finder(block,
                       block.sources(block.memory, messages.messageBytes));
    places.clear();
    for (std::uint32_t i = 0; i < SourceIndex::sources(starts, place.block);
         ++i)
      if (finder.find(needed[i]))
        places.push_back(finder.place());
    result.runs[place.block] =
        write(partition, place.block, block, places, writers, 0);
    lists.release();
  }
  writers.finish();
  ++pulls;
}

/// Appends the messages with the indices `places` in a block to the copies of a
/// batch.
Dispatcher::Run Dispatcher::write(std::size_t partition, std::size_t index,
                                  const MessageBlock &block,
                                  std::span<const std::uint16_t> places,
                                  DispatchedWriters &writers,
                                  std::size_t writer) {
  if (places.empty())
    return {};
  const std::size_t messageBytes = messages.messageBytes;
  HEDDLE_ASSERT(places.size() <= block.count && places.back() < block.count);
  MessageBlock run =
      runOf(partition, index, {static_cast<std::uint32_t>(places.size()), 0});
  std::byte *to = writers.room();
  gather(to, block.memory, places, messageBytes);
  if (!run.isFromAll) {
    auto *sources =
        reinterpret_cast<std::uint16_t *>(to + run.sourcesOffset(messageBytes));
    const std::uint16_t *sent = block.sources(block.memory, messageBytes);
    for (std::size_t i = 0; i < places.size(); ++i)
      sources[i] = block.isFromAll ? places[i] : sent[places[i]];
  }
  messageCount += run.count;
  return {run.count, writers.append(writer, run.bytes(messageBytes))};
}

MessageBlock Dispatcher::runOf(std::size_t partition, std::size_t index,
                               const Run &run) const {
  MessageBlock block;
  block.count = run.count;
  block.checksum = run.checksum;
  block.isFromAll =
      run.count == verticesOfBlock(graph.layout, partition, index);
  return block;
}

Dispatcher::View Dispatcher::messagesOf(std::size_t batch,
                                        std::span<const std::size_t> partitions,
                                        IoQueue &queue) {
  View view(messages);
  for (const std::size_t partition : partitions) {
    const BatchCopies &own = copiesOf(batch, partition);
    if (forced == Dispatching::Pull && own.runs.empty())
      pull(batch, partition, queue);
    if (own.runs.empty())
      continue;
    HEDDLE_ASSERT(own.runs.size() == messages.blocks[partition].size());
    std::vector<MessageBlock> &blocks =
        view.blocks.emplace_back(messages.blocks[partition]);
    std::vector<std::uint8_t> &hasAny =
        view.hasAny.emplace_back(messages.hasAny[partition]);
    std::uint64_t at = 0;
    for (std::size_t index = 0; index < blocks.size(); ++index) {
      if (!isDispatched(blocks[index]))
        continue;
      MessageBlock &block = blocks[index];
      block = runOf(partition, index, own.runs[index]);
      hasAny[index] = block.count > 0;
      if (own.area.memory)
        block.memory = own.area.memory + at;
      else
        block.offset = own.area.offset + at;
      at += MessageStore::aligned(block.bytes(messages.messageBytes));
    }
    view.seen.blocks[partition] = blocks;
    view.seen.hasAny[partition] = hasAny;
  }
  return view;
}

} // namespace heddle::graph::ooc
