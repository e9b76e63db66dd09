//===- RankGroup.cpp - This rank among the others ------------------------===//

#include "heddle/graph/detail/ooc/ranks/RankGroup.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace heddle::graph::ooc {

namespace {

void waitABit() { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

} // namespace

void RankGroup::receive(std::span<std::byte> memory) const {
  for (std::size_t at = 0; at < memory.size();) {
    const auto packet = communicator_->receive();
    if (!packet) {
      waitABit();
      continue;
    }
    HEDDLE_ASSERT(packet->bytes.size() <= memory.size() - at);
    std::memcpy(memory.data() + at, packet->bytes.data(), packet->bytes.size());
    at += packet->bytes.size();
  }
}

void RankGroup::send(std::span<const std::byte> memory) const {
  for (std::size_t at = 0; at < memory.size(); at += PieceBytes) {
    const auto piece =
        memory.subspan(at, std::min(PieceBytes, memory.size() - at));
    communicator_->send(0, Communicator::Bytes(piece.begin(), piece.end()));
    while (communicator_->underWay() > 0)
      waitABit();
  }
}

void RankGroup::copyToFirst(std::span<std::byte> memory, bool isHere) const {
  if (!hasOthers())
    return;
  if (isFirst() && !isHere)
    receive(memory);
  else if (!isFirst() && isHere)
    send(memory);
  // The next sender waits until this one is done.
  gather({});
}

} // namespace heddle::graph::ooc
