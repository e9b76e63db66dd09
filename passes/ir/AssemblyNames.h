//===- AssemblyNames.h - Names that inline assembly defines -----*- C++ -*-===//
//
// Transformations copy the code of a loop. Two copies of inline assembly that
// defines a label or another symbol of a fixed name are an error, for which
// the assembler is to blame only at first sight.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_IR_ASSEMBLYNAMES_H
#define HEDDLE_PASSES_IR_ASSEMBLYNAMES_H

namespace llvm {
class CallBase;
} // namespace llvm

namespace heddle {

/// True if \p Call is assembly that may define a name which two copies must not
/// define. Numbers may be defined again, %= makes names unique, and `x = 1`
/// assigns. What is not understood counts as a definition.
bool mayDefineName(const llvm::CallBase &Call);

} // namespace heddle

#endif
