//===- Report.cpp - Advice in the user's words ----------------------------===//

#include "advise/Report.h"
#include "advise/SourceText.h"
#include "loop/BoundedOption.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include <numeric>

using namespace llvm;
using namespace heddle;
using NV = DiagnosticInfoOptimizationBase::Argument;

static constexpr char PassName[] = "heddle-advise";
static constexpr char DirectiveLine[] = "#pragma heddle async";

static cl::opt<std::string>
    AdviseFile(freeName("heddle-advise-file"), cl::Hidden,
               cl::desc("Write the advised loops to this file"));

namespace {

/// One loop's advice as parts of sentences.
class Words {
  const LoopAdvice &Advice;
  SourceText &Source;

public:
  Words(const LoopAdvice &Advice, SourceText &Source)
      : Advice(Advice), Source(Source) {}

  /// "'parent[v]' (line 12)", or "line 12".
  std::string describe(const SourcePlace &Place) const {
    const std::string Text = Source.expression(Place);
    return Text.empty() ? line(Place) : "'" + Text + "' (" + line(Place) + ")";
  }

  std::string waits() const {
    std::vector<std::string> Parts;
    for (const WaitingAccess &A : Advice.Accesses)
      add(Parts, A.Place);
    return list(Parts, "memory whose place in the source is not known");
  }

  /// True if the loop is that of a directive of OpenMP, which stands where the
  /// loop is said to be.
  bool isBehindDirective() const {
    return Source.line(Advice.Loop).ltrim().starts_with("#");
  }

  unsigned hidden() const {
    return count_if(Advice.Accesses,
                    [](const WaitingAccess &A) { return A.Hidden; });
  }

  /// What the user promises by the directive.
  std::string promise() const {
    std::vector<std::string> Parts;
    for (const SourcePlace &Place : Advice.SharedWrites)
      add(Parts, Place);
    std::string Text = "no iteration reads what another one has written";
    if (!Parts.empty())
      Text += ", but for whole updates that commute, of " + list(Parts, "");
    if (!Advice.Calls.empty())
      Text += ", nor what " + list(Advice.Calls, "") + " may have done";
    return Text;
  }

  /// The reason, with the place at fault where that is not the loop's.
  std::string describe(const AdvisedObstacle &Obstacle) const {
    const SourcePlace &At = Obstacle.Place;
    if (!At.Line ||
        (At.Line == Advice.Loop.Line && At.File == Advice.Loop.File))
      return Obstacle.Reason;
    return Obstacle.Reason + " (" + line(At) + ")";
  }

private:
  /// "line 12", or "header.h:12".
  std::string line(const SourcePlace &Place) const {
    return pathOf(Place) == pathOf(Advice.Loop)
               ? "line " + std::to_string(Place.Line)
               : Place.File + ":" + std::to_string(Place.Line);
  }

  void add(std::vector<std::string> &Parts, const SourcePlace &Place) const {
    std::string Text = Place.Line ? describe(Place) : "";
    if (!Text.empty() && !is_contained(Parts, Text))
      Parts.push_back(std::move(Text));
  }

  /// The first few of \p Parts.
  static std::string list(ArrayRef<std::string> Parts, StringRef IfEmpty) {
    constexpr size_t Most = 4;
    if (Parts.empty())
      return IfEmpty.str();
    std::string Text = Parts.front();
    for (size_t N = 1; N < std::min(Parts.size(), Most); ++N)
      Text += (N + 1 == Parts.size() ? " and " : ", ") + Parts[N];
    if (Parts.size() > Most)
      Text += " and " + std::to_string(Parts.size() - Most) + " more";
    return Text;
  }
};

} // namespace

static Function *anyDefined(Module &M) {
  auto Defined = find_if(M, [](Function &F) { return !F.isDeclaration(); });
  return Defined == M.end() ? nullptr : &*Defined;
}

/// The function of the loop, or any other.
static Function *functionOf(Module &M, const LoopAdvice &Advice) {
  Function *F = M.getFunction(Advice.Symbol);
  return F && !F->isDeclaration() ? F : anyDefined(M);
}

/// Makes a location of the module from one of its copy.
static DebugLoc locate(Module &M, const SourcePlace &Place) {
  LLVMContext &Context = M.getContext();
  for (const Function &F : M)
    if (DISubprogram *Program = F.getSubprogram()) {
      // Nothing in the module leads to these nodes.
      auto *Scope = DILexicalBlockFile::get(
          Context, Program, DIFile::get(Context, Place.File, Place.Directory),
          0);
      return DILocation::get(Context, Place.Line, Place.Column, Scope);
    }
  return {};
}

