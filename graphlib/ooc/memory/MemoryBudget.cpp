//===- MemoryBudget.cpp - How calls divide the memory --------------------===//

#include "heddle/graph/detail/ooc/memory/MemoryBudget.h"

#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <string>
#include <utility>

namespace heddle::graph::ooc {

bool MemoryBudget::reserve(FixedMemory newFixed) {
  fixed = std::move(newFixed);
  return fixed.bytes() <= bytes;
}

/// `needed` bytes do not fit. Names a budget with room for them and for the
/// buffers and caches of that budget.
void MemoryBudget::fail(std::uint64_t needed) const {
  HEDDLE_ASSERT(needed >= fixed.scaled);
  const std::uint64_t rest = needed - fixed.scaled;
  std::uint64_t mebibytes = needed >> 20;
  while (rest + fixed.scaledWithin(mebibytes << 20) > mebibytes << 20)
    ++mebibytes;
  throw Error("expected a memory budget of at least " +
              std::to_string(mebibytes) + " MiB, found " +
              std::to_string(bytes >> 20) +
              " MiB; smaller batches or fewer threads take less");
}

void MemoryBudget::endRehearsal() {
  HEDDLE_ASSERT(isRehearsing());
  const std::uint64_t needed = *mostNeeded;
  mostNeeded.reset();
  if (needed > bytes)
    fail(needed);
}

std::optional<MemoryDivision> MemoryBudget::divide(const CallMemory &call) {
  std::uint64_t needed =
      fixed.bytes() + call.windowsInUse + call.messages.buffers;
  if (alwaysDispatches)
    needed += call.messages.dispatching;
  if (isRehearsing()) {
    mostNeeded = std::max(*mostNeeded, needed);
    return std::nullopt;
  }
  if (needed > bytes)
    fail(needed);

  // The rest goes to messages first, which each batch reads again, then to
  // vertex data, which are written as well, and then to edges.
  std::uint64_t free = bytes - needed;
  division = {};
  division.dispatches = call.messages.dispatching > 0;
  if (!alwaysDispatches) {
    // Dispatching takes memory, and gains nothing if messages stay in memory.
    division.dispatches &= call.messages.messages > free / 2 &&
                           call.messages.dispatching <= free / 4;
    free -= division.dispatches ? call.messages.dispatching : 0;
  }
  division.messages = std::min(call.messages.messages, free / 2);
  free -= division.messages;
  const std::uint64_t moreWindows =
      call.allWindows > call.windowsInUse
          ? std::min(call.allWindows - call.windowsInUse, free)
          : 0;
  division.windows = call.windowsInUse + moreWindows;
  division.edges = free - moreWindows;
  HEDDLE_ASSERT(fixed.bytes() + division.windows + call.messages.buffers +
                    division.messages + division.edges <=
                bytes);
  return division;
}

} // namespace heddle::graph::ooc
