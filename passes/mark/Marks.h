//===- Marks.h - Traces that passes leave in the IR -------------*- C++ -*-===//
//
// All traces by which the passes find a marked loop again and pass facts about
// it to each other. MarkProtocol.h has the traces that front ends leave for
// AsyncMark.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_MARKS_H
#define HEDDLE_PASSES_MARK_MARKS_H

namespace heddle {

/// The marker that AsyncMark leaves for AsyncSplit:
///   call void (i32, ...) @__heddle_async(i32 directive, <clauses>)
/// with the clauses as in MarkProtocol.h, without Remote and Near. PullPass
/// leaves it with the clause Pull on loops that it cannot rewrite.
constexpr char AsyncMarkerName[] = "__heddle_async";
/// The marker that AsyncMark leaves for PullPass:
///   call void (i32, ...) @__heddle_pull(i32 directive, <clauses>)
constexpr char PullMarkerName[] = "__heddle_pull";
/// The loop properties that go with the two.
constexpr char AsyncLoopProperty[] = "heddle.async";
constexpr char PullLoopProperty[] = "heddle.pull";
/// The loop property of loops that KeepRolled does not let LLVM unroll yet.
constexpr char RolledLoopProperty[] = "heddle.rolled";

/// Metadata on memory accesses, from the clauses of the same names: AsyncMark
/// leaves it for LatencyAnalysis.
constexpr char RemoteMetadata[] = "heddle.remote";
constexpr char NearMetadata[] = "heddle.near";

/// Metadata on the marker of a loop, from NestedCalls for the remarks: for each
/// nested coroutine its name, the depth for which there is room (0 if it needs
/// none), and the location of the call, if that is known. A fourth operand says
/// that its code is in another file.
constexpr char NestedMetadata[] = "heddle.nested";
/// Metadata that NestedFrames leaves for the analyses of AsyncSplit, on the
/// instructions that save values in frames and restore them: one node for each
/// saved value.
constexpr char FrameMetadata[] = "heddle.frame";
/// Metadata on accesses to variables that freeOrder() has put into memory. It
/// has an operand if a write is not the last step of an update, or if what is
/// read is where a table begins.
constexpr char FreeMetadata[] = "heddle.free";
/// Metadata that LeanFrames leaves for LatencyAnalysis, on accesses to lines
/// that the iteration has accessed before.
constexpr char VisitedMetadata[] = "heddle.visited";
/// Metadata that LeanFrames leaves for LatencyAnalysis, on the first access to
/// an object that the caller has other accesses to: where, in bytes from this
/// one, these begin at the least and at the most.
constexpr char ReachMetadata[] = "heddle.reach";
/// Metadata on the calls that are executed when the stack of frames is full, or
/// in the serial version. They have the effect of the code beside them.
constexpr char OverflowMetadata[] = "heddle.overflow";

/// Metadata on markers in a copy of a loop that runs where a function of
/// another file has no nested form (elsewhere/CallForms.h). No remark speaks of
/// it.
constexpr char FallbackMetadata[] = "heddle.fallback";
/// Metadata on the branches to such copies. Without it, a copy that is not
/// needed stays.
constexpr char FormChoiceMetadata[] = "heddle.form.choice";
/// The attribute of calls that run a function of another file up to where it
/// waits, and its value if they begin it.
constexpr char FormAttribute[] = "heddle-form";
constexpr char StartOfForm[] = "start";

/// The attribute of calls that are made where none of the likely targets is
/// meant; from GuardTargets.
constexpr char UnlikelyAttribute[] = "heddle-unlikely";

/// The attribute of calls through pointers beside the code that compares; from
/// GuardTargets. The serial version makes them.
constexpr char PlainAttribute[] = "heddle-plain";

/// The marker that NestedCalls and GuardTargets leave for AsyncSplit beside
/// nested coroutines and comparisons; see PlainCalls.h.
constexpr char NestedMarkerName[] = "__heddle_nested";

/// The function that programs call to describe the layout of edges in memory;
/// see PullNest.h.
constexpr char EdgeVectorsName[] = "heddle_edge_vectors";

} // namespace heddle

#endif
