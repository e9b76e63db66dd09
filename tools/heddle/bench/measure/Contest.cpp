//===- Contest.cpp - Which of several rivals is faster -------------------===//

#include "Contest.h"

#include "../../command/SecondsOf.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace heddle::bench {

namespace {

/// Which of `count` rivals run one after the other in a repetition: a Williams
/// design, in which over `count` repetitions (twice as many if it is odd) each
/// runs directly behind each other one equally often.
std::vector<size_t> orderOf(size_t count, size_t repetition) {
  std::vector<size_t> order;
  for (size_t i = 0; i < count; ++i) {
    const size_t zigzag = i % 2 ? (i + 1) / 2 : count - i / 2; // 0 1 -1 2 -2...
    order.push_back((zigzag + repetition) % count);
  }
  if (count % 2 == 1 && repetition % 2 == 1)
    std::ranges::reverse(order);
  return order;
}

} // namespace

std::vector<Standing>
compete(const std::vector<Rival> &rivals, int repetitions,
        const std::function<void(const std::string &)> &announce) {
  std::vector<std::vector<double>> seconds(rivals.size());
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    announce(fmt::format("repetition {} of {}", repetition + 1, repetitions));
    for (size_t i : orderOf(rivals.size(), repetition))
      seconds[i].push_back(rivals[i]());
  }

  std::vector<Standing> standings;
  for (const std::vector<double> &own : seconds) {
    std::vector<double> speeds;
    std::ranges::transform(seconds.front(), own, std::back_inserter(speeds),
                           std::divides());
    standings.push_back({median(own), median(speeds)});
  }
  return standings;
}

} // namespace heddle::bench
