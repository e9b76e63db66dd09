//===- OocBench.cpp - Graphs larger than memory, measured ----------------===//

#include "OocBench.h"

#include "OocContext.h"

#include "../../command/Interrupt.h"
#include "../Chosen.h"

#include "../../output/ResultFile.h"

namespace heddle::bench {

const std::vector<OocFigure> &oocFigures() {
  static const std::vector<OocFigure> figures = {
      {"algorithms", "the four algorithms: time, transfers and memory",
       measureAlgorithms},
      {"batching", "PageRank with batches and without (DFOGraph's table 6)",
       measureBatching},
      {"long-paths",
       "breadth-first search of many steps, and one that tests "
       "every vertex in each",
       measureLongPaths}};
  return figures;
}

void runOocBench(const OocOptions &options) {
  ResultFile json(options.jsonPath);
  catchInterrupts();
  const std::vector<OocFigure> figures =
      chosenOf(oocFigures(), options.figures);
  Progress progress(figures.size());
  OocContext context(options, progress);
  for (const OocFigure &figure : figures) {
    checkInterrupts();
    progress.begin(figure.name);
    figure.measure(context);
  }
  json.write(arrayOf(context.rows));
  json.commit();
}

} // namespace heddle::bench
