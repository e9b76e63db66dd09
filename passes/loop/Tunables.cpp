//===- Tunables.cpp - Thresholds and sizes of the passes ------------------===//

#include "loop/Tunables.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace heddle;

unsigned heddle::lineBytes(const TargetTransformInfo &TTI) {
  constexpr OptionRange Accepted = powersOfTwo(16, 4096);
  unsigned Bytes = TTI.getCacheLineSize();
  if (!Bytes)
    return 64;
  // The option is LLVM's, which accepts any number.
  if (!Accepted.contains(Bytes))
    reportFatalUsageError("-cache-line-size: " +
                          Twine(Accepted.error(std::to_string(Bytes))));
  return Bytes;
}
