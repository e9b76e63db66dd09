//===- OrderedEnds.cpp - Ends of the program that come in order -----------===//

#include "async/order/OrderedEnds.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/CalleeUses.h"
#include "async/analysis/FrameValues.h"
#include "ir/Instructions.h"
#include "loop/Worksharing.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;
using namespace heddle;

/// True for functions that end the program, or lead to its end by an exception,
/// and read nothing of the program but a message.
static bool isSilentEnd(const CallBase &Call) {
  const StringRef Name = calleeName(Call);
  return Name == "abort" || Name.starts_with("__assert") ||
         Name == "_ZSt9terminatev" || Name == "__clang_call_terminate" ||
         Name.starts_with("__cxa_") || Name.contains("__throw_") ||
         Name.contains("__glibcxx_assert_fail");
}

/// True for functions of the libraries that put out what they are handed.
static bool isOutput(const CallBase &Call) {
  StringRef Name = calleeName(Call);
  if (Name.starts_with("_ZNSo") || Name.starts_with("_ZSt16__ostream_insert") ||
      Name.starts_with("_ZStls"))
    return true;
  Name.consume_front("__");
  Name.consume_back("_chk");
  return is_contained({"printf", "fprintf", "puts", "fputs", "putchar", "fputc",
                       "putc", "fwrite", "perror", "fflush"},
                      Name);
}

namespace {

class OrderedEnds {
  const LoopFacts &Facts;
  const Loop &L;
  const FrameValues Frames;
  BatchAAResults AA;
  CalleeUses Callees;
  SmallVectorImpl<OrderedUse> &Uses;

public:
  OrderedEnds(const LoopContext &C, const LoopFacts &Facts,
              SmallVectorImpl<OrderedUse> &Uses)
      : Facts(Facts), L(C.L), Frames(C), AA(C.AA), Uses(Uses) {
    // What one iteration has written, the end of another one reads.
    AA.enableCrossIterationMode();
  }

  void add() {
    addWhatIsRead();
    SmallVector<Instruction *> Writes;
    for (const OrderedUse &Use : Uses)
      if (Use.By == Use.At && Use.At->mayWriteToMemory())
        Writes.push_back(Use.At);
    if (Writes.empty())
      return;
    for (BasicBlock *From : L.blocks())
      for (BasicBlock *To : successors(From))
        if (Facts.Shape.Ends.contains(To) && tells(*To, Writes))
          addWay(*From, *To);
  }

private:
  /// Adds the plain accesses in iterations to objects that are read on a way to
  /// an end.
  void addWhatIsRead() {
    SmallVector<const Value *> Read, Written;
    SmallVector<UsedObject> Told;
    for (const Instruction &I : instructionsIn(Facts.Shape.Ends))
      if (auto *Load = dyn_cast<LoadInst>(&I))
        Read.push_back(Load->getPointerOperand());
      else if (auto *Call = dyn_cast<CallBase>(&I))
        append_range(Told, objectsReadBy(*Call));
    if (Read.empty() && Told.empty())
      return;
    for (const Instruction &I : instructionsIn(L.blocks()))
      if (auto *Store = dyn_cast<StoreInst>(&I))
        Written.push_back(Store->getPointerOperand());
    for (Instruction &I : instructionsIn(L.blocks())) {
      Value *Address = accessedAddress(I);
      auto IsSame = [&](const Value *Other) {
        return mayBeOne(*Address, *Other);
      };
      if (Address && !I.isAtomic() && !isLocal(Address, Facts.Locals, Frames) &&
          (any_of(Read, IsSame) || haveCommon(objectsOf(*Address), Told)) &&
          any_of(Written, IsSame))
        Uses.push_back({&I, &I});
    }
  }

  /// What \p Call , on a way to an end, reads, as far as it is known.
  SmallVector<UsedObject> objectsReadBy(const CallBase &Call) {
    SmallVector<UsedObject> Objects;
    if (isOutput(Call)) {
      for (const Value *Argument : Call.args())
        if (Argument->getType()->isPointerTy())
          append_range(Objects, objectsOf(*Argument));
    } else if (definedCallee(Call) && !isSilentEnd(Call)) {
      for (CalleeUse &Use : Callees.of(Call, L, Frames))
        if (Use.Reads)
          Objects.push_back(std::move(Use.Object));
    }
    return Objects;
  }

  /// True if the two are addresses in one object, found in the same way.
  bool mayBeOne(const Value &A, const Value &B) {
    auto Place = [](const Value &Address) {
      return MemoryLocation(&Address, LocationSize::precise(1));
    };
    return haveCommon(objectsOf(A), objectsOf(B)) &&
           !AA.isNoAlias(Place(A), Place(B));
  }

  /// The objects that \p Address may point into.
  static SmallVector<UsedObject> objectsOf(const Value &Address) {
    SmallVector<const Value *, 4> Of;
    getUnderlyingObjects(&Address, Of);
    SmallVector<UsedObject> Objects;
    for (const Value *Object : Of)
      Objects.push_back(usedObject(Object));
    return Objects;
  }

  bool haveCommon(ArrayRef<UsedObject> Some,
                  ArrayRef<UsedObject> Others) const {
    return any_of(Some, [&](const UsedObject &One) {
      return any_of(Others, [&](const UsedObject &Other) {
        return One.isSame(Other, Frames);
      });
    });
  }

  /// True if the program may read what some of \p Writes write on its way from
  /// \p To to its end.
  bool tells(BasicBlock &To, ArrayRef<Instruction *> Writes) {
    ProgramEnds::Blocks Way;
    Way.insert(&To);
    for (unsigned N = 0; N < Way.size(); ++N) {
      for (const Instruction &I : *Way[N])
        if (I.mayReadFromMemory() && any_of(Writes, [&](Instruction *Write) {
              return mayRead(I, *Write);
            }))
          return true;
      for (BasicBlock *Next : successors(Way[N]))
        if (Facts.Shape.Ends.contains(Next))
          Way.insert(Next);
    }
    return false;
  }

  /// True if \p I , on a way to an end, may read what \p Write writes.
  bool mayRead(const Instruction &I, Instruction &Write) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (Call && isSilentEnd(*Call))
      return false;
    const std::optional<MemoryLocation> Written = locationOf(Write),
                                        Read = locationOf(I);
    if (Call && isOutput(*Call))
      return Written &&
             haveCommon(objectsReadBy(*Call), objectsOf(*Written->Ptr));
    if (Written)
      return isRefSet(AA.getModRefInfo(&I, *Written));
    return !Read || isModSet(AA.getModRefInfo(&Write, *Read));
  }

  static std::optional<MemoryLocation> locationOf(const Instruction &I) {
    std::optional<MemoryLocation> Place = MemoryLocation::getOrNone(&I);
    // These speak of one iteration.
    if (Place)
      Place->AATags.Scope = Place->AATags.NoAlias = nullptr;
    return Place;
  }

  void addWay(BasicBlock &From, BasicBlock &To) {
    Instruction *At = From.getTerminator();
    const bool IsOnlyWay =
        all_of(predecessors(&To),
               [&](const BasicBlock *Before) { return L.contains(Before); });
    Uses.push_back({IsOnlyWay ? &To.front() : At, At});
  }
};

} // namespace

void heddle::addOrderedEnds(const LoopContext &C, const LoopFacts &Facts,
                            SmallVectorImpl<OrderedUse> &Uses) {
  // There, iterations come in any order.
  if (!Facts.Shape.Ends.empty() && !isWorksharing(C.L, C.DT))
    OrderedEnds(C, Facts, Uses).add();
}
