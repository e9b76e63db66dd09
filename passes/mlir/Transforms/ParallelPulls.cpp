//===- ParallelPulls.cpp - Parallel loops around heddle.pull --------------===//
//
// A parallel loop that pulls one row in each iteration,
//
//   rows, edges = pack(...)
//   parallel for v = 0 to n:
//     into[v] = f(v, pull edges[rows[v] to rows[v + 1]] init(g(v)))
//
// gives each thread an equal number of edges, even if that cuts rows, as
//
//   pull_parallel rows[0 to n], edges init(nothing) into(into)
//     apply (v, all) { f(v, combine(g(v), all)) }
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/Arrays.h"
#include "mlir/Transforms/HeddlePasses.h"
#include "mlir/Transforms/Remarks.h"
#include "mlir/Transforms/Tunables.h"

namespace heddle {
#define GEN_PASS_DEF_PARALLELPULLSPASS
#include "mlir/Transforms/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// A parallel loop around a heddle.pull, taken apart.
class PullingLoop {
  scf::ParallelOp Loop;
  PullOp Pull;
  PackOp Pack;
  memref::StoreOp Store;
  /// The operations of the loop's body, in order, that compute the value that
  /// \c Store stores from the pulled one.
  SetVector<Operation *> Applied;
  /// Why the loop has to stay.
  MaybeRefusal Why;

public:
  explicit PullingLoop(scf::ParallelOp Loop) : Loop(Loop) {}

  /// True if there is a pull in the loop.
  bool findPull() {
    Loop->walk([&](PullOp Inner) {
      if (Inner->getParentOfType<scf::ParallelOp>() == Loop)
        Pull = Inner;
    });
    return Pull != nullptr;
  }

  /// Once match() has failed.
  const Refusal &why() const { return *Why; }

  bool match() {
    return matchLoop() && matchBody() && matchRow() && matchOutside();
  }

  void rewrite() {
    ImplicitLocOpBuilder B(Pull.getLoc(), Loop);
    Value Rows = rowsOfLoop(B);
    Value Init =
        hasOwnInit()
            ? arith::ConstantOp::create(
                  B, identityOf(
                         Pull.getKind(), Pull.getInit().getType(),
                         combiningFlags(Pull.getKind(), Pull.getFastmath())))
            : Pull.getInit();
    SmallVector<Value> Captures = captures();
    auto Parallel = PullParallelOp::create(
        B, Pull.getKind(), Pull.getFastmath(), Rows, Pull.getEdges(),
        chunk(B, Rows), Pull.getWeights(), Pull.getFrontier(), Init, Captures,
        Store.getMemRef());
    takeBody(Parallel);
    fillApply(Parallel);
    Loop.erase();
  }

private:
  bool no(RefusalKind Kind) {
    Why = refuse(Kind);
    return false;
  }

  bool matchLoop() {
    if (Loop->hasAttr(AsyncAttributeName))
      return no(RefusalKind::MarkedLoop);
    if (Loop.getNumLoops() != 1 || !Loop.getInitVals().empty())
      return no(RefusalKind::OtherShape);
    if (!isConstantIntValue(Loop.getLowerBound()[0], 0) ||
        !isConstantIntValue(Loop.getStep()[0], 1))
      return no(RefusalKind::NotFromFirst);
    return true;
  }

  /// Matches one pull, and at the end one store to an element of the row's own.
  bool matchBody() {
    if (Pull->getParentOp() != Loop)
      return no(RefusalKind::NotEveryRow);
    for (Operation &Op : Loop.getBody()->without_terminator()) {
      if (Store)
        return no(RefusalKind::BehindStore);
      if (auto Other = dyn_cast<PullOp>(Op)) {
        if (Other != Pull)
          return no(RefusalKind::SeveralPulls);
      } else if (auto Last = dyn_cast<memref::StoreOp>(Op)) {
        Store = Last;
      } else if (!isa<memref::LoadOp>(Op) &&
                 (Op.getNumRegions() != 0 || !isMemoryEffectFree(&Op))) {
        return no(RefusalKind::OtherWork);
      }
    }
    if (!Store || !isArray(Store.getMemRef()) ||
        !isElement(elementOf(Store.getMemRef())) ||
        Store.getIndices()[0] != Loop.getInductionVars()[0])
      return no(RefusalKind::NoResultArray);
    return Pull.getApply().empty() || no(RefusalKind::HasApply);
  }

  /// Matches the range from rows[v] to rows[v + 1], as packed.
  bool matchRow() {
    auto Lo = Pull.getLo().getDefiningOp<memref::LoadOp>(),
         Hi = Pull.getHi().getDefiningOp<memref::LoadOp>();
    Pack = Pull.getEdges().getDefiningOp<PackOp>();
    if (!Pack || !Lo || !Hi || Lo.getMemRef() != Pack.getRows() ||
        Hi.getMemRef() != Pack.getRows() ||
        (Pull.getWeights() && Pull.getWeights() != Pack.getLaneWeights()))
      return no(RefusalKind::NotPacked);
    Value Row = Loop.getInductionVars()[0];
    return (Lo.getIndices()[0] == Row && isNext(Hi.getIndices()[0], Row)) ||
           no(RefusalKind::OtherRow);
  }

