//===- Request.h - Memory that is asked for -----------------------*- C++ -*-=//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_REQUEST_H
#define HEDDLE_PASSES_ASYNC_PLAN_REQUEST_H

#include "async/analysis/LatencyAnalysis.h"
#include "async/plan/AddressSlice.h"

namespace llvm {
class LoadInst;
class SCEV;
class Value;
} // namespace llvm

namespace heddle {

/// One prefetch, or a few for an object of several lines.
struct Request {
  const Access *For;
  /// Null for the start of a stream: then Start, at the inner loop's preheader.
  llvm::Value *Address;
  const llvm::SCEV *Start = nullptr;
  bool ForWrite;
  /// Byte offsets from the address, one a line.
  llvm::SmallVector<int64_t, 2> Lines{0};
  /// The instructions that are repeated to compute Address early, where the
  /// request is made.
  AddressSlice Slice{};
  /// Set if Address is the value of this load, a link to the object that an
  /// inner loop moves on to: it is read early, at the request.
  llvm::LoadInst *Link = nullptr;
  /// Byte offsets from the address between which accesses begin that the
  /// request is known to be for.
  int64_t Least = 0, Most = 0;
};

} // namespace heddle

#endif
