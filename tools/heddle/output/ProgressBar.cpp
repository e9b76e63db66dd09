//===- ProgressBar.cpp - How far work has got -------------------------===//

#include "ProgressBar.h"

#include "Say.h"

#include "DiskBytes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace heddle {
namespace {

// Shorter work needs no bar, and eyes see no more drawings than these.
constexpr std::chrono::milliseconds FirstDrawing(300), BetweenDrawings(100);

/// Returns the unit for texts like 1.23 MB, 12.3 MB, 123 MB; 1.23 M updates.
const char *nameOf(ProgressUnit unit) {
  switch (unit) {
  case ProgressUnit::Bytes:
    return "B";
  case ProgressUnit::Updates:
    return "updates";
  case ProgressUnit::Edges:
    return "edges";
  case ProgressUnit::Batches:
    return "batches";
  }
  __builtin_unreachable();
}

std::string amountText(double amount, ProgressUnit unit) {
  constexpr const char *prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  const char *const *prefix = prefixes;
  while (amount >= 999.5 && prefix + 1 != std::end(prefixes)) {
    amount /= 1000;
    ++prefix;
  }
  const int decimals = prefix == prefixes || amount >= 99.95 ? 0
                       : amount >= 9.995                     ? 1
                                                             : 2;
  const bool isSpaced = unit != ProgressUnit::Bytes && prefix != prefixes;
  return fmt::format("{:.{}f} {}{}{}", amount, decimals, *prefix,
                     isSpaced ? " " : "", nameOf(unit));
}

std::string durationText(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  if (whole < 60)
    return fmt::format("{} s", whole);
  if (whole < 3600)
    return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string barText(double part) {
  constexpr int width = 20;
  const int filled = static_cast<int>(part * width);
  std::string bar(static_cast<std::size_t>(filled), '=');
  if (filled < width)
    bar += '>';
  bar.resize(width, ' ');
  return "[" + bar + "]";
}

std::size_t terminalColumns() {
  winsize size;
  const bool isKnown =
      ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return isKnown ? size.ws_col : 80;
}

} // namespace

std::string progressText(const std::string &what, std::uint64_t done,
                         std::uint64_t total, double seconds,
                         std::size_t columns, ProgressUnit unit,
                         std::optional<std::uint64_t> diskBytes) {
  const double speed = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::string text = what;
  if (total == 0) {
    text += "  " + amountText(static_cast<double>(done), unit);
  } else {
    done = std::min(done, total);
    const double part = static_cast<double>(done) / static_cast<double>(total);
    text += fmt::format(" {} {:2.0f}%", barText(part), std::floor(100 * part));
  }
  if (unit == ProgressUnit::Batches && total > 0) {
    text += fmt::format("  {} of {} batches", done, total);
    if (diskBytes && seconds > 0)
      text += "  " +
              amountText(static_cast<double>(*diskBytes) / seconds,
                         ProgressUnit::Bytes) +
              "/s";
  } else if (speed > 0) {
    text += "  " + amountText(speed, unit) + "/s";
  }
  if (speed > 0 && total > 0)
    text += "  " + durationText(static_cast<double>(total - done) / speed) +
            " left";
  // A full line would end in the next one on some terminals.
  text.resize(std::min(text.size(), std::max<std::size_t>(columns, 1) - 1));
  return text;
}

ProgressBar::ProgressBar(std::string what, ProgressUnit unit)
    : what(std::move(what)), unit(unit), onTerminal(isatty(STDERR_FILENO) != 0),
      begin(Clock::now()), nextDrawing(begin + FirstDrawing),
      diskBytesAtBegin(diskBytes()) {}

ProgressBar::~ProgressBar() {
  if (isDrawn)
    say("\r\033[K");
}

void ProgressBar::rename(std::string newWhat) {
  what = std::move(newWhat);
  begin = Clock::now();
  diskBytesAtBegin = diskBytes();
}

/// Returns the transfers of the disk; none unless the bar shows them.
std::optional<std::uint64_t> ProgressBar::diskBytes() const {
  if (!onTerminal || unit != ProgressUnit::Batches)
    return std::nullopt;
  const std::optional<DiskBytes> bytes = diskBytesOfProcess();
  return bytes ? std::optional(bytes->read + bytes->written) : std::nullopt;
}

void ProgressBar::operator()(std::uint64_t done, std::uint64_t total) {
  const Clock::time_point now = Clock::now();
  if (!onTerminal || now < nextDrawing)
    return;
  const std::chrono::duration<double> elapsed = now - begin;
  std::optional<std::uint64_t> moved = diskBytes();
  if (moved)
    *moved -= diskBytesAtBegin.value_or(0);
  say("\r\033[K{}", progressText(what, done, total, elapsed.count(),
                                 terminalColumns(), unit, moved));
  std::fflush(stderr);
  nextDrawing = now + BetweenDrawings;
  isDrawn = true;
}

} // namespace heddle
