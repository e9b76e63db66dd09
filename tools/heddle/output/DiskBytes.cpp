//===- DiskBytes.cpp - The disk transfers of this process -----------------===//

#include "DiskBytes.h"

#include <fstream>
#include <string>

namespace heddle {

std::optional<DiskBytes> diskBytesOfProcess() {
  std::ifstream file("/proc/self/io");
  DiskBytes bytes;
  unsigned found = 0;
  std::string name;
  for (std::uint64_t value; file >> name >> value;)
    if (name == "read_bytes:") {
      bytes.read = value;
      ++found;
    } else if (name == "write_bytes:") {
      bytes.written = value;
      ++found;
    }
  return found == 2 ? std::optional(bytes) : std::nullopt;
}

} // namespace heddle
