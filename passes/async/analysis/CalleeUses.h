//===- CalleeUses.h - Memory that callees read and write --------*- C++ -*-===//
//
// A getter and a setter of a global variable are the halves of a
// read-modify-write, and a function may use what another has noted in a
// variable, though the loop that calls them contains no address. This analysis
// finds the memory that callees access: global variables, the objects that
// their arguments point to, and objects behind pointers in those.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_CALLEEUSES_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_CALLEEUSES_H

#include "async/places/PlaceExtent.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class AllocaInst;
class CallBase;
class Function;
class Instruction;
class IntrinsicInst;
class LoadInst;
class Loop;
class Value;
} // namespace llvm

namespace heddle {

class FrameValues;
struct LoopContext;

/// The object Root, or an object that is reached through pointers in it.
struct UsedObject {
  /// Null: any object.
  const llvm::Value *Root;
  /// The offset of each pointer in the chain, starting at the root; nullopt
  /// where the offset is not constant.
  llvm::SmallVector<std::optional<int64_t>, 2> Pointers;

  /// True if both may be the same object if they have the same root.
  bool hasPointersOf(const UsedObject &Other) const;
  /// True if both are reached in the same way. False if one of them can be any
  /// object.
  bool isSame(const UsedObject &Other, const FrameValues &Frames) const;

  bool operator==(const UsedObject &) const = default;
};

/// The object that \p Address points into.
UsedObject usedObject(const llvm::Value *Address);

struct CalleeUse {
  UsedObject Object;
  bool Reads, Writes;
  /// Each call accesses the same places of the object.
  bool IsFixed = false;
  /// Each call accesses one of a few places (ChosenPlaces).
  bool IsOneOfFew = false;
  /// Where in the object that is, if it is known.
  PlaceExtents Extents = {};
  /// If not each call accesses the same, the values that choose the place:
  /// arguments of the function, or values of an iteration. Empty if others do
  /// as well.
  llvm::SmallVector<const llvm::Value *, 1> Choice = {};
  /// Several values may choose one place, as by a remainder.
  bool IsFolded = false;
  /// In a loop: what the values are found in, an address or operands of a call;
  /// and what they are multiplied with, of which none is zero if IsFolded is
  /// not to hold.
  llvm::SmallVector<const llvm::Value *, 1> Choosers = {}, Strides = {};
  /// It only updates them, by a commutative operation.
  bool IsUpdate = false;
  /// It stores values that may differ from call to call.
  bool StoresVary = false;
  /// It may take a lock that lies there, or release one.
  bool Acquires = false, Releases = false;
  /// The result points there.
  bool IsResult = false;
  /// It stands for all uses of the function, which are too many.
  bool AreAll = false;

  bool operator==(const CalleeUse &) const = default;
};

/// What an instruction of a loop accesses.
struct InstructionUse {
  llvm::Instruction *I;
  CalleeUse What;
};

class CalleeUses {
public:
  /// What \p Call, in the loop \p L, accesses. Functions without a body may
  /// access any object, unless an attribute says otherwise. Locks, allocations
  /// and OpenMP's own functions are not looked into. Memory of the iteration
  /// that is linked (Islands.h) does not count.
  llvm::SmallVector<CalleeUse> of(const llvm::CallBase &Call,
                                  const llvm::Loop &L,
                                  const FrameValues &Frames);
  /// True if \p Call , in \p C 's loop, may write to what \p Load reads, as far
  /// as alias analysis and what is seen of its function tell.
  bool mayWrite(const llvm::CallBase &Call, const llvm::LoadInst &Load,
                const LoopContext &C, const FrameValues &Frames);
  /// What \p I accesses itself. Addresses that callees have returned are those
  /// of the objects that they lie in.
  llvm::SmallVector<CalleeUse> ofAccess(const llvm::Instruction &I,
                                        const llvm::Loop &L) const;

private:
  /// The search for the objects that an address may point into.
  struct ObjectSearch {
    /// The loop that the address is of; null in a function.
    const llvm::Loop *L;
    /// Calls whose results are being looked at. A variable may be handed to the
    /// call that it is set to the result of.
    llvm::SmallPtrSet<const llvm::CallBase *, 4> Calls = {};
    /// Variables of the function whose pointers are being looked at.
    llvm::SmallPtrSet<const llvm::AllocaInst *, 4> Variables = {};
  };

  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<CalleeUse>> Known;
  /// Calls of functions that are being executed already.
  llvm::SmallPtrSet<const llvm::CallBase *, 4> Recursive;

