//===- MlirFigures.h - The gain of programs in MLIR -------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_MLIR_MLIRFIGURES_H
#define HEDDLE_TOOLS_BENCH_MLIR_MLIRFIGURES_H

#include "../FigureBench.h"

namespace heddle::bench {

Figure productsFigure();
Figure listsFigure();

} // namespace heddle::bench

#endif
