//===- MemoryGroup.cpp - A process and a limit to its memory -------------===//

#include "MemoryGroup.h"

#include "../../command/Error.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace heddle::bench {

namespace {

/// Makes names of one process differ.
unsigned groupsMade = 0;

bool writeText(const std::string &path, const std::string &text) {
  std::ofstream file(path);
  return file << text << std::flush && file.good();
}

bool exists(const std::string &path) { return access(path.c_str(), F_OK) == 0; }

const char *limitFile(int version) {
  return version == 1 ? "/memory.limit_in_bytes" : "/memory.max";
}

/// A controller of memory that is mounted, and the group of this process in it.
struct Mount {
  int version;
  std::string root, own;
};

/// The group of this process: lines are "number:controllers:group", and version
/// 2 names no controllers.
std::string ownGroup(int version) {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), last = line.find(':', first + 1);
    if (last == std::string::npos)
      continue;
    const std::string controllers =
        "," + line.substr(first + 1, last - first - 1) + ",";
    if (version == 1 ? controllers.find(",memory,") != std::string::npos
                     : controllers == ",,")
      return line.substr(last + 1);
  }
  return "/";
}

std::vector<Mount> findMounts() {
  std::vector<Mount> mounts;
  std::ifstream lines("/proc/self/mounts");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string device, root, type, options;
    words >> device >> root >> type >> options;
    options = "," + options + ",";
    if (type == "cgroup" && options.find(",memory,") != std::string::npos)
      mounts.push_back({1, root, ownGroup(1)});
    else if (type == "cgroup2")
      mounts.push_back({2, root, ownGroup(2)});
  }
  return mounts;
}

} // namespace

std::optional<MemoryController> findMemoryController() {
  for (const Mount &mount : findMounts())
    // In a container the group may have the name that it has outside.
    for (const std::string &directory : {mount.root + mount.own, mount.root}) {
      // Fails where it has been done before, or where processes are in the way.
      if (mount.version == 2)
        writeText(directory + "/cgroup.subtree_control", "+memory");
      const MemoryController found = {mount.version, directory};
      try {
        // This limit is as good as none.
        MemoryGroup(found, std::uint64_t(1) << 50);
        return found;
      } catch (const Error &) {
        continue;
      }
    }
  return {};
}

std::optional<MemoryController> memoryControllerOrWarning() {
  const std::optional<MemoryController> controller = findMemoryController();
  if (!controller)
    fmt::print(stderr,
               "heddle: warning: this process may not create a memory cgroup, "
               "so memory is not limited, and all mapped data may stay in "
               "memory\n");
  return controller;
}

MemoryGroup::MemoryGroup(const MemoryController &controller,
                         std::uint64_t limitBytes)
    : version(controller.version),
      directory(fmt::format("{}/heddle-bench-{}-{}", controller.directory,
                            getpid(), ++groupsMade)) {
  if (mkdir(directory.c_str(), 0755) != 0)
    throw Error(fmt::format("cannot make the memory group {}: {}", directory,
                            std::strerror(errno)));
  const std::string file = directory + limitFile(version);
  if (!exists(file) || !writeText(file, std::to_string(limitBytes))) {
    rmdir(directory.c_str());
    throw Error(fmt::format("cannot limit memory in {}", directory));
  }
  // Pages that do not fit must not be swapped out. Without swap there are no
  // such files.
  if (version == 1)
    writeText(directory + "/memory.memsw.limit_in_bytes",
              std::to_string(limitBytes));
  else
    writeText(directory + "/memory.swap.max", "0");
}

MemoryGroup::~MemoryGroup() {
  // A process that has been waited for may still be counted for a moment.
  for (int tries = 0; rmdir(directory.c_str()) != 0 && errno == EBUSY;
       ++tries) {
    if (tries == 1000)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void MemoryGroup::enter() const {
  if (!writeText(directory + "/cgroup.procs", "0"))
    throw Error(fmt::format("cannot enter the memory group {}", directory));
}

std::uint64_t MemoryGroup::peakBytes() const {
  std::ifstream file(directory + (version == 1 ? "/memory.max_usage_in_bytes"
                                               : "/memory.peak"));
  std::uint64_t bytes = 0;
  file >> bytes;
  return file ? bytes : 0;
}

} // namespace heddle::bench
