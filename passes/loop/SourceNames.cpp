//===- SourceNames.cpp - Names of variables in the source -----------------===//

#include "loop/SourceNames.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// The name of \p V in the source, as far as debug information or, where the
/// compiler keeps it, the IR knows it.
static std::string sourceName(const Value *V) {
  if (auto *Global = dyn_cast<GlobalVariable>(V))
    return demangle(Global->getName());
  SmallVector<DbgVariableRecord *> Records;
  findDbgUsers(const_cast<Value *>(V), Records);
  for (DbgVariableRecord *Record : Records)
    return Record->getVariable()->getName().str();
  return V->getName().split('.').first.str();
}

std::string heddle::describeVariable(const Value *V, StringRef Kind) {
  std::string Name = sourceName(V);
  if (Name.empty())
    Name = sourceName(getUnderlyingObject(V));
  bool Vowel = StringRef("aeiou").contains(Kind.front());
  return Name.empty() ? ((Vowel ? "an " : "a ") + Kind).str()
                      : ("the " + Kind + " '" + Name + "'").str();
}
