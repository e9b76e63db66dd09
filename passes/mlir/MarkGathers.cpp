//===- MarkGathers.cpp - Find the loops that wait for memory --------------===//
//
// A directive is a promise that iterations are independent. Here nobody gives
// it, so that it has to be found out: a parallel loop's are by definition;
// those of a sequential one are if each writes elements of its own only, and
// reads nothing that another may write. Values that are carried from one
// iteration to the next are AsyncSplit's business.
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/HeddlePasses.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace heddle {
#define GEN_PASS_DEF_MARKGATHERSPASS
#include "mlir/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

bool isLoop(Operation *Op) {
  return isa<LoopLikeOpInterface, omp::LoopNestOp>(Op);
}

Operation *innermostLoop(Operation *Op) {
  for (Operation *Around = Op->getParentOp(); Around;
       Around = Around->getParentOp())
    if (isLoop(Around))
      return Around;
  return nullptr;
}

/// True if \p V is computed from something that is loaded inside \p Loop.
bool dependsOnLoad(Value V, Operation *Loop) {
  SmallVector<Value> Worklist{V};
  DenseSet<Value> Seen;
  while (!Worklist.empty()) {
    Value Next = Worklist.pop_back_val();
    Operation *Definition = Next.getDefiningOp();
    if (!Seen.insert(Next).second || !Definition ||
        !Loop->isProperAncestor(Definition))
      continue;
    if (isa<memref::LoadOp>(Definition))
      return true;
    append_range(Worklist, Definition->getOperands());
  }
  return false;
}

/// True if how often \p Loop runs has been loaded inside \p Around.
bool hasLoadedBounds(Operation *Loop, Operation *Around) {
  auto For = dyn_cast<scf::ForOp>(Loop);
  return For && (dependsOnLoad(For.getLowerBound(), Around) ||
                 dependsOnLoad(For.getUpperBound(), Around));
}

class Independence {
  AliasAnalysis &AA;

public:
  explicit Independence(AliasAnalysis &AA) : AA(AA) {}

  bool of(Operation *Loop) {
    if (isa<scf::ParallelOp, scf::ForallOp>(Loop) ||
        (isa<omp::LoopNestOp>(Loop) && isa<omp::WsloopOp>(Loop->getParentOp())))
      return true;
    auto For = dyn_cast<scf::ForOp>(Loop);
    if (!For)
      return false;
    SmallVector<memref::LoadOp> Loads;
    SmallVector<memref::StoreOp> Stores;
    WalkResult Known = For.getBody()->walk([&](Operation *Op) {
      if (auto Load = dyn_cast<memref::LoadOp>(Op))
        Loads.push_back(Load);
      else if (auto Store = dyn_cast<memref::StoreOp>(Op))
        Stores.push_back(Store);
      else if (!Op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
               !isMemoryEffectFree(Op))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return !Known.wasInterrupted() && llvm::all_of(Stores, [&](auto Store) {
      return isOwn(Store, For) &&
             llvm::all_of(Loads,
                          [&](auto Load) {
                            return isSamePlace(Load, Store) ||
                                   isElsewhere(Load, Store);
                          }) &&
             llvm::all_of(Stores, [&](auto Other) {
               return Other.getMemRef() == Store.getMemRef()
                          ? Other.getIndices() == Store.getIndices()
                          : isElsewhere(Other, Store);
             });
    });
  }

private:
  /// True if no two iterations store to the same element.
  static bool isOwn(memref::StoreOp Store, scf::ForOp For) {
    return llvm::is_contained(Store.getIndices(), For.getInductionVar()) &&
           For.isDefinedOutsideOfLoop(Store.getMemRef());
  }

  static bool isSamePlace(memref::LoadOp Load, memref::StoreOp Store) {
    return Load.getMemRef() == Store.getMemRef() &&
           Load.getIndices() == Store.getIndices();
  }

  template <typename Access>
  bool isElsewhere(Access One, memref::StoreOp Store) {
    return AA.alias(One.getMemRef(), Store.getMemRef()).isNo();
  }
};

/// True if a loop around \p Loop, itself or one inside it has a mark.
bool isInMarkedNest(Operation *Loop) {
  while (Operation *Around = innermostLoop(Loop))
    Loop = Around;
  return Loop
      ->walk([](Operation *Op) {
        return isa<MarkOp>(Op) || Op->hasAttr(AsyncAttributeName)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

struct MarkGathers : heddle::impl::MarkGathersPassBase<MarkGathers> {
  using Base::Base;

  void runOnOperation() override {
    Independence Independent(getAnalysis<AliasAnalysis>());
    SetVector<Operation *> Loops;
    getOperation()->walk([&](memref::LoadOp Load) {
      Operation *Loop = innermostLoop(Load);
      if (!Loop || llvm::none_of(Load.getIndices(), [&](Value Index) {
            return dependsOnLoad(Index, Loop);
          }))
        return;
      if (Operation *Around = innermostLoop(Loop);
          Around && hasLoadedBounds(Loop, Around))
        Loop = Around;
      if (Independent.of(Loop) && !isInMarkedNest(Loop))
        Loops.insert(Loop);
    });
    auto Async = AsyncAttr::get(&getContext(), tasks, scheduler, 0, 0);
    for (Operation *Loop : Loops)
      if (llvm::none_of(Loops, [&](Operation *Other) {
            return Loop->isProperAncestor(Other);
          }))
        Loop->setAttr(AsyncAttributeName, Async);
  }
};

} // namespace
