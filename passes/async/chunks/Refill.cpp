//===- Refill.cpp - Getting a chunk with tasks in flight ------------------===//

#include "async/chunks/Refill.h"
#include "ir/Instructions.h"
#include "ir/Registers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace heddle;

Refill::Refill(const ChunkNest &Nest, const LoopShape &Shape,
               SchedulerState &State)
    : Nest(Nest), Shape(Shape), State(State), F(State.F) {
  assert(State.Shift && "iterations are numbered through");
  Type *I64 = State.i64();
  Way = State.createRegister(Type::getInt32Ty(F.getContext()), "chunk.way");
  End = State.createRegister(I64, "chunk.end");
  PlanEnd = State.createRegister(I64, "chunk.plan.end");
  IsOver = State.createRegister(Type::getInt1Ty(F.getContext()), "chunk.over");
}

BasicBlock *Refill::block(const Twine &Name) const {
  return BasicBlock::Create(F.getContext(), Name, &F);
}

bool Refill::isBetween(const BasicBlock *Block) const {
  return Nest.Around->contains(Block) && !Shape.L->contains(Block);
}

/// True if \p U may be reached from where \p I has not been computed anew: \p I
/// belongs to an earlier chunk, or to a copy.
bool Refill::isUsedAcross(const Instruction &I, const Use &U) const {
  auto *User = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(User);
  const BasicBlock *At = Phi ? Phi->getIncomingBlock(U) : User->getParent();
  if (Shape.L->contains(User))
    return false;
  if (Nest.Around->contains(User))
    return !Nest.Carried.count(const_cast<Instruction *>(&I)) &&
           (Phi || At != I.getParent());
  // Phis behind the loop around get their values in leave().
  return Nest.Outside.contains(User->getParent()) && !(Phi && isBetween(At));
}

AllocaInst *Refill::keep(Instruction &I) {
  AllocaInst *&Register = Kept[&I];
  if (Register)
    return Register;
  Register = State.createRegister(I.getType(), I.getName() + ".kept");
  BasicBlock::iterator After = isa<PHINode>(I)
                                   ? I.getParent()->getFirstInsertionPt()
                                   : std::next(I.getIterator());
  new StoreInst(&I, Register, After);
  return Register;
}

void Refill::keepUsed(Instruction &I) {
  SmallVector<Use *> Uses;
  for (Use &U : I.uses())
    if (isUsedAcross(I, U))
      Uses.push_back(&U);
  // A switch may lead to a phi by several edges, all with the same value.
  SmallDenseMap<Instruction *, Value *> Loads;
  for (Use *U : Uses) {
    auto *User = cast<Instruction>(U->getUser());
    auto *Phi = dyn_cast<PHINode>(User);
    Instruction *At = Phi ? Phi->getIncomingBlock(*U)->getTerminator() : User;
    Value *&Now = Loads[At];
    if (!Now)
      Now = new LoadInst(I.getType(), keep(I), I.getName() + ".now",
                         At->getIterator());
    U->set(Now);
  }
}

void Refill::prepare(Value *Trips) {
  TripCount = Trips;
  IRBuilder<> B(Shape.Preheader->getTerminator());
  First =
      B.CreateIntCast(Nest.Counter->getIncomingValueForBlock(Shape.Preheader),
                      State.i64(), Nest.IsSigned);
  SmallVector<Instruction *> Values;
  for (Instruction &I : instructionsIn(Nest.Between))
    if (!I.getType()->isVoidTy())
      Values.push_back(&I);
  for (Instruction *I : Values)
    keepUsed(*I);
  for (const ChunkNest::WayOut &Out : Nest.WaysOut)
    for (PHINode &Phi : Out.To->phis())
      if (auto *I =
              dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Out.From));
          I && isBetween(I->getParent()))
        keep(*I);
}

/// Leaves out what \p Clones of the code between two chunks need not do.
void Refill::clean(ArrayRef<BasicBlock *> Clones) const {
  for (Instruction &I : make_early_inc_range(instructionsIn(Clones))) {
    I.dropDbgRecords();
    I.setMetadata(LLVMContext::MD_loop, nullptr);
    auto *Store = dyn_cast<StoreInst>(&I);
    if (I.isLifetimeStartOrEnd() ||
        (Store && any_of(Nest.Carried, [&](const auto &Known) {
           return Known.second == Store->getPointerOperand();
         })))
      I.eraseFromParent();
  }
}

