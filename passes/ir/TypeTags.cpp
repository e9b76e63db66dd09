//===- TypeTags.cpp - Types that accesses are tagged with -----------------===//

#include "ir/TypeTags.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;
using namespace heddle;

static StringRef typeInTag(const Instruction &I, unsigned Number) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  auto *Type = Tag && Tag->getNumOperands() > Number
                   ? dyn_cast_or_null<MDNode>(Tag->getOperand(Number))
                   : nullptr;
  auto *Name = Type && Type->getNumOperands()
                   ? dyn_cast_or_null<MDString>(Type->getOperand(0))
                   : nullptr;
  return Name ? Name->getString() : StringRef();
}

StringRef heddle::taggedObject(const Instruction &I) { return typeInTag(I, 0); }

StringRef heddle::taggedMember(const Instruction &I) { return typeInTag(I, 1); }
