/*===- uring.c - Files and block devices, by io_uring ---------------------===*/

#include "far/devices/device.h"

#include "far/devices/feedback.h"
#include "far/devices/uringfiles.h"
#include "far/support/failure.h"
#include "host/files.h"
#include "host/messages.h"
#include "host/signals.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <linux/fs.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RingEntries = 512, SubmittedAtOnce = 16, Alignment = 4096 };

struct uring_file {
  struct heddle_far_file file; /* first */
  int direct; /* past the kernel's cache, where the file system has that */
  int plain;  /* for transfers that are not aligned */
};

struct uring_queue {
  struct heddle_far_queue queue; /* first */
  struct io_uring uring;
  const char *memory; /* where registered buffers begin; NULL: none are */
  struct heddle_far_files files;
  /* The cookies of requests that the kernel refused, to be completed. */
  void *refused[RingEntries];
  unsigned refused_count;
  bool is_limited; /* the sizes of files are (ulimit -f) */
};

/*===- Files -------------------------------------------------------------===*/

static int size_of(int descriptor, uint64_t *size) {
  struct stat status;
  if (fstat(descriptor, &status) != 0)
    return -1;
  if (S_ISREG(status.st_mode))
    *size = (uint64_t)status.st_size;
  else if (!S_ISBLK(status.st_mode))
    return errno = EINVAL, -1;
  else if (ioctl(descriptor, BLKGETSIZE64, size) != 0)
    return -1;
  return 0;
}

/* Makes a file have `bytes` zeros. If that is too much for the file system or
 * the user's limit (ulimit -f), the file keeps what it has. */
static int fill_with_zeros(int descriptor, off_t bytes) {
  struct stat status;
  if (fstat(descriptor, &status) != 0)
    return -1;
  const struct heddle_held_signal limit = heddle_hold_signal(SIGXFSZ);
  int result = 0;
  if (bytes > status.st_size)
    result = ftruncate(descriptor, bytes);
  if (result == 0 && status.st_size > 0)
    result = ftruncate(descriptor, 0);
  if (result == 0)
    result = ftruncate(descriptor, bytes);
  heddle_release_signal(&limit);
  return result;
}

static void close_file(struct heddle_far_file *file) {
  const int error = errno;
  struct uring_file *own = (struct uring_file *)file;
  if (own->direct != own->plain)
    close(own->direct);
  if (own->plain >= 0)
    close(own->plain);
  free(own);
  errno = error;
}

static int open_or_create(const char *path, int flags, bool *is_new) {
  const int created = heddle_open(path, flags | O_CREAT | O_EXCL, 0666);
  *is_new = created >= 0;
  if (created >= 0 || errno != EEXIST)
    return created;
  /* The name may also be that of a link which leads nowhere. */
  return heddle_open(path, flags | O_CREAT, 0666);
}

static struct heddle_far_file *
open_file(const char *path, enum heddle_far_mode mode, uint64_t bytes) {
  /* Pipes and terminals, which are refused, must not be waited for. */
  const int flags = O_NONBLOCK | (mode == HEDDLE_FAR_READ ? O_RDONLY : O_RDWR);
  struct uring_file *own = malloc(sizeof *own);
  if (!own)
    return NULL;
  own->file = (struct heddle_far_file){.device = &heddle_far_uring};
  const bool creates = mode == HEDDLE_FAR_CREATE;
  bool is_new = false;
  own->plain = creates ? open_or_create(path, flags, &is_new)
                       : heddle_open(path, flags, 0);
  own->direct = own->plain < 0 ? -1 : heddle_open(path, flags | O_DIRECT, 0);
  if (own->direct < 0)
    own->direct = own->plain;
  if (own->plain >= 0 &&
      (!creates || fill_with_zeros(own->plain, (off_t)bytes) == 0) &&
      size_of(own->plain, &own->file.size) == 0)
    return &own->file;
  const int error = errno;
  if (is_new)
    unlink(path);
  close_file(&own->file);
  errno = error;
  return NULL;
}

