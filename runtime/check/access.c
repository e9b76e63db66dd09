/*===- access.c - What iterations read and write --------------------------===*/

#include "check/check.h"
#include "check/log.h"
#include "check/quick.h"
#include "check/record.h"

#include <string.h>

HEDDLE_INLINE struct heddle_access
access_of(const struct heddle_check_site *site, enum heddle_access_kind kind,
          bool is_silent, uint64_t value) {
  return (struct heddle_access){
      .kind = kind,
      .operation = kind == HEDDLE_ACCESS_UPDATE ? (uint8_t)site->operation : 0,
      .is_silent = is_silent,
      .is_hidden = site->flags & HEDDLE_CHECK_HIDDEN,
      .value = value};
}

HEDDLE_INLINE struct heddle_access
update_of(const struct heddle_check_site *site, uint64_t value) {
  return access_of(site, HEDDLE_ACCESS_UPDATE,
                   site->flags & HEDDLE_CHECK_DECIDES, value);
}

/* True if there is no loop, or only one is to record the access, and that was
 * quick. */
HEDDLE_INLINE bool is_done(struct heddle_check_site *site, const void *address,
                           uintptr_t stack, struct heddle_access access) {
  if (!heddle_innermost)
    return true;
  struct heddle_execution *e = heddle_quick_execution();
  if (!e || e->stack < stack)
    return false;
  /* Variables of the iteration. */
  if ((uintptr_t)address - stack < e->stack - stack)
    return true;
  heddle_finish_log();
  access.iteration = e->cells.iteration;
  return heddle_record_quickly(e, e, site, (uintptr_t)address, stack, &access);
}

static void record_bytes(struct heddle_request *r, const void *address,
                         uint64_t bytes) {
  struct heddle_execution *e = heddle_current_execution(r->stack);
  if (e)
    heddle_record_access(e, r, address, bytes);
}

/* The end of the part of [begin, end) that notes of `block` can take at once,
 * granule by granule. */
static uintptr_t note_range(const struct heddle_block *block,
                            struct heddle_request *r, uintptr_t begin,
                            uintptr_t end) {
  struct heddle_execution *e = heddle_quick_execution();
  const uintptr_t last = begin - begin % HEDDLE_BLOCK + HEDDLE_BLOCK;
  end = end < last ? end : last;
  if (!heddle_describe_at_once(e, r->site, &r->access))
    return begin;
  const bool is_simple =
      (block->notes & (HEDDLE_BLOCK_SCALE | HEDDLE_BLOCK_MIXED)) ==
      HEDDLE_LARGEST_SCALE;
  for (uintptr_t at = begin, next; at < end; at = next) {
    if (is_simple && at % HEDDLE_GRANULE == 0)
      at = heddle_take_granules(&e->cells, block, &r->access, at, end);
    next = at - at % HEDDLE_GRANULE + HEDDLE_GRANULE;
    next = next < end ? next : end;
    if (at < end && !heddle_note_at_once(e, r->site, block, at,
                                         (uint32_t)(next - at), &r->access))
      return at;
  }
  return end;
}

static void record_range(struct heddle_request *r, const void *address,
                         uint64_t bytes) {
  const uintptr_t end = (uintptr_t)address + bytes;
  heddle_finish_log();
  for (uintptr_t at = (uintptr_t)address; at < end;) {
    const struct heddle_block *block = heddle_quick_block(at, r->stack);
    const uintptr_t noted = block ? note_range(block, r, at, end) : at;
    const bool is_quick = noted > at;
    at = noted;
    if (is_quick)
      continue;
    /* One granule makes the next ones quick, if anything does. */
    uintptr_t next = at - at % HEDDLE_GRANULE + HEDDLE_GRANULE;
    next = heddle_check_quick && next < end ? next : end;
    record_bytes(r, (const void *)at, next - at);
    at = next;
  }
}

