//===- ModuleRemarks.cpp - Remarks on code of modules ---------------------===//

#include "ModuleRemarks.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/ModuleManager.h"

using namespace clang;

void heddle::showRemarksInModules(CompilerInstance &Compiler) {
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