static int sync_file(struct heddle_far_file *file) {
  return fdatasync(((struct uring_file *)file)->plain);
}

static ssize_t move_all(const struct uring_file *own, uint64_t offset,
                        char *memory, size_t bytes, bool writes) {
  const bool is_aligned = (offset | (uintptr_t)memory | bytes) % Alignment == 0;
  int descriptor = is_aligned ? own->direct : own->plain;
  size_t done = 0;
  while (done < bytes) {
    const off_t at = (off_t)(offset + done);
    const ssize_t moved =
        writes ? pwrite(descriptor, memory + done, bytes - done, at)
               : pread(descriptor, memory + done, bytes - done, at);
    if (moved < 0 && errno == EINTR)
      continue;
    if (moved < 0)
      return -errno;
    if (moved == 0)
      return writes ? -EIO : -ENODATA;
    done += (size_t)moved;
    descriptor = own->plain; /* the remaining bytes need not be aligned */
  }
  return (ssize_t)done;
}

static ssize_t move(const struct heddle_far_file *file, uint64_t offset,
                    char *memory, size_t bytes, bool writes) {
  const struct uring_file *own = (const struct uring_file *)file;
  if (!writes)
    return move_all(own, offset, memory, bytes, false);
  const struct heddle_held_signal limit = heddle_hold_signal(SIGXFSZ);
  const ssize_t result = move_all(own, offset, memory, bytes, true);
  heddle_release_signal(&limit);
  return result;
}

/*===- Queues ------------------------------------------------------------===*/

/* The kernel takes registered buffers of up to 1 GiB. */
enum { BufferBits = 30, MostBuffers = 64 };

static bool register_buffers(struct io_uring *uring, char *memory,
                             size_t bytes) {
  struct iovec buffers[MostBuffers];
  unsigned count = 0;
  const size_t most = (size_t)1 << BufferBits;
  for (size_t begin = 0; begin < bytes; begin += most) {
    if (count == MostBuffers)
      return false;
    const size_t left = bytes - begin;
    buffers[count++] =
        (struct iovec){memory + begin, left < most ? left : most};
  }
  return io_uring_register_buffers(uring, buffers, count) == 0;
}

/* Containers may forbid it. */
static void warn_of_no_uring(int error) {
  static atomic_flag is_said = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&is_said))
    heddle_warn("no io_uring (%s): far memory is read one page after the other",
                strerror(error));
}

/* 0 or a negative errno. */
static int set_up(struct io_uring *uring) {
  /* Without COOP_TASKRUN completions interrupt the thread. */
  int error =
      io_uring_queue_init(RingEntries, uring, IORING_SETUP_COOP_TASKRUN);
  if (error == -EINVAL)
    error = io_uring_queue_init(RingEntries, uring, 0);
  /* Otherwise the description of a request would have to stay until it is
   * done. */
  if (error == 0 && !(uring->features & IORING_FEAT_SUBMIT_STABLE)) {
    io_uring_queue_exit(uring);
    error = -ENOSYS;
  }
  return error;
}

static struct heddle_far_queue *make_queue(char *memory, size_t bytes) {
  struct uring_queue *own = calloc(1, sizeof *own);
  if (!own)
    heddle_far_give_up("no memory for a queue", ENOMEM);
  const int error = set_up(&own->uring);
  if (error != 0) {
    warn_of_no_uring(-error);
    free(own);
    return NULL;
  }
  own->is_limited = heddle_file_size_is_limited();
  if (register_buffers(&own->uring, memory, bytes))
    own->memory = memory;
  heddle_far_make_files(&own->files, &own->uring);
  return &own->queue;
}

/* Returns a free entry: there is one if fewer requests are in flight than there
 * are entries. */
