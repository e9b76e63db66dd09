//===- TypeTags.h - Types that accesses are tagged with ---------*- C++ -*-===//
//
// The front end tags loads and stores for alias analysis (TBAA) with the class
// of the object, the type of the member and its place. The names of the types
// tell what an access is about.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_IR_TYPETAGS_H
#define HEDDLE_PASSES_IR_TYPETAGS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace heddle {

/// The type of the object that \p I accesses, and of what it accesses in it.
/// Empty if there is no tag.
llvm::StringRef taggedObject(const llvm::Instruction &I);
llvm::StringRef taggedMember(const llvm::Instruction &I);

} // namespace heddle

#endif