HEDDLE_INLINE void record(struct heddle_check_site *site, const void *address,
                          const void *base, uintptr_t stack,
                          struct heddle_access access) {
  if (is_done(site, address, stack, access))
    return;
  struct heddle_request r = {
      .site = site, .base = base, .stack = stack, .access = access};
  heddle_finish_log();
  record_bytes(&r, address, site->bytes);
  struct heddle_execution *e = heddle_quick_execution();
  if (e)
    heddle_try_log(e);
}

/* Each access takes the first of three ways that suffices: a note says all of
 * it already; it can be told in few instructions; any other. The functions of
 * check.h jump to the second and third ones, so that the first has no need for
 * a frame. */
#define HEDDLE_WAY static __attribute__((noinline))

HEDDLE_WAY void read_place(struct heddle_check_site *site, const void *address,
                           const void *base, uintptr_t stack) {
  record(site, address, base, stack,
         access_of(site, HEDDLE_ACCESS_READ, false, 0));
}

HEDDLE_WAY void write_place(struct heddle_check_site *site, const void *address,
                            const void *base, uintptr_t stack, bool is_silent) {
  record(site, address, base, stack,
         access_of(site, HEDDLE_ACCESS_WRITE, is_silent, 0));
}

HEDDLE_WAY void update_place(struct heddle_check_site *site,
                             const void *address, const void *base,
                             uintptr_t stack, uint64_t value) {
  record(site, address, base, stack, update_of(site, value));
}

HEDDLE_INLINE bool is_noted_now(const struct heddle_block *block,
                                struct heddle_check_site *site,
                                const void *address, uint32_t bytes,
                                struct heddle_access access) {
  struct heddle_execution *e = heddle_quick_execution();
  return heddle_describe_at_once(e, site, &access) &&
         heddle_note_at_once(e, site, block, (uintptr_t)address, bytes,
                             &access);
}

/* The address of a frame of the code that calls a function of check.h. A
 * function that has no frame itself need not make one to know it: the stack
 * pointer may be the return address's, but frames are further apart. */
#define HEDDLE_CALLER ((uintptr_t)__builtin_dwarf_cfa())
#if __has_builtin(__builtin_stack_address) && defined __OPTIMIZE__
#define HEDDLE_CALLER_OF_FRAMELESS ((uintptr_t)__builtin_stack_address())
#else
#define HEDDLE_CALLER_OF_FRAMELESS HEDDLE_CALLER
#endif

HEDDLE_INLINE bool is_said(const struct heddle_block *block,
                           const struct heddle_check_site *site,
                           const void *address, uint32_t bytes,
                           struct heddle_access access) {
  return (bytes == 4 || bytes == 8) && access.operation < HEDDLE_CHECK_SET &&
         heddle_say(block, site, (uintptr_t)address, bytes, &access);
}

/* Adds an access to the log, which is full. */
HEDDLE_WAY void log_after_others(uintptr_t what, const void *address,
                                 const void *base, uint64_t value) {
  struct heddle_execution *e = heddle_quick_execution();
  heddle_work_off(e);
  const struct heddle_logged logged = {
      (uintptr_t)address, base, what, value, e->cells.iteration, e->cells.call};
  if (e->cells.log_end)
    *e->cells.log_at++ = logged;
  else
    heddle_record_logged(&logged, e->stack);
}

/* `value` counts for updates only. */
HEDDLE_INLINE void add_to_log(struct heddle_execution *e,
                              struct heddle_check_site *site,
                              enum heddle_logged_kind kind, const void *address,
                              const void *base, uint64_t value) {
  struct heddle_logged *at = e->cells.log_at;
  at->address = (uintptr_t)address;
  at->base = base;
  at->what = (uintptr_t)site + kind;
  if (kind == HEDDLE_LOGGED_UPDATE)
    at->value = value;
  const uint32_t iteration = e->cells.iteration, call = e->cells.call;
  at->iteration = iteration;
  at->call = call;
  e->cells.log_at = at + 1;
}

