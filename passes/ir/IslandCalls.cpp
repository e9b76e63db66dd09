//===- IslandCalls.cpp - What calls do with pointers of an iteration ------===//

#include "ir/Instructions.h"
#include "ir/IslandFinder.h"
#include "ir/OwnMemory.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

using OwnFunctionSet = SmallPtrSet<const Function *, 8>;

/// True if \p Call frees what it is given, and does nothing else with it.
static bool frees(const CallBase &Call) {
  const Attribute Kind = Call.getFnAttr(Attribute::AllocKind);
  return (isNewOrDelete(Call) && Call.getType()->isVoidTy()) ||
         (Kind.isValid() &&
          (Kind.getAllocKind() & AllocFnKind::Free) != AllocFnKind::Unknown);
}

void IslandFinder::visitCall(const CallBase &Call) {
  if (frees(Call) || visitIntrinsic(Call) || visitAllocation(Call))
    return;
  if (const std::optional<LibraryLinks> Known = libraryLinks(Call))
    return visitLinks(Call, *Known);
  if (!enter(Call))
    visitUnknown(Call);
}

bool IslandFinder::visitIntrinsic(const CallBase &Call) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
  if (!Intrinsic)
    return false;
  if (auto *Copy = dyn_cast<AnyMemTransferInst>(Intrinsic)) {
    visitCopy(*Copy);
    return true;
  }
  if (auto *Fill = dyn_cast<AnyMemSetInst>(Intrinsic)) {
    auto *Length = dyn_cast<ConstantInt>(Fill->getLength());
    if (!isa<Constant>(Fill->getValue()))
      Places.store(placesOf(Fill->getRawDest()),
                   Length ? Length->getLimitedValue() : AnyBytes,
                   outsidePlaces());
    return true;
  }
  if (Intrinsic->isLifetimeStartOrEnd() ||
      (Intrinsic->isAssumeLikeIntrinsic() &&
       !Intrinsic->getType()->isPointerTy()) ||
      Intrinsic->getIntrinsicID() == Intrinsic::prefetch)
    return true;
  if (!Intrinsic->doesNotAccessMemory())
    return false;
  for (const Value *Operand : Call.args()) {
    PlaceSet Somewhere;
    Places.addSomewhere(Somewhere, placesOf(Operand));
    add(&Call, Somewhere);
  }
  return true;
}

void IslandFinder::visitCopy(const AnyMemTransferInst &Copy) {
  auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  Places.copy(placesOf(Copy.getRawDest()), placesOf(Copy.getRawSource()),
              Length ? Length->getLimitedValue() : AnyBytes);
}

/// Memory that is new holds no pointers; what is enlarged keeps them.
bool IslandFinder::visitAllocation(const CallBase &Call) {
  const Attribute Kind = Call.getFnAttr(Attribute::AllocKind);
  const AllocFnKind How =
      Kind.isValid() ? Kind.getAllocKind() : AllocFnKind::Unknown;
  const bool IsEnlarged = (How & AllocFnKind::Realloc) != AllocFnKind::Unknown;
  const bool IsNew = (How & AllocFnKind::Alloc) != AllocFnKind::Unknown ||
                     isNewOrDelete(Call) || calleeName(Call) == "malloc";
  if (!isAllocation(Call) || definedCallee(Call) || !(IsEnlarged || IsNew))
    return false;
  PlaceSet Memory;
  Memory.insert({Places.objectOf(&Call, /*Bytes=*/0), 0});
  add(&Call, Memory);
  if (IsEnlarged)
    for (const Value *Old : Call.args())
      if (Old->getType()->isPointerTy())
        Places.copy(Memory, placesOf(Old), AnyBytes);
  return true;
}

void IslandFinder::visitLinks(const CallBase &Call, const LibraryLinks &Known) {
  PlaceSet Nodes;
  for (const Value *Argument : Call.args())
    if (Argument->getType()->isPointerTy())
      Places.add(Nodes, placesOf(Argument));
  auto LinksOf = [&](Place Node, int64_t Offset) {
    PlaceSet At;
    if (Node.Offset != AnyOffset)
      Node.Offset += Offset;
    At.insert(Node);
    return At;
  };
  const uint64_t Bytes = Call.getDataLayout().getPointerSize();
  for (unsigned N = 0; N < Nodes.size(); ++N)
    for (int64_t Offset : Known.Offsets) {
      PlaceSet Behind;
      Places.load(Behind, LinksOf(Nodes[N], Offset), Bytes,
                  ContentKind::Pointer);
      Places.add(Nodes, Behind);
    }
  if (Known.Links)
    for (unsigned N = 0; N < Nodes.size(); ++N)
      for (int64_t Offset : Known.Offsets)
        Places.store(LinksOf(Nodes[N], Offset), Bytes, Nodes,
                     ContentKind::Pointer);
  if (Call.getType()->isPointerTy())
    add(&Call, Nodes);
  else if (!Call.getType()->isVoidTy())
    add(&Call, outsidePlaces());
}

