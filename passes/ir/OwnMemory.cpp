//===- OwnMemory.cpp - Memory that an iteration allocates -----------------===//

#include "ir/OwnMemory.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

/// True if \p Call , which is handed a pointer as \p Argument , does not keep
/// it.
static bool forgets(const CallBase &Call, const Use &Argument) {
  if (!Call.isArgOperand(&Argument))
    return false;
  const unsigned Number = Call.getArgOperandNo(&Argument);
  return Call.doesNotCapture(Number) || isNewOrDelete(Call) ||
         Call.paramHasAttr(Number, Attribute::AllocatedPointer);
}

/// What becomes of a pointer where it is used.
enum class Fate { Ends, GoesOn, IsMeasured, Escapes };

static Fate fateOf(const Use &U, const Loop &L) {
  auto *By = cast<Instruction>(U.getUser());
  // Behind the loop, such as where an exception frees it, there are no other
  // iterations, but it may be entered again.
  if (L.contains(By) && !L.contains(cast<Instruction>(U.get())))
    return Fate::Escapes;
  switch (By->getOpcode()) {
  case Instruction::PHI:
    return By->getParent() == L.getHeader() ? Fate::Escapes : Fate::GoesOn;
  case Instruction::GetElementPtr:
  case Instruction::Select:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
    return Fate::GoesOn;
  // The number of a pointer is followed, too.
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
    return Fate::GoesOn;
  case Instruction::Sub:
    return Fate::IsMeasured;
  case Instruction::Load:
  case Instruction::ICmp:
    return Fate::Ends;
  case Instruction::Store:
    return U.getOperandNo() == StoreInst::getPointerOperandIndex()
               ? Fate::Ends
               : Fate::Escapes;
  case Instruction::Call:
  case Instruction::Invoke:
    return forgets(*cast<CallBase>(By), U) ? Fate::Ends : Fate::Escapes;
  default:
    return Fate::Escapes;
  }
}

bool heddle::isAllocation(const CallBase &Call) {
  const Attribute Kind = Call.getFnAttr(Attribute::AllocKind);
  return isNoAliasCall(&Call) ||
         (Kind.isValid() &&
          (Kind.getAllocKind() & AllocFnKind::Realloc) != AllocFnKind::Unknown);
}

/// True if \p Number , on whatever way, is that of memory which the iteration
/// has allocated.
static bool isOfAllocations(const Value *Number, const Loop &L) {
  SmallVector<const Value *> Worklist{Number};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Worklist.empty()) {
    const Value *V = Worklist.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    auto *Phi = dyn_cast<PHINode>(V);
    auto *Cast = dyn_cast<CastInst>(V);
    if (Phi) {
      append_range(Worklist, Phi->incoming_values());
      continue;
    }
    if (!Cast)
      return false;
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Cast->getOperand(0), Objects);
    if (!all_of(Objects, [&](const Value *Object) {
          auto *Call = dyn_cast<CallBase>(Object);
          return isa<UndefValue, ConstantPointerNull>(Object) ||
                 (Call && L.contains(Call) && isAllocation(*Call));
        }))
      return false;
  }
  return true;
}

bool heddle::returnsOwnMemory(const CallBase &Call, const Loop &L) {
  if (!L.contains(&Call) || !isAllocation(Call))
    return false;
  SmallVector<const Value *> Worklist{&Call};
  SmallPtrSet<const Value *, 16> Seen{&Call};
  SmallVector<const User *> Differences;
  while (!Worklist.empty())
    for (const Use &U : Worklist.pop_back_val()->uses())
      switch (fateOf(U, L)) {
      case Fate::Ends:
        break;
      case Fate::GoesOn:
        if (Seen.insert(U.getUser()).second)
          Worklist.push_back(U.getUser());
        break;
      case Fate::IsMeasured:
        Differences.push_back(U.getUser());
        break;
      case Fate::Escapes:
        return false;
      }
  // A difference from something else would tell the address.
  return all_of(Differences, [&](const User *Difference) {
    return all_of(Difference->operand_values(), [&](const Value *Number) {
      return Seen.contains(Number) && isOfAllocations(Number, L);
    });
  });
}

bool heddle::allocates(const Function &F) {
  SmallVector<const Function *> Worklist{&F};
  SmallPtrSet<const Function *, 8> Seen{&F};
  while (!Worklist.empty())
    for (const Instruction &I : instructions(*Worklist.pop_back_val())) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      if (isNewOrDelete(*Call) || Call->hasFnAttr(Attribute::AllocKind))
        return true;
      const Function *Callee = definedCallee(*Call);
      if (Callee && Seen.insert(Callee).second)
        Worklist.push_back(Callee);
    }
  return false;
}
