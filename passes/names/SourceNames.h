//===- SourceNames.h - Names of variables in the source ---------*- C++ -*-===//

#ifndef HEDDLE_PASSES_NAMES_SOURCENAMES_H
#define HEDDLE_PASSES_NAMES_SOURCENAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class CallBase;
class DIFile;
class DebugLoc;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace heddle {

/// Returns "the variable 'x'", or "a variable" if the name is not known;
/// \p Kind replaces "variable".
std::string describeVariable(const llvm::Value *V,
                             llvm::StringRef Kind = "variable");

/// The attribute of calls that are steps of a nested form
/// (elsewhere/FormProtocol.h): the name of its function.
constexpr char FormOfAttribute[] = "heddle-form-of";

/// Returns "'f'", the function that \p Call calls, "a virtual function" or "a
/// function pointer".
std::string describeCallee(const llvm::CallBase &Call);

/// Whether the two are one file, whose path debug information may give in
/// several ways.
bool isSameFile(const llvm::DIFile &One, const llvm::DIFile &Other);

/// Returns "line 5", or "header.h:5" if \p At lies in another file than
/// \p Beside. Empty if its line is not known.
std::string describePlace(const llvm::DebugLoc &At,
                          const llvm::DebugLoc &Beside);

/// Returns where \p At is, or nothing if it is null or in the line of \p
/// Beside.
std::string describeOtherPlace(const llvm::Instruction *At,
                               const llvm::DebugLoc &Beside);

/// Returns " (in 'f<int>()')" if the code at \p At in \p F is that of an
/// instance of a template, whose instances share their lines. Empty otherwise.
std::string describeInstance(const llvm::DebugLoc &At, const llvm::Function &F);

/// Returns \p Where for a remark. Flang 22 prints the path of a remark's file
/// without its root, the first slash; for Flang the path gets another root.
llvm::DebugLoc remarkPlace(const llvm::DebugLoc &Where);

} // namespace heddle

#endif
