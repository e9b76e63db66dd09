//===- LikelyTargets.h - What calls through pointers may call ---*- C++ -*-===//
//
// Virtual functions and functions in tables are found by their place in a
// table, others by their type, among those whose address the file takes. The
// list is a guess: a call may go elsewhere, to another file, so whoever uses it
// has to compare the pointer.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_INLINE_LIKELYTARGETS_H
#define HEDDLE_PASSES_INLINE_LIKELYTARGETS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Constant;
class Function;
class FunctionType;
class GlobalVariable;
class LoadInst;
class Module;
} // namespace llvm

namespace heddle {

/// The place in a table of functions, such as those of a class, that a call
/// reads its target from.
struct TableSlot {
  llvm::LoadInst *Load = nullptr;
  int64_t Offset = 0;
  /// The table is known to be that of a class, or known not to be.
  bool IsOfClass = false, IsNoClass = false;
};

/// The slot of \p Call; without a load if there is none.
TableSlot tableSlot(const llvm::CallBase &Call);

class LikelyTargets {
public:
  explicit LikelyTargets(llvm::Module &M);

  /// The functions with a body that \p Call, which calls through a pointer, may
  /// call. Empty where the program reads the pointer from a volatile variable,
  /// which says that nothing is known of it.
  llvm::SmallVector<llvm::Function *> of(const llvm::CallBase &Call) const;

private:
  using Functions = llvm::SmallVector<llvm::Function *, 4>;
  /// By the distance from the start of a table, or of its part for one class.
  llvm::DenseMap<int64_t, Functions> OfClasses, OfTables;
  /// The classes that derive from each other, by their types; what belongs to a
  /// class has that of its leader. For each, the sizes of objects that its
  /// functions are known to have.
  llvm::EquivalenceClasses<const llvm::GlobalVariable *> Families;
  llvm::DenseMap<const llvm::GlobalVariable *, llvm::SmallSet<uint64_t, 4>>
      Sizes;
  llvm::DenseMap<const llvm::Function *,
                 llvm::SmallVector<const llvm::GlobalVariable *, 1>>
      TypesOf;
  /// Whose address is taken elsewhere, too.
  llvm::DenseMap<llvm::FunctionType *, Functions> ByType;

  void addTable(const llvm::GlobalVariable &Table, const llvm::Constant &Part,
                int64_t Offset);
  void addClass(const llvm::GlobalVariable &Table, const llvm::Constant &Part);
  void addBases(const llvm::GlobalVariable &Type);
  /// True if \p F is of a class that derives from one with objects of \p Bytes,
  /// or whose type is not known.
  bool mayBeOfSize(const llvm::Function &F, uint64_t Bytes) const;
};

} // namespace heddle

#endif
