//===- Kinds.h - Which kinds of a store a build tests -----------*- C++ -*-===//
//
// Kinds are many, and take long to compile. Builds with AddressSanitizer test
// those that have the smallest parts, in which all ends are near; other builds
// test what is used, at the speed at which it is used.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_KINDS_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_KINDS_H

#include <type_traits>

namespace heddle::test {

#if __has_feature(address_sanitizer)
inline constexpr bool HasAddressSanitizer = true;
#else
inline constexpr bool HasAddressSanitizer = false;
#endif

/// Both are lists of types.
template <typename Usual, typename Smallest>
using UsualOrSmallest =
    std::conditional_t<HasAddressSanitizer, Smallest, Usual>;

} // namespace heddle::test

#endif
