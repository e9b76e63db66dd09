//===- PmaInstances.h - Sets that several tests use ------------*- C++ -*-===//
//
// PmaInstances.cpp compiles these templates. Other sources only declare them,
// to be quick to compile.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_PMA_PMAINSTANCES_H
#define HEDDLE_TEST_GRAPHLIB_PMA_PMAINSTANCES_H

#include "../support/PmaModel.h"

/// Declares the instances that a set consists of if Prefix is `extern`, and
/// compiles them if it is empty.
#define HEDDLE_PMA_INSTANCE(Prefix, Codec, Key, LeafBytes)                     \
  Prefix template class heddle::graph::detail::SortedBatch<                    \
      heddle::graph::detail::LeafTraits<heddle::graph::detail::Codec<Key>,     \
                                        heddle::graph::detail::NoValue,        \
                                        LeafBytes>>;                           \
  Prefix template class heddle::graph::detail::PackedArray<                    \
      heddle::graph::detail::LeafTraits<heddle::graph::detail::Codec<Key>,     \
                                        heddle::graph::detail::NoValue,        \
                                        LeafBytes>>;

#define HEDDLE_PMA_INSTANCES(Prefix)                                           \
  HEDDLE_PMA_INSTANCE(Prefix, DeltaCodec, std::uint64_t, 256)                  \
  HEDDLE_PMA_INSTANCE(Prefix, DeltaCodec, std::uint64_t, 64)                   \
  HEDDLE_PMA_INSTANCE(Prefix, DeltaCodec, std::uint32_t, 32)                   \
  HEDDLE_PMA_INSTANCE(Prefix, PlainCodec, std::uint64_t, 64)

HEDDLE_PMA_INSTANCES(extern)

#endif
