//===- FrameValues.cpp - Values that an iteration keeps in memory ---------===//

#include "async/analysis/FrameValues.h"
#include "ir/Instructions.h"
#include "ir/Islands.h"
#include "ir/OwnMemory.h"
#include "loop/Tunables.h"
#include "mark/Marks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

const Value *FrameValues::variableAt(const Value *Address) const {
  const Value *Object = getUnderlyingObject(Address);
  if (auto *Variable = dyn_cast<AllocaInst>(Object))
    return Memory && Memory->isLinked(Variable) ? L.getHeader() : Object;
  return isInOwn(Object) ? L.getHeader() : nullptr;
}

/// Calls \p Look with what \p I hands to a function.
static void forEachPointerHanded(const Instruction &I,
                                 function_ref<void(const Value *)> Look) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<IntrinsicInst>(Call))
    return;
  for (const Value *Argument : Call->args())
    if (Argument->getType()->isPointerTy())
      Look(Argument);
}

FrameValues::FrameValues(const Loop &L, const TaskLocals &Locals,
                         const Islands *Memory)
    : L(L), Memory(Memory) {
  auto Keep = [&](const Value *Place, const Value *What) {
    const Value *Variable = variableAt(Place);
    auto *Local = dyn_cast_or_null<AllocaInst>(Variable);
    if (Variable && (!Local || Locals.contains(Local)))
      Kept[Variable].push_back(What);
  };
  for (const Instruction &I : instructionsIn(L.blocks()))
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (const MDNode *Tag = Store->getMetadata(FrameMetadata))
        Saved[Tag].push_back(Store->getValueOperand());
      else
        Keep(Store->getPointerOperand(), Store->getValueOperand());
    } else if (auto *Copy = dyn_cast<AnyMemTransferInst>(&I)) {
      Keep(Copy->getRawDest(), Copy);
    } else if (Memory && I.mayWriteToMemory()) {
      forEachPointerHanded(I, [&](const Value *Argument) {
        if (variableAt(Argument) == L.getHeader())
          Keep(Argument, &I);
      });
    }
}

const Value *FrameValues::keptIn(const Value *V) const {
  const Value *Variable = nullptr;
  if (auto *Load = dyn_cast<LoadInst>(V))
    Variable = variableAt(Load->getPointerOperand());
  else if (auto *Copy = dyn_cast<AnyMemTransferInst>(V))
    Variable = variableAt(Copy->getRawSource());
  else if (auto *I = dyn_cast<Instruction>(V); Memory && I)
    forEachPointerHanded(*I, [&](const Value *Argument) {
      if (variableAt(Argument) == L.getHeader())
        Variable = L.getHeader();
    });
  return Variable;
}

ArrayRef<const Value *> FrameValues::kept(const Value *V) const {
  if (Kept.empty())
    return {};
  const Value *Variable = keptIn(V);
  auto Found = Kept.find(Variable);
  return !Variable || Found == Kept.end() ? ArrayRef<const Value *>()
                                          : Found->second;
}

ArrayRef<const Value *> FrameValues::saved(const Value *V) const {
  auto *Load = dyn_cast<LoadInst>(V);
  const MDNode *Tag = Load ? Load->getMetadata(FrameMetadata) : nullptr;
  auto Found = Saved.find(Tag);
  return !Tag || Found == Saved.end() ? ArrayRef<const Value *>()
                                      : Found->second;
}

void FrameValues::addWays(const Value *V,
                          SmallVectorImpl<const Value *> &Ways) const {
  auto Add = [&](const Value *Way) {
    if (!isa<UndefValue>(Way))
      Ways.push_back(Way);
  };
  if (auto *Phi = dyn_cast<PHINode>(V))
    for (const Value *Way : Phi->incoming_values())
      Add(Way);
  for (const Value *Way : saved(V))
    Add(Way);
}

/// True if \p V is \p Origin on all paths. The two differ.
bool FrameValues::isAlways(const Value *V, const Value *Origin) const {
  SmallVector<const Value *> Worklist;
  SmallPtrSet<const Value *, 16> Seen{V, Origin};
  addWays(V, Worklist);
  while (!Worklist.empty()) {
    const Value *Way = Worklist.pop_back_val();
    if (!Seen.insert(Way).second)
      continue;
    const size_t Before = Worklist.size();
    addWays(Way, Worklist);
    if (Worklist.size() == Before && !isa<PHINode>(Way))
      return false;
  }
  return true;
}

const Value *FrameValues::before(const Value *V) const {
  assert(!Saved.empty() && "without frames nothing is restored");
  SmallSetVector<const Value *, 16> Reached;
  SmallVector<const Value *> Ways;
  Reached.insert(V);
  for (unsigned I = 0; I < Reached.size(); ++I) {
    Ways.clear();
    addWays(Reached[I], Ways);
    Reached.insert_range(Ways);
    if (Reached.size() > tunable::FrameValues)
      return nullptr;
  }
  for (const Value *Way : drop_begin(Reached))
    if (isAlways(V, Way))
      return Way;
  return nullptr;
}

const Value *FrameValues::origin(const Value *V) const {
  // Most loops have no frames.
  if (Saved.empty())
    return V;
  auto [Known, IsNew] = Origins.try_emplace(V, V);
  if (!IsNew)
    return Known->second;
  const Value *Origin = V;
  for (unsigned Step = 0; Step < tunable::FrameSteps; ++Step)
    if (const Value *Before = before(Origin))
      Origin = Before;
    else
      break;
  return Origins[V] = Origin;
}

const Value *FrameValues::object(const Value *Address) const {
  for (unsigned Step = 0; Step < tunable::FrameSteps; ++Step) {
    const Value *Object = getUnderlyingObject(Address);
    const Value *Origin = origin(Object);
    if (Origin == Object)
      return Object;
    Address = Origin;
  }
  return Address;
}

bool FrameValues::isOwn(const Value *Object) const {
  if (Memory && !isa<AllocaInst>(Object) && Memory->isOwn(Object))
    return true;
  auto *Call = dyn_cast<CallBase>(Object);
  if (!Call)
    return false;
  auto [Known, IsNew] = Own.try_emplace(Call, false);
  if (IsNew)
    Known->second = returnsOwnMemory(*Call, L);
  return Known->second;
}

bool FrameValues::isInOwn(const Value *Address) const {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects);
  erase_if(Objects, IsaPred<UndefValue, ConstantPointerNull>);
  // A pointer may lead to a variable or to what is linked to it.
  auto IsVariable = [&](const Value *Object) {
    auto *Variable = dyn_cast<AllocaInst>(Object);
    return Variable && Memory && Memory->isLinked(Variable) &&
           Memory->isOwnBehind(Variable, {});
  };
  return any_of(Objects, [&](const Value *Object) { return isOwn(Object); }) &&
         all_of(Objects, [&](const Value *Object) {
           return isOwn(Object) || IsVariable(Object);
         });
}

bool FrameValues::isOwnBehind(const Value *Root,
                              ArrayRef<std::optional<int64_t>> Pointers) const {
  return Memory && Memory->isOwnBehind(Root, Pointers);
}

bool FrameValues::isOwnCall(const CallBase &Call) const {
  return Memory && Memory->isOwnCall(Call);
}
