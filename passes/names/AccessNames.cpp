//===- AccessNames.cpp - What remarks call an access ----------------------===//

#include "names/AccessNames.h"
#include "names/PlaceNames.h"
#include "names/SourceNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// The place \p Accessed as the source spells it, or nothing.
static std::string spellPlace(const MemoryLocation &Accessed,
                              const DataLayout &DL) {
  const uint64_t Bytes = Accessed.Size.hasValue()
                             ? Accessed.Size.getValue().getKnownMinValue()
                             : 0;
  const PlaceName Place =
      namePlace(const_cast<Value *>(Accessed.Ptr), Bytes, DL);
  if (Place.Text.empty())
    return "";
  if (all_of(Place.Text, [](char C) { return isAlnum(C) || C == '_'; }))
    return "the variable '" + Place.Text + "'";
  // An index that is known at run time is of no use here.
  std::string Text;
  for (char C : Place.Text)
    Text += C == '#' ? "..." : std::string(1, C);
  return "'" + Text + "'";
}

std::string heddle::describeAccess(Instruction &Access) {
  if (auto *Call = dyn_cast<CallBase>(&Access))
    return "the call of " + describeCallee(*Call);
  const std::optional<MemoryLocation> Accessed =
      MemoryLocation::getOrNone(&Access);
  if (!Accessed)
    return "a memory fence";
  if (std::string Place = spellPlace(*Accessed, Access.getDataLayout());
      !Place.empty())
    return Place;
  const std::string Variable = describeVariable(Accessed->Ptr);
  if (Variable != "a variable")
    return Variable;
  if (isa<LoadInst>(Access))
    return "a load";
  return isa<StoreInst>(Access) ? "a store" : "an atomic operation";
}
