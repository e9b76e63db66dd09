//===- KernelLibrary.cpp - The generator, loaded when needed --------------===//

#include "vectorsparse/KernelLibrary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace llvm;
using namespace heddle;

/// Returns the directory of the library that contains this code.
static SmallString<128> ownDirectory() {
  static const char Anchor = 0;
  Dl_info Info;
  if (!dladdr(&Anchor, &Info) || !Info.dli_fname)
    return {};
  SmallString<128> Path(Info.dli_fname);
  sys::path::remove_filename(Path);
  return Path;
}

static Expected<LowerPullFunction *> loadGenerator() {
  SmallString<128> Path = ownDirectory();
  sys::path::append(Path, "HeddleVectorSparse.so");
  std::string Why;
  auto Library = sys::DynamicLibrary::getPermanentLibrary(Path.c_str(), &Why);
  void *Symbol =
      Library.isValid() ? Library.getAddressOfSymbol(LowerPullName) : nullptr;
  if (!Symbol)
    return createStringError(
        Why.empty() ? Path.str().str() + " is of another version" : Why);
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