Refill::Copy Refill::copy() {
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *> Clones;
  for (BasicBlock *Block : Nest.Between) {
    Clones.push_back(CloneBasicBlock(Block, Map, ".refill", &F));
    Map[Block] = Clones.back();
  }
  // The variables of the loop stay where they are.
  for (auto &[I, Variable] : Nest.Carried) {
    auto *Clone = cast<Instruction>(Map[I]);
    Map[I] = PoisonValue::get(I->getType());
    if (AllocaInst *Register = Kept.lookup(I))
      for (User *U : make_early_inc_range(Register->users()))
        if (auto *Store = dyn_cast<StoreInst>(U);
            Store && is_contained(Clones, Store->getParent()))
          Store->eraseFromParent();
    Clone->eraseFromParent();
  }
  for (BasicBlock *Clone : Clones)
    for (PHINode &Phi : Clone->phis())
      for (unsigned I = Phi.getNumIncomingValues(); I-- > 0;)
        if (!isBetween(Phi.getIncomingBlock(I)))
          Phi.removeIncomingValue(I, /*DeletePHIIfEmpty=*/false);
  // What nobody reads behind the loop.
  for (PHINode &Phi : make_early_inc_range(Shape.Exit->phis()))
    if (auto *Clone = dyn_cast<PHINode>(Map[&Phi]))
      Clone->eraseFromParent();
  remapInstructionsInBlocks(Clones, Map);
  clean(Clones);

  Copy Made{cast<BasicBlock>(Map[Shape.Exit]), block("refill.got"),
            block("refill.over")};
  IRBuilder<> B(Made.Got);
  auto Now = [&](Value *V) {
    Value *Copied = Map.lookup(V);
    return Copied ? Copied : V;
  };
  Value *Launched = load(B, State.NextIteration);
  B.CreateStore(B.CreateSub(B.CreateSub(Now(First), First), Launched),
                State.Shift);
  Value *Behind = B.CreateAdd(Launched, Now(TripCount));
  B.CreateStore(Behind, End);
  B.CreateStore(
      B.CreateBinaryIntrinsic(Intrinsic::umin, Behind, load(B, PlanEnd)),
      State.Limit);
  auto *Preheader = cast<BasicBlock>(Map[Shape.Preheader]);
  Preheader->getTerminator()->replaceSuccessorWith(Shape.L->getHeader(),
                                                   Made.Got);
  for (auto [Number, Out] : enumerate(Nest.WaysOut)) {
    auto *Over = block("refill.way");
    cast<BasicBlock>(Map[Out.From])
        ->getTerminator()
        ->replaceSuccessorWith(Out.To, Over);
    B.SetInsertPoint(Over);
    B.CreateStore(B.getInt32(Number), Way);
    B.CreateBr(Made.Over);
  }
  B.SetInsertPoint(Made.Over);
  B.CreateStore(B.getTrue(), IsOver);
  return Made;
}

void Refill::begin(IRBuilderBase &B) const {
  B.CreateStore(TripCount, End);
  B.CreateStore(B.getInt64(0), State.Shift);
  B.CreateStore(B.getFalse(), IsOver);
}

SmallVector<BasicBlock *> Refill::entries() const {
  SmallVector<BasicBlock *> Before;
  for (BasicBlock *From : predecessors(Nest.Around->getHeader()))
    if (!Nest.Around->contains(From) && !is_contained(Before, From))
      Before.push_back(From);
  return Before;
}

void Refill::leave(BasicBlock *Leave,
                   function_ref<void(BasicBlock *, BasicBlock *)> OnWay) {
  IRBuilder<> B(Leave);
  for (auto &[I, Variable] : Nest.Carried)
    if (AllocaInst *Register = Kept.lookup(I)) {
      auto *Phi = dyn_cast<PHINode>(Variable);
      B.CreateStore(load(B, Phi ? State.Variable.lookup(Phi)
                                : cast<AllocaInst>(Variable)),
                    Register);
    }
  SmallVector<BasicBlock *> Ends;
  for (const ChunkNest::WayOut &Out : Nest.WaysOut) {
    auto *Before = block("chunk.left");
    Ends.push_back(block("chunk.leave"));
    Out.From->getTerminator()->replaceSuccessorWith(Out.To, Before);
    OnWay(Before, Ends.back());
    IRBuilder<> AtEnd(Ends.back());
    for (PHINode &Phi : Out.To->phis()) {
      const int Index = Phi.getBasicBlockIndex(Out.From);
      auto *I = dyn_cast<Instruction>(Phi.getIncomingValue(Index));
      if (AllocaInst *Register = I ? Kept.lookup(I) : nullptr)
        Phi.setIncomingValue(Index, load(AtEnd, Register));
      Phi.setIncomingBlock(Index, Ends.back());
    }
    AtEnd.CreateBr(Out.To);
  }
  SwitchInst *Switch = B.CreateSwitch(load(B, Way), Ends.front());
  for (auto [Number, To] : enumerate(Ends))
    if (Number)
      Switch->addCase(B.getInt32(Number), To);
}
