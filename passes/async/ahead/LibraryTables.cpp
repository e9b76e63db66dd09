//===- LibraryTables.cpp - Hash tables of the C++ library -----------------===//

#include "async/ahead/LibraryTables.h"
#include "ir/Instructions.h"
#include "ir/TypeTags.h"
#include "loop/Worksharing.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace heddle;

/// The names of the types in libstdc++, as the front end notes them.
static constexpr char NodePointerName[] =
    "p1 _ZTSNSt8__detail15_Hash_node_baseE";
/// Where a table has the pointer to its buckets, and their number.
static constexpr uint64_t Buckets = 0, BucketCount = 8;

/// The arguments of a table of numbers, in the names of its type and members:
/// the key, the pairs of keys and values, or the keys alone, std::allocator,
/// std::equal_to and std::hash.
static constexpr char Arguments[] =
    "St10_HashtableI([a-z])"
    "(St4pairIK\\1[a-z]ESaIS2_ENSt8__detail10_Select1st|"
    "\\1SaI\\1ENSt8__detail9_Identity)"
    "ESt8equal_toI\\1ESt4hashI\\1E";

/// The place of what \p I accesses in an object of the type that the tag names.
static uint64_t offsetIn(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  return mdconst::extract<ConstantInt>(Tag->getOperand(2))->getZExtValue();
}

/// True for members that leave a table whole, other than those that make one,
/// end its life, or give it what another one has.
static bool leavesWhole(const CallBase &Call) {
  static const Regex Member((Twine("^_ZN") + Arguments).str());
  const StringRef Name = calleeName(Call);
  return Member.match(Name) &&
         any_of(ArrayRef<StringRef>{"E21_M_insert_unique_nodeE",
                                    "E20_M_insert_multi_nodeE", "E9_M_rehashE",
                                    "E13_M_rehash_auxE", "E8_M_eraseE"},
                [&](StringRef Ending) { return Name.contains(Ending); });
}

/// True if \p V is what \p Offset in a table holds.
static bool isHeader(const Value *V, uint64_t Offset,
                     function_ref<bool(const Instruction &)> IsSame) {
  static const Regex Table((Twine("^_ZTS") + Arguments).str());
  auto *Load = dyn_cast<LoadInst>(V);
  return Load && IsSame(*Load) && Load->isSimple() &&
         Table.match(taggedObject(*Load)) && offsetIn(*Load) == Offset;
}

LibraryTables::LibraryTables(const LoopContext &C, SteadyMemory &Memory)
    : SE(C.SE), Memory(Memory), IsShared(isWorksharing(C.L, C.DT)) {}

bool LibraryTables::isBucket(const LoadInst &Load, Predicate IsSame) {
  auto *Place = dyn_cast<GetElementPtrInst>(Load.getPointerOperand());
  Value *Count;
  if (IsShared || !Load.isSimple() || taggedMember(Load) != NodePointerName ||
      !Place || Place->getNumIndices() != 1 ||
      !Place->getSourceElementType()->isPointerTy() ||
      !match(Place->getOperand(1), m_URem(m_Value(), m_Value(Count))) ||
      !isHeader(Place->getPointerOperand(), Buckets, IsSame) ||
      !isHeader(Count, BucketCount, IsSame))
    return false;
  auto *Begin = cast<LoadInst>(Place->getPointerOperand());
  auto AddressOf = [&](const LoadInst &Of) {
    return SE.getSCEV(const_cast<Value *>(Of.getPointerOperand()));
  };
  auto *Apart = dyn_cast<SCEVConstant>(
      SE.getMinusSCEV(AddressOf(*cast<LoadInst>(Count)), AddressOf(*Begin)));
  // Whoever changes the number of buckets also changes where they are, which
  // the types tell better.
  return Apart && Apart->getAPInt() == BucketCount - Buckets &&
         Memory.isReadBy(*Begin, leavesWhole);
}

bool LibraryTables::isNode(const Value *V, Predicate IsRehearsed,
                           Predicate IsSame,
                           SmallPtrSetImpl<const Value *> &Seen) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !IsRehearsed(*I))
    return isa<ConstantPointerNull>(V);
  if (!Seen.insert(I).second)
    return true;
  if (auto *Load = dyn_cast<LoadInst>(I))
    return taggedMember(*Load) == NodePointerName && Load->isSimple() &&
           (isBucket(*Load, IsSame) ||
            isNode(Load->getPointerOperand(), IsRehearsed, IsSame, Seen));
  auto IsNode = [&](const Value *Way) {
    return isNode(Way, IsRehearsed, IsSame, Seen);
  };
  if (auto *Select = dyn_cast<SelectInst>(I))
    return IsNode(Select->getTrueValue()) && IsNode(Select->getFalseValue());
  auto *Phi = dyn_cast<PHINode>(I);
  return Phi && all_of(zip(Phi->blocks(), Phi->incoming_values()), [&](auto P) {
           return !IsRehearsed(*std::get<0>(P)->getTerminator()) ||
                  IsNode(std::get<1>(P).get());
         });
}

Value *LibraryTables::nodeOf(const LoadInst &Load, Predicate IsRehearsed,
                             Predicate IsSame) {
  auto *Base = const_cast<Value *>(
      Load.getPointerOperand()->stripInBoundsConstantOffsets());
  SmallPtrSet<const Value *, 8> Seen;
  return Load.isSimple() && isa<Instruction>(Base) &&
                 isNode(Base, IsRehearsed, IsSame, Seen)
             ? Base
             : nullptr;
}
