//===- PullRows.cpp - Loops over compressed rows as heddle.pull -----------===//
//
// The inner loop, over the nonzeros k of row v,
//
//   for k = positions[v] to positions[v + 1], all = old:
//     all = combine(all, message(coordinates[k], values[k], ...))
//
// becomes
//
//   rows, edges, weights = pack(positions, coordinates, values)
//   pull edges[rows[v] to rows[v + 1]] weights init(old) { message }
//
// A load at k yields the neighbour if other loads use it as their index, and
// the weight otherwise. The matrix is packed in front of the outermost loop in
// which nothing writes to it, as one without rows if a loop on the way in does
// not run: packing reads what the program reads and nothing else.
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/Arrays.h"
#include "mlir/Transforms/HeddlePasses.h"
#include "mlir/Transforms/Remarks.h"

namespace heddle {
#define GEN_PASS_DEF_PULLROWSPASS
#include "mlir/Transforms/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// \p V without the casts of integers that leave its value as it is.
Value stripCasts(Value V) {
  while (auto *Cast = V.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp>(Cast))
      break;
    V = Cast->getOperand(0);
  }
  return V;
}

/// A loop over the nonzeros of a row, taken apart.
struct RowLoop {
  scf::ForOp Loop;
  /// The row's number, and its upper bound; the lower one is zero.
  Value Row, RowCount;
  Value Positions, Coordinates;
  /// Null if the matrix has no weights.
  Value Weights;
  Operation *Combine = nullptr;
  vector::CombiningKind Kind;
  /// The value that is combined, and the condition for it, or null.
  Value Message, Condition;
};

/// The array and the index if \p V is loaded from an array that is the same in
/// all of \p Loop.
std::pair<Value, Value> loadedFrom(Value V, LoopLikeOpInterface Loop) {
  auto Load = V.getDefiningOp<memref::LoadOp>();
  if (!Load || !isArray(Load.getMemRef()) ||
      !Loop.isDefinedOutsideOfLoop(Load.getMemRef()))
    return {};
  return {Load.getMemRef(), Load.getIndices().front()};
}

class RowMatcher {
  RowLoop R;
  /// The reason why a loop over nonzeros is not a loop over a row.
  MaybeRefusal Why;
  SmallVector<memref::LoadOp> AtNonzero, Gathers;

public:
  explicit RowMatcher(scf::ForOp Loop) { R.Loop = Loop; }

  /// Returns the reason for a failure; none if the loop is not over nonzeros at
  /// all.
  const MaybeRefusal &why() const { return Why; }

  std::optional<RowLoop> run() {
    collectLoads();
    if (!matchBounds() || !matchResult() || !matchLoads())
      return std::nullopt;
    return R;
  }

private:
  bool no(RefusalKind Kind, std::initializer_list<std::string> Arguments = {}) {
    Why = refuse(Kind, Arguments);
    return false;
  }

  /// Collects the loads at the nonzero's number and those at other indices.
  void collectLoads() {
    for (auto Load : R.Loop.getBody()->getOps<memref::LoadOp>())
      if (llvm::is_contained(Load.getIndices(), R.Loop.getInductionVar()))
        AtNonzero.push_back(Load);
      else if (!llvm::all_of(Load.getIndices(), [&](Value Index) {
                 return R.Loop.isDefinedOutsideOfLoop(Index);
               }))
        Gathers.push_back(Load);
  }

  bool matchBounds() {
    Value From = stripCasts(R.Loop.getLowerBound()),
          To = stripCasts(R.Loop.getUpperBound());
    if (Gathers.empty() || AtNonzero.empty() ||
        !From.getDefiningOp<memref::LoadOp>() ||
        !To.getDefiningOp<memref::LoadOp>())
      return false;
    auto Around = R.Loop->getParentOfType<LoopLikeOpInterface>();
    if (!Around)
      return no(RefusalKind::NoLoopAround);
    auto [Array, At] = loadedFrom(From, Around);
    auto [Same, Next] = loadedFrom(To, Around);
    if (!Array || Array != Same || !isNext(Next, At) ||
        !matchPattern(R.Loop.getStep(), m_One()))
      return no(RefusalKind::NotConsecutive);
    R.Positions = Array;
    R.Row = At;
    return matchRows(Around) || no(RefusalKind::NotAllRows);
  }