/* Logs an access if the loop uses its log and that is not full. In fewer
 * instructions a processor sees more of the program. */
HEDDLE_INLINE bool is_logged_at_once(struct heddle_check_site *site,
                                     enum heddle_logged_kind kind,
                                     const void *address, const void *base,
                                     uint64_t value, uintptr_t stack) {
  struct heddle_execution *e = heddle_quick_loop((uintptr_t)address, stack);
  if (!e || e->cells.log_at == e->cells.log_end)
    return false;
  add_to_log(e, site, kind, address, base, value);
  return true;
}

HEDDLE_INLINE void log_access(struct heddle_execution *e,
                              struct heddle_check_site *site,
                              enum heddle_logged_kind kind, const void *address,
                              const void *base, uint64_t value) {
  if (e->cells.log_at == e->cells.log_end)
    log_after_others((uintptr_t)site + kind, address, base, value);
  else
    add_to_log(e, site, kind, address, base, value);
}

/* The common numbers of bytes have functions of their own. Those of check.h
 * have no frame. */
#define HEDDLE_DEFINE_CHECKS(suffix, size)                                     \
  HEDDLE_WAY void note_read##suffix(                                           \
      struct heddle_check_site *site, const void *address, const void *base,   \
      uintptr_t stack, const struct heddle_block *block) {                     \
    if (!is_noted_now(block, site, address, size,                              \
                      access_of(site, HEDDLE_ACCESS_READ, false, 0)))          \
      read_place(site, address, base, stack);                                  \
  }                                                                            \
  HEDDLE_INLINE void read_now##suffix(                                         \
      struct heddle_check_site *site, const void *address, const void *base,   \
      uintptr_t stack, struct heddle_execution *e) {                           \
    const struct heddle_block *block =                                         \
        e ? heddle_blocks_peek(&e->cells, (uintptr_t)address) : NULL;          \
    if (!block)                                                                \
      read_place(site, address, base, stack);                                  \
    else if (!is_said(block, site, address, size,                              \
                      access_of(site, HEDDLE_ACCESS_READ, false, 0)))          \
      note_read##suffix(site, address, base, stack, block);                    \
  }                                                                            \
  HEDDLE_WAY void read_in_frame##suffix(                                       \
      struct heddle_check_site *site, const void *address, const void *base) { \
    const uintptr_t stack = HEDDLE_CALLER;                                     \
    struct heddle_execution *e = heddle_quick_loop((uintptr_t)address, stack); \
    if (e && e->cells.log_end)                                                 \
      log_access(e, site, HEDDLE_LOGGED_READ, address, base, 0);               \
    else                                                                       \
      read_now##suffix(site, address, base, stack, e);                         \
  }                                                                            \
  HEDDLE_INLINE void write_now##suffix(                                        \
      struct heddle_check_site *site, const void *address, const void *base,   \
      bool is_silent, uintptr_t stack, struct heddle_execution *e) {           \
    const struct heddle_block *block =                                         \
        e ? heddle_blocks_peek(&e->cells, (uintptr_t)address) : NULL;          \
    if (!block ||                                                              \
        !is_noted_now(block, site, address, size,                              \
                      access_of(site, HEDDLE_ACCESS_WRITE, is_silent, 0)))     \
      write_place(site, address, base, stack, is_silent);                      \
  }                                                                            \
  HEDDLE_WAY void write_in_frame##suffix(                                      \
      struct heddle_check_site *site, const void *address, const void *base,   \
      uint32_t is_silent) {                                                    \
    const uintptr_t stack = HEDDLE_CALLER;                                     \
    struct heddle_execution *e = heddle_quick_loop((uintptr_t)address, stack); \
    if (e && e->cells.log_end)                                                 \
      log_access(e, site, HEDDLE_LOGGED_WRITE + (is_silent != 0), address,     \
                 base, 0);                                                     \
    else                                                                       \
      write_now##suffix(site, address, base, is_silent, stack, e);             \
  }                                                                            \
  HEDDLE_WAY void note_update##suffix(                                         \
      struct heddle_check_site *site, const void *address, const void *base,   \
      uintptr_t stack, uint64_t value, const struct heddle_block *block) {     \
    if (!is_noted_now(block, site, address, size, update_of(site, value)))     \
      update_place(site, address, base, stack, value);                         \
  }                                                                            \
  HEDDLE_INLINE void update_now##suffix(                                       \
      struct heddle_check_site *site, const void *address, const void *base,   \
      uint64_t value, uintptr_t stack, struct heddle_execution *e) {           \
    const struct heddle_block *block =                                         \
        e ? heddle_blocks_peek(&e->cells, (uintptr_t)address) : NULL;          \
    if (!block)                                                                \
      update_place(site, address, base, stack, value);                         \
    else if (!is_said(block, site, address, size, update_of(site, value)))     \
      note_update##suffix(site, address, base, stack, value, block);           \
  }                                                                            \
  HEDDLE_WAY void update_in_frame##suffix(struct heddle_check_site *site,      \
                                          const void *address,                 \
                                          const void *base, uint64_t value) {  \
    const uintptr_t stack = HEDDLE_CALLER;                                     \
    struct heddle_execution *e = heddle_quick_loop((uintptr_t)address, stack); \
    if (e && e->cells.log_end)                                                 \
      log_access(e, site, HEDDLE_LOGGED_UPDATE, address, base, value);         \
    else                                                                       \
      update_now##suffix(site, address, base, value, stack, e);                \
  }                                                                            \
  void heddle_check_read##suffix(struct heddle_check_site *site,               \
                                 const void *address, const void *base) {      \
    if (!is_logged_at_once(site, HEDDLE_LOGGED_READ, address, base, 0,         \
                           HEDDLE_CALLER_OF_FRAMELESS))                        \
      read_in_frame##suffix(site, address, base);                              \
  }                                                                            \
  void heddle_check_write##suffix(struct heddle_check_site *site,              \
                                  const void *address, const void *base,       \
                                  uint32_t is_silent) {                        \
    if (!is_logged_at_once(site, HEDDLE_LOGGED_WRITE + (is_silent != 0),       \
                           address, base, 0, HEDDLE_CALLER_OF_FRAMELESS))      \
      write_in_frame##suffix(site, address, base, is_silent);                  \
  }                                                                            \
  void heddle_check_update##suffix(struct heddle_check_site *site,             \
                                   const void *address, const void *base,      \
                                   uint64_t value) {                           \
    if (!is_logged_at_once(site, HEDDLE_LOGGED_UPDATE, address, base, value,   \
                           HEDDLE_CALLER_OF_FRAMELESS))                        \
      update_in_frame##suffix(site, address, base, value);                     \
  }

