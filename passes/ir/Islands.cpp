//===- Islands.cpp - Memory of an iteration that is linked ----------------===//

#include "ir/Islands.h"
#include "ir/Instructions.h"
#include "ir/IslandFinder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

Islands::Islands(const Loop &L, ArrayRef<const AllocaInst *> Variables) {
  auto Search = std::make_shared<IslandFinder>(L, Variables);
  if (!Search->run())
    return;
  const IslandPlaces &Places = Search->places();
  auto NoteLinked = [&](const PlaceSet &Set) {
    for (Place P : Set)
      if (auto *Variable =
              dyn_cast_or_null<AllocaInst>(Places.valueOf(P.Object)))
        Linked.insert(Variable);
  };
  for (auto &[V, Set] : Search->points()) {
    All.insert({V, WeakVH(const_cast<Value *>(V))});
    if (Places.isOwn(Set))
      Own.insert({V, WeakVH(const_cast<Value *>(V))});
    if (!isa<GetElementPtrInst, CastInst, FreezeInst>(V))
      NoteLinked(Set);
  }
  Places.forEachStored(NoteLinked);
  const auto OwnFunctions = Search->ownFunctions();
  for (const Instruction &I : instructionsIn(L.blocks())) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(Call))
      continue;
    for (const Value *Argument : Call->args())
      NoteLinked(Search->placesOf(Argument));
    if (Search->isOwnCall(*Call, OwnFunctions))
      OwnCalls.insert({Call, WeakVH(const_cast<CallBase *>(Call))});
  }
  Finder = std::move(Search);
}

bool Islands::isOwnBehind(const Value *Root,
                          ArrayRef<std::optional<int64_t>> Pointers) const {
  if (!Finder || !(isa<AllocaInst>(Root) || isIn(All, Root)))
    return false;
  const IslandPlaces &Places = Finder->places();
  PlaceSet Set = Finder->placesOf(Root);
  for (const std::optional<int64_t> Offset : Pointers) {
    PlaceSet At, Behind;
    for (Place P : Set)
      At.insert({P.Object, Offset && P.Offset != AnyOffset ? P.Offset + *Offset
                                                           : AnyOffset});
    Places.load(Behind, At, sizeof(void *));
    Set = std::move(Behind);
  }
  return Places.isOwn(Set);
}
