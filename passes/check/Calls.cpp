//===- Calls.cpp - Calls of functions that do not record ------------------===//

#include "check/Calls.h"
#include "check/Hooks.h"
#include "check/check.h"
#include "check/library/LibraryCalls.h"
#include "ir/Instructions.h"
#include "loop/LoopShape.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace heddle;
using enum CallEffect;

namespace {

/// Where code that comes after \p Call is put.
Instruction *behind(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (!Invoke)
    return Call.getNextNode();
  BasicBlock *Next = Invoke->getNormalDest();
  if (!Next->getSinglePredecessor())
    Next = SplitEdge(Invoke->getParent(), Next);
  return &*Next->getFirstInsertionPt();
}

Value *number64(Value *V, Instruction *Before) {
  IRBuilder<> Builder(Before);
  return Builder.CreateZExtOrTrunc(V, Builder.getInt64Ty());
}

Value *placeless(Module &M) {
  return ConstantPointerNull::get(PointerType::get(M.getContext(), 0));
}

/// Records what one call does.
class CallRecorder {
  CallBase &Call;
  Hooks &H;
  const SiteFacts Facts;

public:
  CallRecorder(CallBase &Call, Hooks &H, bool IsDirect)
      : Call(Call), H(H),
        Facts{.Flags = IsDirect ? unsigned(HEDDLE_CHECK_DIRECT) : 0} {}

  void run() {
    if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&Call))
      return recordCopy(*Copy);
    if (isa<IntrinsicInst>(Call))
      return recordLifetime();
    const Function *Callee = Call.getCalledFunction();
    // Bodies that are there for the optimizer only, such as that of atoi, do
    // not record.
    if (!Callee || !Callee->isDeclarationForLinker() || isa<CallBrInst>(Call))
      return;
    StringRef Name = Callee->getName();
    if (Name == "__cxa_guard_acquire")
      H.call("heddle_check_pause", {&Call}, behind(Call));
    else if (Name == "__cxa_guard_release" || Name == "__cxa_guard_abort")
      H.call("heddle_check_resume", {}, behind(Call));
    else if (const LibraryCall *Known = findLibraryCall(Name)) {
      // Another function may have the name.
      if (all_of(Known->Effects,
                 [&](const KnownEffect &Effect) { return fits(Effect); }))
        for (const KnownEffect &Effect : Known->Effects)
          record(Effect);
    } else
      recordNamedLock(Name);
  }

