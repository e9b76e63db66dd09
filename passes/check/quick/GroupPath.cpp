//===- GroupPath.cpp - Records of several fields at once ------------------===//

#include "check/quick/GroupPath.h"
#include "check/execution.h"
#include "check/quick/PathBuilder.h"

using namespace llvm;
using namespace heddle;

/// Bytes between the first and the last place, at most.
static constexpr int64_t MostBytes = 256;
/// Members, which have a bit each.
static constexpr size_t MostMembers = 64;

/// Adds the access \p M, the one with the number \p At, to what others to the
/// same place come to.
static bool add(GroupPlace &P, const RecordedAccess &M, unsigned At) {
  Value *Site = M.Call->getArgOperand(0);
  switch (M.A.Kind) {
  case QuickKind::Read:
    if (P.IsUpdated)
      return false;
    // What the iteration has written itself tells nothing.
    if (!P.IsWritten && !P.IsRead) {
      P.IsRead = true;
      P.Site = Site;
    }
    return true;
  case QuickKind::Write:
    P.Writes.push_back(At);
    P.IsWritten = true;
    P.Site = Site;
    return !P.IsUpdated;
  case QuickKind::Update:
    if (P.IsRead || P.IsWritten ||
        (P.IsUpdated && P.Operation != M.A.Operation))
      return false;
    P.Decides = M.A.Decides && (P.Decides || !P.IsUpdated);
    P.IsUpdated = true;
    P.Operation = M.A.Operation;
    P.Site = Site;
    return true;
  }
  return false;
}

/// True if all places lie in notes for as many bytes as the smallest has.
static bool fitTogether(ArrayRef<GroupPlace> Places) {
  const uint64_t Most =
      max_element(Places, [](const GroupPlace &A, const GroupPlace &B) {
        return A.Bytes < B.Bytes;
      })->Bytes;
  const int64_t First = Places.front().Offset;
  if (Places.back().Offset + int64_t(Places.back().Bytes) - First > MostBytes)
    return false;
  int64_t End = First;
  std::optional<uint64_t> OfWide;
  for (const GroupPlace &P : Places) {
    const uint64_t From = uint64_t(P.Offset) - uint64_t(First);
    if (P.Offset < End || From % 4)
      return false;
    if (P.Bytes == Most && Most == 8) {
      if (OfWide && From % 8 != *OfWide)
        return false;
      OfWide = From % 8;
    }
    End = P.Offset + int64_t(P.Bytes);
  }
  return true;
}

std::optional<SmallVector<GroupPlace>>
heddle::placesOf(ArrayRef<RecordedAccess> Members) {
  SmallVector<GroupPlace> Places;
  if (Members.size() > MostMembers)
    return std::nullopt;
  for (const auto &[At, M] : enumerate(Members)) {
    if ((M.A.Bytes != 4 && M.A.Bytes != 8) || M.A.Operation >= HEDDLE_CHECK_SET)
      return std::nullopt;
    auto *P = find_if(Places, [&](const GroupPlace &Other) {
      return Other.Offset == M.Offset && Other.Bytes == M.A.Bytes;
    });
    if (P == Places.end()) {
      P = &Places.emplace_back();
      P->Offset = M.Offset;
      P->Bytes = M.A.Bytes;
    }
    if (!add(*P, M, At))
      return std::nullopt;
  }
  sort(Places, [](const GroupPlace &A, const GroupPlace &B) {
    return A.Offset < B.Offset;
  });
  if (!fitTogether(Places))
    return std::nullopt;
  return Places;
}

namespace {

class GroupBuilder : PathBuilder {
  ArrayRef<RecordedAccess> Members;
  ArrayRef<GroupPlace> Places;
  uint64_t Least = 8, Most = 4; ///< Bytes of a place.
  Value *Cells, *Address;       ///< The address of the first place.
  Value *Call;      ///< The call that has led here, as in heddle_number_of().
  Value *OddOffset; ///< What notes say of the offset of the first place.
  Value *Iteration;
  SmallVector<Value *> Notes, Iterations; ///< Of each place.

public:
  GroupBuilder(Function &F, GlobalVariable &Quick,
               ArrayRef<RecordedAccess> Members, ArrayRef<GroupPlace> Places)
      : PathBuilder(F, Quick), Members(Members), Places(Places) {
    for (const GroupPlace &P : Places) {
      Least = std::min(Least, P.Bytes);
      Most = std::max(Most, P.Bytes);
    }
  }

