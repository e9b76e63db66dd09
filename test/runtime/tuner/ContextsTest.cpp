// Memory for the contexts of tasks: aligned, kept by its thread, refused in
// deep recursions.

#include "tuner/contexts.h"

#include <csetjmp>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace {

TEST(Contexts, MemoryIsAlignedAndUsable) {
  for (std::uint64_t alignment = 8; alignment <= 4096; alignment *= 2)
    for (std::uint64_t bytes : {0, 1, 63, 64, 5000, 3 << 20}) {
      void *memory = heddle_contexts_begin(bytes, alignment);
      ASSERT_NE(memory, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0u);
      std::memset(memory, 1, bytes);
      heddle_contexts_end(memory);
    }
}

TEST(Contexts, AThreadKeepsMemoryForTheNextLoop) {
  void *first = heddle_contexts_begin(1000, 64);
  heddle_contexts_end(first);
  void *second = heddle_contexts_begin(900, 64);
  EXPECT_EQ(first, second);
  heddle_contexts_end(second);
}

TEST(Contexts, LoopsInsideOneAnotherHaveMemoryOfTheirOwn) {
  void *outer = heddle_contexts_begin(100, 64);
  std::memset(outer, 1, 100);
  void *inner = heddle_contexts_begin(100, 64);
  std::memset(inner, 2, 100);
  EXPECT_EQ(*static_cast<char *>(outer), 1);
  heddle_contexts_end(inner);
  heddle_contexts_end(outer);
}

TEST(Contexts, MoreThanThereIsIsRefused) {
  EXPECT_EQ(heddle_contexts_begin(UINT64_MAX, 64), nullptr);
  EXPECT_EQ(heddle_contexts_begin(UINT64_MAX - 128, 64), nullptr);
}

/// The number of loops inside one another that get memory, in frames of their
/// own. \p leave is called in the innermost.
template <typename Leave>
[[gnu::noinline]] unsigned nested(unsigned loops, Leave leave) {
  if (loops == 0) {
    leave();
    return 0;
  }
  void *memory = heddle_contexts_begin(100, 64);
  const unsigned inside = nested(loops - 1, leave);
  if (!memory)
    return inside;
  heddle_contexts_end(memory);
  return inside + 1;
}

TEST(Contexts, DeepRecursionsAreRefused) {
  EXPECT_EQ(nested(HEDDLE_CONTEXT_DEPTH, [] {}), HEDDLE_CONTEXT_DEPTH);
  EXPECT_EQ(nested(1000, [] {}), HEDDLE_CONTEXT_DEPTH);
  EXPECT_EQ(nested(1, [] {}), 1u);
}

std::jmp_buf beforeLoops;
std::vector<void *> left;

[[gnu::noinline]] void leaveLoop() {
  left.push_back(heddle_contexts_begin(100, 64));
  std::longjmp(beforeLoops, 1);
}

TEST(Contexts, LoopsLeftByALongJumpDoNotCount) {
  setjmp(beforeLoops);
  if (left.size() < 3 * HEDDLE_CONTEXT_DEPTH)
    leaveLoop();
  for (void *memory : left) {
    ASSERT_NE(memory, nullptr);
    heddle_contexts_end(memory);
  }
  left.clear();
}

TEST(Contexts, AnotherThreadMayGiveMemoryBack) {
  void *memory = heddle_contexts_begin(100, 64);
  std::thread([&] { heddle_contexts_end(memory); }).join();
  for (unsigned i = 0; i < 2 * HEDDLE_CONTEXT_DEPTH; ++i) {
    void *next = heddle_contexts_begin(100, 64);
    ASSERT_NE(next, nullptr);
    heddle_contexts_end(next);
  }
}

} // namespace
