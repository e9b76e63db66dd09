//===- RepeatedReads.cpp - Reads that tell nothing new --------------------===//

#include "check/quick/RepeatedReads.h"
#include "check/quick/Groups.h"
#include "ir/Instructions.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace heddle;

/// Places of one function that are looked at, and comparisons of them with what
/// it stores to.
static constexpr size_t MostPlaces = 256, MostComparisons = 1 << 15;

namespace {

/// A place, as what its address is computed from and a constant distance.
struct ReadPlace {
  const Value *Root;
  int64_t Offset;
  uint64_t Bytes;
  bool IsHidden;
  /// What indexes count from: the runtime also notes reads by it. Null where it
  /// does not; a read with one says all that such a read would say.
  const Value *Base;

  bool operator==(const ReadPlace &Other) const {
    return Root == Other.Root && Offset == Other.Offset &&
           Bytes == Other.Bytes && IsHidden == Other.IsHidden &&
           Base == Other.Base;
  }
};

class RepeatedReads {
  Function &F;
  SmallVectorImpl<RecordedAccess> &Records;
  ArrayRef<Loop *> Checked;
  const LoopInfo &LI;
  AAResults &AA;
  const DataLayout &DL;

  SmallVector<ReadPlace> Places;
  SmallVector<MemoryLocation> Locations; ///< Of each place.
  /// The places that each call tells all about.
  DenseMap<const Instruction *, SmallVector<unsigned, 2>> Told;
  DenseMap<const Instruction *, unsigned> PlaceOfRead;
  SmallPtrSet<const Instruction *, 32> Recording;
  DenseMap<const Instruction *, BitVector> Written;
  DenseMap<const BasicBlock *, BitVector> AtEnd;

public:
  RepeatedReads(Function &F, SmallVectorImpl<RecordedAccess> &Records,
                ArrayRef<Loop *> Checked, const LoopInfo &LI, AAResults &AA)
      : F(F), Records(Records), Checked(Checked), LI(LI), AA(AA),
        DL(F.getDataLayout()) {}

  void run() {
    findPlaces();
    if (Places.empty() || !compareStores())
      return;
    ReversePostOrderTraversal<Function *> Order(&F);
    for (bool Changed = true; std::exchange(Changed, false);)
      for (const BasicBlock *Block : Order) {
        BitVector Known = atBegin(*Block);
        for (const Instruction &I : *Block)
          pass(I, Known);
        auto [At, IsNew] = AtEnd.insert({Block, Known});
        Changed |= IsNew || At->second != Known;
        At->second = std::move(Known);
      }
    SmallPtrSet<const CallInst *, 16> Dropped;
    for (const BasicBlock *Block : Order) {
      BitVector Known = atBegin(*Block);
      for (const Instruction &I : *Block) {
        if (auto Read = PlaceOfRead.find(&I);
            Read != PlaceOfRead.end() && Known.test(Read->second))
          Dropped.insert(cast<CallInst>(&I));
        pass(I, Known);
      }
    }
    erase_if(Records, [&](const RecordedAccess &R) {
      const bool Drops = Dropped.contains(R.Call);
      if (Drops)
        erase(*R.Call);
      return Drops;
    });
  }

private:
  static void erase(CallInst &Call) {
    auto *Site = dyn_cast<GlobalVariable>(Call.getArgOperand(0));
    Call.eraseFromParent();
    if (Site && Site->hasLocalLinkage() && Site->use_empty())
      Site->eraseFromParent();
  }

  /// The place at \p Offset from \p Address.
  ReadPlace placeAt(const Value *Address, int64_t Offset, const ReadPlace &Like,
                    const Value *Base) const {
    APInt Distance(DL.getIndexTypeSizeInBits(Address->getType()), 0);
    const Value *Root = Address->stripAndAccumulateConstantOffsets(
        DL, Distance, /*AllowNonInbounds=*/true);
    return {Root, Distance.getSExtValue() + Offset, Like.Bytes, Like.IsHidden,
            Base};
  }

  ReadPlace placeOf(const RecordedAccess &R) const {
    const Value *Base = R.Call->getArgOperand(2);
    return placeAt(R.Call->getArgOperand(1), 0,
                   {nullptr, 0, R.A.Bytes, R.A.IsHidden, nullptr},
                   isa<ConstantPointerNull>(Base) ? nullptr : Base);
  }

  std::optional<unsigned> numberOf(const ReadPlace &P) const {
    auto At = find(Places, P);
    if (At == Places.end())
      return std::nullopt;
    return unsigned(At - Places.begin());
  }

  /// The same place in \p Block, which \p Phi begins, and in a block before.
  ReadPlace before(const ReadPlace &P, const PHINode &Phi,
                   unsigned Incoming) const {
    const Value *V = Phi.getIncomingValue(Incoming);
    return placeAt(V, P.Offset, P, P.Base == &Phi ? V : P.Base);
  }