  /// Logs where that is all to be done, as is_logged_at_once() does.
  void buildLog(FunctionCallee Otherwise, Function &Logged) {
    findAddress();
    Value *At = load(Pointer, Cells, offsetof(heddle_cells, log_at));
    Value *End = load(Pointer, Cells, offsetof(heddle_cells, log_end));
    require(B.CreateICmpNE(At, End), Slow);
    excludeVariables();
    addToLog(Cells, At, Address, F.getArg(1),
             fieldOf(&Logged, HEDDLE_LOGGED_GROUP), silent());
    finish(Otherwise);
  }

  void build(FunctionCallee Otherwise, Function &Logged) {
    findAddress();
    Call = B.getInt64(0);
    if (!Members.front().IsInLoop)
      lookAtCallers();
    log(Cells, Address, F.getArg(1), [&] {
      return std::pair(fieldOf(&Logged, HEDDLE_LOGGED_GROUP), silent());
    });
    requireVaried();
    Value *Block = findNotes(Cells, Address);
    Value *Scale = B.CreateAnd(Block, HEDDLE_BLOCK_SCALE | HEDDLE_BLOCK_MIXED);
    // Another access to the block may have been to fewer bytes.
    if (Least == 8) {
      BasicBlock *Finer = newBlock("finer");
      require(B.CreateICmpEQ(Scale, B.getInt64(3)), Finer);
      record(Block);
      B.SetInsertPoint(Finer);
      Least = 4;
    }
    require(B.CreateICmpEQ(Scale, B.getInt64(2)), Slow);
    record(Block);
    finish(Otherwise);
  }

private:
  void findAddress() {
    Cells = loadCells();
    require(B.CreateIsNotNull(Cells), Slow);
    Address = B.CreateAdd(B.CreatePtrToInt(F.getArg(0), I64),
                          B.getInt64(uint64_t(Places.front().Offset)));
  }

  /// Records in a block that has a note for as many bytes as `Least` says.
  void record(Value *Block) {
    findAll(Block);
    BasicBlock *Empty = newBlock("empty"), *Again = newBlock("again");
    Value *First = load(I32, Cells, offsetof(heddle_cells, first));
    Value *AreEmpty = B.getTrue();
    for (Value *Noted : Iterations)
      AreEmpty = B.CreateAnd(AreEmpty, B.CreateICmpULT(Noted, First));
    B.CreateCondBr(AreEmpty, Empty, Again);
    B.SetInsertPoint(Again);
    noteAgain(First);
    B.SetInsertPoint(Empty);
    takeNotes(First);
  }

  uint64_t from(const GroupPlace &P) const {
    return uint64_t(P.Offset) - uint64_t(Places.front().Offset);
  }

  Value *ofExecution(Type *T, uint64_t Offset) {
    return load(T, Cells, Offset);
  }

  /// Variables of the iteration count for nothing.
  void excludeVariables() {
    Value *Stack = B.CreatePtrToInt(
        B.CreateIntrinsic(Pointer, Intrinsic::eh_dwarf_cfa, {B.getInt32(0)}),
        I64);
    Value *End = ofExecution(I64, offsetof(heddle_execution, stack));
    require(
        B.CreateICmpUGE(B.CreateSub(Address, Stack), B.CreateSub(End, Stack)),
        Slow);
  }

  /// The same in a callee, where the numbers of sites are those for the call of
  /// the loop's.
  void lookAtCallers() {
    excludeVariables();
    Call = B.CreateShl(
        B.CreateZExt(ofExecution(I32, offsetof(heddle_cells, call)), I64), 32);
  }

  /// What members are silent, a bit for each.
  Value *silent() {
    Value *Bits = B.getInt64(0);
    for (unsigned I = 2; I < F.arg_size(); ++I) {
      Value *Bit = B.CreateZExt(B.CreateIsNotNull(F.getArg(I)), I64);
      Bits = B.CreateOr(Bits, B.CreateShl(Bit, I - 2));
    }
    return Bits;
  }