  /// Matches the loop over all rows. The array may have more positions than
  /// that, with arbitrary values.
  bool matchRows(LoopLikeOpInterface Around) {
    std::optional<SmallVector<Value>> Variables = Around.getLoopInductionVars();
    auto Lower = Around.getLoopLowerBounds(),
         Upper = Around.getLoopUpperBounds(), Step = Around.getLoopSteps();
    if (!Variables || !Lower || !Upper || !Step)
      return false;
    for (auto [Variable, From, To, By] :
         llvm::zip_equal(*Variables, *Lower, *Upper, *Step))
      if (Variable == R.Row) {
        R.RowCount = dyn_cast<Value>(To);
        return R.RowCount && isConstantIntValue(From, 0) &&
               isConstantIntValue(By, 1);
      }
    return false;
  }

  bool matchResult() {
    if (!llvm::all_of(R.Loop.getResults(), [](Value V) {
          return isElement(V.getType()) || V.getType().isSignlessInteger(1);
        }))
      return no(RefusalKind::NoResultType);
    return (R.Loop.getNumRegionIterArgs() == 1 && matchCombining()) ||
           no(RefusalKind::NotOneResult);
  }

  /// all = combine(all, message), or that only if a condition holds.
  bool matchCombining() {
    Value All = R.Loop.getRegionIterArg(0);
    Value Next =
        cast<scf::YieldOp>(R.Loop.getBody()->getTerminator()).getOperand(0);
    if (auto Select = Next.getDefiningOp<arith::SelectOp>();
        Select && Select.getFalseValue() == All && All.getNumUses() == 2) {
      R.Condition = Select.getCondition();
      Next = Select.getTrueValue();
    } else if (!All.hasOneUse()) {
      return false;
    }
    R.Combine = Next.getDefiningOp();
    if (!R.Combine || R.Combine->getNumOperands() != 2 || !Next.hasOneUse())
      return false;
    std::optional<vector::CombiningKind> Kind =
        linalg::getCombinerOpKind(R.Combine);
    Value Left = R.Combine->getOperand(0), Right = R.Combine->getOperand(1);
    if (!Kind || (Left == All) == (Right == All))
      return false;
    R.Kind = *Kind;
    R.Message = Left == All ? Right : Left;
    return true;
  }

  bool matchLoads() {
    for (Operation &Op : R.Loop.getBody()->without_terminator()) {
      auto Load = dyn_cast<memref::LoadOp>(Op);
      if (Load ? !isArray(Load.getMemRef()) ||
                     !R.Loop.isDefinedOutsideOfLoop(Load.getMemRef())
               : !isForLanes(Op))
        return no(RefusalKind::NoLaneOperation,
                  {Op.getName().getStringRef().str()});
      if (Load && !llvm::is_contained(AtNonzero, Load) &&
          !isCapture(Load.getMemRef()))
        return no(RefusalKind::NotGathered);
    }
    for (memref::LoadOp Load : AtNonzero) {
      Value &Array = isNeighbour(Load, Gathers) ? R.Coordinates : R.Weights;
      if (Array && Array != Load.getMemRef())
        return no(RefusalKind::SeveralReads);
      Array = Load.getMemRef();
    }
    if (!R.Coordinates || R.Coordinates == R.Weights ||
        (R.Weights && !isElement(elementOf(R.Weights))))
      return no(RefusalKind::NotPackable);
    // The number of the nonzero is not stored in edge vectors.
    return llvm::all_of(R.Loop.getInductionVar().getUsers(),
                        [&](Operation *User) {
                          return llvm::is_contained(AtNonzero, User);
                        }) ||
           no(RefusalKind::NonzeroIndex);
  }