/// Follows what \p Call hands to a function with a body; false if that cannot
/// be done, or is of no use.
bool IslandFinder::enter(const CallBase &Call) {
  const Function *Callee = definedCallee(Call);
  if (!Callee || Callee == L.getHeader()->getParent() || Callee->isVarArg() ||
      Callee->hasFnAttribute(Attribute::Naked) ||
      Call.arg_size() != Callee->arg_size())
    return false;
  bool IsOfUse = Callee->hasRetAttribute(Attribute::NoAlias);
  bool MayBeOfUse = false;
  for (unsigned N = 0; N < Call.arg_size(); ++N) {
    if (Call.isByValArgument(N) || Call.isInAllocaArgument(N))
      return false;
    const PlaceSet Handed = placesOf(Call.getArgOperand(N));
    IsOfUse |= Places.hasOwn(Handed);
    MayBeOfUse |= Handed.empty();
  }
  if (!IsOfUse)
    return MayBeOfUse && IsWaiting;
  if (Callees.insert(Callee)) {
    Changed = true;
    Instructions += Callee->getInstructionCount();
  }
  for (const Argument &Parameter : Callee->args())
    add(&Parameter, placesOf(Call.getArgOperand(Parameter.getArgNo())));
  if (auto Found = Returned.find(Callee); Found != Returned.end())
    add(&Call, PlaceSet(Found->second));
  return true;
}

/// What is handed to a function that is not known may be kept by it, unless
/// attributes say otherwise; what that leads to may be so in any case.
void IslandFinder::visitUnknown(const CallBase &Call) {
  PlaceSet Result = outsidePlaces();
  for (const Use &U : Call.data_ops()) {
    const PlaceSet Handed = placesOf(U);
    if (!Places.hasOwn(Handed))
      continue;
    const PlaceSet Reach = Places.reachOf(Handed);
    const unsigned Number = Call.getDataOperandNo(&U);
    const bool IsArgument = Call.isArgOperand(&U);
    const CaptureInfo Captured = U->getType()->isPointerTy()
                                     ? Call.getCaptureInfo(Number)
                                     : CaptureInfo::all();
    Places.add(Result, Reach);
    if (Call.onlyReadsMemory())
      continue;
    if (!IsArgument || Call.isByValArgument(Number) ||
        !capturesNothing(Captured.getOtherComponents())) {
      Places.escape(Handed);
      continue;
    }
    if (!Call.onlyReadsMemory(Number))
      Places.store(Handed, AnyBytes, outsidePlaces());
    if (!Call.doesNotAccessMemory(Number)) {
      PlaceSet Behind;
      for (Place P : Handed)
        if (P.Object != OutsideObject) {
          PlaceSet At;
          At.insert({P.Object, AnyOffset});
          Places.load(Behind, At, AnyBytes);
        }
      Places.escape(Behind);
    }
  }
  add(&Call, Result);
}

/// True if \p I , of a function that is handed memory of the iteration,
/// accesses nothing else that others may change or see.
bool IslandFinder::accessesOwn(const Instruction &I,
                               const OwnFunctionSet &OwnFunctions) const {
  auto IsOwn = [&](const Value *Address) {
    return Places.isOwn(placesOf(Address));
  };
  auto IsConstant = [](const Value *Address) {
    auto *Global = dyn_cast<GlobalVariable>(getUnderlyingObject(Address));
    return Global && Global->isConstant();
  };
  if (I.isVolatile() || isa<FenceInst>(I))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return IsOwn(Load->getPointerOperand()) ||
           IsConstant(Load->getPointerOperand());
  if (const Value *Address = accessedAddress(I))
    return IsOwn(Address);
  if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I)) {
    auto *Transfer = dyn_cast<AnyMemTransferInst>(Copy);
    return IsOwn(Copy->getRawDest()) &&
           (!Transfer || IsOwn(Transfer->getRawSource()) ||
            IsConstant(Transfer->getRawSource()));
  }
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return !I.mayReadOrWriteMemory() || isa<LandingPadInst>(I);
  if (isa<IntrinsicInst>(Call))
    return !isMemoryIntrinsic(I);
  // An exception is the thread's, but none is interrupted here.
  return isNewOrDelete(*Call) || Call->hasFnAttr(Attribute::AllocKind) ||
         (Call->doesNotReturn() &&
          (!definedCallee(*Call) ||
           calleeName(*Call) == "__clang_call_terminate")) ||
         Call->doesNotAccessMemory() ||
         is_contained({"__cxa_begin_catch", "__cxa_end_catch"},
                      calleeName(*Call)) ||
         isOwnCall(*Call, OwnFunctions);
}

OwnFunctionSet IslandFinder::ownFunctions() const {
  OwnFunctionSet OwnFunctions(Callees.begin(), Callees.end());
  auto IsOwn = [&](const Function *F) {
    return all_of(instructions(*F), [&](const Instruction &I) {
      return accessesOwn(I, OwnFunctions);
    });
  };
  for (bool IsComplete = false; !IsComplete;) {
    IsComplete = true;
    for (const Function *F : Callees)
      if (OwnFunctions.contains(F) && !IsOwn(F)) {
        OwnFunctions.erase(F);
        IsComplete = false;
      }
  }
  return OwnFunctions;
}

bool IslandFinder::isOwnCall(const CallBase &Call,
                             const OwnFunctionSet &OwnFunctions) const {
  auto IsOwn = [&](const Value *Argument) {
    return Places.isOwn(placesOf(Argument));
  };
  // What is returned is one of those that are passed.
  if (libraryLinks(Call))
    return (!Call.getType()->isPointerTy() || IsOwn(&Call)) &&
           all_of(Call.args(), [&](const Value *Argument) {
             return !Argument->getType()->isPointerTy() || IsOwn(Argument);
           });
  const Function *Callee = definedCallee(Call);
  // Others of the same function may be handed something else.
  return Callee && OwnFunctions.contains(Callee) &&
         any_of(Call.args(), [&](const Value *Argument) {
           return Places.hasOwn(placesOf(Argument));
         });
}
