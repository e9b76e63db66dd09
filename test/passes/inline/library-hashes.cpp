// The hash functions of the C++ library only read the key, so that a search for
// a string is no update of what the iteration stores.
//
// RUN: %clangxx -O2 -Rpass=heddle -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: remark: interleaved the loop's iterations

#include <string>
#include <unordered_map>
#include <vector>

void find(const std::unordered_map<std::string, long> &map,
          const std::vector<std::string> &keys, long *out) noexcept {
#pragma heddle async
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto found = map.find(keys[i]);
    out[i] = found == map.end() ? -1 : found->second;
  }
}
