//===- HeddleDialect.td - The heddle dialect and its operations -----------===//
//
// heddle.pull describes the work for each in-edge of a vertex; its lowering
// alone decides how that becomes vector code. heddle.mark corresponds to the
// directive `#pragma heddle async` in C and C++.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MLIR_HEDDLEDIALECT_TD
#define HEDDLE_PASSES_MLIR_HEDDLEDIALECT_TD

include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/Dialect/Vector/IR/VectorAttributes.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Dialect/HeddleEnums.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Heddle_Dialect : Dialect {
  let name = "heddle";
  let cppNamespace = "::heddle";
  let summary = "Loops that wait for memory, and loops over edge vectors";
  let description = [{
    Irregular loops over data that is larger than the caches, as MLIR programs
    hand them to Heddle's passes: `#heddle.async` and `heddle.mark` ask for a
    loop's iterations to be interleaved, and `heddle.pull` is the loop over the
    in-edges of a vertex in the Vector-Sparse format.
  }];
  // Attributes of these dialects are parameters of heddle.pull.
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

def Heddle_SchedulerParameter
    : DefaultValuedParameter<"AsyncScheduler", "AsyncScheduler::Unspecified"> {
  let parser = "::heddle::parseScheduler($_parser)";
}

def Heddle_AsyncAttr : AttrDef<Heddle_Dialect, "Async"> {
  let mnemonic = "async";
  let summary = "asks for the iterations of a loop to be interleaved";
  let description = [{
    The clauses of the directive `#pragma heddle async` that name no variables:

    *   `tasks`: how many iterations are in flight, from 1 to 1024, or 0 for as
        many as suit the host;
    *   `scheduler`: `fifo`, `lockstep` or `dynamic`, or `auto`;
    *   `coalesce`: the most requests that are issued at one suspension, or 0;
    *   `suspensions`: the most suspensions of an iteration, or 0 for as many as
        it waits for memory.

    It is the attribute of a `heddle.mark`, or the discardable attribute
    `heddle.async` of an operation that is a loop, such as `scf.for` or
    `omp.wsloop`, from where `heddle-materialize-marks` takes it into the
    loop's body. With either, the iterations are promised to be independent but
    for commutative updates.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      ...
    } {heddle.async = #heddle.async<tasks = 64, scheduler = lockstep>}
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"unsigned", "0">:$tasks,
    Heddle_SchedulerParameter:$scheduler,
    DefaultValuedParameter<"unsigned", "0">:$coalesce,
    DefaultValuedParameter<"unsigned", "0">:$suspensions);
  let builders = [
    AttrBuilder<(ins "unsigned":$tasks, "AsyncScheduler":$scheduler), [{
      return $_get($_ctxt, tasks, scheduler, /*coalesce=*/0u,
                   /*suspensions=*/0u);
    }]>
  ];
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let genVerifyDecl = 1;
}

class Heddle_Op<string mnemonic, list<Trait> traits = []>
    : Op<Heddle_Dialect, mnemonic, traits>;

def Heddle_MarkOp : Heddle_Op<"mark", [
    AttrSizedOperandSegments, MemoryEffects<[MemWrite]>,
    RangedTypesMatchWith<"a loop counts in the type that it starts in",
                         "counters", "starts", "$_self">]> {
  let summary = "marks the innermost loop around it for AsyncSplit";
  let description = [{
    Stands in the body of a loop and asks for its iterations to be interleaved.
    Unlike an attribute of the loop, it survives the lowering of loops to
    branches; `heddle-lower-marks` makes the call of it that the passes over
    LLVM IR look for.

    The operands are the directive's other clauses: `if` the iterations are to be
    interleaved at all; the variables `private` to an iteration, `shared` by
    commutative updates, and updated in `sequential` order; and the data whose
    accesses are `remote`, and wait for memory, or `near`, and never do.
    Variables and data are memrefs or pointers of the llvm dialect.

    Loops that run once are likely to be replaced by their bodies. A mark that
    knows what its loop counts, and from where, then ceases to be, rather than
    speak for the loop around; `heddle-materialize-marks` makes such marks.

    ```mlir
    heddle.mark #heddle.async<tasks = 64> if(%large)
        counts(%i from %c0 : index) remote(%table : memref<?xf64>)
    ```
  }];
  let arguments = (ins
    Heddle_AsyncAttr:$async, Optional<I1>:$condition,
    Variadic<AnySignlessIntegerOrIndex>:$counters,
    Variadic<AnySignlessIntegerOrIndex>:$starts,
    Variadic<AnyType>:$privates, Variadic<AnyType>:$shared,
    Variadic<AnyType>:$sequential, Variadic<AnyType>:$remote,
    Variadic<AnyType>:$near);
  let assemblyFormat = [{
    qualified($async) (`if` `(` $condition^ `)`)?
    (`counts` `(` $counters^ `from` $starts `:` type($counters) `)`)?
    (`private` `(` $privates^ `:` type($privates) `)`)?
    (`shared` `(` $shared^ `:` type($shared) `)`)?
    (`sequential` `(` $sequential^ `:` type($sequential) `)`)?
    (`remote` `(` $remote^ `:` type($remote) `)`)?
    (`near` `(` $near^ `:` type($near) `)`)? attr-dict
  }];
  let builders = [OpBuilder<(ins "AsyncAttr":$async)>];
  let extraClassDeclaration = [{
    /// True if the loop whose counters it knows has been replaced by its body.
    bool hasLostItsLoop();
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

defvar Heddle_InMemory = [I8, I16, I32, I64, F32, F64];
def Heddle_Element : AnyTypeOf<[I1] # Heddle_InMemory>;
def Heddle_Array : MemRefRankOf<Heddle_InMemory, [1]>;
def Heddle_LaneArray : MemRefRankOf<Heddle_InMemory, [2]>;
def Heddle_Bitmap : MemRefRankOf<[I32], [1]>;
def Heddle_Capture : AnyTypeOf<[Heddle_Element, Index, Heddle_Array]>;

def Heddle_PullOp : Heddle_Op<"pull", [
    AllTypesMatch<["init", "result"]>, AttrSizedOperandSegments,
    IsolatedFromAbove, RecursiveMemoryEffects, MemoryEffects<[MemRead]>]> {
  let summary = "combines what the edges of one vertex contribute";
  let description = [{
    Visits the valid lanes of the edge vectors `lo` to `hi` (exclusive), which
    belong to one top-level vertex, and combines `init` with the message that the
    body yields for each of them. The order is unspecified, so that sums of
    floating point numbers may come out differently rounded.

    `edges` is an array of edge vectors in the Vector-Sparse format (Grazelle,
    section 4), each a row of the memref and aligned to its size: 4 or 8 lanes of
    64 bits or 8 or 16 lanes of 32 bits. Bits of a lane, from the top:

    *   1 valid bit;
    *   a piece of the top-level vertex' id: the bits of the id divided by the
        number of lanes, rounded up, where an id has 48 bits in lanes of 64 bits
        and 32 bits in lanes of 32 bits;
    *   the neighbour: 48 bits in lanes of 64 bits, otherwise what is left.

    Only the last lanes of an edge vector may be invalid, and not all of them;
    their neighbour is 0. `weights` has one element for each lane. If there is a
    `frontier`, only the neighbours in it count: a bitmap with a bit for each
    vertex, from the lowest bit of the first word on.

    The body is scalar code for one edge. Its arguments are the neighbour, zero
    extended to the width of a lane, the weight if there are weights, and the
    `captures`. It consists of elementwise operations, constants and
    `heddle.gather`, and is carried out for several edges at once, and possibly
    for lanes that are not valid and neighbours that are not in the frontier: a
    gather reads nothing of its array for them but the first element, and an
    integer division divides by one.

    ```mlir
    %sum = heddle.pull <add> %edges[%lo to %hi] init(%old : f32)
        captures(%ranks : memref<?xf32>) : memref<?x16xi32> {
    ^bb0(%neighbour: i32, %r: memref<?xf32>):
      %rank = heddle.gather %r[%neighbour] : memref<?xf32>, i32
      heddle.yield %rank : f32
    }
    ```

    The result is the combined value, or what the region `apply` makes of it,
    which may contain any operations. Its arguments are the combined value and
    the captures.

    ```mlir
    %rank = heddle.pull <add> %edges[%lo to %hi] init(%zero : f32)
        captures(%ranks, %damping : memref<?xf32>, f32) : memref<?x16xi32> {
      ...
    } apply {
    ^bb0(%sum: f32, %r: memref<?xf32>, %d: f32):
      %rank = arith.mulf %sum, %d : f32
      heddle.yield %rank : f32
    }
    ```
  }];
  let arguments = (ins
    Vector_CombiningKindAttr:$kind,
    DefaultValuedAttr<Arith_FastMathAttr,
                      "::mlir::arith::FastMathFlags::none">:$fastmath,
    Heddle_LaneArray:$edges, Index:$lo, Index:$hi,
    Optional<Heddle_LaneArray>:$weights, Optional<Heddle_Bitmap>:$frontier,
    Heddle_Element:$init, Variadic<Heddle_Capture>:$captures);
  let results = (outs Heddle_Element:$result);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$apply);
  let assemblyFormat = [{
    $kind $edges `[` $lo `to` $hi `]`
    (`weights` `(` $weights^ `:` type($weights) `)`)?
    (`frontier` `(` $frontier^ `:` type($frontier) `)`)?
    `init` `(` $init `:` type($init) `)`
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    (`fastmath` `` $fastmath^)? attr-dict-with-keyword `:` type($edges) $body
    (`apply` $apply^)?
  }];
  let extraClassDeclaration = [{
    /// Lanes of an edge vector.
    unsigned getLanes() { return getEdges().getType().getShape()[1]; }
    /// Bits of a lane.
    unsigned getLaneBits() {
      return getEdges().getType().getElementTypeBitWidth();
    }
    /// The body's argument for the first capture.
    unsigned getFirstCapture() { return getWeights() ? 2 : 1; }
    YieldOp getYield();
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Heddle_PullParallelOp : Heddle_Op<"pull_parallel", [
    AttrSizedOperandSegments, IsolatedFromAbove]> {
  let summary = "heddle.pull for all vertices, distributed among threads by edges";
  let description = [{
    Does for each vertex `v` what `heddle.pull` does with the edge vectors from
    `rows[v]` to `rows[v + 1]`, and stores the result in `into[v]`. The region
    `apply` gets the vertex before the other arguments, and gives a value of the
    type that `into` has. The edge vectors have to be those of vertex 0, 1 and so
    on from the first one on, as `heddle.pack` makes them.

    The threads of an OpenMP team take `chunk` edge vectors at a time, whatever
    rows these belong to, so that a vertex of high degree delays no thread. A
    row that is cut leaves the partial result of each chunk in that chunk's slot
    of a merge buffer, and these are combined in the end (Grazelle, section 5).

    ```mlir
    heddle.pull_parallel <add> %rows, %edges chunk(%c4096) init(%zero : f64)
        captures(%x : memref<?xf64>) into(%y : memref<?xf64>)
        : memref<?xindex>, memref<?x16xi32> {
    ^bb0(%neighbour: i32, %values: memref<?xf64>):
      %value = heddle.gather %values[%neighbour] : memref<?xf64>, i32
      heddle.yield %value : f64
    }
    ```
  }];
  let arguments = (ins
    Vector_CombiningKindAttr:$kind,
    DefaultValuedAttr<Arith_FastMathAttr,
                      "::mlir::arith::FastMathFlags::none">:$fastmath,
    Arg<MemRefRankOf<[Index], [1]>, "", [MemRead]>:$rows,
    Arg<Heddle_LaneArray, "", [MemRead]>:$edges, Index:$chunk,
    Arg<Optional<Heddle_LaneArray>, "", [MemRead]>:$weights,
    Arg<Optional<Heddle_Bitmap>, "", [MemRead]>:$frontier,
    Heddle_Element:$init,
    Arg<Variadic<Heddle_Capture>, "", [MemRead]>:$captures,
    Arg<Heddle_Array, "", [MemWrite]>:$into);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$apply);
  let assemblyFormat = [{
    $kind $rows `,` $edges `chunk` `(` $chunk `)`
    (`weights` `(` $weights^ `:` type($weights) `)`)?
    (`frontier` `(` $frontier^ `:` type($frontier) `)`)?
    `init` `(` $init `:` type($init) `)`
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    `into` `(` $into `:` type($into) `)`
    (`fastmath` `` $fastmath^)? attr-dict-with-keyword
    `:` type($rows) `,` type($edges) $body (`apply` $apply^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Heddle_GatherOp : Heddle_Op<"gather", [
    ParentOneOf<["PullOp", "PullParallelOp"]>, MemoryEffects<[MemRead]>,
    TypesMatchWith<"the result has the type of the array's elements", "base",
                   "result",
                   "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">
    ]> {
  let summary = "reads the element of an array that an edge asks for";
  let description = [{
    Reads `base[index]`, where the index is signed, if the edge's lane is valid
    and the condition, if there is one, holds. Otherwise nothing is read but
    `base[0]`, and the result is some value.
  }];
  let arguments = (ins
    Heddle_Array:$base, AnyTypeOf<[I8, I16, I32, I64, Index]>:$index,
    Optional<I1>:$condition);
  let results = (outs Heddle_Element:$result);
  let assemblyFormat = [{
    $base `[` $index `]` (`if` $condition^)? attr-dict
    `:` type($base) `,` type($index)
  }];
  let hasVerifier = 1;
}

def Heddle_YieldOp : Heddle_Op<"yield", [
    ParentOneOf<["PullOp", "PullParallelOp"]>, Pure, Terminator]> {
  let summary = "yields the message of an edge, or the result of `apply`";
  let description = [{
    In the body, the message of one edge, which is combined with the others if
    the condition holds; in the region `apply`, the result.
  }];
  let arguments = (ins Heddle_Element:$message, Optional<I1>:$condition);
  let assemblyFormat = [{
    $message (`if` $condition^)? attr-dict `:` type($message)
  }];
}

def Heddle_Number : AnyTypeOf<[I8, I16, I32, I64, Index]>;

def Heddle_PackOp : Heddle_Op<"pack"> {
  let summary = "compressed rows as edge vectors";
  let description = [{
    Makes edge vectors, as `heddle.pull` takes them, of rows in compressed form:
    the neighbours of row `v` are the `coordinates` from `positions[v]` to
    `positions[v + 1]` (exclusive), none if that is less, and the `weights`, if
    there are any, lie beside them. All numbers are unsigned. The edge vectors of
    row `v` are those from `rows[v]` to `rows[v + 1]`; a row without neighbours
    has none.

    Each result is allocated, and to be freed by `memref.dealloc`; the edge
    vectors are aligned to their size. Numbers of rows and of neighbours that
    the lanes have too few bits for end the program with a message.

    ```mlir
    %rows, %edges, %lane_weights = heddle.pack %positions, %coordinates
        weights(%values) : (memref<?xi64>, memref<?xi32>, memref<?xf64>)
        -> (memref<?xindex>, memref<?x16xi32>, memref<?x16xf64>)
    ```
  }];
  let arguments = (ins
    Arg<MemRefRankOf<[Heddle_Number], [1]>, "", [MemRead]>:$positions,
    Arg<MemRefRankOf<[Heddle_Number], [1]>, "", [MemRead]>:$coordinates,
    Arg<Optional<Heddle_Array>, "", [MemRead]>:$weights);
  let results = (outs
    Res<MemRefRankOf<[Index], [1]>, "", [MemAlloc, MemWrite]>:$rows,
    Res<Heddle_LaneArray, "", [MemAlloc, MemWrite]>:$edges,
    Res<Optional<Heddle_LaneArray>, "", [MemAlloc, MemWrite]>:$laneWeights);
  let assemblyFormat = [{
    $positions `,` $coordinates (`weights` `(` $weights^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif
