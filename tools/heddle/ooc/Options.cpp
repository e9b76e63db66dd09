//===- Options.cpp - What subcommands of `heddle ooc` ask for ------------===//

#include "Commands.h"

#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace heddle {

void addDirectoryOption(CLI::App &command, std::string &directory) {
  command
      .add_option("DIRECTORY", directory,
                  "The prepared graph, as 'heddle ooc prepare' makes it")
      ->required()
      ->type_name("");
}

void addMemoryOption(CLI::App &command, std::uint64_t &bytes,
                     const std::string &description) {
  command
      .add_option("--memory", bytes,
                  description + ", in bytes, or with K, M or G "
                                "[half of the memory there is]")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->type_name("SIZE");
}

std::uint64_t usualMemoryBytes() {
  std::uint64_t bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (const char *limitPath : {"/sys/fs/cgroup/memory.max",
                                "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (std::uint64_t limit; std::ifstream(limitPath) >> limit)
      bytes = std::min(bytes, limit);
  return bytes / 2;
}

} // namespace heddle
