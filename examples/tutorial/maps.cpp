// An ordered map in one array: distances that get shorter.

#include <cstdint>
#include <cstdio>
#include <heddle/graph/Cpma.h>
#include <optional>
#include <vector>

using namespace heddle::graph;

int main() {
  //! [program]
  using Distances = Cpma<std::uint64_t, float>;
  std::vector<Distances::Entry> first, second;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    first.push_back({i * 7, 2});
    second.push_back({i * 11, 1});
  }
  Distances distances(first);
  const std::size_t fresh = distances.insertOrAssign(second);

  const std::vector<std::uint64_t> keys = {7, 77, 8};
  std::vector<std::optional<float>> found(keys.size());
  distances.find(keys, found);
  //! [program]
  std::printf("%zu keys are new\n", fresh);
  for (std::size_t i = 0; i < keys.size(); ++i)
    std::printf("%llu: %g\n", static_cast<unsigned long long>(keys[i]),
                found[i].value_or(-1));
}
