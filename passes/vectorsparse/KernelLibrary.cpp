//===- KernelLibrary.cpp - The generator, loaded when needed --------------===//

#include "vectorsparse/KernelLibrary.h"
#include "plugin/PluginFiles.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace llvm;
using namespace heddle;

static Expected<LowerPullFunction *> loadGenerator() {
  const std::string Path = generatorFile();
  std::string Why;
  auto Library = sys::DynamicLibrary::getPermanentLibrary(Path.c_str(), &Why);
  void *Symbol =
      Library.isValid() ? Library.getAddressOfSymbol(LowerPullName) : nullptr;
  if (!Symbol)
    return createStringError(Why.empty() ? Path + " is of another version"
                                         : Why);
  return reinterpret_cast<LowerPullFunction *>(Symbol);
}

std::string heddle::generatorProblem() {
  Expected<LowerPullFunction *> Generator = loadGenerator();
  return Generator ? "" : toString(Generator.takeError());
}

Expected<PullKernel>
heddle::lowerPullInLibrary(Module &M, const PullLoop &Loop,
                           const TargetTransformInfo &TTI) {
  Expected<LowerPullFunction *> Generator = loadGenerator();
  if (!Generator)
    return Generator.takeError();
  std::optional<Expected<PullKernel>> Result;
  (*Generator)(M, Loop, TTI, Result);
  return std::move(*Result);
}