private:
  /// True if the call has the arguments and the result that \p Effect needs.
  bool fits(const KnownEffect &Effect) const {
    auto IsThere = [&](unsigned At, bool IsPointer) {
      if (At == Nothing)
        return true;
      if (At >= Call.arg_size())
        return false;
      const Type *T = argument(At)->getType();
      return IsPointer ? T->isPointerTy() : T->isIntegerTy();
    };
    switch (Effect.Kind) {
    case WriteResult:
      if (!Call.getType()->isIntegerTy(64) || !IsThere(Effect.At, true))
        return false;
      break;
    case ReturnsNew:
    case ReturnsText:
    case ReturnsOwn:
      if (!Call.getType()->isPointerTy())
        return false;
      break;
    case None:
    case ChangesState:
    case Once:
    case Leaves:
      break;
    default:
      if (!IsThere(Effect.At, /*IsPointer=*/true))
        return false;
    }
    return IsThere(Effect.Count, false) && IsThere(Effect.Times, false) &&
           IsThere(Effect.Begins, true);
  }

  Constant *site(Value *Address) {
    PlaceName Place = namePlace(Address, 1, Call.getDataLayout());
    return H.site(Call, Place, Facts);
  }

  void recordCopy(AnyMemIntrinsic &Copy) {
    Value *Bytes = number64(Copy.getLength(), &Call);
    auto *Transfer = dyn_cast<AnyMemTransferInst>(&Copy);
    Value *From = Transfer ? Transfer->getRawSource() : nullptr;
    Value *To = Copy.getRawDest();
    const bool ToVariable = isa<AllocaInst>(getUnderlyingObject(To));
    const bool FromVariable =
        From && isa<AllocaInst>(getUnderlyingObject(From));
    if (From && ToVariable && !FromVariable) {
      H.call("heddle_check_copy_in", {site(From), To, From, Bytes}, &Call);
      return;
    }
    if (FromVariable && !ToVariable) {
      H.call("heddle_check_copy_out", {site(To), To, From, Bytes}, &Call);
      return;
    }
    if (Transfer)
      H.call("heddle_check_read_range", {site(From), From, Bytes}, &Call);
    H.call("heddle_check_write_range",
           {site(To), To, Bytes, From ? From : placeless(*Call.getModule())},
           &Call);
  }

  /// A variable of the iteration is new where its life begins.
  void recordLifetime() {
    if (!Call.isLifetimeStartOrEnd() ||
        cast<IntrinsicInst>(Call).getIntrinsicID() != Intrinsic::lifetime_start)
      return;
    auto *Variable =
        dyn_cast<AllocaInst>(Call.getArgOperand(Call.arg_size() - 1));
    std::optional<TypeSize> Size =
        Variable ? Variable->getAllocationSize(Call.getDataLayout())
                 : std::nullopt;
    if (Size && !Size->isScalable())
      H.call("heddle_check_fresh",
             {Variable, ConstantInt::get(Type::getInt64Ty(Call.getContext()),
                                         Size->getFixedValue())},
             Call.getNextNode());
  }

  void record(const KnownEffect &Effect) {
    switch (Effect.Kind) {
    case None:
      return;
    case ReadBytes:
      return recordRange("heddle_check_read_range", Effect);
    case WriteBytes:
      return recordRange("heddle_check_write_range", Effect);
    case WriteResult:
      return recordResult(Effect);
    case ReadString:
      H.call("heddle_check_read_string",
             {site(argument(Effect.At)), argument(Effect.At)}, &Call);
      return;
    case ReadPrefix:
      H.call("heddle_check_read_prefix",
             {site(argument(Effect.At)), argument(Effect.At),
              number64(argument(Effect.Count), &Call)},
             &Call);
      return;
    case ReadTexts:
      return recordTexts(Effect.At);
    case ReadNumber:
      H.call("heddle_check_read_number",
             {site(argument(Effect.At)), argument(Effect.At)}, &Call);
      return;
    case WriteString:
      H.call("heddle_check_write_string",
             {site(argument(Effect.At)), argument(Effect.At)}, behind(Call));
      return;
    case ReturnsNew:
      return recordNew(Effect);
    case ReturnsText:
      H.call("heddle_check_fresh_object", {&Call}, behind(Call));
      return;
    case ReturnsOwn:
      H.call("heddle_check_write_string", {site(&Call), &Call}, behind(Call));
      return;
    case Changes:
      return recordChange(argument(Effect.At), site(argument(Effect.At)),
                          Effect);
    case ChangesState:
      return recordChange(Call.getCalledOperand(), siteOfState(), Effect);
    case Once:
      H.call("heddle_check_pause",
             {ConstantInt::get(Type::getInt32Ty(Call.getContext()), 1)}, &Call);
      H.call("heddle_check_resume", {}, behind(Call));
      return;
    case Leaves:
      // What has been done until now is recorded now.
      H.call("heddle_check_pause",
             {ConstantInt::get(Type::getInt32Ty(Call.getContext()), 0)}, &Call);
      return;
    }
  }

  Value *argument(unsigned At) const { return Call.getArgOperand(At); }

  void recordRange(StringRef Hook, const KnownEffect &Effect) {
    Value *Address = argument(Effect.At);
    SmallVector<Value *> Arguments{site(Address), Address,
                                   rangeBytes(Effect, &Call)};
    if (Hook == "heddle_check_write_range")
      Arguments.push_back(placeless(*Call.getModule()));
    H.call(Hook, Arguments, &Call);
  }

  Value *rangeBytes(const KnownEffect &Effect, Instruction *Before) {
    IRBuilder<> Builder(Before);
    Value *Bytes = Effect.Times == Nothing
                       ? Builder.getInt64(Effect.Bytes)
                       : number64(argument(Effect.Times), Before);
    if (Effect.Count == Nothing)
      return Bytes;
    return Builder.CreateMul(number64(argument(Effect.Count), Before), Bytes);
  }

  Constant *siteOfState() {
    PlaceName Place;
    Place.Text = Place.Variable = calleeName(Call).str();
    return H.site(Call, Place, Facts);
  }

  /// What the call has written, by the number that it returns.
  void recordResult(const KnownEffect &Effect) {
    Instruction *After = behind(Call);
    IRBuilder<> Builder(After);
    Value *Zero = Builder.getInt64(0);
    Value *Returned = number64(&Call, After);
    Value *Written = Builder.CreateSelect(Builder.CreateICmpSGT(Returned, Zero),
                                          Returned, Zero);
    Value *Address = argument(Effect.At);
    H.call("heddle_check_write_range",
           {site(Address), Address,
            Builder.CreateMul(Written, rangeBytes(Effect, After)),
            placeless(*Call.getModule())},
           After);
  }

  void recordChange(Value *Object, Constant *Site, const KnownEffect &Effect) {
    Value *Bytes = rangeBytes(Effect, &Call);
    if (Effect.Begins == Nothing ||
        isa<ConstantPointerNull>(argument(Effect.Begins)))
      H.call("heddle_check_read_range", {Site, Object, Bytes}, &Call);
    H.call("heddle_check_write_range",
           {Site, Object, Bytes, placeless(*Call.getModule())}, &Call);
  }

  /// Records the strings that the format, argument \p At, takes by `%s`, as far
  /// as it is a constant.
  void recordTexts(unsigned At) {
    StringRef Format;
    if (!getConstantStringInfo(argument(At), Format))
      return;
    unsigned Next = At + 1;
    for (const FormatPiece &Piece : piecesOf(Format)) {
      Next += Piece.Stars;
      if (Next >= Call.arg_size())
        return;
      Value *Text = argument(Next++);
      if (!Piece.IsText || !Text->getType()->isPointerTy())
        continue;
      if (!Piece.Limit)
        H.call("heddle_check_read_string", {site(Text), Text}, &Call);
      else if (*Piece.Limit)
        H.call("heddle_check_read_prefix",
               {site(Text), Text,
                ConstantInt::get(Type::getInt64Ty(Call.getContext()),
                                 *Piece.Limit)},
               &Call);
    }
  }

  void recordNew(const KnownEffect &Effect) {
    Instruction *After = behind(Call);
    H.call("heddle_check_fresh", {&Call, rangeBytes(Effect, After)}, After);
  }

  /// Locks of the system and of OpenMP.
  void recordNamedLock(StringRef Name) {
    const LockEffect Effect = lockEffect(Call);
    if (Effect == LockEffect::None || Name.starts_with("__cxa_") ||
        Name.contains("kmpc_reduce") || Name.contains("kmpc_end_reduce"))
      return;
    Value *Lock = nullptr;
    for (Value *Argument : Call.args())
      if (Argument->getType()->isPointerTy())
        Lock = Argument;
    // The name of a critical section is the last pointer, a lock the first.
    if (Lock && !Name.contains("critical") &&
        argument(0)->getType()->isPointerTy())
      Lock = argument(0);
    if (!Lock)
      return;
    if (Effect == LockEffect::Release)
      H.call("heddle_check_release", {Lock}, &Call);
    else
      H.call("heddle_check_acquire",
             {Lock, ConstantInt::get(Type::getInt32Ty(Call.getContext()), 1)},
             behind(Call));
  }
};

} // namespace

