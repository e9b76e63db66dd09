//===- QuickPaths.cpp - Records that need no call -------------------------===//

#include "check/quick/QuickPaths.h"
#include "check/quick/GroupPath.h"
#include "check/quick/PathBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace heddle;

namespace {

/// Builds one that begins an iteration.
class IterationBuilder : PathBuilder {
public:
  IterationBuilder(Function &F, GlobalVariable &Quick)
      : PathBuilder(F, Quick) {}

  void build(FunctionCallee Hook) {
    Value *Cells = loadCells();
    require(B.CreateICmpEQ(Cells, F.getArg(1)), Slow);
    const uint64_t Place = offsetof(heddle_cells, iteration);
    Value *Next = B.CreateAdd(load(I32, Cells, Place), B.getInt32(1));
    require(
        B.CreateICmpNE(Next, load(I32, Cells, offsetof(heddle_cells, stop))),
        Slow);
    store(Next, Cells, Place);
    store(B.getInt32(0), Cells, offsetof(heddle_cells, call));
    B.CreateBr(Done);
    finish(Hook);
  }
};

/// Builds one that notes a call.
class CallBuilder : PathBuilder {
public:
  CallBuilder(Function &F, GlobalVariable &Quick) : PathBuilder(F, Quick) {}

  void build(FunctionCallee Hook) {
    Value *Cells = loadCells();
    require(B.CreateIsNotNull(Cells), Slow);
    Value *Number =
        load(I64, F.getArg(0), offsetof(heddle_check_site, instance));
    require(isNotable(Number), Slow);
    store(B.CreateTrunc(Number, I32), Cells, offsetof(heddle_cells, call));
    B.CreateBr(Done);
    finish(Hook);
  }
};

/// Builds one that records an access, as heddle_note_at_once() does.
class AccessBuilder : PathBuilder {
  const QuickAccess &A;
  Value *Cells, *Address, *Notes, *Note;
  Value *Iteration, *Noted; ///< The current one, the note's.
  Value *What;              ///< The note's text without the site.
  Value *IsOwn;

public:
  AccessBuilder(Function &F, GlobalVariable &Quick, const QuickAccess &A)
      : PathBuilder(F, Quick), A(A) {}

  void build(FunctionCallee Hook) {
    Address = B.CreatePtrToInt(F.getArg(1), I64);
    findNote();
    if (A.Operation == HEDDLE_CHECK_SET)
      require(B.CreateICmpEQ(F.getArg(3), B.getInt64(1)), Slow);
    Iteration = load(I32, Cells, offsetof(heddle_cells, iteration));
    Noted = load(I32, Note, offsetof(heddle_note, iteration));
    BasicBlock *Empty = newBlock("empty"), *Again = newBlock("again");
    B.CreateCondBr(
        B.CreateICmpULT(Noted, load(I32, Cells, offsetof(heddle_cells, first))),
        Empty, Again);
    B.SetInsertPoint(Again);
    What = B.CreateAnd(load(I32, Note, offsetof(heddle_note, text)),
                       B.getInt32(~uint32_t(HEDDLE_NOTED_SITES - 1)));
    IsOwn = B.CreateICmpEQ(Noted, Iteration);
    switch (A.Kind) {
    case QuickKind::Read:
      readAgain();
      break;
    case QuickKind::Write:
      writeAgain();
      break;
    case QuickKind::Update:
      updateAgain();
      break;
    }
    B.SetInsertPoint(Empty);
    takeNote();
    finish(Hook);
  }

private:
  /// The note of the place, whose block must be known.
  void findNote() {
    Cells = loadCells();
    require(B.CreateIsNotNull(Cells), Slow);
    log(Cells, Address, F.getArg(2), [&] { return loggedAs(); });
    Notes = findNotes(Cells, Address);
    Note = element(firstNote(Notes),
                   B.CreateLShr(B.CreateAnd(Address, HEDDLE_BLOCK - 1),
                                B.CreateAnd(Notes, HEDDLE_BLOCK_SCALE)),
                   sizeof(heddle_note));
  }

  /// `what` and `value` of an entry of the log.
  std::pair<Value *, Value *> loggedAs() {
    Value *Site = F.getArg(0);
    switch (A.Kind) {
    case QuickKind::Read:
      return {fieldOf(Site, HEDDLE_LOGGED_READ), nullptr};
    case QuickKind::Write: {
      Value *IsSilent = B.CreateZExt(B.CreateIsNotNull(F.getArg(3)), I64);
      return {element(fieldOf(Site, HEDDLE_LOGGED_WRITE), IsSilent, 1),
              nullptr};
    }
    case QuickKind::Update:
      return {fieldOf(Site, HEDDLE_LOGGED_UPDATE), F.getArg(3)};
    }
    llvm_unreachable("all kinds of accesses");
  }

