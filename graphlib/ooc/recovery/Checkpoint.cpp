//===- Checkpoint.cpp - A state from which a run resumes ------------------===//

#include "heddle/graph/detail/ooc/recovery/Checkpoint.h"

#include "../../../runtime/host/files.h"
#include "../disk/Values.h"
#include "heddle/graph/Error.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <random>
#include <string_view>
#include <sys/file.h>
#include <unistd.h>

namespace heddle::graph::ooc {

namespace {

constexpr std::array<char, 8> CheckpointMagic = {'\x89', 'h', 'o',  'o',
                                                 'c',    'c', '\r', '\n'};
constexpr std::uint32_t Version = 3;
// One checkpoint is complete while the other is written; and ranks may be one
// call apart.
constexpr std::uint64_t KeptCheckpoints = 2;

struct Found {
  std::uint64_t graphChecksum = 0;
  std::uint64_t number = 0; ///< counts the checkpoints of a directory
  std::uint64_t stamp = 0;  ///< identifies its journal
  Checkpoint checkpoint;
};

Found readFile(const std::string &path) {
  ValueReader values(path);
  if (values.take<std::array<char, 8>>() != CheckpointMagic)
    failAtByte(path, 0, "expected a checkpoint, found another file");
  const auto version = values.take<std::uint32_t>();
  if (version != Version)
    failAtByte(path, CheckpointMagic.size(),
               "expected a checkpoint of version " + std::to_string(Version) +
                   ", found version " + std::to_string(version));
  values.check();
  Found found;
  found.graphChecksum = values.take<std::uint64_t>();
  found.number = values.take<std::uint64_t>();
  found.stamp = values.take<std::uint64_t>();
  Checkpoint &checkpoint = found.checkpoint;
  checkpoint.run = values.take<std::uint64_t>();
  checkpoint.program = values.takeList<std::string>();
  // Each is preceded by its size at least.
  checkpoint.results.resize(values.takeCount(sizeof(std::uint64_t)));
  for (std::string &result : checkpoint.results)
    result = values.takeList<std::string>();
  checkpoint.arrays.resize(values.takeCount(3 * sizeof(std::uint64_t)));
  for (ArrayCopies &array : checkpoint.arrays) {
    array.name = values.takeList<std::string>();
    array.elementBits = values.take<std::uint64_t>();
    array.windows = values.takeList<std::vector<WindowCopy>>();
  }
  if (values.remaining() != 0)
    failAtByte(path, values.position(),
               "expected the end of the checkpoint, found " +
                   std::to_string(values.remaining()) + " more bytes");
  return found;
}

} // namespace

RunDirectory::RunDirectory(std::string path) : directory(std::move(path)) {
  std::error_code problem;
  const bool isNew = std::filesystem::create_directories(directory, problem);
  if (problem)
    throw WriteError(directory + ": " + problem.message());
  if (isNew) {
    // Otherwise a crash could lose the directory with its checkpoints.
    syncDirectoryOf(directory);
    syncDirectoryOf(std::filesystem::path(directory).parent_path());
  }
  const std::string lockPath = directory + "/lock";
  lock = heddle_open(lockPath.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, 0644);
  if (lock < 0)
    throw WriteError(lockPath + ": " + std::strerror(errno));
  if (flock(lock, LOCK_EX | LOCK_NB) == 0)
    return;
  const int failure = errno;
  close(lock);
  if (failure == EWOULDBLOCK)
    throw Error(directory + ": another run uses this directory; wait until it "
                            "has ended");
  throw WriteError(lockPath + ": " + std::strerror(failure));
}

RunDirectory::~RunDirectory() { close(lock); }

void RunDirectory::removeEmpty() const {
  std::error_code ignored;
  std::filesystem::remove(directory + "/lock", ignored);
  std::filesystem::remove(directory, ignored);
}

std::string RunDirectory::checkpointPath(std::uint64_t number) const {
  return directory + "/checkpoint-" + std::to_string(number % KeptCheckpoints);
}

std::string RunDirectory::journalPath(std::uint64_t number) const {
  return directory + "/journal-" + std::to_string(number % KeptCheckpoints);
}

std::string RunDirectory::arrayPath(std::uint32_t number) const {
  return directory + "/array-" + std::to_string(number + 1);
}

void RunDirectory::remove(const std::string &path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT)
    throw WriteError(path + ": " + std::strerror(errno));
}

