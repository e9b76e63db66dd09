//===- ClauseCalls.cpp - Marks made of a call for each clause -------------===//

#include "mark/ClauseCalls.h"
#include "mark/FortranLoops.h"
#include "mark/MarkProtocol.h"
#include "mark/Outcomes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <limits>
#include <optional>

using namespace llvm;
using namespace heddle;

namespace {

/// The mark itself, and in the place of its kind.
constexpr unsigned Mark = 0;
/// What heddle_tasks takes for tasks(auto).
constexpr int64_t Auto = -1;

struct Clause {
  const char *Name;
  unsigned Kind;
};

constexpr Clause Clauses[] = {
    {"async", Mark},
    {"tasks", Tasks},
    {"scheduler", Scheduler},
    {"coalesce", Coalesce},
    {"suspensions", Suspensions},
    {"if_1", If},
    {"if_2", If},
    {"if_4", If},
    {"if_8", If},
    {"private", Private},
    {"shared", Shared},
    {"sequential", Sequential},
    {"remote", RemoteData},
    {"near", NearData},
};

const Clause *clauseOf(const Function &Callee) {
  StringRef Name = Callee.getName();
  if (!Name.consume_front(MarkFunctionPrefix))
    return nullptr;
  const Clause *Found =
      find_if(Clauses, [&](const Clause &C) { return Name == C.Name; });
  return Found == std::end(Clauses) ? nullptr : Found;
}

bool namesVariable(unsigned Kind) {
  return (Kind >= Private && Kind <= Sequential) || Kind == RemoteData ||
         Kind == NearData;
}

/// Clauses of which a variable can be in one only.
bool excludeEachOther(unsigned A, unsigned B) {
  bool Data = A == RemoteData || A == NearData;
  return namesVariable(A) && namesVariable(B) &&
         Data == (B == RemoteData || B == NearData);
}

struct ClauseCall {
  CallInst *Call;
  const Clause *What;

  Value *argument() const { return Call->getArgOperand(0); }
  /// As the user wrote it.
  std::string name() const {
    StringRef Name = What->Name;
    return ("heddle_" + (What->Kind == If ? "if" : Name) + "()").str();
  }
};

/// Says what is wrong with \p C, where the user sees it without asking.
void warn(const ClauseCall &C, const Twine &Problem) {
  const Function &F = *C.Call->getFunction();
  std::string Message = (C.name() + " " + Problem).str();
  F.getContext().diagnose(DiagnosticInfoGenericWithLoc(
      Message, F, C.Call->getDebugLoc(), DS_Warning));
}

/// What is wrong with the number that \p C is given, or nothing.
std::optional<std::string> checkNumber(const ClauseCall &C) {
  auto *Number = dyn_cast<ConstantInt>(C.argument());
  if (!Number)
    return "is ignored: its argument is not a constant";
  int64_t Value = Number->getSExtValue();
  if (C.What->Kind == Scheduler) {
    if (Value >= SchedulerStatic && Value <= SchedulerDynamic)
      return std::nullopt;
    return "is ignored: " + itostr(Value) +
           " is none of heddle_static, heddle_lockstep and heddle_dynamic";
  }
  if (C.What->Kind == Tasks && Value == Auto)
    return std::nullopt;
  int64_t Maximum = C.What->Kind == Tasks ? int64_t(MaximumTasks)
                                          : std::numeric_limits<int>::max();
  if (Value >= 1 && Value <= Maximum)
    return std::nullopt;
  return "is ignored: its argument must be between 1 and " + itostr(Maximum) +
         ", not " + itostr(Value);
}

/// False where somebody else than the module heddle has declared the function.
bool isWellFormed(const ClauseCall &C) {
  if (C.What->Kind == Mark)
    return C.Call->arg_empty();
  return C.Call->arg_size() == 1 &&
         (namesVariable(C.What->Kind) ? C.argument()->getType()->isPointerTy()
                                      : C.argument()->getType()->isIntegerTy());
}

class LoopMark {
  SmallVector<ClauseCall, 4> Given;

  /// What stands against taking \p C into the mark, or nothing.
  std::optional<std::string> check(const ClauseCall &C) const {
    unsigned Kind = C.What->Kind;
    for (const ClauseCall &Other : drop_begin(Given)) {
      unsigned OtherKind = Other.What->Kind;
      if (Kind == OtherKind && !namesVariable(Kind))
        return "is ignored: the loop has one already";
      if (Kind != OtherKind && excludeEachOther(Kind, OtherKind) &&
          C.argument()->stripPointerCasts() ==
              Other.argument()->stripPointerCasts())
        return "is ignored: " + Other.name() + " names the variable as well";
    }
    if (Kind == If || namesVariable(Kind))
      return std::nullopt;
    return checkNumber(C);
  }

  Value *valueOf(const ClauseCall &C, IRBuilder<> &Builder) const {
    switch (C.What->Kind) {
    case If:
      return Builder.CreateZExt(Builder.CreateIsNotNull(C.argument()),
                                Builder.getInt32Ty());
    case Tasks:
      return Builder.getInt32(std::max<int64_t>(
          cast<ConstantInt>(C.argument())->getSExtValue(), 0));
    default:
      return C.argument();
    }
  }

public:
  explicit LoopMark(const ClauseCall &Async) : Given{Async} {}

  void add(const ClauseCall &C) {
    if (std::optional<std::string> Problem = check(C))
      warn(C, *Problem);
    else
      Given.push_back(C);
  }