static struct io_uring_sqe *next_entry(struct uring_queue *own) {
  assert(own->queue.under_way < RingEntries);
  assert(own->queue.gathered <= own->queue.under_way);
  struct io_uring_sqe *entry = io_uring_get_sqe(&own->uring);
  assert(entry);
  ++own->queue.under_way;
  ++own->queue.gathered;
  return entry;
}

/* Returns the number of the buffer that contains a piece, or -1. */
static int buffer_of(const struct uring_queue *own, const struct iovec *piece) {
  if (!own->memory)
    return -1;
  const size_t begin = (size_t)((const char *)piece->iov_base - own->memory);
  const size_t last = begin + piece->iov_len - 1;
  return begin >> BufferBits == last >> BufferBits ? (int)(begin >> BufferBits)
                                                   : -1;
}

/* The kernel copies several pieces when the request is submitted. */
static void prepare(const struct uring_queue *own, struct io_uring_sqe *entry,
                    int descriptor, const struct heddle_far_request *request) {
  const uint64_t offset = request->offset;
  if (request->count > 1) {
    io_uring_prep_rw(request->writes ? IORING_OP_WRITEV : IORING_OP_READV,
                     entry, descriptor, request->pieces, request->count,
                     offset);
    return;
  }
  const struct iovec *piece = request->pieces;
  const int buffer = buffer_of(own, piece);
  const int operation =
      buffer < 0        ? (request->writes ? IORING_OP_WRITE : IORING_OP_READ)
      : request->writes ? IORING_OP_WRITE_FIXED
                        : IORING_OP_READ_FIXED;
  io_uring_prep_rw(operation, entry, descriptor, piece->iov_base,
                   (unsigned)piece->iov_len, offset);
  if (buffer >= 0)
    entry->buf_index = (uint16_t)buffer;
}

static void start(struct heddle_far_queue *queue,
                  const struct heddle_far_request *request) {
  assert(request->cookie && request->count > 0);
  assert(request->offset % Alignment == 0);
  struct uring_queue *own = (struct uring_queue *)queue;
  const int descriptor = ((const struct uring_file *)request->file)->direct;
  struct io_uring_sqe *entry = next_entry(own);
  prepare(own, entry, descriptor, request);
  heddle_far_name_file(&own->files, &own->uring, entry, request->file->number,
                       descriptor);
  io_uring_sqe_set_data(entry, request->cookie);
}

/* The number of requests that the kernel has taken and that will complete. */
static unsigned in_kernel(const struct uring_queue *own) {
  return own->queue.under_way - own->queue.gathered - own->refused_count;
}

/* Takes the gathered requests back from the ring. They complete as if nothing
 * had been moved, so that their pages are moved one by one. Without SQPOLL the
 * kernel looks at the ring only when it is called. */
static void take_back(struct uring_queue *own) {
  struct io_uring_sq *entries = &own->uring.sq;
  const unsigned first = *entries->khead;
  assert(entries->sqe_tail - first == own->queue.gathered);
  for (unsigned i = first; i != entries->sqe_tail; ++i)
    own->refused[own->refused_count++] =
        (void *)(uintptr_t)entries->sqes[i & *entries->kring_mask].user_data;
  entries->sqe_head = entries->sqe_tail = *entries->ktail = first;
  own->queue.gathered = 0;
}

static int enter(struct uring_queue *own, bool waits) {
  if (!own->is_limited)
    return io_uring_submit_and_wait(&own->uring, waits);
  const struct heddle_held_signal limit = heddle_hold_signal(SIGXFSZ);
  const int submitted = io_uring_submit_and_wait(&own->uring, waits);
  heddle_release_signal(&limit);
  return submitted;
}

/* Whether the kernel may take the requests at another time. */
static bool is_passing(int error) {
  return error == EAGAIN || error == EBUSY || error == ENOMEM || error == EINTR;
}

