//===- Outcomes.h - Directives without a remark so far ------------*- C++ -*-=//
//
// Each annotated loop gets its remark. A loop that the optimiser does away with
// between AsyncMark and AsyncSplit, because it is dead code or runs once, never
// reaches the pass that would report it. AsyncMark records all loops,
// AsyncSplit and PullPass record those that they have reported, and AsyncReport
// reports the rest.
//
// A directive without effect is a warning as well, one for all copies of its
// loop: inlined ones and those of instances of templates. Like Clang's own loop
// hints, it belongs to -Wpass-failed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_OUTCOMES_H
#define HEDDLE_PASSES_MARK_OUTCOMES_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/PassManager.h"
#include <memory>
#include <string>

namespace heddle {

/// The beginning of remarks on loops that stay as they are: under `async`, and
/// under `pull` and `vectorsparse`.
constexpr char NotInterleaved[] = "loop not interleaved: ";
constexpr char NotBalanced[] = "loop not balanced by edges: ";

struct Refusal;

/// Removes the calls of EdgeVectorsName, which have no meaning at run time.
void eraseEdgeVectorCalls(llvm::Module &M);

/// The directives of one translation unit, by their numbers.
class Outcomes {
  struct Expected {
    llvm::DebugLoc Where;
    std::string Function;
    const char *Left;
  };
  llvm::MapVector<unsigned, Expected> Unreported;
  struct Warning {
    llvm::DebugLoc Where;
    std::string Text;
  };
  /// Of directives that had no effect so far, and of vector code that is
  /// missing.
  llvm::MapVector<unsigned, Warning> WithoutEffect, WithoutVectors;
  llvm::SmallDenseSet<unsigned> Effective;
  /// Instructions that interleaving has added so far.
  unsigned Added = 0;

public:
  void expect(unsigned Number, const llvm::DebugLoc &Where,
              llvm::StringRef Function, const char *Left);
  void noteReported(unsigned Number);
  /// Notes that the directive took effect on a copy of its loop.
  void noteEffect(unsigned Number) { Effective.insert(Number); }
  /// Notes that a copy of its loop, at \p Where in \p F, stays as it is because
  /// of \p Why ; \p Text says it.
  void noteNoEffect(unsigned Number, const llvm::DebugLoc &Where,
                    const llvm::Function &F, const Refusal &Why,
                    std::string Text);
  /// Notes that there is no generator of vector code; \p Text says why.
  void noteNoVectors(unsigned Number, const llvm::DebugLoc &Where,
                     std::string Text);
  void noteAdded(unsigned Instructions) { Added += Instructions; }
  unsigned added() const { return Added; }
  /// Warns of directives without effect.
  void warn(llvm::Module &M);
  /// Emits a remark on each directive that no remark was made on.
  void reportRest(llvm::Module &M);
};

class AsyncReportPass : public llvm::PassInfoMixin<AsyncReportPass> {
  std::shared_ptr<Outcomes> LoopOutcomes;

public:
  explicit AsyncReportPass(std::shared_ptr<Outcomes> LoopOutcomes)
      : LoopOutcomes(std::move(LoopOutcomes)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