  /// The notes of all places, which are to be in one block.
  void findAll(Value *Block) {
    Value *In = B.CreateAnd(Address, HEDDLE_BLOCK - 1);
    const uint64_t Bytes = from(Places.back()) + Places.back().Bytes;
    Value *IsWhole = B.CreateICmpULE(In, B.getInt64(HEDDLE_BLOCK - Bytes));
    const unsigned Scale = Log2_64(Least);
    const GroupPlace *Wide =
        find_if(Places, [&](const GroupPlace &P) { return P.Bytes == Most; });
    Value *IsAligned = B.CreateICmpEQ(B.CreateAnd(Address, Most - 1),
                                      B.getInt64(-from(*Wide) & (Most - 1)));
    require(B.CreateAnd(IsWhole, IsAligned), Slow);
    OddOffset = Most == 8
                    ? B.getInt32((-from(*Wide) & 4) << OffsetShift)
                    : B.CreateShl(B.CreateAnd(B.CreateTrunc(Address, I32), 4),
                                  OffsetShift);
    Value *First =
        element(firstNote(Block), B.CreateLShr(In, Scale), sizeof(heddle_note));
    Notes.clear();
    Iterations.clear();
    for (const GroupPlace &P : Places) {
      Notes.push_back(fieldOf(First, (from(P) >> Scale) * sizeof(heddle_note)));
      Iterations.push_back(
          load(I32, Notes.back(), offsetof(heddle_note, iteration)));
    }
    Iteration = load(I32, Cells, offsetof(heddle_cells, iteration));
  }

  static constexpr unsigned OffsetShift = HEDDLE_NOTE_SITE_BITS + 3;

  Value *numberOf(Value *Site) {
    Value *Number = load(I64, Site, offsetof(heddle_check_site, instance));
    return B.CreateXor(Number, Call);
  }

  /// The place of fixed writes is noted, too, until there are several. What one
  /// site of the group finds, all do.
  void requireVaried() {
    const RecordedAccess *Fixed = find_if(Members, [](const RecordedAccess &M) {
      return M.IsFixed && M.A.Kind != QuickKind::Read;
    });
    if (Fixed == Members.end())
      return;
    Value *Number = numberOf(Fixed->Call->getArgOperand(0));
    Value *Execution =
        B.CreateZExt(ofExecution(I32, offsetof(heddle_execution, number)), I64);
    Value *Varied =
        element(fieldOf(Cells, offsetof(heddle_execution, varied)),
                B.CreateAnd(Number, HEDDLE_VARIED - 1), sizeof(uint64_t));
    require(B.CreateICmpEQ(load(I64, Varied, 0),
                           B.CreateOr(B.CreateShl(Execution, 32), Number)),
            Slow);
  }

  /// The text, but for the site and for whether it changes the value.
  Value *textOf(const GroupPlace &P) {
    uint32_t What = 0;
    if (P.IsUpdated)
      What |= heddle_what(0, 1, P.Operation) | HEDDLE_NOTE_WRITES;
    if (P.IsWritten)
      What |= HEDDLE_NOTE_WRITES |
              heddle_what(0, 1, P.IsRead ? HEDDLE_NOTED_AFTER_READ : 0);
    return placeOf(P, What);
  }

  /// \p What, with the place added to it.
  Value *placeOf(const GroupPlace &P, uint32_t What) {
    Value *Offset =
        P.Bytes == 8 ? B.getInt32(0)
                     : B.CreateXor(OddOffset, B.getInt32(uint32_t(from(P) & 4)
                                                         << OffsetShift));
    return B.CreateOr(Offset, heddle_what(0, unsigned(P.Bytes), 0) | What);
  }