  /// True if \p Op can be done for all lanes of an edge vector at once.
  bool isForLanes(Operation &Op) {
    return llvm::all_of(Op.getResultTypes(),
                        [](Type T) { return T.isIntOrIndexOrFloat(); }) &&
           (Op.hasTrait<OpTrait::ConstantLike>() ||
            OpTrait::hasElementwiseMappableTraits(&Op)) &&
           llvm::all_of(Op.getOperands(), [&](Value Operand) {
             return !R.Loop.isDefinedOutsideOfLoop(Operand) ||
                    isCapture(Operand);
           });
  }

  static bool isNeighbour(memref::LoadOp Load,
                          ArrayRef<memref::LoadOp> Gathers) {
    return Load.getType().isIntOrIndex() &&
           llvm::any_of(Gathers, [&](memref::LoadOp Gather) {
             return stripCasts(Gather.getIndices().front()) == Load.getResult();
           });
  }
};

/// The loop that rows are packed in front of, and the bounds of the loops from
/// there to the loop over the rows.
struct PackingPlace {
  Operation *Where = nullptr;
  /// Why it is not further out.
  MaybeRefusal Why;
  SmallVector<std::tuple<arith::CmpIPredicate, OpFoldResult, OpFoldResult>>
      Bounds;
};

/// Finds positions where rows can be packed, and keeps the packed ones.
class Packing {
  AliasAnalysis &AA;
  unsigned LaneBits, Lanes;
  struct Packed {
    RowLoop R;
    PackingPlace Place;
    PackOp Pack;
  };
  SmallVector<Packed> Packs;
  /// The reason why the last row loop could not be packed.
  MaybeRefusal Why;

public:
  Packing(AliasAnalysis &AA, unsigned LaneBits, unsigned Lanes)
      : AA(AA), LaneBits(LaneBits), Lanes(Lanes) {}

  /// Returns the packed rows of \p R; null if something may write to the rows
  /// while \p R runs, or some of them may not be visited.
  PackOp of(RowLoop &R) {
    PackingPlace Place = placeOf(R);
    Why = Place.Why;
    if (!Place.Where)
      return {};
    for (Packed &Other : Packs)
      if (isSame(R, Other.R) && Place.Bounds == Other.Place.Bounds &&
          Other.Pack->getBlock() == Place.Where->getBlock() &&
          isUnwritten(R, Other.Pack->getNextNode(), Place.Where))
        return Other.Pack;
    Packs.push_back({R, Place, pack(R, Place)});
    return Packs.back().Pack;
  }

  /// Once of() has given null.
  const Refusal &why() const { return *Why; }

private:
  PackOp pack(RowLoop &R, PackingPlace &Place) {
    ImplicitLocOpBuilder B(R.Loop.getLoc(), Place.Where);
    auto InLanes = [&](Type Element) {
      return MemRefType::get({ShapedType::kDynamic, int64_t(Lanes)}, Element);
    };
    SmallVector<Type> Results{
        MemRefType::get({ShapedType::kDynamic}, B.getIndexType()),
        InLanes(B.getIntegerType(LaneBits))};
    if (R.Weights)
      Results.push_back(InLanes(elementOf(R.Weights)));
    auto Type = MemRefType::get({ShapedType::kDynamic}, elementOf(R.Positions));
    Value Positions = memref::SubViewOp::create(
        B, Type, R.Positions, ArrayRef<OpFoldResult>(B.getIndexAttr(0)),
        ArrayRef<OpFoldResult>(positionsRead(B, R, Place)),
        ArrayRef<OpFoldResult>(B.getIndexAttr(1)));
    auto Pack = PackOp::create(B, Results, Positions, R.Coordinates, R.Weights);
    B.setInsertionPointAfter(Place.Where);
    for (Value Result : Pack.getResults())
      memref::DeallocOp::create(B, Result);
    return Pack;
  }

