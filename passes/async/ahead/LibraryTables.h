//===- LibraryTables.h - Hash tables of the C++ library ---------*- C++ -*-===//
//
// A std::unordered_map or its like is whole whenever no member of it runs: its
// buckets are as many as it says, and what they lead to are nodes of elements.
// An iteration that rehearses a search in it, in front of its turn, may follow
// these pointers though other iterations will have changed them by its turn. It
// reads the pointer to the buckets and their number anew each time, so that
// they belong together. Only tables of numbers with the library's own allocator
// and functions count: in them runs no code of the program's. Where several
// threads may share a table, none counts.
//
//   n = table.bucket_count      may be another number at its turn
//   p = table.buckets[h % n]    within the table
//   p = p->next                 a node, or null
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_AHEAD_LIBRARYTABLES_H
#define HEDDLE_PASSES_ASYNC_AHEAD_LIBRARYTABLES_H

#include "async/ahead/SteadyMemory.h"

namespace heddle {

class LibraryTables {
  llvm::ScalarEvolution &SE;
  SteadyMemory &Memory;
  const bool IsShared;

public:
  using Predicate = llvm::function_ref<bool(const llvm::Instruction &)>;

  LibraryTables(const LoopContext &C, SteadyMemory &Memory);

  /// True if \p Load reads a bucket, and its index is one of the table.
  /// \p IsSame says that an instruction does the same in the rehearsal as at
  /// the turn.
  bool isBucket(const llvm::LoadInst &Load, Predicate IsSame);

  /// The pointer to the node whose member \p Load reads; null if it reads none,
  /// or the pointer may be one that no table holds. \p IsRehearsed is true for
  /// what is executed in the rehearsal.
  llvm::Value *nodeOf(const llvm::LoadInst &Load, Predicate IsRehearsed,
                      Predicate IsSame);

private:
  bool isNode(const llvm::Value *V, Predicate IsRehearsed, Predicate IsSame,
              llvm::SmallPtrSetImpl<const llvm::Value *> &Seen);
};

} // namespace heddle

#endif