  /// The text, but for the site, of a note on the place.
  Value *textWith(uint32_t Flags) {
    Value *Offset =
        B.CreateAnd(B.CreateTrunc(Address, I32), HEDDLE_GRANULE - 1);
    return B.CreateOr(B.CreateShl(Offset, HEDDLE_NOTE_SITE_BITS + 3),
                      heddle_what(0, A.Bytes, 0) | Flags);
  }

  /// Of values to be set, only 1 is quick.
  unsigned noted() const {
    return A.Operation == HEDDLE_CHECK_SET ? HEDDLE_NOTED_SET : A.Operation;
  }

  /// The site's number, which must be known, and one that notes have room for.
  Value *siteNumber() {
    Value *Number =
        load(I64, F.getArg(0), offsetof(heddle_check_site, instance));
    require(isNotable(Number), Slow);
    return B.CreateTrunc(Number, I32);
  }

  /// Lets the note say \p Text of the site's access.
  void setNote(Value *Text) {
    Text = B.CreateOr(Text, siteNumber());
    store(Iteration, Note, offsetof(heddle_note, iteration));
    store(Text, Note, offsetof(heddle_note, text));
    B.CreateBr(Done);
  }

  /// HEDDLE_NOTE_CHANGED if the access changes the value.
  Value *changed() {
    if (A.Kind == QuickKind::Write)
      return B.CreateShl(B.CreateZExt(B.CreateIsNull(F.getArg(3)), I32),
                         Log2_32(HEDDLE_NOTE_CHANGED));
    return B.getInt32(
        A.Kind == QuickKind::Update && !A.Decides ? HEDDLE_NOTE_CHANGED : 0);
  }

  Value *newText() {
    const uint32_t Writes =
        A.Kind == QuickKind::Read
            ? 0
            : HEDDLE_NOTE_WRITES | heddle_what(0, 1, noted());
    return B.CreateOr(textWith(Writes), changed());
  }

  /// An empty note is taken, if the others that the place needs are empty, too.
  void takeNote() {
    BasicBlock *Other = newBlock("other");
    require(B.CreateIsNull(B.CreateAnd(Address, A.Bytes - 1)), Slow);
    Value *Scale = B.CreateAnd(Notes, HEDDLE_BLOCK_SCALE | HEDDLE_BLOCK_MIXED);
    require(B.CreateICmpEQ(Scale, B.getInt64(Log2_64(A.Bytes))), Other);
    setNote(newText());
    B.SetInsertPoint(Other);
    require(B.CreateICmpULT(Scale, B.getInt64(Log2_64(A.Bytes))), Slow);
    takeNotes(B.CreateLShr(B.getInt64(A.Bytes), Scale));
  }

  /// The same for a place that needs \p Count notes, two or more.
  void takeNotes(Value *Count) {
    Value *Text = B.CreateOr(newText(), siteNumber());
    Value *First = load(I32, Cells, offsetof(heddle_cells, first));
    BasicBlock *Before = B.GetInsertBlock();
    BasicBlock *Look = newBlock("look");
    B.CreateBr(Look);
    B.SetInsertPoint(Look);
    PHINode *At = B.CreatePHI(I64, 2);
    At->addIncoming(B.getInt64(1), Before);
    Value *Other = element(Note, At, sizeof(heddle_note));
    require(B.CreateICmpULT(load(I32, Other, offsetof(heddle_note, iteration)),
                            First),
            Slow);
    Value *Next = B.CreateAdd(At, B.getInt64(1));
    At->addIncoming(Next, B.GetInsertBlock());
    BasicBlock *Set = newBlock("set");
    B.CreateCondBr(B.CreateICmpULT(Next, Count), Look, Set);
    Before = B.GetInsertBlock();
    B.SetInsertPoint(Set);
    PHINode *To = B.CreatePHI(I64, 2);
    To->addIncoming(B.getInt64(0), Before);
    Value *Taken = element(Note, To, sizeof(heddle_note));
    store(Iteration, Taken, offsetof(heddle_note, iteration));
    store(Text, Taken, offsetof(heddle_note, text));
    Value *After = B.CreateAdd(To, B.getInt64(1));
    To->addIncoming(After, Set);
    B.CreateCondBr(B.CreateICmpULT(After, Count), Set, Done);
  }

