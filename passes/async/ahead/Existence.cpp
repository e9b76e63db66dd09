//===- Existence.cpp - Memory that comes and goes -------------------------===//

#include "async/ahead/Existence.h"
#include "ir/Instructions.h"
#include "loop/Worksharing.h"
#include "mark/MarkProtocol.h"
#include "mark/Marks.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
using namespace heddle;

/// True for functions of the libraries, no templates, that no program defines:
/// they change no address but by the allocator, wait for nothing, and throw for
/// lack of memory only.
static bool isQuietByName(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"malloc", "calloc", "realloc", "free", "aligned_alloc"}, true)
      // What hash tables ask for when they grow.
      .Cases({"_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
              "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm"},
             true)
      .Cases(
          {"_ZSt17__throw_bad_allocv", "_ZSt28__throw_bad_array_new_lengthv"},
          true)
      // By exceptions of other functions.
      .Cases({"__cxa_begin_catch", "__cxa_end_catch"}, true)
      .Default(false);
}

/// True if \p Call throws again what its function has caught.
static bool isOfHandler(const CallBase &Call) {
  return calleeName(Call) == "__cxa_rethrow" &&
         any_of(instructions(*Call.getFunction()), [](const Instruction &I) {
           return calleeName(I) == "__cxa_begin_catch";
         });
}

/// True if \p Call ends the program because a vector that grows by one element
/// has as many as there can be.
static bool isOfFullVector(const CallBase &Call) {
  StringRef Says;
  return calleeName(Call) == "_ZSt20__throw_length_errorPKc" &&
         getConstantStringInfo(Call.getArgOperand(0), Says) &&
         Says.starts_with("vector::_M_realloc");
}

namespace {

class Existence {
  /// Where the order is free, an iteration may begin at any time, whatever
  /// others wait for.
  const bool IsOrderFree;
  SmallPtrSet<const Function *, 8> Seen;

public:
  explicit Existence(bool IsOrderFree) : IsOrderFree(IsOrderFree) {}

  bool mayBeChangedBy(const Instruction &I) {
    // A handler of signals, or another thread, may wait for it, or it for them.
    if (I.isVolatile() || isa<FenceInst>(I))
      return true;
    if (auto *Call = dyn_cast<CallBase>(&I))
      return mayBeChangedBy(*Call);
    return I.isAtomic() && !IsOrderFree && !isCounter(I);
  }

private:
  /// True if \p I updates memory whatever other threads do, and nothing waits
  /// for the result.
  static bool isCounter(const Instruction &I) {
    auto *Update = dyn_cast<AtomicRMWInst>(&I);
    return Update && !isStrongerThanMonotonic(Update->getOrdering()) &&
           Update->use_empty();
  }

  bool mayBeChangedBy(const CallBase &Call) {
    if (auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
      return !Asm->getAsmString().empty() || Call.mayReadOrWriteMemory();
    // By an exception where the compiler allows none.
    if (calleeName(Call) == "__clang_call_terminate")
      return false;
    if (const Function *Callee = definedCallee(Call))
      return Seen.insert(Callee).second &&
             any_of(instructions(*Callee), [&](const Instruction &Inner) {
               return mayBeChangedBy(Inner);
             });
    const Function *Callee = calleeOf(Call);
    const bool IsDeclared = Callee && Callee->isDeclaration();
    return calleeName(Call) != AsyncMarkerName && !isNewOrDelete(Call) &&
           !(IsDeclared && isQuietByName(calleeName(Call))) &&
           !isOfHandler(Call) && !isOfFullVector(Call) &&
           (Call.doesNotReturn() || hasOtherEffects(Call));
  }

  /// True if \p Call may write to more than what it is handed.
  static bool hasOtherEffects(const CallBase &Call) {
    if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
      if (Intrinsic->isAssumeLikeIntrinsic() ||
          isa<InstrProfInstBase>(Intrinsic) ||
          Intrinsic->getIntrinsicID() == Intrinsic::prefetch)
        return false;
    return !Call.willReturn() || !Call.getMemoryEffects()
                                      .getWithoutLoc(IRMemLocation::ArgMem)
                                      .getWithoutLoc(IRMemLocation::ErrnoMem)
                                      .onlyReadsMemory();
  }
};

} // namespace

bool heddle::mayChangeWhatExists(const LoopContext &C, const LoopShape &Shape) {
  Existence Memory(isWorksharing(C.L, C.DT));
  auto MayChange = [&](const Instruction &I) {
    return Memory.mayBeChangedBy(I);
  };
  return any_of(instructionsIn(C.L.blocks()), MayChange) ||
         any_of(instructionsIn(Shape.Ends), MayChange);
}
