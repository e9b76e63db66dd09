//===- HeddleOpt.cpp - mlir-opt with the heddle dialect -------------------===//

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/HeddlePasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry Registry;
  Registry
      .insert<arith::ArithDialect, DLTIDialect, func::FuncDialect,
              heddle::HeddleDialect, LLVM::LLVMDialect, math::MathDialect,
              memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
  registerTransformsPasses();
  heddle::registerHeddlePasses();
  heddle::registerPullToLLVM();
  return asMainReturnCode(
      MlirOptMain(argc, argv, "MLIR with the heddle dialect\n", Registry));
}
