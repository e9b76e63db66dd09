// An ordered set in one array: which of many keys have been seen before.

#include <cstdint>
#include <cstdio>
#include <heddle/graph/Cpma.h>
#include <memory>
#include <vector>

using namespace heddle::graph;

int main() {
  //! [program]
  std::vector<std::uint64_t> first, second;
  for (std::uint64_t i = 0; i < 1000000; ++i) {
    first.push_back(i * i);
    second.push_back(i * i * i);
  }
  Cpma<std::uint64_t> seen(first);
  const auto found = std::make_unique<bool[]>(second.size());
  const std::size_t known = seen.contains(second, {found.get(), second.size()});
  const std::size_t fresh = seen.insert(second);
  std::uint64_t below = 0;
  seen.rangeMap(0, 1000000, [&](std::uint64_t) { ++below; });
  //! [program]
  std::printf("%zu cubes were there, %zu were not; %llu squares and cubes are "
              "below a million\n",
              known, fresh, static_cast<unsigned long long>(below));
}
