//===- Chosen.h - The benchmarks that were asked for -----------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_CHOSEN_H
#define HEDDLE_TOOLS_BENCH_CHOSEN_H

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace heddle::bench {

/// Returns the kinds of these names, of kernels for example, or all of them if
/// there are no names.
template <typename Kind>
std::vector<Kind> chosenOf(const std::vector<Kind> &kinds,
                           const std::vector<std::string> &names) {
  std::vector<Kind> chosen;
  std::ranges::copy_if(
      kinds, std::back_inserter(chosen), [&](const Kind &kind) {
        return names.empty() ||
               std::ranges::find(names, kind.name) != names.end();
      });
  return chosen;
}

} // namespace heddle::bench

#endif
