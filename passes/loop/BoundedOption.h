//===- BoundedOption.h - Options with a range of values ---------*- C++ -*-===//
//
// An option for developers whose value is a number of a range. Other values are
// errors of the command line, so that passes need not check them.
//
// LLVM ends a compiler in which a name is registered twice, as two copies of
// the passes would do. The options of the copy that is loaded first have the
// names.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_LOOP_BOUNDEDOPTION_H
#define HEDDLE_PASSES_LOOP_BOUNDEDOPTION_H

#include "llvm/Support/CommandLine.h"
#include <string>

namespace heddle {

/// \p Name, or nothing if an option of another copy has it.
llvm::StringRef freeName(llvm::StringRef Name);

/// The values that an option accepts.
struct OptionRange {
  uint64_t Least, Most;
  bool IsPowerOfTwo = false;

  bool contains(uint64_t Value) const;
  /// Returns the error message for \p Value, as it was written.
  std::string error(llvm::StringRef Value) const;
};

/// The powers of two from \p Least to \p Most.
constexpr OptionRange powersOfTwo(uint64_t Least, uint64_t Most) {
  return {Least, Most, true};
}

class RangeParser : public llvm::cl::parser<unsigned> {
public:
  OptionRange Accepted{0, 0};

  explicit RangeParser(llvm::cl::Option &O) : parser(O) {}
  bool parse(llvm::cl::Option &O, llvm::StringRef Name, llvm::StringRef Text,
             unsigned &Value) const;
};

/// A number that -help does not list.
class BoundedOption : public llvm::cl::opt<unsigned, false, RangeParser> {
public:
  BoundedOption(llvm::StringRef Name, unsigned Value, OptionRange Accepted,
                llvm::StringRef Description);
};

} // namespace heddle

#endif