void RunDirectory::clear() const {
  for (std::uint64_t i = 0; i < KeptCheckpoints; ++i)
    remove(checkpointPath(i));
  for (std::uint64_t i = 0; i < KeptCheckpoints; ++i)
    remove(journalPath(i));
  // Iterators of std::filesystem end the program if memory is short.
  DIR *files = opendir(directory.c_str());
  if (!files)
    throw WriteError(directory + ": " + std::strerror(errno));
  while (const dirent *file = readdir(files))
    if (const std::string_view name = file->d_name;
        name.starts_with("array-") || name.ends_with(".tmp"))
      unlinkat(dirfd(files), file->d_name, 0);
  closedir(files);
}

Checkpoint RunDirectory::read(std::uint64_t graphChecksum,
                              std::optional<std::uint64_t> calls) {
  std::optional<Found> newest;
  std::string problem;
  for (std::uint64_t i = 0; i < KeptCheckpoints; ++i) {
    const std::string path = checkpointPath(i);
    if (!std::filesystem::exists(path))
      continue;
    try {
      Found found = readFile(path);
      if (found.graphChecksum != graphChecksum)
        throw Error(path + ": expected a checkpoint of the graph in this "
                           "directory, found one of another");
      // The next one must take the place of the older of the two.
      if (found.number % KeptCheckpoints != i)
        throw Error(path + ": expected checkpoint " + std::to_string(i) +
                    " or one that takes its place, found checkpoint " +
                    std::to_string(found.number));
      if (calls && found.checkpoint.results.size() > *calls)
        continue;
      if (!newest || newest->number < found.number)
        newest = std::move(found);
    } catch (const Error &error) {
      problem = error.what();
    }
  }
  // A damaged checkpoint may be the newer of the two.
  if (!problem.empty())
    throw Error(problem);
  if (!newest)
    throw Error(directory +
                ": expected a run to resume, found none; start a new one");
  nextNumber = newest->number + 1;
  Checkpoint checkpoint = std::move(newest->checkpoint);
  for (Journal::Record &record :
       Journal::read(journalPath(newest->number), newest->stamp)) {
    if (calls && checkpoint.results.size() == *calls)
      break;
    checkpoint.results.push_back(std::move(record.result));
    checkpoint.changes += record.changes;
  }
  if (calls && checkpoint.results.size() != *calls)
    throw Error(directory + ": expected a run of " + std::to_string(*calls) +
                " calls, found one of " +
                std::to_string(checkpoint.results.size()));
  return checkpoint;
}

void RunDirectory::removeAfter(std::uint64_t calls) const {
  for (std::uint64_t i = 0; i < KeptCheckpoints; ++i) {
    const std::string path = checkpointPath(i);
    if (!std::filesystem::exists(path) ||
        readFile(path).checkpoint.results.size() <= calls)
      continue;
    remove(path);
    // Before the slots that it refers to are reused.
    syncDirectoryOf(path);
  }
}

void RunDirectory::write(const Checkpoint &checkpoint,
                         std::uint64_t graphChecksum) {
  const std::uint64_t number = nextNumber++;
  std::random_device random;
  const std::uint64_t stamp = std::uint64_t(random()) << 32 | random();
  ValueFile values(checkpointPath(number));
  values.put(CheckpointMagic);
  values.put(Version);
  values.put(graphChecksum);
  values.put(number);
  values.put(stamp);
  values.put(checkpoint.run);
  values.putList(checkpoint.program);
  values.put(std::uint64_t(checkpoint.results.size()));
  for (const std::string &result : checkpoint.results)
    values.putList(result);
  values.put(std::uint64_t(checkpoint.arrays.size()));
  for (const ArrayCopies &array : checkpoint.arrays) {
    values.putList(array.name);
    values.put(array.elementBits);
    values.putList(array.windows);
  }
  HEDDLE_ASSERT(checkpoint.changes.empty() &&
                "changes are applied before the checkpoint is written");
  values.commit();
  earlierJournalBytes = journalBytes();
  journal.emplace(journalPath(number), stamp);
}

} // namespace heddle::graph::ooc
