/*===- feedback.c - The devices as all loops see them ---------------------===*/

#include "far/devices/feedback.h"

#include "far/devices/depth.h"
#include "far/support/clock.h"
#include "far/support/spin.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

static struct {
  /* heddle_far_depth_now for the present window. */
  _Alignas(64) _Atomic double tasks;
  _Atomic unsigned loops;
  _Alignas(64) _Atomic uint64_t under_way;
  _Atomic uint64_t completed;
  /* The sum over all completions of the number of requests in flight. */
  _Atomic uint64_t sum;
  _Atomic uint64_t look_at; /* completed requests */
  _Atomic bool is_disturbed;

  atomic_flag in_use;
  struct heddle_far_depth depth;
  bool is_settling;
  double before; /* under way when it began to settle */
  uint64_t settled_at;
  double begin; /* of the window, and the counts at that time */
  uint64_t begin_completed, begin_sum;
} devices = {.tasks = HeddleFarFirstTasks,
             .in_use = ATOMIC_FLAG_INIT,
             .depth = {.tasks = HeddleFarFirstTasks},
             .is_disturbed = true};

static void publish(void) {
  atomic_store_explicit(&devices.tasks, heddle_far_depth_now(&devices.depth),
                        memory_order_relaxed);
}

/* Waits for the effect of a new depth: the number of requests in flight follows
 * as tasks end. */
static void settle(double before, uint64_t completed) {
  enum { LongestFor = 32 };
  devices.is_settling = true;
  devices.before = before;
  devices.settled_at =
      completed + LongestFor * (uint64_t)heddle_far_depth_now(&devices.depth);
}

static bool is_settled(uint64_t completed, uint64_t under_way) {
  const double now = (double)under_way, apart = 1.3;
  if (completed >= devices.settled_at)
    return true;
  return devices.depth.is_high ? now >= devices.before * apart
                               : now * apart <= devices.before;
}

static void begin_window(uint64_t completed) {
  devices.is_settling = false;
  devices.begin = heddle_far_seconds();
  devices.begin_completed = completed;
  devices.begin_sum = atomic_load(&devices.sum);
}

static void end_window(uint64_t completed, unsigned loops) {
  assert(completed > devices.begin_completed);
  const double count = (double)(completed - devices.begin_completed);
  const struct heddle_far_window seen = {
      .seconds = heddle_far_seconds() - devices.begin,
      .completed = count,
      .under_way =
          (double)(atomic_load(&devices.sum) - devices.begin_sum) / count};
  const bool was_high = devices.depth.is_high;
  heddle_far_learn(&devices.depth, &seen, loops);
  publish();
  if (devices.depth.is_high == was_high)
    begin_window(completed);
  else
    settle(seen.under_way, completed);
}

/* Evaluates the window; called with the lock held. Returns the number of
 * requests until the next call. */
static uint64_t look(uint64_t completed, uint64_t under_way) {
  enum { WhileSettling = 8, LeastOfWindow = 128, RoundsOfWindow = 4 };
  const unsigned loops = atomic_load(&devices.loops);
  const uint64_t rounds =
      RoundsOfWindow * (uint64_t)heddle_far_depth_now(&devices.depth);
  const uint64_t window = rounds > LeastOfWindow ? rounds : LeastOfWindow;
  if (loops == 0)
    return LeastOfWindow;
  if (atomic_exchange(&devices.is_disturbed, false)) {
    devices.depth.is_second = false;
    heddle_far_bound(&devices.depth, loops);
    publish();
    settle((double)under_way, completed);
    devices.settled_at = completed + window / 2;
  } else if (!devices.is_settling) {
    end_window(completed, loops);
  } else if (is_settled(completed, under_way)) {
    begin_window(completed);
  }
  return devices.is_settling ? WhileSettling : window;
}

void heddle_far_submitted(unsigned requests) {
  atomic_fetch_add_explicit(&devices.under_way, requests, memory_order_relaxed);
}

void heddle_far_completed(unsigned requests) {
  const uint64_t under_way = atomic_fetch_sub_explicit(
      &devices.under_way, requests, memory_order_relaxed);
  atomic_fetch_add_explicit(&devices.sum, under_way * requests,
                            memory_order_relaxed);
  const uint64_t completed =
      requests + atomic_fetch_add_explicit(&devices.completed, requests,
                                           memory_order_relaxed);
  if (completed < atomic_load_explicit(&devices.look_at, memory_order_relaxed))
    return;
  if (!heddle_try_lock(&devices.in_use))
    return;
  /* Another thread may have looked since. */
  if (completed >= atomic_load(&devices.look_at))
    atomic_store(&devices.look_at, completed + look(completed, under_way));
  heddle_unlock(&devices.in_use);
}

void heddle_far_withdrawn(unsigned requests) {
  atomic_fetch_sub_explicit(&devices.under_way, requests, memory_order_relaxed);
}

/* Changes the number of loops, which makes the present window useless. */
static void change_loops(unsigned by) {
  atomic_fetch_add(&devices.loops, by);
  atomic_store(&devices.is_disturbed, true);
}

void heddle_far_join_devices(void) { change_loops(1); }
void heddle_far_leave_devices(void) { change_loops(-1u); }

unsigned heddle_far_share_of_devices(void) {
  return heddle_far_tasks_each(
      atomic_load_explicit(&devices.tasks, memory_order_relaxed),
      atomic_load_explicit(&devices.loops, memory_order_relaxed));
}

void heddle_far_forget_devices(unsigned loops) {
  atomic_flag_clear(&devices.in_use);
  atomic_store(&devices.loops, loops);
  atomic_store(&devices.under_way, 0);
  atomic_store(&devices.is_disturbed, true);
}
