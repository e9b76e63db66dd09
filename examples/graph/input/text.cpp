//===- text.cpp - The lines of a file -------------------------------------===//

#include "input.h"

#include "graphlib/files/TextFile.h"
#include "output/ProgressBar.h"

void forEachLine(const std::string &file, const std::string &name,
                 const std::function<void(std::string_view, uint64_t)> &visit) {
  constexpr uint64_t LinesBetweenReports = 1 << 14;
  heddle::ProgressBar bar("Reading " + name);
  const heddle::graph::ReadOptions options = {.progress = std::ref(bar)};
  heddle::graph::TextFile text(file, options,
                               heddle::graph::CompressionFrom::Content);
  while (const auto line = text.nextLine()) {
    visit(*line, text.linesRead());
    if (text.linesRead() % LinesBetweenReports == 0)
      text.reportProgress();
  }
}