  /// Returns the number of positions that the loops at \p Place read: none if
  /// one of them does not run.
  static Value positionsRead(ImplicitLocOpBuilder &B, RowLoop &R,
                             PackingPlace &Place) {
    Value One = arith::ConstantIndexOp::create(B, 1);
    Value Count = arith::AddIOp::create(B, R.RowCount, One);
    Value None = arith::ConstantIndexOp::create(B, 0);
    for (auto [Predicate, Lower, Upper] : Place.Bounds) {
      Value Runs = arith::CmpIOp::create(
          B, Predicate, getValueOrCreateConstantIndexOp(B, B.getLoc(), Lower),
          getValueOrCreateConstantIndexOp(B, B.getLoc(), Upper));
      Count = arith::SelectOp::create(B, Runs, Count, None);
    }
    return Count;
  }

  static bool isSame(const RowLoop &A, const RowLoop &C) {
    return A.Positions == C.Positions && A.RowCount == C.RowCount &&
           A.Coordinates == C.Coordinates && A.Weights == C.Weights;
  }

  /// Returns the outermost loop around \p R that does not write to the rows,
  /// and in which all rows are certain to be visited if the loops inside it
  /// run.
  PackingPlace placeOf(RowLoop &R) {
    PackingPlace Place;
    auto UpToHere = [&](RefusalKind Kind) {
      Place.Why = refuse(Kind);
      return Place;
    };
    for (Operation *Inner = R.Loop, *Around = Inner->getParentOp();;
         Inner = Around, Around = Around->getParentOp()) {
      if (isa<memref::AllocaScopeOp>(Around))
        continue;
      if (!isa<scf::ForOp, scf::ParallelOp, scf::ForallOp, scf::WhileOp>(
              Around))
        return UpToHere(RefusalKind::RowsSkipped);
      auto Loop = cast<LoopLikeOpInterface>(Around);
      if (!areOutside(Loop, R, Place))
        return UpToHere(RefusalKind::RowsChange);
      // No iteration of a parallel loop reads values that another one writes.
      bool IsParallel = !Place.Where && !isa<scf::ForOp, scf::WhileOp>(Around);
      if (!(IsParallel ? leavesAloneUpTo(Inner, R) : leavesAlone(Around, R)))
        return UpToHere(RefusalKind::RowsWritten);
      if (!addBounds(Loop, Inner, Place))
        return UpToHere(RefusalKind::UnknownStart);
      Place.Where = Around;
    }
  }

  /// True if the arrays and bounds at \p Place are defined outside of \p Loop.
  static bool areOutside(LoopLikeOpInterface Loop, RowLoop &R,
                         PackingPlace &Place) {
    auto IsOutside = [&](Value V) { return Loop.isDefinedOutsideOfLoop(V); };
    return IsOutside(R.RowCount) && llvm::all_of(arraysOf(R), IsOutside) &&
           llvm::all_of(Place.Bounds, [&](auto &Bound) {
             auto [Predicate, Lower, Upper] = Bound;
             return llvm::all_of(ArrayRef{Lower, Upper}, [&](OpFoldResult F) {
               auto V = dyn_cast<Value>(F);
               return !V || IsOutside(V);
             });
           });
  }

  /// Adds to \p Place the condition for \p Loop, around \p Inner, to run at
  /// all. False if that is not known in front of the loop.
  static bool addBounds(LoopLikeOpInterface Loop, Operation *Inner,
                        PackingPlace &Place) {
    // The condition of such a loop is evaluated at least once.
    if (auto While = dyn_cast<scf::WhileOp>(*Loop))
      return While.getBeforeBody() == Inner->getBlock();
    auto For = dyn_cast<scf::ForOp>(*Loop);
    auto Predicate = For && For.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                                 : arith::CmpIPredicate::slt;
    auto Lower = Loop.getLoopLowerBounds(), Upper = Loop.getLoopUpperBounds();
    if (!Lower || !Upper)
      return false;
    for (auto [From, To] : llvm::zip_equal(*Lower, *Upper))
      Place.Bounds.emplace_back(Predicate, From, To);
    return true;
  }