static bool submit(struct heddle_far_queue *queue, bool waits) {
  struct uring_queue *own = (struct uring_queue *)queue;
  while (queue->gathered > 0 || (waits && own->refused_count == 0)) {
    const bool is_waiting = queue->gathered == 0;
    const int submitted = enter(own, waits);
    if (submitted > 0 || (submitted == 0 && is_waiting)) {
      assert((unsigned)submitted <= queue->gathered);
      queue->gathered -= (unsigned)submitted;
      heddle_far_submitted((unsigned)submitted);
      waits = false;
    } else if (is_waiting) {
      /* Completions arrive in shared memory, even if the kernel refuses to wait
       * for them. */
      usleep(submitted == -EINTR ? 0 : 100);
      return true;
    } else if (in_kernel(own) > 0 && is_passing(-submitted)) {
      return false; /* completions make room */
    } else {
      if (!is_passing(-submitted))
        warn_of_no_uring(-submitted);
      take_back(own);
    }
  }
  return true;
}

static bool is_cancelled(int result) {
  return result == -ECANCELED || result == -EINTR;
}

/* Cancellations, and placeholders for withdrawn requests, have no cookie. */
static unsigned poll(struct heddle_far_queue *queue,
                     struct heddle_far_completion *completions, unsigned room) {
  enum { AtOnce = 64 };
  struct uring_queue *own = (struct uring_queue *)queue;
  struct io_uring_cqe *entries[AtOnce];
  if (own->refused_count > 0 && room > 0) {
    completions[0] =
        (struct heddle_far_completion){own->refused[--own->refused_count], 0};
    --queue->under_way;
    return 1;
  }
  const unsigned taken = io_uring_peek_batch_cqe(&own->uring, entries,
                                                 room < AtOnce ? room : AtOnce);
  assert(taken <= queue->under_way);
  unsigned completed = 0;
  for (unsigned i = 0; i < taken; ++i) {
    void *cookie = io_uring_cqe_get_data(entries[i]);
    const int result = entries[i]->res;
    completed += cookie && !is_cancelled(result);
    completions[i] = (struct heddle_far_completion){cookie, result};
  }
  io_uring_cq_advance(&own->uring, taken);
  queue->under_way -= taken;
  if (taken > completed)
    heddle_far_withdrawn(taken - completed);
  if (completed > 0)
    heddle_far_completed(completed);
  return taken;
}

/* Replaces a request that the kernel does not have yet by a placeholder. */
static bool withdraw(struct heddle_far_queue *queue, void *cookie) {
  assert(cookie);
  const struct io_uring_sq *entries = &((struct uring_queue *)queue)->uring.sq;
  for (unsigned back = 1; back <= queue->gathered; ++back) {
    struct io_uring_sqe *entry =
        &entries->sqes[(entries->sqe_tail - back) & entries->ring_mask];
    if (entry->user_data != (uintptr_t)cookie)
      continue;
    io_uring_prep_nop(entry);
    io_uring_sqe_set_data(entry, NULL);
    return true;
  }
  return false;
}

static void cancel(struct heddle_far_queue *queue, void *cookie) {
  assert(cookie);
  struct io_uring_sqe *entry = next_entry((struct uring_queue *)queue);
  io_uring_prep_cancel(entry, cookie, 0);
  io_uring_sqe_set_data(entry, NULL);
}

static void forget(struct heddle_far_queue *queue,
                   const struct heddle_far_file *file) {
  struct uring_queue *own = (struct uring_queue *)queue;
  heddle_far_drop_file(&own->files, &own->uring, file->number);
}

const struct heddle_far_device heddle_far_uring = {.most_requests = RingEntries,
                                                   .gathers = SubmittedAtOnce,
                                                   .alignment = Alignment,
                                                   .open = open_file,
                                                   .close = close_file,
                                                   .sync = sync_file,
                                                   .move = move,
                                                   .make_queue = make_queue,
                                                   .start = start,
                                                   .submit = submit,
                                                   .poll = poll,
                                                   .withdraw = withdraw,
                                                   .cancel = cancel,
                                                   .forget = forget};
