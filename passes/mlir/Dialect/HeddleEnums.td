//===- HeddleEnums.td - Enumerations of the heddle dialect ----------------===//
//
// On their own, because enumerations are generated for all that a file includes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MLIR_HEDDLEENUMS_TD
#define HEDDLE_PASSES_MLIR_HEDDLEENUMS_TD

include "mlir/IR/EnumAttr.td"

def Heddle_Scheduler : I32EnumAttr<"AsyncScheduler",
    "how the iterations in flight are interleaved", [
      I32EnumAttrCase<"Unspecified", 0, "auto">,
      I32EnumAttrCase<"Fifo", 1, "fifo">,
      I32EnumAttrCase<"Lockstep", 2, "lockstep">,
      I32EnumAttrCase<"Dynamic", 3, "dynamic">]> {
  let cppNamespace = "::heddle";
  let genSpecializedAttr = 0;
}

#endif
