//===- AccessNames.h - What remarks call an access --------------*- C++ -*-===//

#ifndef HEDDLE_PASSES_NAMES_ACCESSNAMES_H
#define HEDDLE_PASSES_NAMES_ACCESSNAMES_H

#include <string>

namespace llvm {
class Instruction;
} // namespace llvm

namespace heddle {

/// Returns what \p Access, a call or an access of memory, is blamed as: "the
/// call of 'f'", "the variable 'x'", "'this->count'", or "a store" if debug
/// information does not know the place.
std::string describeAccess(llvm::Instruction &Access);

} // namespace heddle

#endif
