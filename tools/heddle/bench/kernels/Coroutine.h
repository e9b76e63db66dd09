//===- Coroutine.h - C++20 coroutines for interleaved operations -*- C++ -*-//
//
// The `coroutines` versions write one operation as a coroutine that suspends
// after each prefetch, and keep a ring of them going round-robin. Frames are
// recycled through a free list of the thread, so that the heap is touched only
// at the beginning; a coroutine starts without a first suspension.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_KERNELS_COROUTINE_H
#define HEDDLE_TOOLS_BENCH_KERNELS_COROUTINE_H

#include "Interleaving.h"

#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>

namespace heddle::bench {

/// Recycled coroutine frames of one thread, by size in cache lines.
class FramePool {
public:
  FramePool() = default;
  FramePool(const FramePool &) = delete;
  FramePool &operator=(const FramePool &) = delete;
  ~FramePool() {
    for (size_t lines = 0; lines <= MaxLines; ++lines)
      while (Frame *frame = free[lines]) {
        free[lines] = frame->next;
        ::operator delete(frame, std::align_val_t(LineBytes));
      }
  }

  void *take(size_t bytes) {
    const size_t lines = (bytes + LineBytes - 1) / LineBytes;
    if (lines > MaxLines)
      throw std::bad_alloc();
    if (Frame *frame = free[lines]) {
      free[lines] = frame->next;
      return frame;
    }
    return ::operator new(lines * LineBytes, std::align_val_t(LineBytes));
  }

  void give(void *memory, size_t bytes) {
    Frame *frame = static_cast<Frame *>(memory);
    Frame *&list = free[(bytes + LineBytes - 1) / LineBytes];
    frame->next = list;
    list = frame;
  }

  static FramePool &ofThread() {
    static thread_local FramePool pool;
    return pool;
  }

private:
  static constexpr size_t LineBytes = 64;
  static constexpr size_t MaxLines = 16;
  struct Frame {
    Frame *next;
  };
  Frame *free[MaxLines + 1] = {};
};

struct Operation {
  struct promise_type {
    Operation get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
    static void *operator new(size_t bytes) {
      return FramePool::ofThread().take(bytes);
    }
    static void operator delete(void *frame, size_t bytes) {
      FramePool::ofThread().give(frame, bytes);
    }
  };
  std::coroutine_handle<promise_type> handle;
};

/// Runs the operations `start(i, sum)` for i in [begin, end),
/// CoroutinesInFlight at a time, in round-robin order, and returns the sum.
/// Every operation suspends at least once.
template <class Sum = uint64_t, class Start>
Sum roundRobin(int64_t begin, int64_t end, const Start &start) {
  Sum sum = 0;
  std::coroutine_handle<Operation::promise_type> ring[CoroutinesInFlight];
  int64_t next = begin;
  int live = 0;
  while (live < CoroutinesInFlight && next < end)
    ring[live++] = start(next++, sum).handle;
  while (live > 0)
    for (int i = 0; i < live;) {
      ring[i].resume();
      if (!ring[i].done()) {
        ++i;
        continue;
      }
      ring[i].destroy();
      if (next < end)
        ring[i++] = start(next++, sum).handle;
      else
        ring[i] = ring[--live];
    }
  return sum;
}

} // namespace heddle::bench

#endif
