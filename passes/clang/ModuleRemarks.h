//===- ModuleRemarks.h - Remarks on code of modules -------------*- C++ -*-===//
//
// Clang shows a remark on code of an imported module only where the options
// that the module was compiled with ask for it. What becomes of a template's
// loop is decided in the file that uses it, so its options count.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CLANG_MODULEREMARKS_H
#define HEDDLE_PASSES_CLANG_MODULEREMARKS_H

namespace clang {
class CompilerInstance;
}

namespace heddle {

/// Lets the remarks that \p Compiler was asked for be shown in all modules that
/// the translation unit has imported.
void showRemarksInModules(clang::CompilerInstance &Compiler);

} // namespace heddle

#endif