  /// HEDDLE_NOTE_CHANGED if the value of \p P has changed.
  Value *changed(const GroupPlace &P) {
    if (!P.IsWritten)
      return B.getInt32(P.IsUpdated && !P.Decides ? HEDDLE_NOTE_CHANGED : 0);
    Value *IsSilent = B.getTrue();
    for (unsigned Write : P.Writes) {
      const unsigned Before =
          count_if(Members.take_front(Write), [](const RecordedAccess &M) {
            return M.A.Kind == QuickKind::Write;
          });
      IsSilent = B.CreateAnd(IsSilent, B.CreateIsNotNull(F.getArg(2 + Before)));
    }
    return B.CreateSelect(IsSilent, B.getInt32(0),
                          B.getInt32(HEDDLE_NOTE_CHANGED));
  }

  /// Lets empty notes say what the accesses come to.
  void takeNotes(Value *First) {
    SmallVector<Value *> Numbers;
    Value *AreNotable = B.getTrue();
    for (const GroupPlace &P : Places) {
      Numbers.push_back(numberOf(P.Site));
      AreNotable = B.CreateAnd(AreNotable, isNotable(Numbers.back()));
    }
    // A wide place takes two narrow notes, of which one was looked at.
    for (const auto &[P, Note] : zip(Places, Notes))
      if (P.Bytes > Least)
        AreNotable = B.CreateAnd(
            AreNotable,
            B.CreateICmpULT(
                load(I32, Note,
                     sizeof(heddle_note) + offsetof(heddle_note, iteration)),
                First));
    require(AreNotable, Slow);
    for (const auto &[P, Note, Number] : zip(Places, Notes, Numbers)) {
      Value *Text = B.CreateOr(B.CreateOr(textOf(P), changed(P)),
                               B.CreateTrunc(Number, I32));
      for (uint64_t At = 0; At < P.Bytes; At += Least) {
        const uint64_t Of = At / Least * sizeof(heddle_note);
        store(Iteration, Note, Of + offsetof(heddle_note, iteration));
        store(Text, Note, Of + offsetof(heddle_note, text));
      }
    }
    B.CreateBr(Done);
  }

  /// Where all notes say already what the accesses come to, or that there was a
  /// conflict, nothing is to be done. Other plain writes are judged one by one.
  void noteAgain(Value *First) {
    Value *AreSaid = B.getTrue();
    for (const auto &[P, Note, Noted] : zip(Places, Notes, Iterations)) {
      Value *What = B.CreateAnd(load(I32, Note, offsetof(heddle_note, text)),
                                B.getInt32(~uint32_t(HEDDLE_NOTED_SITES - 1)));
      Value *IsSaid = B.CreateICmpEQ(What, placeOf(P, heddle_reported(0)));
      if (!P.IsWritten)
        IsSaid = B.CreateOr(IsSaid, isSaid(P, What, Noted));
      AreSaid = B.CreateAnd(AreSaid, B.CreateICmpUGE(Noted, First));
      AreSaid = B.CreateAnd(AreSaid, IsSaid);
    }
    B.CreateCondBr(AreSaid, Done, Slow, Likely);
  }

  /// True if \p What, the note of \p P by iteration \p Noted without its site,
  /// says what the accesses come to.
  Value *isSaid(const GroupPlace &P, Value *What, Value *Noted) {
    const uint32_t Changed = P.IsUpdated ? HEDDLE_NOTE_CHANGED : 0;
    if (P.Decides)
      What = B.CreateOr(What, Changed);
    Value *IsSaid = B.CreateICmpEQ(What, B.CreateOr(textOf(P), Changed));
    return P.IsUpdated ? B.CreateAnd(IsSaid, B.CreateICmpNE(Noted, Iteration))
                       : IsSaid;
  }
};

} // namespace

void heddle::buildGroup(Function &F, GlobalVariable &Quick,
                        ArrayRef<RecordedAccess> Members,
                        ArrayRef<GroupPlace> Places, FunctionCallee Otherwise,
                        Function &Logged) {
  GroupBuilder(F, Quick, Members, Places).build(Otherwise, Logged);
}

void heddle::buildGroupLog(Function &F, GlobalVariable &Quick,
                           ArrayRef<RecordedAccess> Members,
                           ArrayRef<GroupPlace> Places, Function &Otherwise,
                           Function &Logged) {
  GroupBuilder(F, Quick, Members, Places).buildLog(&Otherwise, Logged);
}
