/*===- check.h - What programs built with -fheddle-check call ---------------===
 *
 * The checking pass (passes/check) puts these calls into annotated loops and
 * into all functions that such loops may call. They record, iteration by
 * iteration, what a loop reads and writes, and report each conflict between two
 * iterations that interleaving could turn into another result. Outside of
 * annotated loops they return at once.
 *
 * Each thread records its own iterations: it is these that are interleaved.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_CHECK_CHECK_H
#define HEDDLE_RUNTIME_CHECK_CHECK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How an access changes its place. Accesses of different iterations by one
 * operation may change places with each other. */
enum heddle_check_operation {
  HEDDLE_CHECK_PLAIN,
  HEDDLE_CHECK_ADD,
  HEDDLE_CHECK_MULTIPLY,
  HEDDLE_CHECK_AND,
  HEDDLE_CHECK_OR,
  HEDDLE_CHECK_XOR,
  HEDDLE_CHECK_MINIMUM,
  HEDDLE_CHECK_MAXIMUM,
  HEDDLE_CHECK_SET, /* if it is not yet set, to a value: the same ones do */
  HEDDLE_CHECK_DEPENDENT /* by the winner of another update, the value */
};

enum heddle_check_flags {
  /* Its function always finds the place in the same way, without an index: a
   * variable or a field. */
  HEDDLE_CHECK_FIXED = 1,
  /* The address comes from a call or from memory, so that a compiler does not
   * see which object it is. */
  HEDDLE_CHECK_HIDDEN = 2,
  /* A read: what the iteration writes to the element later, in line
   * `partner_line`, depends on it. */
  HEDDLE_CHECK_DECIDES = 4,
  /* The access is in an annotated loop itself, not in a callee. */
  HEDDLE_CHECK_DIRECT = 8,
  /* A call in a worksharing loop that may be handed objects of the thread. */
  HEDDLE_CHECK_OF_THREAD = 16,
  /* The compiler keeps the order of such accesses among each other. */
  HEDDLE_CHECK_ORDERED = 32
};

enum { HEDDLE_CHECK_INDEXES = 2 };

/* One access in the source. The compiler writes all fields but the last. */
struct heddle_check_site {
  const char *file;
  const char *function;
  const char *place;    /* such as "t[#].v": '#' stands for an index */
  const char *variable; /* what a clause could name; empty if there is none */
  uint64_t strides[HEDDLE_CHECK_INDEXES]; /* bytes; 0 if there is no index */
  uint64_t offset; /* bytes from the base to the place with indexes 0 */
  uint32_t line;
  uint32_t column;
  uint32_t partner_line;
  uint32_t bytes; /* of the access; 0 for ranges */
  uint32_t operation;
  uint32_t flags;
  uint64_t instance; /* the runtime's, zero at first */
};

struct heddle_check_loop {
  const char *file;
  const char *function;
  uint32_t line;
  uint32_t column;
};

/* In how many annotated loops the thread is. */
extern __thread
    __attribute__((tls_model("initial-exec"))) uint32_t heddle_check_depth;

/* What the iterations of the innermost loop have done, if it is the only one
 * and accesses are to be recorded as they are: no pause, no lock is held,
 * nothing is a copy. Else null. */
struct heddle_cells;
extern __thread __attribute__((
    tls_model("initial-exec"))) struct heddle_cells *heddle_check_quick;

/* The loop begins, begins its next iteration, has ended. If heddle_check_quick
 * is still what the begin has returned, and the next iteration is not where it
 * is to stop, to begin an iteration is to count it. */
const struct heddle_cells *
heddle_check_begin(const struct heddle_check_loop *loop);
void heddle_check_iteration(const struct heddle_check_loop *loop);
void heddle_check_end(const struct heddle_check_loop *loop);

/* A function goes on after a jump, such as of an exception, which may have left
 * loops. `depth` was that of its own code, if it is known; else it is
 * UINT32_MAX. */
void heddle_check_landed(uint32_t depth);

/* A variable that a clause names: accesses are as the user says. */
void heddle_check_exempt(const void *address, uint64_t bytes);
/* A new object: what was at its address before has nothing to do with it. */
void heddle_check_fresh(const void *address, uint64_t bytes);
/* The same for what an allocator of the C library has returned, whose size it
 * knows. */
void heddle_check_fresh_object(const void *address);

/* A write of the loop itself to a variable: its order is kept. */
void heddle_check_define(struct heddle_check_site *site, const void *address,
                         const void *base);
/* The loop calls a function, in the place that `site` describes. */
void heddle_check_call(struct heddle_check_site *site);

/* Accesses; `base` is what indexes count from. A write comes before the store;
 * `is_silent` is not 0 if that will not change the value. An update is the
 * store of one, or the load that decides whether there is one. `value` is for
 * the operations that have one. The functions with a number in their names are
 * for sites of so many bytes. */
#define HEDDLE_CHECK_ACCESSES(suffix)                                          \
  void heddle_check_read##suffix(struct heddle_check_site *site,               \
                                 const void *address, const void *base);       \
  void heddle_check_write##suffix(struct heddle_check_site *site,              \
                                  const void *address, const void *base,       \
                                  uint32_t is_silent);                         \
  void heddle_check_update##suffix(struct heddle_check_site *site,             \
                                   const void *address, const void *base,      \
                                   uint64_t value);

HEDDLE_CHECK_ACCESSES()
HEDDLE_CHECK_ACCESSES(_4)
HEDDLE_CHECK_ACCESSES(_8)
#undef HEDDLE_CHECK_ACCESSES

/* Accesses to any number of bytes. `from` is what is copied, or null. */
void heddle_check_read_range(struct heddle_check_site *site,
                             const void *address, uint64_t bytes);
void heddle_check_write_range(struct heddle_check_site *site,
                              const void *address, uint64_t bytes,
                              const void *from);
/* An object is copied into a variable of the iteration: accesses to the
 * variable count as accesses to the object, until it is copied back. */
void heddle_check_copy_in(struct heddle_check_site *site, const void *variable,
                          const void *object, uint64_t bytes);
void heddle_check_copy_out(struct heddle_check_site *site, const void *object,
                           const void *variable, uint64_t bytes);
/* Accesses to a string up to its end, or to what a number at its begin may
 * consist of, or to at most `bytes` of it. The write comes after the call that
 * makes it. */
void heddle_check_read_string(struct heddle_check_site *site,
                              const char *string);
void heddle_check_read_prefix(struct heddle_check_site *site,
                              const char *string, uint64_t bytes);
void heddle_check_read_number(struct heddle_check_site *site,
                              const char *string);
void heddle_check_write_string(struct heddle_check_site *site,
                               const char *string);

/* A lock is acquired (if `success`) or released. An operation that may do
 * either releases what is held. */
enum { HEDDLE_CHECK_OR_RELEASES = 2 };
void heddle_check_acquire(const void *lock, int success);
void heddle_check_release(const void *lock);
/* What follows happens once in a program, whoever comes first, until the
 * matching `resume`. Without `begins` nothing changes, but all earlier accesses
 * have been recorded then. */
void heddle_check_pause(int begins);
void heddle_check_resume(void);

#ifdef __cplusplus
}
#endif

#endif
