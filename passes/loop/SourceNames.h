//===- SourceNames.h - Names of variables in the source ---------*- C++ -*-===//

#ifndef HEDDLE_PASSES_LOOP_SOURCENAMES_H
#define HEDDLE_PASSES_LOOP_SOURCENAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Value;
}

namespace heddle {

/// Returns "the variable 'x'", or "a variable" if the name is not known;
/// \p Kind replaces "variable".
std::string describeVariable(const llvm::Value *V,
                             llvm::StringRef Kind = "variable");

} // namespace heddle

#endif
