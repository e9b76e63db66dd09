//===- SourceText.h - What stands at a place of the source ------*- C++ -*-===//

#ifndef HEDDLE_PASSES_ADVISE_SOURCETEXT_H
#define HEDDLE_PASSES_ADVISE_SOURCETEXT_H

#include "advise/Advice.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>

namespace heddle {

/// Returns the expression around column \p Column of \p Line that an access is
/// written as, such as `table[h].key`; empty if there is none.
std::string expressionAt(llvm::StringRef Line, unsigned Column);

/// Reads each file once.
class SourceText {
  std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> Files;

public:
  /// Returns the line at \p Place, or nothing if it cannot be read.
  llvm::StringRef line(const SourcePlace &Place);
  std::string expression(const SourcePlace &Place) {
    return expressionAt(line(Place), Place.Column);
  }
};

/// The path of the file of \p Place.
std::string pathOf(const SourcePlace &Place);

} // namespace heddle

#endif
