//===- PluginAction.cpp - From the front end to the passes ----------------===//
//
// Clang runs this action in addition to its own when the plugin is loaded. It
// adds the passes to the pipeline, so that `-fplugin=` is all that a user
// needs.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Register.h"
#include "advise/AdvisePass.h"
#include "advise/Candidates.h"
#include "check/CheckPass.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/ModuleManager.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace clang;

namespace {

/// Ends a Clang of another version when it loads the plugin, which would call
/// functions and read objects that have changed. At its regular end, Clang
/// would call destructors of both versions.
struct HostCheck {
  HostCheck() {
    const std::string Host = getClangFullVersion();
    if (llvm::StringRef(Host).contains(
            "clang version " CLANG_VERSION_MAJOR_STRING "."))
      return;
    llvm::errs() << "error: HeddlePlugin.so is for Clang "
                 << CLANG_VERSION_MAJOR_STRING << ", and this is " << Host
                 << '\n';
    _exit(1);
  }
} const Check;

/// The folders whose headers nobody annotates.
std::vector<std::string> systemFolders(CompilerInstance &Compiler) {
  std::vector<std::string> Folders;
  const HeaderSearch &Headers =
      Compiler.getPreprocessor().getHeaderSearchInfo();
  for (auto Folder = Headers.system_dir_begin();
       Folder != Headers.system_dir_end(); ++Folder)
    Folders.push_back((Folder->getName() + "/").str());
  return Folders;
}

/// Lets the remarks that \p Compiler was asked for be shown on code of all
/// modules that the translation unit has imported. Clang asks the options that
/// the module was compiled with, but what becomes of a template's loop is
/// decided in the file that uses it.
void showRemarksInModules(CompilerInstance &Compiler) {
  ASTReader *Reader = Compiler.getASTReader().get();
  if (!Reader)
    return;
  const CodeGenOptions &Options = Compiler.getCodeGenOpts();
  llvm::SmallVector<const char *, 3> Groups;
  if (Options.OptimizationRemark.hasValidPattern())
    Groups.push_back("pass");
  if (Options.OptimizationRemarkMissed.hasValidPattern())
    Groups.push_back("pass-missed");
  if (Options.OptimizationRemarkAnalysis.hasValidPattern())
    Groups.push_back("pass-analysis");
  for (const serialization::ModuleFile &File : Reader->getModuleManager()) {
    // What is asked for at the start of the module's main file holds in all of
    // its files that do not ask otherwise by a pragma.
    const SourceLocation Start =
        Compiler.getSourceManager().getLocForStartOfFile(
            File.OriginalSourceFileID);
    if (!File.isModule() || Start.isInvalid())
      continue;
    for (const char *Group : Groups)
      Compiler.getDiagnostics().setSeverityForGroup(
          diag::Flavor::Remark, Group, diag::Severity::Remark, Start);
  }
}

/// Acts behind the parser, in front of the passes.
class HeddleConsumer : public ASTConsumer {
  CompilerInstance &Compiler;

public:
  explicit HeddleConsumer(CompilerInstance &Compiler) : Compiler(Compiler) {}

  void HandleTranslationUnit(ASTContext &) override {
    showRemarksInModules(Compiler);
  }
};

class HeddleAction : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 llvm::StringRef) override {
    if (std::string Error = heddle::secondCopyError(); !Error.empty()) {
      DiagnosticsEngine &Diagnostics = Compiler.getDiagnostics();
      Diagnostics.Report(heddle::diagnostic::textId(
          Diagnostics, heddle::diagnostic::SecondCopy))
          << Error;
      // The two take each other's attributes for written by hand.
      Diagnostics.setSuppressAllDiagnostics(true);
      return std::make_unique<ASTConsumer>();
    }
    CodeGenOptions &Options = Compiler.getCodeGenOpts();
    Options.PassBuilderCallbacks.push_back(heddle::registerAsyncPasses);
    // Findings name variables and fields.
    if (heddle::CheckLoops)
      Options.setDebugInfo(std::max(Options.getDebugInfo(),
                                    llvm::codegenoptions::FullDebugInfo));
    // Reports at compile time and at run time name the line of a loop. As for
    // -Rpass, the lines do not reach the object file.
    if (Options.getDebugInfo() == llvm::codegenoptions::NoDebugInfo)
      Options.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
    if (heddle::givesAdvice())
      heddle::SystemFolders = systemFolders(Compiler);
    // Headers tell the compiler more if it is one that listens.
    Preprocessor &PP = Compiler.getPreprocessor();
    PP.setPredefines(PP.getPredefines() + "#define __HEDDLE__ 1\n");
    return std::make_unique<HeddleConsumer>(Compiler);
  }

  bool ParseArgs(const CompilerInstance &Compiler,
                 const std::vector<std::string> &Arguments) override {
    DiagnosticsEngine &Diagnostics = Compiler.getDiagnostics();
    bool AllKnown = true;
    for (const std::string &Argument : Arguments) {
      if (Argument == "check") {
        heddle::CheckLoops = true;
        continue;
      }
      if (Argument == "advise") {
        heddle::AdviseLoops = true;
        continue;
      }
      AllKnown = false;
      Diagnostics.Report(heddle::diagnostic::textId(
          Diagnostics, heddle::diagnostic::UnknownPluginArgument))
          << Argument;
    }
    return AllKnown;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<HeddleAction>
    ActionRegistration("HeddlePlugin", "compiles the directives of Heddle");

} // namespace
