//===- KernelLibrary.h - The generator, loaded when needed ------*- C++ -*-===//
//
// HeddleVectorSparse.so generates vector code through MLIR, whose library is
// large. The passes load it from their own directory when the first loop needs
// it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_VECTORSPARSE_KERNELLIBRARY_H
#define HEDDLE_PASSES_VECTORSPARSE_KERNELLIBRARY_H

#include "vectorsparse/PullKernel.h"

namespace heddle {

/// Returns why the library cannot be loaded. Empty if it can.
std::string generatorProblem();

/// lowerPull for the target of \p TTI, with the library, which can be loaded.
llvm::Expected<PullKernel>
lowerPullInLibrary(llvm::Module &M, const PullLoop &Loop,
                   const llvm::TargetTransformInfo &TTI);

} // namespace heddle

#endif
