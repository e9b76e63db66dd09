//===- KeptModel.cpp - Predicts which parts of files are kept ------------===//

#include "heddle/graph/detail/ooc/model/KeptModel.h"

#include "heddle/graph/detail/Assert.h"

#include <algorithm>

namespace heddle::graph::ooc {

namespace {
constexpr std::uint64_t SegmentBytes = CheckedFile::SegmentBytes;
} // namespace

void KeptModel::setLimit(std::uint64_t bytes) {
  limit = bytes;
  for (File &file : files)
    for (std::size_t segment = file.isPresent.size();
         segment-- > 0 && used > limit;)
      if (file.isPresent[segment]) {
        HEDDLE_ASSERT(used >= SegmentBytes);
        file.isPresent[segment] = false;
        used -= SegmentBytes;
      }
}

std::uint64_t KeptModel::read(std::size_t index, const FileRange &range) {
  if (range.bytes == 0)
    return 0;
  File &file = files[index];
  const std::uint64_t begin = range.offset / BlockBytes * BlockBytes;
  const std::uint64_t end = roundUpToBlock(range.offset + range.bytes);
  const std::uint64_t first = begin / SegmentBytes;
  const std::uint64_t last = (end + SegmentBytes - 1) / SegmentBytes;
  HEDDLE_ASSERT(last <= file.isPresent.size());
  std::uint64_t absent = 0, inSegments = 0, inBlocks = 0;
  for (std::uint64_t segment = first; segment < last; ++segment) {
    if (file.isPresent[segment])
      continue;
    const std::uint64_t segmentBegin = segment * SegmentBytes;
    const std::uint64_t segmentEnd =
        std::min(segmentBegin + SegmentBytes, file.bytes);
    ++absent;
    inSegments += segmentEnd - segmentBegin;
    inBlocks += std::min(end, segmentEnd) - std::max(begin, segmentBegin);
  }
  if (used + absent * SegmentBytes > limit)
    return inBlocks;
  used += absent * SegmentBytes;
  std::fill(file.isPresent.begin() + static_cast<std::ptrdiff_t>(first),
            file.isPresent.begin() + static_cast<std::ptrdiff_t>(last), true);
  return inSegments;
}

double KeptModel::missing(std::size_t index, const FileRange &range) const {
  const File &file = files[index];
  const std::uint64_t end = range.offset + range.bytes;
  std::uint64_t bytes = 0;
  for (std::uint64_t segment = range.offset / SegmentBytes;
       segment * SegmentBytes < end; ++segment)
    if (!file.isPresent[segment])
      bytes += std::min(end, (segment + 1) * SegmentBytes) -
               std::max(range.offset, segment * SegmentBytes);
  return range.bytes == 0
             ? 0
             : static_cast<double>(bytes) / static_cast<double>(range.bytes);
}

} // namespace heddle::graph::ooc
