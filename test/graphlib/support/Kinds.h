//===- Kinds.h - The kinds of a store in a build ----------------*- C++ -*-===//
//
// There are many kinds, which take long to compile. Builds with
// AddressSanitizer test those with the smallest parts, in which all ends are
// near; other builds test the kinds that programs use.
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