  /// What the note says, as if the value had changed.
  Value *changedWhat() { return B.CreateOr(What, HEDDLE_NOTE_CHANGED); }

  Value *writtenText() {
    return textWith(HEDDLE_NOTE_WRITES | HEDDLE_NOTE_CHANGED);
  }

  static uint32_t afterRead() {
    return heddle_what(0, 1, HEDDLE_NOTED_AFTER_READ);
  }

  /// True if the note says that the place was written, but by no operation.
  Value *isWritten() {
    return B.CreateOr(
        B.CreateICmpEQ(changedWhat(), writtenText()),
        B.CreateICmpEQ(changedWhat(), B.CreateOr(writtenText(), afterRead())));
  }

  Value *isRead() { return B.CreateICmpEQ(What, textWith(0)); }

  void readAgain() {
    BasicBlock *Other = newBlock("other");
    B.CreateCondBr(isRead(), Done, Other, Likely);
    B.SetInsertPoint(Other);
    if (!A.IsHidden)
      require(B.CreateAnd(IsOwn, isWritten()), Slow);
    B.CreateBr(A.IsHidden ? Slow : Done);
  }

  void writeAgain() {
    BasicBlock *OfOther = newBlock("of.other");
    Value *IsRead = isRead();
    require(IsOwn, OfOther);
    require(B.CreateOr(IsRead, isWritten()), Slow);
    Value *Now = B.CreateSelect(
        IsRead, B.getInt32(HEDDLE_NOTE_WRITES | afterRead()), B.getInt32(0));
    setNote(B.CreateOr(B.CreateOr(What, Now), changed()));
    // A silent write does not matter beside what others have read.
    B.SetInsertPoint(OfOther);
    require(B.CreateIsNotNull(F.getArg(3)), Slow);
    require(B.CreateNot(IsRead), Done);
    require(B.CreateICmpEQ(changedWhat(), writtenText()), Slow);
    setNote(What);
  }

  void updateAgain() {
    BasicBlock *Own = newBlock("own");
    Value *Said = textWith(HEDDLE_NOTE_WRITES | HEDDLE_NOTE_CHANGED |
                           heddle_what(0, 1, noted()));
    require(B.CreateNot(IsOwn), Own);
    require(B.CreateICmpEQ(What, Said), Slow);
    B.CreateBr(Done);
    B.SetInsertPoint(Own);
    require(B.CreateOr(B.CreateICmpEQ(changedWhat(), Said), isWritten()), Slow);
    setNote(B.CreateOr(What, changed()));
  }
};

} // namespace

GlobalVariable *QuickPaths::quick() {
  auto *Quick = cast<GlobalVariable>(M.getOrInsertGlobal(
      "heddle_check_quick", PointerType::get(M.getContext(), 0)));
  Quick->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  return Quick;
}

static Function *newFunction(Module &M, ArrayRef<Type *> Parameters) {
  auto *F = Function::Create(
      FunctionType::get(Type::getVoidTy(M.getContext()), Parameters, false),
      GlobalValue::InternalLinkage, "heddle.check.quick", M);
  F->setDoesNotThrow();
  return F;
}

void QuickPaths::replace(CallInst &Call, Function &Quick,
                         ArrayRef<Value *> Arguments) {
  auto *New = CallInst::Create(&Quick, Arguments, "", Call.getIterator());
  New->setDebugLoc(Call.getDebugLoc());
  Call.eraseFromParent();
  Calls.push_back(New);
}

void QuickPaths::wrap(CallInst &Call, const QuickAccess &A) {
  if (!isPowerOf2_64(A.Bytes) || A.Bytes > HEDDLE_GRANULE ||
      A.Operation > HEDDLE_CHECK_SET)
    return;
  const uint64_t Key = A.Bytes << 16 | uint64_t(A.Operation) << 8 |
                       uint64_t(A.Kind) << 2 | A.Decides << 1 | A.IsHidden;
  Function *&F = Functions[Key];
  if (!F) {
    F = newFunction(M, Call.getFunctionType()->params());
    AccessBuilder(*F, *quick(), A)
        .build({Call.getFunctionType(), Call.getCalledOperand()});
  }
  replace(Call, *F, SmallVector<Value *>(Call.args()));
}