HEDDLE_DEFINE_CHECKS(, site->bytes)
HEDDLE_DEFINE_CHECKS(_4, 4)
HEDDLE_DEFINE_CHECKS(_8, 8)

void heddle_record_logged(const struct heddle_logged *logged, uintptr_t stack) {
  typedef void group(const void *, const void *, uint64_t);
  const void *address = (const void *)logged->address, *base = logged->base;
  const enum heddle_logged_kind kind = logged->what % HEDDLE_LOGGED_KINDS;
  struct heddle_check_site *site =
      (struct heddle_check_site *)(logged->what - kind);
  struct heddle_execution *e = heddle_quick_loop(logged->address, stack);
  switch (kind) {
  case HEDDLE_LOGGED_READ:
    read_now(site, address, base, stack, e);
    return;
  case HEDDLE_LOGGED_WRITE:
  case HEDDLE_LOGGED_SILENT_WRITE:
    write_now(site, address, base, kind == HEDDLE_LOGGED_SILENT_WRITE, stack,
              e);
    return;
  case HEDDLE_LOGGED_UPDATE:
    update_now(site, address, base, logged->value, stack, e);
    return;
  default:
    ((group *)(void *)site)(address, base, logged->value);
  }
}

void heddle_check_read_range(struct heddle_check_site *site,
                             const void *address, uint64_t bytes) {
  struct heddle_request r = {.site = site,
                             .base = address,
                             .stack = (uintptr_t)__builtin_frame_address(0),
                             .access =
                                 access_of(site, HEDDLE_ACCESS_READ, false, 0)};
  record_range(&r, address, bytes);
}