  void findPlaces() {
    MapVector<std::pair<const Value *, int64_t>, SmallVector<unsigned>> Reads;
    SmallVector<ReadPlace> OfRecords;
    for (const auto &[At, R] : enumerate(Records)) {
      Recording.insert(R.Call);
      OfRecords.push_back(placeOf(R));
      if (R.A.Kind == QuickKind::Read && R.A.Bytes)
        Reads[{OfRecords[At].Root, OfRecords[At].Offset}].push_back(
            unsigned(At));
    }
    // Places that are read twice, or that phis may bring together.
    SmallSetVector<const Value *, 16> Merged;
    for (const auto &[Where, Numbers] : Reads)
      if (isa<PHINode>(Where.first))
        Merged.insert(Where.first);
    for (size_t At = 0; At < Merged.size(); ++At)
      if (auto *Phi = dyn_cast<PHINode>(Merged[At]))
        for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
          Merged.insert(before({Phi, 0, 0, false, nullptr}, *Phi, I).Root);
    for (const auto &[Where, Numbers] : Reads)
      if (Numbers.size() > 1 || Merged.contains(Where.first))
        for (unsigned At : Numbers)
          addRead(Records[At], OfRecords[At]);
    // Those that only phis know as what they read.
    for (size_t At = 0; At < Places.size() && At < MostPlaces; ++At)
      if (auto *Phi = dyn_cast<PHINode>(Places[At].Root))
        for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
          addMerged(before(Places[At], *Phi, I), Places[At].Offset,
                    Locations[At].AATags);
  }

  void addMerged(const ReadPlace &P, int64_t Offset, const AAMDNodes &Tags) {
    // A pointer that advances is another one each time.
    if (!isa<PHINode>(P.Root) || P.Offset != Offset || numberOf(P))
      return;
    Places.push_back(P);
    Locations.push_back(MemoryLocation::getBeforeOrAfter(P.Root, Tags));
  }

  unsigned add(const ReadPlace &P, const RecordedAccess &R) {
    if (const auto Known = numberOf(P)) {
      MemoryLocation &Location = Locations[*Known];
      if (Location.AATags != R.Access->getAAMetadata())
        Location = Location.getWithoutAATags();
      return *Known;
    }
    Places.push_back(P);
    Locations.push_back(MemoryLocation(R.Call->getArgOperand(1),
                                       LocationSize::precise(P.Bytes),
                                       R.Access->getAAMetadata()));
    return unsigned(Places.size() - 1);
  }

  void addRead(const RecordedAccess &R, ReadPlace P) {
    const unsigned Number = add(P, R);
    Told[R.Call].push_back(Number);
    if (!R.A.Decides)
      PlaceOfRead[R.Call] = Number;
    if (!P.Base)
      return;
    P.Base = nullptr;
    Told[R.Call].push_back(add(P, R));
  }

  /// Finds out which places each store may write to; false if that is too much.
  bool compareStores() {
    size_t Comparisons = 0;
    if (Places.size() > MostPlaces)
      return false;
    for (const BasicBlock &Block : F)
      for (const Instruction &I : Block) {
        if (!isa<StoreInst>(I))
          continue;
        Comparisons += Places.size();
        if (Comparisons > MostComparisons)
          return false;
        BitVector &Bits = Written[&I];
        Bits.resize(unsigned(Places.size()));
        for (unsigned At = 0; At < Places.size(); ++At)
          if (isModSet(AA.getModRefInfo(&I, Locations[At])))
            Bits.set(At);
      }
    return true;
  }

  /// True if \p I records a read, if only in some cases.
  static bool isRead(const Instruction &I) {
    return calleeName(I).starts_with("heddle_check_read");
  }

  /// Lets \p Known, the places that the iteration has read, be those behind
  /// \p I.
  void pass(const Instruction &I, BitVector &Known) const {
    if (auto Read = Told.find(&I); Read != Told.end())
      for (unsigned Number : Read->second)
        Known.set(Number);
    else if (auto Store = Written.find(&I); Store != Written.end())
      Known.reset(Store->second);
    else if (!Recording.contains(&I) && !isRead(I) && mayDependOnOrder(I))
      Known.reset();
  }

  const Loop *annotatedLoopOf(const BasicBlock &Block) const {
    for (const Loop *L = LI.getLoopFor(&Block); L; L = L->getParentLoop())
      if (is_contained(Checked, L))
        return L;
    return nullptr;
  }

  /// True if an iteration begins or ends on the way from \p From to \p To.
  bool isOfOtherIteration(const BasicBlock &From, const BasicBlock &To) const {
    const Loop *L = annotatedLoopOf(To);
    return L != annotatedLoopOf(From) || (L && L->getHeader() == &To);
  }

  BitVector atBegin(const BasicBlock &Block) const {
    BitVector Known(unsigned(Places.size()), !pred_empty(&Block));
    for (const BasicBlock *Before : predecessors(&Block)) {
      if (isOfOtherIteration(*Before, Block))
        return BitVector(unsigned(Places.size()));
      // Others are not known yet, or not reached.
      if (auto End = AtEnd.find(Before); End != AtEnd.end())
        Known &= End->second;
    }
    for (const PHINode &Phi : Block.phis())
      for (const auto &[At, P] : enumerate(Places))
        if (P.Root == &Phi)
          Known[unsigned(At)] = isKnownBefore(P, Phi);
    return Known;
  }

  /// True if all ways to \p Phi have read \p P by what it has then been.
  bool isKnownBefore(const ReadPlace &P, const PHINode &Phi) const {
    for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
      // Nobody reads there.
      if (isa<ConstantPointerNull, UndefValue>(Phi.getIncomingValue(I)))
        continue;
      auto End = AtEnd.find(Phi.getIncomingBlock(I));
      if (End == AtEnd.end())
        continue;
      const auto Number = numberOf(before(P, Phi, I));
      if (!Number || !End->second.test(*Number))
        return false;
    }
    return true;
  }
};

} // namespace

void heddle::dropRepeatedReads(Function &F,
                               SmallVectorImpl<RecordedAccess> &Records,
                               ArrayRef<Loop *> Checked, const LoopInfo &LI,
                               AAResults &AA) {
  RepeatedReads(F, Records, Checked, LI, AA).run();
}
