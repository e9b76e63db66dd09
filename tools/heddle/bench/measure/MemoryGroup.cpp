//===- MemoryGroup.cpp - A process and a limit to its memory -------------===//

#include "MemoryGroup.h"

#include "../../output/Say.h"

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

/// Where groups might be made: in the group of this process, in each controller
/// of memory that is mounted. In a container it may be named as it is outside.
std::vector<MemoryController> possibleControllers() {
  std::vector<MemoryController> found;
  std::ifstream lines("/proc/self/mounts");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string device, root, type, options;
    words >> device >> root >> type >> options;
    options = "," + options + ",";
    const bool isFirst =
        type == "cgroup" && options.find(",memory,") != std::string::npos;
    if (!isFirst && type != "cgroup2")
      continue;
    const int version = isFirst ? 1 : 2;
    found.push_back({version, root + ownGroup(version)});
    found.push_back({version, root});
  }
  return found;
}

} // namespace

std::optional<MemoryController> findMemoryController() {
  for (const MemoryController &found : possibleControllers()) {
    // Fails where it has been done before, or where processes are in the way.
    if (found.version == 2)
      writeText(found.directory + "/cgroup.subtree_control", "+memory");
    try {
      // As good as no limit.
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
    say("heddle: warning: this process may not create a memory cgroup, "
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
    failToDo("make the memory group " + directory);
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
