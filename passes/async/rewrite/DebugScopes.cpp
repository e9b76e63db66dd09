//===- DebugScopes.cpp - A scope of its own for each copy -----------------===//

#include "async/rewrite/DebugScopes.h"
#include "ir/Instructions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using namespace heddle;

/// The scope around \p S in the same function; null if there is none.
static DILocalScope *around(const DILocalScope *S) {
  auto *Block = dyn_cast<DILexicalBlockBase>(S);
  return Block ? Block->getScope() : nullptr;
}

static bool isIn(const DILocalScope *S, const DILocalScope *Outer) {
  while (S && S != Outer)
    S = around(S);
  return S;
}

namespace {

/// The scopes of the source in one copy.
class CopiedScopes {
  /// The call that the loop has been inlined by, or null.
  DILocation *const Around;
  ArrayRef<BasicBlock *> Blocks;
  /// The innermost scope of all code in the copy of which a variable is known
  /// there: a block without variables is none to a debugger.
  DILocalScope *Base = nullptr;
  /// True if the copy stands for all of Base. Then its block lies beside Base,
  /// else in it, where a debugger sees the rest of Base's variables.
  bool IsWhole = false;
  /// What lies in Base becomes part of a block of the copy's own.
  DenseMap<const DILocalScope *, DILocalScope *> Copies;
  DenseMap<const DILocation *, DILocation *> Calls;
  SmallPtrSet<const DILocalVariable *, 8> Known;

public:
  CopiedScopes(ArrayRef<BasicBlock *> Blocks, DILocation *Around)
      : Around(Around), Blocks(Blocks) {
    for (const Instruction &I : instructionsIn(Blocks))
      if (DILocation *At = inLoop(I.getDebugLoc()))
        for (DILocalScope *S = At->getScope(); !Base || !isIn(S, Base);)
          Base = Base ? around(Base) : S;
    findKnown();
    while (Base && none_of(Known, [&](const DILocalVariable *V) {
             return V->getScope() == Base;
           }))
      Base = around(Base);
    IsWhole = isa_and_nonnull<DILexicalBlockBase>(Base) && !hasMoreInBase();
  }

  void apply() {
    if (!Base)
      return;
    const DILocalScope *Outer = IsWhole ? around(Base) : Base;
    Copies[Base] = DILexicalBlock::getDistinct(
        Base->getContext(), Outer->getNonLexicalBlockFileScope(),
        Base->getFile(), 0, 0);
    for (Instruction &I : instructionsIn(Blocks)) {
      if (DILocation *At = I.getDebugLoc())
        I.setDebugLoc(copyOf(At));
      for (DbgRecord &Record : I.getDbgRecordRange()) {
        if (auto *Value = dyn_cast<DbgVariableRecord>(&Record))
          if (Record.getDebugLoc()->getInlinedAt() == Around)
            Value->setVariable(copyOf(Value->getVariable()));
        Record.setDebugLoc(copyOf(Record.getDebugLoc()));
      }
    }
    if (!Around)
      retainVariables();
  }

private:
  /// The place in the function of the loop that \p At is part of, or null.
  DILocation *inLoop(DILocation *At) const {
    while (At && At->getInlinedAt() != Around)
      At = At->getInlinedAt();
    return At;
  }

  /// Finds the variables around the code whose values the copy alone tells.
  void findKnown() {
    for (const Instruction &I : instructionsIn(Blocks))
      for (const DbgVariableRecord &Record :
           filterDbgVars(I.getDbgRecordRange()))
        if (Record.getDebugLoc()->getInlinedAt() == Around)
          Known.insert(Record.getVariable());
    for (const Instruction &I : Blocks.front()->getParent()->getEntryBlock())
      for (const DbgVariableRecord &Record :
           filterDbgVars(I.getDbgRecordRange()))
        if (Record.isDbgDeclare())
          Known.erase(Record.getVariable());
  }

  /// True if Base has variables that only other code tells the values of.
  bool hasMoreInBase() const {
    for (const BasicBlock &Block : *Blocks.front()->getParent())
      for (const Instruction &I : Block)
        for (const DbgVariableRecord &Record :
             filterDbgVars(I.getDbgRecordRange()))
          if (Record.getVariable()->getScope() == Base &&
              Record.getDebugLoc()->getInlinedAt() == Around &&
              !Known.contains(Record.getVariable()))
            return true;
    return false;
  }

  DILocalScope *copyOf(DILocalScope *S) {
    if (DILocalScope *Copy = Copies.lookup(S))
      return Copy;
    DILocalScope *Outer = around(S), *Copy = Outer ? copyOf(Outer) : nullptr;
    if (Copy == Outer)
      return S;
    if (auto *File = dyn_cast<DILexicalBlockFile>(S))
      Copy = DILexicalBlockFile::get(S->getContext(), Copy, S->getFile(),
                                     File->getDiscriminator());
    else
      Copy = DILexicalBlock::getDistinct(S->getContext(), Copy, S->getFile(),
                                         cast<DILexicalBlock>(S)->getLine(),
                                         cast<DILexicalBlock>(S)->getColumn());
    return Copies[S] = Copy;
  }

  DILocation *copyOf(DILocation *At) {
    DILocation *Call = At->getInlinedAt();
    if (!inLoop(At))
      return At;
    return DILocation::get(
        At->getContext(), At->getLine(), At->getColumn(),
        Call == Around ? copyOf(At->getScope()) : At->getScope(),
        Call == Around ? Around : copyOfCall(Call), At->isImplicitCode(),
        At->getAtomGroup(), At->getAtomRank());
  }

  DILocation *copyOfCall(DILocation *Call) {
    if (DILocation *Copy = Calls.lookup(Call))
      return Copy;
    const DILocation *At = copyOf(Call);
    return Calls[Call] = DILocation::getDistinct(
               At->getContext(), At->getLine(), At->getColumn(), At->getScope(),
               At->getInlinedAt(), At->isImplicitCode());
  }

  DILocalVariable *copyOf(DILocalVariable *V) {
    DILocalScope *Copy = copyOf(V->getScope());
    const bool IsCopied = V->getScope() != Base || IsWhole || Known.contains(V);
    if (Copy == V->getScope() || !IsCopied)
      return V;
    return DILocalVariable::get(V->getContext(), Copy, V->getName(),
                                V->getFile(), V->getLine(), V->getType(),
                                /*Arg=*/0, V->getFlags(), V->getAlignInBits(),
                                V->getAnnotations());
  }

  /// Lets a debugger know the variables of copied scopes that have no value.
  void retainVariables() {
    DISubprogram &Program = *Base->getSubprogram();
    SmallVector<Metadata *> Retained(Program.getRetainedNodes().begin(),
                                     Program.getRetainedNodes().end());
    const size_t Before = Retained.size();
    for (size_t I = 0; I < Before; ++I)
      if (auto *V = dyn_cast<DILocalVariable>(Retained[I]))
        if (Copies.contains(V->getScope()) && copyOf(V) != V)
          Retained.push_back(copyOf(V));
    if (Retained.size() > Before)
      Program.replaceRetainedNodes(
          MDTuple::get(Program.getContext(), Retained));
  }
};

} // namespace

void heddle::separateScopes(ArrayRef<BasicBlock *> Copy, const DebugLoc &Loop) {
  const Function &F = *Copy.front()->getParent();
  const DISubprogram *Program = F.getSubprogram();
  if (Loop && Program &&
      Program->getUnit()->getEmissionKind() == DICompileUnit::FullDebug)
    CopiedScopes(Copy, Loop->getInlinedAt()).apply();
}
