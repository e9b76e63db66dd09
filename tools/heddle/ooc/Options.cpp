//===- Options.cpp - Options of `heddle ooc` ------------------------------===//

#include "Commands.h"

#include "../command/Options.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <unistd.h>

namespace heddle {

void addDirectoryOption(CLI::App &command, std::string &directory) {
  addPositional(command, "DIRECTORY", directory,
                "The prepared graph, as 'heddle ooc prepare' makes it");
}

void addMemoryOption(CLI::App &command, std::uint64_t &bytes,
                     const std::string &description) {
  addSize(command, "--memory", bytes,
          description + ", in bytes, or with K, M, G or T [half of what the "
                        "machine or the cgroup has]");
}

std::uint64_t usualMemoryBytes() {
  std::uint64_t bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  // Each line is "number:controllers:group"; version 2 has no controllers.
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), last = line.find(':', first + 1);
    if (last == std::string::npos)
      continue;
    const std::string controllers = line.substr(first + 1, last - first - 1),
                      group = line.substr(last + 1);
    std::ifstream file;
    if (controllers == "memory")
      file.open("/sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes");
    else if (controllers.empty())
      file.open("/sys/fs/cgroup" + group + "/memory.max");
    if (std::uint64_t limit; file.is_open() && file >> limit)
      bytes = std::min(bytes, limit);
  }
  return bytes / 2;
}

} // namespace heddle
