//===- Independence.cpp - Loops whose iterations may interleave -----------===//

#include "mlir/Transforms/Independence.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;

namespace {

struct Access {
  Value Base;
  ValueRange Indices;
  bool Writes;

  bool isSamePlace(const Access &Other) const {
    return Base == Other.Base && Indices == Other.Indices;
  }
};

/// The only access that \p Op makes, if it is of a kind that is understood.
std::optional<Access> accessOf(Operation *Op) {
  if (auto Load = dyn_cast<memref::LoadOp>(Op))
    return Access{Load.getMemRef(), Load.getIndices(), false};
  if (auto Store = dyn_cast<memref::StoreOp>(Op))
    return Access{Store.getMemRef(), Store.getIndices(), true};
  if (auto Load = dyn_cast<LLVM::LoadOp>(Op); Load && !Load.getVolatile_())
    return Access{Load.getAddr(), {}, false};
  if (auto Store = dyn_cast<LLVM::StoreOp>(Op); Store && !Store.getVolatile_())
    return Access{Store.getAddr(), {}, true};
  return std::nullopt;
}

/// True if \p Op has no effects but those of the operations inside it. Other
/// operations report the effects of those inside as well, and have their own in
/// addition.
bool isControlFlow(Operation *Op) {
  return isa<scf::SCFDialect>(Op->getDialect()) ||
         isa<memref::AllocaScopeOp, affine::AffineIfOp>(Op);
}

/// Returns the accesses in \p Body, or nullopt if it has other effects.
/// OpenMP's operations do not report their effects.
std::optional<SmallVector<Access>> accessesIn(Region &Body) {
  SmallVector<Access> Accesses;
  WalkResult Known = Body.walk([&](Operation *Op) {
    if (std::optional<Access> Found = accessOf(Op))
      Accesses.push_back(*Found);
    else if (!isControlFlow(Op) && !isa<omp::YieldOp>(Op) &&
             (isa<omp::OpenMPDialect>(Op->getDialect()) ||
              !isMemoryEffectFree(Op)))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (Known.wasInterrupted())
    return std::nullopt;
  return Accesses;
}

/// True if different indices of \p Array always have different addresses.
bool hasDistinctElements(MemRefType Array) {
  if (Array.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> Strides;
  int64_t Offset;
  return Array.getRank() == 1 &&
         succeeded(Array.getStridesAndOffset(Strides, Offset)) &&
         !ShapedType::isDynamic(Strides[0]) && Strides[0] != 0;
}

/// True if \p V is an address in a variable of which each thread has its own.
/// Such an address is a constant of LLVM IR: even if it is computed in front of
/// a parallel region, it may be a thread's own inside.
bool isThreadLocal(Value V) {
  while (Operation *Derived = V.getDefiningOp()) {
    if (auto Address = dyn_cast<LLVM::AddressOfOp>(Derived)) {
      auto Variable = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
          Address, Address.getGlobalNameAttr());
      return Variable && Variable.getThreadLocal_();
    }
    if (!isa<LLVM::GEPOp, LLVM::BitcastOp, LLVM::AddrSpaceCastOp>(Derived))
      return false;
    V = Derived->getOperand(0);
  }
  return false;
}

/// Returns the team of threads that would race if iterations of \p Loop had an
/// address in common, or null if a race is not certain. A program that leaves
/// the number of threads to the run time has to be right for any number, so
/// that iterations of a correct one have no addresses in common, even if they
/// happen to be on one thread. But a program may rely on the number that it has
/// asked for, on there being one thread if a condition does not hold or in a
/// region inside another construct, and on one thread running all of a chunk
/// whose size it has chosen, in order.
omp::ParallelOp teamOf(omp::WsloopOp Loop) {
  auto Parallel = Loop->getParentOfType<omp::ParallelOp>();
  if (!Parallel || Loop.getScheduleChunk() || Parallel.getNumThreads() ||
      Parallel.getIfExpr())
    return {};
  for (Operation *Around = Parallel->getParentOp(); Around;
       Around = Around->getParentOp())
    if (isa<omp::OpenMPDialect>(Around->getDialect()))
      return {};
  return Parallel;
}

/// Decides whether iterations of a loop may access the same memory.
class Iterations {
  AliasAnalysis &AA;
  Region &Body;
  /// The numbers of an iteration.
  ValueRange Counters;
  /// The construct whose threads would race if iterations had an address in
  /// common.
  Operation *Team = nullptr;

public:
  Iterations(AliasAnalysis &AA, Region &Body, ValueRange Counters)
      : AA(AA), Body(Body), Counters(Counters) {}

  /// Iterations are distributed to the threads of \p Parallel.
  void distributeTo(Operation *Parallel) { Team = Parallel; }

  bool areIndependent(ArrayRef<Access> Accesses) const {
    return llvm::all_of(Accesses, [&](const Access &Write) {
      return !Write.Writes || llvm::all_of(Accesses, [&](const Access &Other) {
        return areApart(Write, Other);
      });
    });
  }

private:
  /// True if \p Write of one iteration and \p Other of another one never access
  /// the same address.
  bool areApart(const Access &Write, const Access &Other) const {
    if (Team && isOnAnyThread(Write) && isOnAnyThread(Other))
      return true;
    return isOwn(Write) && (Write.isSamePlace(Other) ||
                            AA.alias(Write.Base, Other.Base).isNo());
  }

  /// True if no two iterations have the address of \p A in common.
  bool isOwn(const Access &A) const {
    auto Array = dyn_cast<MemRefType>(A.Base.getType());
    return Array && hasDistinctElements(Array) && isOutside(A.Base) &&
           llvm::all_of(Counters, [&](Value Counter) {
             return llvm::is_contained(A.Indices, Counter);
           });
  }

  bool isOutside(Value V) const {
    return !Body.isAncestor(V.getParentRegion());
  }

  /// True if the address of \p A does not depend on the thread.
  bool isOnAnyThread(const Access &A) const {
    DenseSet<Value> Seen;
    return isSameOnAnyThread(A.Base, Seen) &&
           llvm::all_of(A.Indices, [&](Value Index) {
             return isSameOnAnyThread(Index, Seen);
           });
  }

  bool isSameOnAnyThread(Value V, DenseSet<Value> &Seen) const {
    if (isThreadLocal(V))
      return false;
    if (!Team->getRegion(0).isAncestor(V.getParentRegion()) ||
        llvm::is_contained(Counters, V) || !Seen.insert(V).second)
      return true;
    Operation *Definition = V.getDefiningOp();
    if (!Definition) {
      // Variables of OpenMP's clauses and values that loops carry are blocks'
      // arguments, as well.
      auto For = dyn_cast<scf::ForOp>(V.getParentBlock()->getParentOp());
      return For && V == For.getInductionVar() &&
             llvm::all_of(For->getOperands().take_front(3), [&](Value Bound) {
               return isSameOnAnyThread(Bound, Seen);
             });
    }
    return (isa<memref::LoadOp>(Definition) ||
            (isMemoryEffectFree(Definition) &&
             Definition->getNumRegions() == 0)) &&
           llvm::all_of(Definition->getOperands(), [&](Value Operand) {
             return isSameOnAnyThread(Operand, Seen);
           });
  }
};

/// True if the result of \p Op for floating point numbers may depend on their
/// order.
bool dependsOnOrder(Operation *Op) {
  if (isa<arith::SelectOp, arith::MaximumFOp, arith::MinimumFOp>(Op) ||
      Op->hasTrait<OpTrait::IsTerminator>())
    return false;
  // Its combinations are nested in it.
  if (isControlFlow(Op))
    return isa<scf::ParallelOp>(Op);
  auto Arithmetic = dyn_cast<arith::ArithFastMathInterface>(Op);
  auto Flags = Arithmetic ? Arithmetic.getFastMathFlagsAttr() : nullptr;
  return !Flags ||
         !bitEnumContainsAll(Flags.getValue(), arith::FastMathFlags::reassoc);
}

/// True if iterations in another order may give \p For other results, because
/// floating point numbers are rounded.
bool carriesRoundedValue(scf::ForOp For) {
  SmallVector<Value> Worklist(For.getRegionIterArgs());
  DenseSet<Value> Seen;
  while (!Worklist.empty()) {
    Value Next = Worklist.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    bool Rounded = isa<FloatType, ComplexType>(getElementTypeOrSelf(Next));
    for (Operation *User : Next.getUsers()) {
      if (Rounded && dependsOnOrder(User))
        return true;
      append_range(Worklist, User->getResults());
      // A value that enters or leaves a region may be any of its values.
      if (User->hasTrait<OpTrait::IsTerminator>() && User->getParentOp() != For)
        append_range(Worklist, User->getParentOp()->getResults());
      for (Region &Inner : User->getRegions())
        for (Block &Entry : Inner)
          append_range(Worklist, Entry.getArguments());
    }
  }
  return false;
}

MaybeRefusal whyForInOrder(scf::ForOp For, AliasAnalysis &AA) {
  std::optional<SmallVector<Access>> Accesses = accessesIn(For.getRegion());
  if (!Accesses)
    return refuse(RefusalKind::MoreEffects);
  if (carriesRoundedValue(For))
    return refuse(RefusalKind::RoundedOrder);
  if (!Iterations(AA, For.getRegion(), For.getInductionVar())
           .areIndependent(*Accesses))
    return refuse(RefusalKind::IterationsMeet);
  return std::nullopt;
}

MaybeRefusal whyWorksharingInOrder(omp::LoopNestOp Nest, omp::WsloopOp Loop,
                                   AliasAnalysis &AA) {
  std::optional<SmallVector<Access>> Accesses = accessesIn(Nest.getRegion());
  if (!Accesses)
    return refuse(RefusalKind::MoreEffects);
  if (Loop.getOrdered())
    return refuse(RefusalKind::OrderedClause);
  // Updates of these are commutative by declaration.
  auto Arguments = cast<omp::BlockArgOpenMPOpInterface>(*Loop);
  llvm::erase_if(*Accesses, [&](const Access &A) {
    return llvm::is_contained(Arguments.getReductionBlockArgs(), A.Base);
  });
  Iterations All(AA, Nest.getRegion(), Nest.getIVs());
  if (omp::ParallelOp Team = teamOf(Loop))
    All.distributeTo(Team);
  if (!All.areIndependent(*Accesses))
    return refuse(RefusalKind::IterationsMeet);
  return std::nullopt;
}

} // namespace

MaybeRefusal heddle::whyInOrder(Operation *Loop, AliasAnalysis &AA) {
  if (isa<scf::ParallelOp, scf::ForallOp>(Loop))
    return std::nullopt;
  if (auto For = dyn_cast<scf::ForOp>(Loop))
    return whyForInOrder(For, AA);
  if (auto Nest = dyn_cast<omp::LoopNestOp>(Loop))
    if (auto Worksharing = dyn_cast<omp::WsloopOp>(Loop->getParentOp()))
      return whyWorksharingInOrder(Nest, Worksharing, AA);
  return refuse(RefusalKind::OtherLoop);
}
