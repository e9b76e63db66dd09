//===- Recovery.h - Calls outlive the program ------------------*- C++ -*-===//
//
// DFOGraph's fault tolerance (section 3.2), for all partitions of a rank: the
// calls that are done, the point where a resumed run continues, and the data
// that a call writes when it ends (Checkpoint.h, Journal.h).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_ENGINE_RECOVERY_H
#define HEDDLE_GRAPH_DETAIL_OOC_ENGINE_RECOVERY_H

#include "heddle/graph/detail/ooc/engine/RankGraph.h"
#include "heddle/graph/detail/ooc/memory/CallChanges.h"
#include "heddle/graph/detail/ooc/ranks/RankGroup.h"
#include "heddle/graph/detail/ooc/recovery/Checkpoint.h"
#include "heddle/graph/ooc/EngineOptions.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <type_traits>

namespace heddle::graph::ooc {

class Recovery {
public:
  /// Locks the run directories of the rank's partitions. Throws Error if
  /// another run uses one of them, and WriteError.
  Recovery(const RankGraph &graph, const RankGroup &ranks,
           const EngineOptions &options);

  /// Per partition of the rank.
  const std::deque<RunDirectory> &directories() const { return directories_; }

  /// The number of calls that are done, in the run that this one resumes or in
  /// this one.
  std::uint64_t calls() const { return calls_; }

  /// Whether the files of arrays stay when the program ends.
  bool keepsArrays() const { return options.checkpoints || options.resume; }
  /// Whether the run directories have the files of this run, or of the one
  /// that it resumes, instead of those of an earlier run.
  bool ownsDirectories() const { return isBegun || options.resume; }

  /// The bytes written to journals.
  std::uint64_t journalBytes() const;
  /// The bytes of checkpoints and journals in memory.
  std::uint64_t bytes() const;

  /// Resumes the last run from the last call that is done for all partitions of
  /// all ranks. Throws Error if there is none.
  void resume(WindowPool &pool);

  /// Replaces the files of an earlier run by those of this one, before the
  /// first call. No rank does so before all ranks know that they have the
  /// memory.
  void begin(WindowPool &pool);

  /// Returns the result of the next call in the resumed run, if it was done
  /// there. Throws Error if it cannot have been the same call.
  template <typename Sum> std::optional<Sum> nextResult() {
    static_assert(std::is_trivially_copyable_v<Sum>);
    if (calls_ >= resumedCalls)
      return std::nullopt;
    const std::string &bytes = checkpoint.results[calls_];
    if (bytes.size() != sizeof(Sum))
      failToResume();
    Sum sum;
    std::memcpy(&sum, bytes.data(), sizeof(Sum));
    ++calls_;
    return sum;
  }

  /// Records the end of a call with this result, which may have changed any of
  /// so many arrays. Returns true if the journals cannot record its changes:
  /// then all windows must be saved, and a checkpoint written.
  bool endCall(std::string result, CallChanges &changes,
               std::size_t arrayCount);

  /// Writes a checkpoint once all windows are saved.
  void writeCheckpoint(WindowPool &pool);

private:
  std::uint64_t lastCommonCall();
  bool addToJournals(const std::string &result, const CallChanges &changes,
                     std::size_t arrayCount);
  [[noreturn]] void failToResume() const;
  [[noreturn]] void failToAgree() const;

  const RankGraph &graph;
  const RankGroup &ranks;
  const EngineOptions &options;
  std::deque<RunDirectory> directories_;
  std::uint64_t calls_ = 0;
  std::uint64_t resumedCalls = 0;
  Checkpoint checkpoint; ///< the last one, but for the arrays
  std::size_t arraysInCheckpoint = 0;
  bool isBegun = false;
};

} // namespace heddle::graph::ooc

#endif