/// Builds a function that makes the calls of \p Members, with the arguments
/// that buildGroup() tells of.
static Function *makeCalls(Module &M, ArrayRef<Type *> Parameters,
                           ArrayRef<RecordedAccess> Members) {
  Function *F = newFunction(M, Parameters);
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::Cold);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "", F));
  Argument *IsSilent = F->arg_begin() + 2;
  for (const RecordedAccess &R : Members) {
    SmallVector<Value *> Arguments(R.Call->args());
    Arguments[1] =
        B.CreateConstGEP1_64(B.getInt8Ty(), F->getArg(0), uint64_t(R.Offset));
    Arguments[2] = F->getArg(1);
    if (R.A.Kind == QuickKind::Write)
      Arguments[3] = IsSilent++;
    B.CreateCall({R.Call->getFunctionType(), R.Call->getCalledOperand()},
                 Arguments);
  }
  B.CreateRetVoid();
  return F;
}

/// Builds the function that the log calls in place of \p F: with the address of
/// the first place, which is at \p Offset, and with one number for what members
/// are silent, a bit for each.
static Function *makeLogged(Function &F, int64_t Offset) {
  Type *Word = Type::getInt64Ty(F.getContext());
  Function *Logged = newFunction(
      *F.getParent(), {F.getArg(0)->getType(), F.getArg(1)->getType(), Word});
  Logged->setAlignment(Align(HEDDLE_LOGGED_KINDS));
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "", Logged));
  SmallVector<Value *> Arguments{
      B.CreateConstGEP1_64(B.getInt8Ty(), Logged->getArg(0), uint64_t(-Offset)),
      Logged->getArg(1)};
  for (unsigned I = 2; I < F.arg_size(); ++I)
    Arguments.push_back(
        B.CreateTrunc(B.CreateAnd(B.CreateLShr(Logged->getArg(2), I - 2), 1),
                      F.getArg(I)->getType()));
  B.CreateCall(&F, Arguments);
  B.CreateRetVoid();
  return Logged;
}

void QuickPaths::wrapGroup(Value &From, Value &Base,
                           ArrayRef<RecordedAccess> Members,
                           ArrayRef<GroupPlace> Places) {
  SmallVector<Value *> Arguments{&From, &Base};
  SmallVector<Type *> Types{From.getType(), Base.getType()};
  for (const RecordedAccess &R : Members)
    if (R.A.Kind == QuickKind::Write) {
      Arguments.push_back(R.Call->getArgOperand(3));
      Types.push_back(Arguments.back()->getType());
    }
  Function *F = newFunction(M, Types),
           *Logged = makeLogged(*F, Places.front().Offset);
  buildGroup(*F, *quick(), Members, Places, makeCalls(M, Types, Members),
             *Logged);
  const bool IsInLoop = Members.back().IsInLoop;
  if (!IsInLoop) {
    Function *Now = std::exchange(F, newFunction(M, Types));
    buildGroupLog(*F, *quick(), Members, Places, *Now, *Logged);
    Now->addFnAttr(Attribute::NoInline);
    F->addFnAttr(Attribute::NoInline);
  }
  CallInst &Last = *Members.back().Call;
  for (const RecordedAccess &R : Members.drop_back())
    R.Call->eraseFromParent();
  replace(Last, *F, Arguments);
  if (!IsInLoop)
    Calls.pop_back();
}

void QuickPaths::wrapIteration(CallInst &Call, CallInst &Begin) {
  Function *&F = Functions[0];
  if (!F) {
    F = newFunction(M, {Call.getArgOperand(0)->getType(), Begin.getType()});
    IterationBuilder(*F, *quick())
        .build({Call.getFunctionType(), Call.getCalledOperand()});
  }
  replace(Call, *F, {Call.getArgOperand(0), &Begin});
}

void QuickPaths::wrapCall(CallInst &Call) {
  Function *&F = Functions[1];
  if (!F) {
    F = newFunction(M, Call.getFunctionType()->params());
    CallBuilder(*F, *quick())
        .build({Call.getFunctionType(), Call.getCalledOperand()});
  }
  replace(Call, *F, {Call.getArgOperand(0)});
}

void QuickPaths::inlineAll() {
  for (CallInst *Call : Calls) {
    InlineFunctionInfo Info;
    InlineFunction(*Call, Info);
  }
  for (auto &[Key, F] : Functions)
    F->eraseFromParent();
  Calls.clear();
  Functions.clear();
}
