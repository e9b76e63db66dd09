//===- LoopBody.cpp - Statements at the head of a loop's body -------------===//

#include "LoopBody.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

bool heddle::isLoop(const Stmt *Statement) {
  return isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(Statement);
}

Stmt *heddle::bodyOf(Stmt *Loop) {
  if (auto *For = dyn_cast<ForStmt>(Loop))
    return For->getBody();
  if (auto *RangeFor = dyn_cast<CXXForRangeStmt>(Loop))
    return RangeFor->getBody();
  if (auto *While = dyn_cast<WhileStmt>(Loop))
    return While->getBody();
  return cast<DoStmt>(Loop)->getBody();
}

static void setBody(Stmt *Loop, Stmt *Body) {
  if (auto *For = dyn_cast<ForStmt>(Loop))
    For->setBody(Body);
  else if (auto *RangeFor = dyn_cast<CXXForRangeStmt>(Loop))
    RangeFor->setBody(Body);
  else if (auto *While = dyn_cast<WhileStmt>(Loop))
    While->setBody(Body);
  else
    cast<DoStmt>(Loop)->setBody(Body);
}

Stmt *heddle::loopForMarks(Stmt *Loop) {
  if (!isa<ForStmt, CXXForRangeStmt>(Loop))
    return Loop;
  while (true) {
    Stmt *Inner = bodyOf(Loop)->IgnoreContainers();
    if (!isa<ForStmt, CXXForRangeStmt>(Inner))
      return Loop;
    Loop = Inner;
  }
}

void heddle::insertIntoBody(ASTContext &Context, Stmt *Loop,
                            llvm::ArrayRef<Stmt *> Statements) {
  Stmt *Body = bodyOf(Loop);
  llvm::SmallVector<Stmt *, 8> All(Statements);
  FPOptionsOverride FloatingPoint;
  // A block keeps its own statements as they are: OpenMP looks for some of its
  // directives there.
  if (auto *Block = dyn_cast<CompoundStmt>(Body)) {
    llvm::append_range(All, Block->body());
    if (Block->hasStoredFPFeatures())
      FloatingPoint = Block->getStoredFPFeatures();
  } else {
    All.push_back(Body);
  }
  setBody(Loop, CompoundStmt::Create(Context, All, FloatingPoint,
                                     Body->getBeginLoc(), Body->getEndLoc()));
}
