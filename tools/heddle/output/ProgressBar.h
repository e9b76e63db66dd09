//===- ProgressBar.h - The progress of some work ---------------*- C++ -*-===//
//
// One line on standard error that is updated repeatedly, and erased in the end;
// nothing if standard error is not a terminal.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_OUTPUT_PROGRESSBAR_H
#define HEDDLE_TOOLS_OUTPUT_PROGRESSBAR_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

/// The unit of progress.
enum class ProgressUnit { Bytes, Updates, Edges, Batches };

/// The line for `done` of `total` bytes (0 if unknown) after `seconds`, in
/// fewer than `columns` characters:
///
///   Reading wiki.txt [=======>            ] 38%  1.4 GB/s  12 s left
///   Reading /dev/stdin  812 MB  1.4 GB/s
///
/// For batches, which differ in size, it says how many there are, and the
/// transfers from and to the disk meanwhile, if they are known:
///
///   Edges [=======>            ] 38%  3 of 8 batches  312 MB/s  12 s left
std::string progressText(const std::string &what, std::uint64_t done,
                         std::uint64_t total, double seconds,
                         std::size_t columns,
                         ProgressUnit unit = ProgressUnit::Bytes,
                         std::optional<std::uint64_t> diskBytes = std::nullopt);

/// For the progress of ReadOptions and the like. Used by one thread.
///
///   ProgressBar bar("Reading " + path);
///   readEdgeList(path, {.progress = std::ref(bar)});
class ProgressBar {
public:
  explicit ProgressBar(std::string what,
                       ProgressUnit unit = ProgressUnit::Bytes);
  /// Erases the line.
  ~ProgressBar();
  ProgressBar(const ProgressBar &) = delete;
  ProgressBar &operator=(const ProgressBar &) = delete;

  /// Begins to count something else.
  void rename(std::string newWhat);

  /// Draws the line, unless it was drawn a moment ago.
  void operator()(std::uint64_t done, std::uint64_t total);

private:
  using Clock = std::chrono::steady_clock;

  std::optional<std::uint64_t> diskBytes() const;

  std::string what;
  const ProgressUnit unit;
  const bool onTerminal;
  Clock::time_point begin;
  Clock::time_point nextDrawing;
  std::optional<std::uint64_t> diskBytesAtBegin;
  bool isDrawn = false;
};

} // namespace heddle

#endif