  /// What \p F accesses, besides its own variables.
  const llvm::SmallVector<CalleeUse> &of(const llvm::Function &F);
  /// Adds \p F and the functions that it calls, if they are not known yet, to
  /// \p Found, callees first.
  void addCallees(const llvm::Function &F,
                  llvm::SetVector<const llvm::Function *> &Found,
                  llvm::SmallPtrSetImpl<const llvm::Function *> &Entered);
  /// The same, as far as it is known of the functions that \p F calls.
  llvm::SmallVector<CalleeUse> usesSoFar(const llvm::Function &F) const;
  /// Adds what \p Call accesses to \p Uses, the uses of its function or of the
  /// loop \p L.
  void addUsesOfCall(llvm::SmallVector<CalleeUse> &Uses,
                     const llvm::CallBase &Call, const llvm::Loop *L,
                     const FrameValues *Frames) const;
  /// Adds what a call of a function that is not known may access.
  void addUsesOfUnknown(llvm::SmallVector<CalleeUse> &Uses,
                        const llvm::CallBase &Call, const llvm::Loop *L,
                        const FrameValues *Frames) const;
  /// Adds the accesses that \p I makes itself.
  void addAccesses(llvm::SmallVector<CalleeUse> &Uses,
                   const llvm::Instruction &I, const llvm::Loop *L) const;
  /// The same for an intrinsic such as a gather.
  void addUsesOfIntrinsic(llvm::SmallVector<CalleeUse> &Uses,
                          const llvm::IntrinsicInst &Call,
                          const llvm::Loop *L) const;
  /// Adds a use of the objects that \p Address may point into; \p Use has what
  /// is done with them.
  void addUses(llvm::SmallVector<CalleeUse> &Uses, const llvm::Value *Address,
               CalleeUse Use, const llvm::Loop *L) const;
  /// Adds the objects that \p Address may point into, with \p Behind as the
  /// last pointers of each chain. In a function, chains start at arguments and
  /// at global variables, an object of another kind is any object, and the
  /// function's own variables are left out. In a loop, chains start anywhere.
  void addObjects(const llvm::Value *Address,
                  llvm::ArrayRef<std::optional<int64_t>> Behind,
                  ObjectSearch &Search,
                  llvm::SmallVectorImpl<UsedObject> &Objects) const;
  /// The same for objects behind a pointer that a function keeps in \p
  /// Variable.
  void addKept(const llvm::AllocaInst &Variable,
               llvm::ArrayRef<std::optional<int64_t>> Behind,
               ObjectSearch &Search,
               llvm::SmallVectorImpl<UsedObject> &Objects) const;
  /// The same for an address that \p Call has returned. False if nothing is
  /// known of it.
  bool addReturned(const llvm::CallBase &Call,
                   llvm::ArrayRef<std::optional<int64_t>> Behind,
                   ObjectSearch &Search,
                   llvm::SmallVectorImpl<UsedObject> &Objects) const;
  /// Adds what \p Object, as the callee knows it, is for the
  /// caller, which hands it \p Operand.
  void addHanded(const UsedObject &Object, const llvm::Value *Operand,
                 const llvm::CallBase &Call, ObjectSearch &Search,
                 llvm::SmallVectorImpl<UsedObject> &Objects) const;
  /// Finds what chooses the places at \p Addresses: sets IsFixed and Choice of
  /// \p Use, and IsFolded if it is.
  void findChoice(CalleeUse &Use, llvm::ArrayRef<const llvm::Value *> Addresses,
                  const llvm::Loop *L) const;
  /// The values that choose the place that \p Call returns the address of;
  /// nullopt if others do as well. Sets \p IsFolded if several values may
  /// choose one place.
  std::optional<llvm::SmallVector<const llvm::Value *, 2>>
  choiceOfResult(const llvm::CallBase &Call, bool &IsFolded) const;
};

} // namespace heddle

#endif