  /// Checks that all values that the regions need can be captures.
  bool matchOutside() {
    auto IsOutside = [&](Value V) { return Loop.isDefinedOutsideOfLoop(V); };
    if (!llvm::all_of(Pull.getCaptures(), IsOutside) ||
        !IsOutside(Pack.getRows()) ||
        (Pull.getFrontier() && !IsOutside(Pull.getFrontier())))
      return no(RefusalKind::ChangingInput);
    collectApplied();
    auto CanBeInside = [&](Value V) {
      return !IsOutside(V) || isCapture(V) || V == Store.getMemRef();
    };
    return (llvm::all_of(Applied,
                         [&](Operation *Op) {
                           return llvm::all_of(Op->getOperands(), CanBeInside);
                         }) &&
            CanBeInside(Store.getValueToStore()) &&
            IsOutside(Store.getMemRef())) ||
           no(RefusalKind::NoApplyValue);
  }

  void collectApplied() {
    SmallVector<Value> Worklist{Store.getValueToStore(), Pull.getInit()};
    DenseSet<Operation *> Needed;
    while (!Worklist.empty()) {
      Operation *Op = Worklist.pop_back_val().getDefiningOp();
      if (Op && Op != Pull && Loop->isProperAncestor(Op) &&
          Needed.insert(Op).second)
        llvm::append_range(Worklist, Op->getOperands());
    }
    for (Operation &Op : Loop.getBody()->without_terminator())
      if (Needed.contains(&Op))
        Applied.insert(&Op);
  }

  /// True if each row has its own initial value.
  bool hasOwnInit() { return !Loop.isDefinedOutsideOfLoop(Pull.getInit()); }

  /// Returns the captures of the pull, and those of the region apply.
  SmallVector<Value> captures() {
    SmallVector<Value> Captures(Pull.getCaptures());
    auto Add = [&](Value V) {
      if (Loop.isDefinedOutsideOfLoop(V) && !llvm::is_contained(Captures, V))
        Captures.push_back(V);
    };
    for (Operation *Op : Applied)
      llvm::for_each(Op->getOperands(), Add);
    Add(Store.getValueToStore());
    return Captures;
  }

  /// Returns the rows of the loop, which may not be all rows.
  Value rowsOfLoop(ImplicitLocOpBuilder &B) {
    Value Zero = arith::ConstantIndexOp::create(B, 0);
    Value One = arith::ConstantIndexOp::create(B, 1);
    Value Count = arith::AddIOp::create(
        B, arith::MaxSIOp::create(B, Loop.getUpperBound()[0], Zero), One);
    return memref::SubViewOp::create(
        B, MemRefType::get({ShapedType::kDynamic}, B.getIndexType()),
        Pack.getRows(), ArrayRef<OpFoldResult>(B.getIndexAttr(0)),
        ArrayRef<OpFoldResult>(Count),
        ArrayRef<OpFoldResult>(B.getIndexAttr(1)));
  }

  /// Returns the number of edge vectors that a thread takes at a time: enough
  /// to be worth the overhead, and not so many that other threads have nothing
  /// left.
  static Value chunk(ImplicitLocOpBuilder &B, Value Rows) {
    auto Index = [&](int64_t Number) -> Value {
      return arith::ConstantIndexOp::create(B, Number);
    };
    Value Last = arith::SubIOp::create(
        B, memref::DimOp::create(B, Rows, Index(0)), Index(1));
    Value Share = arith::DivUIOp::create(
        B, memref::LoadOp::create(B, Rows, Last), Index(tunable::PullChunks));
    return arith::MinUIOp::create(
        B, arith::MaxUIOp::create(B, Share, Index(tunable::PullChunkLeast)),
        Index(tunable::PullChunkMost));
  }

  void takeBody(PullParallelOp Parallel) {
    Region &Body = Parallel.getBody();
    Body.takeBody(Pull.getBody());
    // The captures of the region apply follow those of the body.
    for (Value Capture :
         Parallel.getCaptures().drop_front(Pull.getCaptures().size()))
      Body.addArgument(Capture.getType(), Pull.getLoc());
  }

  void fillApply(PullParallelOp Parallel) {
    Block &Apply = Parallel.getApply().emplaceBlock();
    auto B = ImplicitLocOpBuilder::atBlockBegin(Pull.getLoc(), &Apply);
    auto Argument = [&](Type T) { return Apply.addArgument(T, B.getLoc()); };
    IRMapping Map;
    Map.map(Loop.getInductionVars()[0], Argument(B.getIndexType()));
    Value All = Argument(Pull.getInit().getType());
    for (Value Capture : Parallel.getCaptures())
      Map.map(Capture, Argument(Capture.getType()));
    if (!hasOwnInit())
      Map.map(Pull.getResult(), All);
    for (Operation *Op : Applied) {
      B.clone(*Op, Map);
      addInit(B, All, Map);
    }
    addInit(B, All, Map);
    YieldOp::create(B, Map.lookup(Store.getValueToStore()), Value());
  }

  /// Combines the row's own initial value with \p All as soon as it is there.
  void addInit(ImplicitLocOpBuilder &B, Value All, IRMapping &Map) {
    if (Map.contains(Pull.getResult()) || !Map.contains(Pull.getInit()))
      return;
    Map.map(Pull.getResult(), combine(B, Pull.getKind(), Pull.getFastmath(),
                                      Map.lookup(Pull.getInit()), All));
  }
};

struct ParallelPulls : heddle::impl::ParallelPullsPassBase<ParallelPulls> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](scf::ParallelOp Loop) {
      PullingLoop Pulling(Loop);
      if (!Pulling.findPull())
        return;
      if (Pulling.match()) {
        sayDone(*this, Loop,
                "threads take equal numbers of its edges instead of rows");
        Pulling.rewrite();
      } else {
        sayLeft(*this, Loop, "threads take rows, not equal numbers of edges: ",
                Pulling.why());
      }
    });
  }
};

} // namespace
