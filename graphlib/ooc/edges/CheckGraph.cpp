//===- CheckGraph.cpp - Checks a prepared graph for damage ---------------===//

#include "heddle/graph/ooc/CheckGraph.h"

#include "CheckContents.h"
#include "heddle/graph/detail/ooc/disk/CheckedFile.h"
#include "heddle/graph/ooc/Layout.h"

#include <algorithm>

namespace heddle::graph::ooc {

void checkGraph(const std::string &directory,
                const ProgressFunction &progress) {
  constexpr std::size_t PieceBytes = std::size_t(1) << 20, PiecesAhead = 4;
  const GraphLayout layout = readLayout(directory);
  std::uint64_t done = 0, total = 0;
  for (const PartFileInfo &info : layout.files)
    total += 2 * info.bytes;
  const auto addDone = [&](std::uint64_t bytes) {
    done += bytes;
    if (progress)
      progress("Checking", done, total);
  };
  for (std::size_t part = 0; part < layout.partitions(); ++part) {
    const PartFileInfo &info = layout.files[part];
    checkPlaces(directory, layout, part);
    checkDegreesPlace(directory, layout, part);
    CheckedFile file(edgesPath(directory, part), sumsPath(directory, part),
                     info.bytes, info.checksum);
    IoQueue queue;
    KeptBytes nothing;
    RangeReader reader(queue, nothing, PiecesAhead, PieceBytes);
    for (std::uint64_t begun = 0, read = 0; read < info.bytes;) {
      for (; begun < info.bytes && !reader.isFull(); begun += PieceBytes)
        reader.begin(file,
                     {FileRange{begun, std::min<std::uint64_t>(
                                           PieceBytes, info.bytes - begun)}});
      reader.finish();
      reader.release();
      const std::uint64_t bytes =
          std::min<std::uint64_t>(PieceBytes, info.bytes - read);
      read += bytes;
      addDone(bytes);
    }
  }
  checkContents(directory, layout, addDone);
}

} // namespace heddle::graph::ooc
