//===- HeddleOpt.cpp - mlir-opt with the heddle dialect -------------------===//

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/HeddlePasses.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry Registry;
  mlir::registerAllDialects(Registry);
  mlir::registerAllExtensions(Registry);
  Registry.insert<heddle::HeddleDialect>();
  mlir::registerAllPasses();
  heddle::registerAll();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "MLIR with the heddle dialect\n", Registry));
}
