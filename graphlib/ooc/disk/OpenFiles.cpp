//===- OpenFiles.cpp - How many files may be open at once ----------------===//

#include "OpenFiles.h"

#include "heddle/graph/Error.h"

#include <dirent.h>
#include <sys/resource.h>

namespace heddle::graph::ooc {

namespace {

/// The number of open files, with the directory that lists them; an estimate if
/// there is no such directory.
std::uint64_t openFiles() {
  constexpr std::uint64_t AFew = 64;
  // Iterators of std::filesystem end the program if memory is short.
  DIR *files = opendir("/proc/self/fd");
  if (!files)
    return AFew;
  std::uint64_t count = 0;
  while (readdir(files))
    ++count;
  closedir(files);
  return count;
}

} // namespace

void requireOpenFiles(std::uint64_t more, const std::string &advice) {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return;
  const std::uint64_t needed = openFiles() + more;
  if (needed <= limit.rlim_cur)
    return;
  const bool isEnough = needed <= limit.rlim_max;
  limit.rlim_cur = limit.rlim_max;
  if (isEnough && setrlimit(RLIMIT_NOFILE, &limit) == 0)
    return;
  throw Error("expected a limit of at least " + std::to_string(needed) +
              " open files, found " + std::to_string(limit.rlim_max) +
              "; raise it (ulimit -Hn)" + advice);
}

} // namespace heddle::graph::ooc