void heddle::recordCall(CallBase &Call, Hooks &H, bool IsDirect) {
  CallRecorder(Call, H, IsDirect).run();
}

void heddle::recordLock(Instruction &I, Hooks &H) {
  Type *I32 = Type::getInt32Ty(I.getContext());
  auto Acquire = [&](Value *Lock, Value *Success) {
    H.call("heddle_check_acquire", {Lock, Success}, I.getNextNode());
  };
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    if (!isAcquireOrStronger(Exchange->getSuccessOrdering()))
      return;
    IRBuilder<> Builder(I.getNextNode());
    Builder.SetCurrentDebugLocation(I.getDebugLoc());
    Value *Success = Builder.CreateExtractValue(Exchange, 1);
    Value *AsNumber = Builder.CreateZExt(Success, I32);
    H.call("heddle_check_acquire", {Exchange->getPointerOperand(), AsNumber},
           cast<Instruction>(AsNumber)->getNextNode());
  } else if (auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
    const bool Takes = Update->getOperation() == AtomicRMWInst::Xchg ||
                       Update->getOperation() == AtomicRMWInst::Or;
    const bool Gives = isReleaseOrStronger(Update->getOrdering());
    // An exchange in the strongest order may do either: 2.
    if (Takes && isAcquireOrStronger(Update->getOrdering()))
      Acquire(Update->getPointerOperand(),
              ConstantInt::get(I32, Gives ? 2 : 1));
    else if (Gives)
      H.call("heddle_check_release", {Update->getPointerOperand()}, &I);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    if (isReleaseOrStronger(Store->getOrdering()))
      H.call("heddle_check_release", {Store->getPointerOperand()}, &I);
  }
}
