//===- GroupPath.h - Records of several fields at once ----------*- C++ -*-===//
//
// Where a block of code accesses several places at fixed distances, such as the
// fields of a structure, one look finds all of their notes, and each place is
// noted once: with what the iteration has done there in the end. The function
// that does this is called in front of the last of the accesses.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_QUICK_GROUPPATH_H
#define HEDDLE_PASSES_CHECK_QUICK_GROUPPATH_H

#include "check/quick/QuickPaths.h"
#include <optional>

namespace heddle {

/// A call of the runtime, which records an access.
struct RecordedAccess {
  llvm::CallInst *Call;
  llvm::Instruction *Access;
  QuickAccess A;
  bool IsFixed;       ///< HEDDLE_CHECK_FIXED
  bool IsInLoop;      ///< In the own code of an annotated loop.
  int64_t Offset = 0; ///< Of a group: bytes from what all members count from.
};

/// What the accesses of a group to one place come to.
struct GroupPlace {
  int64_t Offset = 0;
  uint64_t Bytes = 0;
  bool IsRead = false;    ///< Before it is written.
  bool IsWritten = false; ///< By plain writes.
  bool IsUpdated = false, Decides = false;
  unsigned Operation = 0;
  llvm::Value *Site = nullptr;
  llvm::SmallVector<unsigned> Writes; ///< Members that may be silent.
};

/// The places of \p Members, by their offsets; nothing if notes do not tell all
/// of them in the same way.
std::optional<llvm::SmallVector<GroupPlace>>
placesOf(llvm::ArrayRef<RecordedAccess> Members);

/// Fills \p F, whose arguments are the address that members count from, the
/// base of all, and for each member that writes, in order, whether it is
/// silent. \p Otherwise records each member; \p Logged is what the log is to
/// call.
void buildGroup(llvm::Function &F, llvm::GlobalVariable &Quick,
                llvm::ArrayRef<RecordedAccess> Members,
                llvm::ArrayRef<GroupPlace> Places,
                llvm::FunctionCallee Otherwise, llvm::Function &Logged);

/// Fills \p F, which takes the place of \p Otherwise, a function that was built
/// so: it adds to the log where that is all to be done.
void buildGroupLog(llvm::Function &F, llvm::GlobalVariable &Quick,
                   llvm::ArrayRef<RecordedAccess> Members,
                   llvm::ArrayRef<GroupPlace> Places, llvm::Function &Otherwise,
                   llvm::Function &Logged);

} // namespace heddle

#endif
