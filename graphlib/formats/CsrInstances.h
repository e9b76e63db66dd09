//===- CsrInstances.h - buildCsr() as the library has it -------*- C++ -*-===//
//
// Sources that include this header call the library's instances of buildCsr()
// instead of compiling their own.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_CSRINSTANCES_H
#define HEDDLE_GRAPHLIB_FORMATS_CSRINSTANCES_H

#include "../files/Instantiate.h"

#include "heddle/graph/detail/Build.h"

namespace heddle::graph {

#define HEDDLE_DECLARE_INSTANCE(VertexId, Weight)                              \
  extern template Csr<VertexId, Weight> buildCsr(                              \
      const EdgeList<VertexId, Weight> &, const BuildOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_DECLARE_INSTANCE)
#undef HEDDLE_DECLARE_INSTANCE

} // namespace heddle::graph

#endif
