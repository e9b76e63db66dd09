//===- Program.h - A small everyday program ---------------------*- C++ -*-===//
//
// A program is one file: its data, its loops as a user would write them, with
// one directive each, and the same work interleaved by hand. The file is
// compiled twice, without the plugin, for which the directive is an unknown
// pragma, and with it; all else about the two is the same, so that the plain
// form and the one with the directive cannot differ. The forms run on the same
// data, which the plain compilation builds.
//
// The type of the data is a class with a constructor from a Scale, and
//
//   std::uint64_t run();        the loops with their directives
//   std::uint64_t runByHand();  the same work, interleaved by hand
//   void reset();               optional: back to the initial state
//   std::uint64_t digest();     optional: what the run has left in memory
//
// Values are checksums, the same for all correct forms. reset() and digest()
// are not timed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_PROGRAMS_PROGRAM_H
#define HEDDLE_TOOLS_BENCH_PROGRAMS_PROGRAM_H

#include "../Random.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace heddle::bench {

/// How large the data are, relative to the usual size.
struct Scale {
  double factor;

  /// Returns `usual` at this scale, and at least `least`.
  std::int64_t of(std::int64_t usual, std::int64_t least = 16) const {
    return std::max(
        least, static_cast<std::int64_t>(static_cast<double>(usual) * factor));
  }
};

/// One compilation of a program, with the type of its data erased.
struct Program {
  const char *name;
  const char *description; ///< for the help text
  std::shared_ptr<void> (*build)(Scale scale);
  void (*reset)(void *data);
  std::uint64_t (*run)(void *data);
  std::uint64_t (*runByHand)(void *data);
  std::uint64_t (*digest)(void *data);
};

template <typename Data>
Program programOf(const char *name, const char *description) {
  return {.name = name,
          .description = description,
          .build = [](Scale scale) -> std::shared_ptr<void> {
            return std::make_shared<Data>(scale);
          },
          .reset =
              [](void *data) {
                if constexpr (requires(Data &some) { some.reset(); })
                  static_cast<Data *>(data)->reset();
              },
          .run = [](void *data) { return static_cast<Data *>(data)->run(); },
          .runByHand =
              [](void *data) { return static_cast<Data *>(data)->runByHand(); },
          .digest = [](void *data) -> std::uint64_t {
            if constexpr (requires(Data &some) { some.digest(); })
              return static_cast<Data *>(data)->digest();
            return 0;
          }};
}

/// Defines the function of a file's program, which Programs.def lists.
#define HEDDLE_BENCH_PROGRAM(NAME, COMMAND_NAME, DESCRIPTION)                  \
  namespace heddle::bench::HEDDLE_BENCH_FORM {                                 \
  Program NAME();                                                              \
  Program NAME() { return programOf<bench::NAME>(COMMAND_NAME, DESCRIPTION); } \
  }

} // namespace heddle::bench

#endif
