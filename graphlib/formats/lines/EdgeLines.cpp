//===- EdgeLines.cpp - Lines that are edges, parsed in parallel ----------===//
//
// To read edges piece by piece, some lines are read and then parsed by all
// threads. To read all at once, each thread reads some lines, parses them while
// they are in its cache, and copies the edges to their final position once the
// number of edges before them is known. One thread reads at a time, so that
// pipes and compressed files need no special treatment; the others parse
// meanwhile. An error is reported when the turn of its chunk has come, so that
// it is the first in the file.
//
//===----------------------------------------------------------------------===//

#include "EdgeLines.h"

#include "../../files/GrowingArray.h"
#include "../../files/Instantiate.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <omp.h>
#include <optional>
#include <shared_mutex>
#include <thread>

namespace heddle::graph {
namespace {

template <VertexIdentifier VertexId, EdgeWeight Weight> class EdgeTextParser {
public:
  EdgeTextParser(TextFile &text, EdgeTally<VertexId, Weight> &tally)
      : text(text), tally(tally) {}

  Array<Edge<VertexId, Weight>> parse() {
#pragma omp parallel
    {
      Chunk chunk;
      while (parseNext(chunk, omp_get_thread_num() == 0)) {
      }
    }
    if (failure)
      std::rethrow_exception(failure);
    text.reportProgress();
    tally.expectAll();
    return edges.take();
  }

private:
  using Chunk = ParsedChunk<VertexId, Weight>;

  /// Returns false if there is nothing more to do. Does not throw, because it
  /// is called in a parallel region.
  bool parseNext(Chunk &chunk, bool isCaller) {
    const auto number = readNext(chunk);
    if (!number)
      return false;
    try {
      if (!chunk.failure)
        chunk.parse(tally.parser());
    } catch (...) {
      chunk.failure = std::current_exception();
    }
    awaitTurn(*number);
    Edge<VertexId, Weight> *first = nullptr;
    std::shared_lock<std::shared_mutex> stayInPlace;
    if (!failure) {
      try {
        first = takeRoom(chunk);
        if (isCaller)
          reportProgress(chunk, *number);
        stayInPlace = std::shared_lock(moving);
      } catch (...) {
        failure = std::current_exception();
      }
    }
    const bool goOn = !failure;
    turn.store(*number + 1);
    if (goOn)
      std::copy_n(chunk.edges.begin(), chunk.edgeCount, first);
    return goOn;
  }

  /// Reads the next lines and returns which chunk of the file they are.
  std::optional<std::uint64_t> readNext(Chunk &chunk) {
    std::unique_lock lock(reading, std::try_to_lock);
    for (unsigned turns = 0; !lock.owns_lock(); lock.try_lock())
      waitShortly(turns);
    if (isAtEnd)
      return std::nullopt;
    try {
      isAtEnd = !text.nextLines(chunk.text);
      if (isAtEnd)
        return std::nullopt;
      isAtEnd = !chunk.text.problem.empty();
    } catch (...) {
      isAtEnd = true;
      chunk.failure = std::current_exception();
    }
    return chunksRead++;
  }

  void awaitTurn(std::uint64_t number) const {
    for (unsigned turns = 0; turn.load() != number;)
      waitShortly(turns);
  }

  /// Waits for other threads that read or parse a chunk: sleeping and waking
  /// would take as long. But a pipe may have no data for hours.
  static void waitShortly(unsigned &turns) {
    constexpr unsigned most = 10000;
    if (turns == most)
      return std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++turns;
    std::this_thread::yield();
  }

  // Called by the thread whose turn it is.

  /// Returns where the edges of the chunk belong.
  Edge<VertexId, Weight> *takeRoom(Chunk &chunk) {
    tally.add(chunk);
    const std::size_t size = edges.size() + chunk.edgeCount;
    std::unique_lock<std::shared_mutex> waitForCopies;
    if (!edges.hasRoom(chunk.edgeCount))
      waitForCopies = std::unique_lock(moving);
    return edges.extend(chunk.edgeCount,
                        text.expectedTotal(size, chunk.text.doneBytes));
  }

  void reportProgress(const Chunk &chunk, std::uint64_t number) {
    constexpr std::uint64_t step = 16;
    if (number < nextReport)
      return;
    nextReport = number + step;
    text.reportProgress(chunk.text.doneBytes);
  }

  TextFile &text;
  EdgeTally<VertexId, Weight> &tally;

  std::mutex reading;
  bool isAtEnd = false;
  std::uint64_t chunksRead = 0;

  std::atomic<std::uint64_t> turn = 0; ///< the number of the chunk
  std::exception_ptr failure;
  GrowingArray<Edge<VertexId, Weight>> edges;
  std::shared_mutex moving;     ///< of the edges; shared by threads that write
  std::uint64_t nextReport = 0; ///< at which chunk
};

} // namespace

template <VertexIdentifier VertexId, EdgeWeight Weight>
typename EdgeLines<VertexId, Weight>::Edges
EdgeLines<VertexId, Weight>::next() {
  while (current < filled || parseMore()) {
    Chunk &chunk = chunks[current++];
    tally.add(chunk);
    if (chunk.edgeCount > 0)
      return {chunk.edges.data(), chunk.edgeCount};
  }
  tally.expectAll();
  return {};
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
bool EdgeLines<VertexId, Weight>::parseMore() {
  HEDDLE_ASSERT(current == filled && "parsed chunks are given out first");
  chunks.resize(2 * static_cast<std::size_t>(omp_get_max_threads()));
  current = filled = 0;
  while (!isAtEnd && filled < chunks.size()) {
    isAtEnd = !text.nextLines(chunks[filled].text);
    if (isAtEnd)
      break;
    isAtEnd = !chunks[filled].text.problem.empty();
    ++filled;
  }
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < filled; ++i) {
    try {
      chunks[i].failure = nullptr;
      chunks[i].parse(tally.parser());
    } catch (...) {
      chunks[i].failure = std::current_exception();
    }
  }
  text.reportProgress();
  return filled > 0;
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Array<Edge<VertexId, Weight>> EdgeLines<VertexId, Weight>::all() {
  HEDDLE_ASSERT(tally.edges() == 0 && chunks.empty() && "nothing is read yet");
  return EdgeTextParser<VertexId, Weight>(text, tally).parse();
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template class EdgeLines<VertexId, Weight>;
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

} // namespace heddle::graph