  static SmallVector<Value> arraysOf(RowLoop &R) {
    SmallVector<Value> Arrays{R.Positions, R.Coordinates};
    if (R.Weights)
      Arrays.push_back(R.Weights);
    return Arrays;
  }

  bool leavesAlone(Operation *Op, RowLoop &R) {
    return !Op->walk([&](Operation *Inner) {
                return mayWrite(Inner, R) ? WalkResult::interrupt()
                                          : WalkResult::advance();
              }).wasInterrupted();
  }

  /// True for all that an iteration does up to \p Last and in it.
  bool leavesAloneUpTo(Operation *Last, RowLoop &R) {
    return isUnwritten(R, &Last->getBlock()->front(), Last->getNextNode());
  }

  bool isUnwritten(RowLoop &R, Operation *From, Operation *To) {
    for (Operation *Op = From; Op && Op != To; Op = Op->getNextNode())
      if (isa<memref::DeallocOp>(Op) || !leavesAlone(Op, R))
        return false;
    return true;
  }

  bool mayWrite(Operation *Op, RowLoop &R) {
    if (isMemoryEffectFree(Op) ||
        (Op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
         !isa<MemoryEffectOpInterface>(Op)) ||
        isa<memref::AllocOp, PackOp, MarkOp>(Op))
      return false;
    return llvm::any_of(arraysOf(R), [&](Value Array) {
      return AA.getModRef(Op, Array).isMod();
    });
  }
};

/// Replaces the loop by a heddle.pull over the rows in \p Pack.
class RowRewriter {
  RowLoop R;
  PackOp Pack;
  OpBuilder B;
  Location Where;

public:
  RowRewriter(RowLoop &R, PackOp Pack)
      : R(R), Pack(Pack), B(R.Loop), Where(R.Loop.getLoc()) {}

  void run() {
    Value One = arith::ConstantIndexOp::create(B, Where, 1);
    Value Row = R.Row;
    Value Lo = memref::LoadOp::create(B, Where, Pack.getRows(), Row);
    Value Hi = memref::LoadOp::create(
        B, Where, Pack.getRows(),
        arith::AddIOp::create(B, Where, Row, One).getResult());
    SmallVector<Value> Captures = captures();
    auto Flags = arith::FastMathFlags::none;
    if (auto Float = dyn_cast<arith::ArithFastMathInterface>(R.Combine))
      Flags = Float.getFastMathFlagsAttr().getValue();
    Value Init = R.Loop.getInitArgs().front();
    auto Pull = PullOp::create(B, Where, Init.getType(), R.Kind, Flags,
                               Pack.getEdges(), Lo, Hi, Pack.getLaneWeights(),
                               /*frontier=*/{}, Init, Captures);
    fillBody(Pull, Captures);
    R.Loop.getResult(0).replaceAllUsesWith(Pull.getResult());
    R.Loop.erase();
  }

private:
  bool isOutside(Value V) { return R.Loop.isDefinedOutsideOfLoop(V); }

  /// Returns the values that the body needs from outside the loop.
  SmallVector<Value> captures() {
    SetVector<Value> Needed;
    for (Operation &Op : R.Loop.getBody()->getOperations())
      if (&Op != R.Combine && !isAtNonzero(Op))
        for (Value Operand : Op.getOperands())
          if (isOutside(Operand))
            Needed.insert(Operand);
    if (isOutside(R.Message))
      Needed.insert(R.Message);
    return Needed.takeVector();
  }

  bool isAtNonzero(Operation &Op) {
    auto Load = dyn_cast<memref::LoadOp>(Op);
    return Load && Load.getIndices().front() == R.Loop.getInductionVar();
  }