static std::string percent(double Part, double Whole) {
  return std::to_string(int(100 * Part / Whole + 0.5)) + " %";
}

static void emitRemark(Module &M, const LoopAdvice &Advice, unsigned Rank,
                       const Words &Say, double Whole) {
  Function *F = functionOf(M, Advice);
  if (!F)
    return;
  OptimizationRemarkAnalysis Remark(PassName, "Advice", locate(M, Advice.Loop),
                                    &F->getEntryBlock());
  Remark << NV("Rank", Rank) << ". this loop waits for "
         << NV("Waits", Say.waits());
  if (Advice.HasProfile && Whole > 0)
    Remark << " (" << NV("Share", percent(Advice.Weight, Whole))
           << " of the waits in this file)";
  if (Advice.Refused) {
    Remark << "; it would not be interleaved: "
           << NV("Reason", Say.describe(*Advice.Refused));
    Remark << ": " << NV("Next", Advice.Refused->Next) << "; then";
  } else {
    const unsigned Hidden = Say.hidden();
    Remark << "; interleaving hides ";
    if (Hidden == Advice.Accesses.size())
      Remark << "all of it;";
    else
      Remark << NV("Hidden", Hidden) << " of "
             << NV("Accesses", unsigned(Advice.Accesses.size())) << " places;";
  }
  Remark << " add '" << NV("Directive", StringRef(DirectiveLine)) << "' "
         << (Say.isBehindDirective() ? "behind the directive of OpenMP"
                                     : "in front of it")
         << " if " << NV("Promise", Say.promise());
  if (Advice.Refused)
    Remark << DiagnosticInfoOptimizationBase::setExtraArgs()
           << NV("Refusal", Advice.Refused->Kind);
  M.getContext().diagnose(Remark);
}

/// Writes the loops for `heddle advise`: lines of a key and a value each, and
/// an empty one behind each loop.
static void writeList(Module &M, const std::vector<LoopAdvice> &Ranked,
                      SourceText &Source) {
  std::error_code Failure;
  raw_fd_ostream Out(AdviseFile, Failure, sys::fs::OF_Text);
  if (Failure) {
    M.getContext().emitError("cannot write '" + AdviseFile +
                             "': " + Failure.message());
    return;
  }
  for (const LoopAdvice &Advice : Ranked) {
    const Words Say(Advice, Source);
    Out << "file\t" << pathOf(Advice.Loop) << "\nline\t" << Advice.Loop.Line
        << "\ncolumn\t" << Advice.Loop.Column << "\nfunction\t"
        << Advice.Function << "\nbehind\t" << Say.isBehindDirective()
        << "\nwaits\t" << Say.waits() << "\naccesses\t"
        << Advice.Accesses.size() << "\nhidden\t" << Say.hidden()
        << "\npromise\t" << Say.promise() << "\ndirective\t" << DirectiveLine
        << "\nweight\t" << format("%.17g", Advice.Weight) << "\nprofile\t"
        << Advice.HasProfile << "\n";
    auto WriteObstacle = [&](StringRef Key, const AdvisedObstacle &Obstacle) {
      Out << Key << "\t" << Say.describe(Obstacle) << "\t" << Obstacle.Next
          << "\n";
    };
    if (Advice.Refused)
      WriteObstacle("refused", *Advice.Refused);
    for (const AdvisedObstacle &Dropped : Advice.Dropped)
      WriteObstacle("dropped", Dropped);
    Out << "\n";
  }
}

void heddle::reportAdvice(Module &M, const std::vector<LoopAdvice> &Ranked) {
  SourceText Source;
  const double Whole = std::accumulate(
      Ranked.begin(), Ranked.end(), 0.0,
      [](double Sum, const LoopAdvice &Advice) { return Sum + Advice.Weight; });
  for (unsigned N = 0; N < Ranked.size(); ++N)
    emitRemark(M, Ranked[N], N + 1, Words(Ranked[N], Source), Whole);
  if (!AdviseFile.empty())
    writeList(M, Ranked, Source);
}

void heddle::reportOptimizationOff(Module &M) {
  if (Function *F = anyDefined(M)) {
    OptimizationRemarkAnalysis Remark(PassName, "OptimizationOff",
                                      DiagnosticLocation(F->getSubprogram()),
                                      &F->getEntryBlock());
    Remark << "no advice without optimization: compile with '-O1' or more";
    M.getContext().diagnose(Remark);
  }
}
