//===- KeptModel.h - Predicts which parts of files are kept ----*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MODEL_KEPTMODEL_H
#define HEDDLE_GRAPH_DETAIL_OOC_MODEL_KEPTMODEL_H

#include "heddle/graph/detail/ooc/disk/CheckedFile.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::graph::ooc {

/// Predicts the data that a RangeReader would read of files.
class KeptModel {
public:
  void addFile(std::uint64_t bytes) {
    files.push_back(
        {bytes, std::vector<bool>((bytes + CheckedFile::SegmentBytes - 1) /
                                  CheckedFile::SegmentBytes)});
  }

  /// Sets the number of bytes that may be kept, and evicts the rest.
  void setLimit(std::uint64_t bytes);

  /// Returns the number of bytes that are read for a range of a file.
  std::uint64_t read(std::size_t file, const FileRange &range);

  /// The fraction of a range that is not kept.
  double missing(std::size_t file, const FileRange &range) const;
  bool isKept(std::size_t file, const FileRange &range) const {
    return missing(file, range) == 0;
  }

  /// Whether another segment may be kept.
  bool hasRoom() const { return used + CheckedFile::SegmentBytes <= limit; }

private:
  struct File {
    std::uint64_t bytes;
    std::vector<bool> isPresent; ///< per segment
  };

  std::vector<File> files;
  std::uint64_t limit = 0, used = 0;
};

} // namespace heddle::graph::ooc

#endif
