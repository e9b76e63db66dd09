//===- Marks.h - Traces that passes leave in the IR -------------*- C++ -*-===//
//
// All traces by which the passes find an annotated loop again and tell each
// other what they know of it. MarkProtocol.h has the traces that front ends
// leave for AsyncMark.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_MARKS_H
#define HEDDLE_PASSES_MARK_MARKS_H

namespace heddle {

/// The marker that AsyncMark leaves for AsyncSplit:
///   call void (i32, ...) @__heddle_async(i32 directive, <clauses>)
/// with the clauses as in MarkProtocol.h, less Remote and Near. PullPass leaves
/// it with the clause Pull where it can do nothing itself.
constexpr char AsyncMarkerName[] = "__heddle_async";
/// The marker that AsyncMark leaves for PullPass:
///   call void (i32, ...) @__heddle_pull(i32 directive, <clauses>)
constexpr char PullMarkerName[] = "__heddle_pull";
/// The loop properties that go with the two.
constexpr char AsyncLoopProperty[] = "heddle.async";
constexpr char PullLoopProperty[] = "heddle.pull";

/// Metadata on memory accesses, from the clauses of the same names: AsyncMark
/// leaves it for LatencyAnalysis.
constexpr char RemoteMetadata[] = "heddle.remote";
constexpr char NearMetadata[] = "heddle.near";

/// Metadata on the marker of a loop, from NestedCalls for the remarks: for each
/// nested coroutine its name, the depth for which there is room (0 where it
/// takes none), and where it is called, if that is known.
constexpr char NestedMetadata[] = "heddle.nested";
/// Metadata that NestedFrames leaves for the analyses of AsyncSplit, on what
/// saves values in frames and restores them: a node for each value that is
/// saved.
constexpr char FrameMetadata[] = "heddle.frame";
/// The same, on the calls for which there is no room on the stack of frames.
/// They do what the code beside them does.
constexpr char OverflowMetadata[] = "heddle.overflow";

/// The function that programs call to say how edges lie in memory; PullNest.h
/// says how it is read.
constexpr char EdgeVectorsName[] = "heddle_edge_vectors";

} // namespace heddle

#endif
