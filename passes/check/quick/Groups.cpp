//===- Groups.cpp - Which accesses are recorded together ------------------===//

#include "check/quick/Groups.h"
#include "ir/Instructions.h"
#include "llvm/ADT/DenseMap.h"

using namespace llvm;
using namespace heddle;

namespace {

/// Accesses at fixed distances from one address. Those of an open group can be
/// recorded where the last one is: nothing that has come between depends on
/// the order.
struct Group {
  Value *From, *Base;
  SmallVector<RecordedAccess> Members;
  bool Writes = false;
  bool IsOpen = true;
};

class GroupFinder {
  QuickPaths &Quick;
  DenseMap<const Instruction *, RecordedAccess> Records;
  SmallVector<Group> Groups;

public:
  GroupFinder(ArrayRef<RecordedAccess> Recorded, QuickPaths &Quick)
      : Quick(Quick) {
    for (const RecordedAccess &R : Recorded)
      Records.insert({R.Call, R});
  }

  void run(BasicBlock &Block) {
    for (Instruction &I : Block)
      if (auto Known = Records.find(&I); Known != Records.end())
        add(Known->second);
      else if (mayDependOnOrder(I))
        closeAll();
    for (const Group &G : Groups)
      wrap(G);
    Groups.clear();
  }

private:
  void closeAll() {
    for (Group &G : Groups)
      G.IsOpen = false;
  }

  void add(RecordedAccess R) {
    const bool Writes = R.A.Kind != QuickKind::Read;
    Value *Address = R.Call->getArgOperand(1), *Base = R.Call->getArgOperand(2);
    const DataLayout &DL = R.Call->getDataLayout();
    APInt Offset(DL.getIndexTypeSizeInBits(Address->getType()), 0);
    Value *From = Address->stripAndAccumulateConstantOffsets(
        DL, Offset, /*AllowNonInbounds=*/true);
    R.Offset = Offset.getSExtValue();
    Group *Own = nullptr;
    for (Group &G : Groups) {
      if (G.From == From && G.Base == Base && G.IsOpen && !R.A.IsHidden)
        Own = &G;
      else if (Writes || G.Writes)
        G.IsOpen = false;
    }
    if (!Own) {
      Groups.push_back({.From = From, .Base = Base, .Members = {}});
      Own = &Groups.back();
      Own->IsOpen = !R.A.IsHidden;
    }
    Own->Members.push_back(R);
    Own->Writes |= Writes;
  }

  void wrap(const Group &G) {
    if (G.Members.size() > 1)
      if (auto Places = placesOf(G.Members)) {
        Quick.wrapGroup(*G.From, *G.Base, G.Members, *Places);
        return;
      }
    // The runtime knows which function called the one that makes an access.
    for (const RecordedAccess &R : G.Members)
      if (R.IsInLoop && (R.A.Kind == QuickKind::Read || !R.IsFixed))
        Quick.wrap(*R.Call, R.A);
  }
};

} // namespace

bool heddle::mayDependOnOrder(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return I.isAtomic();
  return !Call->isLifetimeStartOrEnd() &&
         !(isa<IntrinsicInst>(Call) && Call->doesNotAccessMemory());
}

void heddle::recordQuickly(Function &F, ArrayRef<RecordedAccess> Records,
                           QuickPaths &Quick) {
  GroupFinder Finder(Records, Quick);
  for (BasicBlock &Block : F)
    Finder.run(Block);
}
