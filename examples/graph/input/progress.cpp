//===- progress.cpp - A progress bar --------------------------------------===//

#include "progress.h"

#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

static constexpr char WipeLine[] = "\r\033[K";
static volatile sig_atomic_t barIsShown = 0;

Progress::Progress(std::string what, int64_t total)
    : what(std::move(what)), total(total),
      onTerminal(isatty(STDERR_FILENO) != 0) {
  advance(0);
}

Progress::~Progress() {
  if (!onTerminal)
    return;
  fmt::print(stderr, "{}", WipeLine);
  std::fflush(stderr);
  barIsShown = 0;
}

void Progress::advance(int64_t steps) {
  int64_t now = done += steps;
  if (!onTerminal)
    return;
  int reached = total > 0 ? static_cast<int>(1000 * now / total) : 1000;
  int before = tenths;
  // Of the threads that see the bar move, one draws it.
  if (reached > before && tenths.compare_exchange_strong(before, reached))
    draw(reached);
}

void Progress::draw(int64_t reached) {
  constexpr int Width = 40;
  int filled = static_cast<int>(Width * reached / 1000);
  barIsShown = 1;
  fmt::print(stderr, "\r{} [{:=<{}}{: <{}}] {:3}%", what, "", filled, "",
             Width - filled, reached / 10);
  std::fflush(stderr);
}

static void wipeAndDie(int signal) {
  if (barIsShown) {
    ssize_t written = write(STDERR_FILENO, WipeLine, sizeof(WipeLine) - 1);
    static_cast<void>(written);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void wipeProgressOnInterrupt() {
  std::signal(SIGINT, wipeAndDie);
  std::signal(SIGTERM, wipeAndDie);
}
