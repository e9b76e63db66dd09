//===- SourceNames.cpp - Names of variables in the source -----------------===//

#include "names/SourceNames.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace heddle;

/// The name of \p V in the source, as far as debug information or, where the
/// compiler keeps it, the IR knows it.
static std::string sourceName(const Value *V) {
  if (auto *Global = dyn_cast<GlobalVariable>(V))
    return demangle(Global->getName());
  SmallVector<DbgVariableRecord *> Records;
  findDbgUsers(const_cast<Value *>(V), Records);
  for (DbgVariableRecord *Record : Records)
    return Record->getVariable()->getName().str();
  return V->getName().split('.').first.str();
}

/// The name of the variable in memory that the loop of \p Phi keeps in a
/// register.
static std::string nameInMemory(const PHINode &Phi) {
  for (const Value *Start : Phi.incoming_values())
    if (auto *Load = dyn_cast<LoadInst>(Start))
      return sourceName(getUnderlyingObject(Load->getPointerOperand()));
  return "";
}

/// Whether \p Call takes the function from the table of an object's class.
static bool isVirtual(const CallBase &Call) {
  auto *Function = dyn_cast<LoadInst>(Call.getCalledOperand());
  auto *Table = Function ? dyn_cast<LoadInst>(getUnderlyingObject(
                               Function->getPointerOperand()))
                         : nullptr;
  const MDNode *Tag =
      Table ? Table->getMetadata(LLVMContext::MD_tbaa) : nullptr;
  auto *Type = Tag ? dyn_cast<MDNode>(Tag->getOperand(0)) : nullptr;
  auto *Name = Type ? dyn_cast<MDString>(Type->getOperand(0)) : nullptr;
  return Name && Name->getString() == "vtable pointer";
}

/// The first step of a nested form that is called where \p Choice is for it;
/// null if there is none.
static const CallBase *stepBehind(const CallBase &Choice) {
  for (const User *U : Choice.users())
    if (auto *Branch = dyn_cast<BranchInst>(U))
      for (const Instruction &I : *Branch->getSuccessor(0))
        if (auto *Step = dyn_cast<CallBase>(&I);
            Step && Step->hasFnAttr(FormOfAttribute))
          return Step;
  return nullptr;
}

std::string heddle::describeCallee(const CallBase &Call) {
  const CallBase *Step =
      Call.getType()->isIntegerTy(1) ? stepBehind(Call) : nullptr;
  if (!Step)
    Step = &Call;
  if (Step->hasFnAttr(FormOfAttribute))
    return "'" + Step->getFnAttr(FormOfAttribute).getValueAsString().str() +
           "'";
  if (const Function *Callee = Call.getCalledFunction())
    return "'" + demangle(Callee->getName()) + "'";
  return isVirtual(Call) ? "a virtual function" : "a function pointer";
}

bool heddle::isSameFile(const DIFile &One, const DIFile &Other) {
  auto PathOf = [](const DIFile &File) {
    SmallString<128> Path(File.getFilename());
    sys::path::make_absolute(File.getDirectory(), Path);
    sys::path::remove_dots(Path);
    return Path;
  };
  return &One == &Other || PathOf(One) == PathOf(Other);
}

std::string heddle::describePlace(const DebugLoc &At, const DebugLoc &Beside) {
  // Line 0 is the compiler's own code.
  if (!At || !At.getLine())
    return "";
  if (!Beside || isSameFile(*At->getFile(), *Beside->getFile()))
    return ("line " + Twine(At.getLine())).str();
  return (At->getFilename() + ":" + Twine(At.getLine())).str();
}

std::string heddle::describeOtherPlace(const Instruction *At,
                                       const DebugLoc &Beside) {
  std::string Place = At ? describePlace(At->getDebugLoc(), Beside) : "";
  return Place == describePlace(Beside, Beside) ? "" : Place;
}

std::string heddle::describeInstance(const DebugLoc &At, const Function &F) {
  const DISubprogram *Program = At ? At->getScope()->getSubprogram() : nullptr;
  if (!Program)
    return "";
  // Without debug information, functions have no mangled names there.
  std::string Name = Program == F.getSubprogram() ? demangle(F.getName())
                                                  : Program->getName().str();
  // In a name, angle brackets are those of template arguments or operators.
  if (!StringRef(Name).contains('<') || StringRef(Name).contains("operator"))
    return "";
  return " (in '" + Name + "')";
}

std::string heddle::describeVariable(const Value *V, StringRef Kind) {
  std::string Name = sourceName(V);
  if (Name.empty())
    Name = sourceName(getUnderlyingObject(V));
  if (auto *Phi = dyn_cast<PHINode>(V); Phi && Name.empty())
    Name = nameInMemory(*Phi);
  bool Vowel = StringRef("aeiou").contains(Kind.front());
  return Name.empty() ? ((Vowel ? "an " : "a ") + Kind).str()
                      : ("the " + Kind + " '" + Name + "'").str();
}

/// A root that may stand before a path of any system that has slashes: the path
/// behind it is the same with it and without it.
static constexpr char Root[] = "//./";

static bool isOfFlang(const DILocation &Where) {
  const DISubprogram *Function = Where.getScope()->getSubprogram();
  const DICompileUnit *Unit = Function ? Function->getUnit() : nullptr;
  return Unit && Unit->getProducer().contains("flang");
}

DebugLoc heddle::remarkPlace(const DebugLoc &Where) {
  if (!Where || !Where->getFile() || !isOfFlang(*Where))
    return Where;
  const DIFile &File = *Where->getFile();
  std::string Name = File.getFilename().str();
  std::string Directory = File.getDirectory().str();
  std::string &Absolute = sys::path::is_absolute(Name) ? Name : Directory;
  if (!sys::path::is_absolute(Absolute))
    return Where;
  Absolute.insert(0, Root);
  // Nothing in the module leads to these nodes, so that debug information does
  // not get them.
  LLVMContext &Context = Where->getContext();
  auto *Scope = DILexicalBlockFile::get(
      Context, Where->getScope(), DIFile::get(Context, Name, Directory), 0);
  return DILocation::get(Context, Where->getLine(), Where->getColumn(), Scope,
                         Where->getInlinedAt());
}
