//===- CsrInstances.cpp - buildCsr() for all graphs -----------------------===//

#include "CsrInstances.h"

namespace heddle::graph {

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template Csr<VertexId, Weight> buildCsr(const EdgeList<VertexId, Weight> &,  \
                                          const BuildOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

} // namespace heddle::graph