void heddle_check_write_range(struct heddle_check_site *site,
                              const void *address, uint64_t bytes,
                              const void *from) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  if (!heddle_current_execution(stack) || !bytes)
    return;
  const bool is_silent = from && !memcmp(address, from, bytes);
  struct heddle_request r = {
      .site = site,
      .base = address,
      .stack = stack,
      .access = access_of(site, HEDDLE_ACCESS_WRITE, is_silent, 0)};
  record_range(&r, address, bytes);
}

void heddle_check_define(struct heddle_check_site *site, const void *address,
                         const void *base) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  if (!heddle_current_execution(stack))
    return;
  heddle_check_fresh(address, site->bytes);
  write_place(site, address, base, stack, false);
}

void heddle_check_copy_in(struct heddle_check_site *site, const void *variable,
                          const void *object, uint64_t bytes) {
  struct heddle_execution *e =
      heddle_current_execution((uintptr_t)__builtin_frame_address(0));
  if (!e || !bytes)
    return;
  heddle_finish_log();
  heddle_check_fresh(variable, bytes);
  if (e->copy_count == HEDDLE_COPIES) {
    heddle_check_read_range(site, object, bytes);
    return;
  }
  struct heddle_copy *copy = &e->copies[e->copy_count++];
  copy->begin = (uintptr_t)variable;
  copy->end = (uintptr_t)variable + bytes;
  copy->object = (uintptr_t)object;
  copy->write_count = 0;
  heddle_choose_quick();
}

void heddle_check_copy_out(struct heddle_check_site *site, const void *object,
                           const void *variable, uint64_t bytes) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  struct heddle_execution *e = heddle_current_execution(stack);
  if (!e)
    return;
  heddle_finish_log();
  struct heddle_copy *copy = heddle_find_copy(e, (uintptr_t)variable);
  if (!copy || copy->begin != (uintptr_t)variable ||
      copy->object != (uintptr_t)object ||
      copy->write_count > HEDDLE_COPIED_WRITES) {
    heddle_check_write_range(site, object, bytes, variable);
    return;
  }
  for (uint32_t i = 0; i < copy->write_count; ++i) {
    struct heddle_copied_write *w = &copy->writes[i];
    struct heddle_request r = {
        .site = w->site, .base = object, .stack = stack, .access = w->access};
    heddle_record_place(e, &r, copy->object + w->offset, w->bytes);
  }
  copy->write_count = 0;
}

void heddle_check_read_string(struct heddle_check_site *site,
                              const char *string) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  if (string && heddle_current_execution(stack))
    heddle_check_read_range(site, string, strlen(string) + 1);
}

void heddle_check_read_prefix(struct heddle_check_site *site,
                              const char *string, uint64_t bytes) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  if (!string || !heddle_current_execution(stack))
    return;
  const uint64_t length = strnlen(string, bytes);
  heddle_check_read_range(site, string, length + (length < bytes));
}

void heddle_check_read_number(struct heddle_check_site *site,
                              const char *string) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  if (!string || !heddle_current_execution(stack))
    return;
  const char *end = string + strspn(string, " \t\n\v\f\r");
  end += strspn(end, "+-.0123456789abcdefghijklmnopqrstuvwxyz"
                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  heddle_check_read_range(site, string, (uint64_t)(end - string) + 1);
}

void heddle_check_write_string(struct heddle_check_site *site,
                               const char *string) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  if (string && heddle_current_execution(stack))
    heddle_check_write_range(site, string, strlen(string) + 1, NULL);
}