  /// Says that \p L stays as it is, because of what \p Write writes to.
  void refuse(const Loop &L, const Instruction &Write) const {
    const CallInst &Async = *Given.front().Call;
    DebugLoc Start = L.getStartLoc();
    OptimizationRemarkEmitter ORE(Async.getFunction());
    ORE.emit([&] {
      OptimizationRemarkMissed Remark("heddle", "NotInterleaved",
                                      Start ? Start : Async.getDebugLoc(),
                                      L.getHeader());
      Remark << NotInterleaved
             << ore::NV("Reason", "it writes to an array that is private to "
                                  "the thread, not to the iteration");
      if (DebugLoc Where = Write.getDebugLoc())
        Remark << " (line " << ore::NV("Line", Where.getLine()) << ")";
      return Remark;
    });
  }

  /// Puts the mark where all its values are known.
  void emit() const {
    CallInst *Async = Given.front().Call;
    IRBuilder<> Builder(Given.back().Call);
    Builder.SetCurrentDebugLocation(Async->getDebugLoc());
    SmallVector<Value *> Arguments{Builder.getInt32(InnermostLoop)};
    for (const ClauseCall &C : drop_begin(Given))
      Arguments.append({Builder.getInt32(C.What->Kind), valueOf(C, Builder)});
    Builder.CreateCall(
        Async->getModule()->getOrInsertFunction(
            MarkFunctionName, FunctionType::get(Builder.getVoidTy(),
                                                {Builder.getInt32Ty()}, true)),
        Arguments);
  }
};

/// True if each iteration of \p L comes through \p Block.
bool isInEachIteration(const Loop &L, const BasicBlock *Block,
                       const DominatorTree &DT) {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  return all_of(Latches,
                [&](BasicBlock *Latch) { return DT.dominates(Block, Latch); });
}

/// The calls of \p F in the order of the program. In \p Dead, those that are
/// never reached.
SmallVector<ClauseCall> findCalls(Function &F,
                                  SmallVectorImpl<CallInst *> &Dead,
                                  const DominatorTree &DT) {
  SmallVector<ClauseCall> Calls;
  auto Visit = [&](BasicBlock &Block) {
    for (Instruction &I : Block) {
      auto *Call = dyn_cast<CallInst>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (const Clause *What = Callee ? clauseOf(*Callee) : nullptr) {
        if (DT.isReachableFromEntry(&Block))
          Calls.push_back({Call, What});
        else
          Dead.push_back(Call);
      }
    }
  };
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
    Visit(*Block);
  for (BasicBlock &Block : F)
    if (!DT.isReachableFromEntry(&Block))
      Visit(Block);
  return Calls;
}

} // namespace

bool heddle::hasClauseCalls(const Module &M) {
  return any_of(M, [](const Function &F) { return clauseOf(F); });
}

void heddle::mergeClauseCalls(Function &F, const DominatorTree &DT,
                              const LoopInfo &LI, AAResults *AA) {
  SmallVector<CallInst *> Dead;
  SmallVector<ClauseCall> Calls = findCalls(F, Dead, DT);
  MapVector<const Loop *, LoopMark> Marks;
  // Loops with marks that have been warned of: no more is said of these.
  SmallPtrSet<const Loop *, 4> Unmarked;
  for (const ClauseCall &C : Calls) {
    const Loop *L = LI.getLoopFor(C.Call->getParent());
    auto Found = Marks.find(L);
    bool IsMark = C.What->Kind == Mark;
    const char *Problem = nullptr;
    if (!isWellFormed(C))
      Problem = "is ignored: it is not called as the module heddle declares it";
    else if (IsMark && !L)
      Problem = "is ignored: it stands in no loop whose body can run twice";
    else if (IsMark && Found != Marks.end())
      Problem = "is ignored: the loop is marked already";
    else if (!IsMark && Found == Marks.end())
      Problem = "is ignored: heddle_async() does not stand before it in the "
                "same loop";
    else if (!isInEachIteration(*L, C.Call->getParent(), DT))
      Problem = "is ignored: not every iteration of the loop comes here; "
                "heddle_if() takes conditions";
    if (!Problem && IsMark)
      Marks.insert({L, LoopMark(C)});
    else if (!Problem)
      Found->second.add(C);
    else if (IsMark || !Unmarked.contains(L))
      warn(C, Problem);
    if (Problem && IsMark && Found == Marks.end())
      Unmarked.insert(L);
  }
  for (const auto &[L, Mark] : Marks) {
    if (const Instruction *Write = AA ? writesArrayOfThread(*L) : nullptr) {
      Mark.refuse(*L, *Write);
      continue;
    }
    Mark.emit();
    if (AA)
      addFortranPromises(*L, *AA);
  }
  for (const ClauseCall &C : Calls)
    C.Call->eraseFromParent();
  for (CallInst *Call : Dead)
    Call->eraseFromParent();
}

void heddle::eraseClauseFunctions(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || !clauseOf(F))
      continue;
    if (F.use_empty()) {
      F.eraseFromParent();
      continue;
    }
    F.setLinkage(GlobalValue::InternalLinkage);
    // What is said of declarations is not valid for definitions.
    F.setSubprogram(nullptr);
    IRBuilder<>(BasicBlock::Create(M.getContext(), "", &F)).CreateRetVoid();
  }
}