  void fillBody(PullOp Pull, ArrayRef<Value> Captures) {
    Block &Body = Pull.getBody().emplaceBlock();
    IRMapping Map;
    Value Neighbour =
        Body.addArgument(Pull.getEdges().getType().getElementType(), Where);
    Value Weight;
    if (Value Weights = Pack.getLaneWeights())
      Weight = Body.addArgument(
          cast<MemRefType>(Weights.getType()).getElementType(), Where);
    for (Value Capture : Captures)
      Map.map(Capture, Body.addArgument(Capture.getType(), Where));
    B.setInsertionPointToStart(&Body);
    for (Operation &Op : R.Loop.getBody()->without_terminator()) {
      auto Load = dyn_cast<memref::LoadOp>(Op);
      if (&Op == R.Combine || isSelect(Op))
        continue;
      if (!Load)
        B.clone(Op, Map);
      else if (!isAtNonzero(Op))
        Map.map(Load.getResult(),
                GatherOp::create(B, Where, Load.getType(),
                                 Map.lookup(Load.getMemRef()),
                                 indexOf(Load, Neighbour, Map), Value()));
      else if (Load.getMemRef() == R.Coordinates)
        Map.map(Load.getResult(), neighbourAs(Load.getType(), Neighbour));
      else
        Map.map(Load.getResult(), Weight);
    }
    YieldOp::create(B, Where, Map.lookup(R.Message),
                    R.Condition ? Map.lookup(R.Condition) : Value());
  }

  /// Shorter indices are gathered faster. A neighbour is never negative.
  Value indexOf(memref::LoadOp Gather, Value Neighbour, const IRMapping &Map) {
    Value Index = Gather.getIndices().front();
    auto Load = stripCasts(Index).getDefiningOp<memref::LoadOp>();
    return Load && isAtNonzero(*Load) && Load.getMemRef() == R.Coordinates
               ? Neighbour
               : Map.lookup(Index);
  }

  /// True if \p Op chooses between the combined value and the previous one.
  bool isSelect(Operation &Op) {
    return R.Condition && isa<arith::SelectOp>(Op) &&
           Op.getOperand(1).getDefiningOp() == R.Combine;
  }

  Value neighbourAs(Type Wanted, Value Neighbour) {
    unsigned Bits = Neighbour.getType().getIntOrFloatBitWidth();
    if (isa<IndexType>(Wanted))
      return arith::IndexCastUIOp::create(B, Where, Wanted, Neighbour);
    if (Wanted.getIntOrFloatBitWidth() > Bits)
      return arith::ExtUIOp::create(B, Where, Wanted, Neighbour);
    if (Wanted.getIntOrFloatBitWidth() < Bits)
      return arith::TruncIOp::create(B, Where, Wanted, Neighbour);
    return Neighbour;
  }
};

struct PullRows : heddle::impl::PullRowsPassBase<PullRows> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *Context) override {
    if (isEdgeVector(laneBits, lanes))
      return success();
    return emitError(UnknownLoc::get(Context),
                     "heddle-pull-rows: edge vectors have 4 or 8 lanes of 64 "
                     "bits, or 8 or 16 of 32, not ")
           << unsigned(lanes) << " of " << unsigned(laneBits);
  }

  void stays(scf::ForOp Loop, const Refusal &Why) {
    sayLeft(*this, Loop, "loop over a row not vectorized: ", Why);
  }

  void runOnOperation() override {
    Packing Packed(getAnalysis<AliasAnalysis>(), laneBits, lanes);
    SmallVector<RowLoop> Rows;
    getOperation()->walk([&](scf::ForOp Loop) {
      RowMatcher Matcher(Loop);
      if (std::optional<RowLoop> R = Matcher.run())
        Rows.push_back(*R);
      else if (Matcher.why())
        stays(Loop, *Matcher.why());
    });
    for (RowLoop &R : Rows)
      if (PackOp Pack = Packed.of(R)) {
        sayDone(*this, R.Loop,
                "loop over a row vectorized: edge vectors of " +
                    Twine(unsigned(lanes)) + " lanes");
        RowRewriter(R, Pack).run();
      } else {
        stays(R.Loop, Packed.why());
      }
  }
};

} // namespace
