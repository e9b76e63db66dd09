/*===- device.h - Devices that store far memory ---------------------------===
 *
 * A device has files and moves parts of them to and from memory. Regions, the
 * cache and the tasks of loops know devices by this interface only.
 *
 * Each thread that requests something of a device has a queue there. `start`
 * gathers requests, `submit` sends those that have been gathered, and `poll`
 * takes completions, in the order in which the device has them. A device makes
 * no callbacks: it names a request by the cookie that it was started with. The
 * caller has locked the queue in all calls that get one.
 *
 * A device counts for feedback.h what it submits and what completes.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_DEVICES_DEVICE_H
#define HEDDLE_RUNTIME_FAR_DEVICES_DEVICE_H

#include "heddle/far.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_far_device;

/* The beginning of a device's data for an open file. */
struct heddle_far_file {
  const struct heddle_far_device *device;
  uint64_t size;
  /* All bytes of the file if they are accessed in place: then nothing is
   * requested. Otherwise NULL. */
  char *memory;
  uint16_t number; /* of its region: no two open files have the same */
};

/* The beginning of a device's data for a queue. */
struct heddle_far_queue {
  unsigned gathered; /* started, and not submitted */
  /* Requests that are started and not completed, including placeholders for
   * withdrawn requests and cancellations: no more than most_requests. */
  unsigned under_way;
};

struct heddle_far_request {
  /* Not NULL, and different from the cookies of all requests in flight. */
  void *cookie;
  const struct heddle_far_file *file;
  uint64_t offset;
  bool writes;
  /* The memory, piece by piece as in the file. The array must stay until the
   * request is submitted if there are several. */
  unsigned count;
  const struct iovec *pieces;
};

struct heddle_far_completion {
  /* NULL if no request has completed: a device may report withdrawn requests
   * and cancellations. Such reports take up room, too. */
  void *cookie;
  /* The number of bytes that have been moved, or a negative errno: -ECANCELED
   * or -EINTR if the request was cancelled before or during the transfer. */
  int result;
};

struct heddle_far_device {
  /* The number of requests that a queue may have in flight. */
  unsigned most_requests;
  /* The number of gathered requests from which they should be submitted. */
  unsigned gathers;
  /* Offsets and lengths of requests, and addresses of memory, are multiples. */
  unsigned alignment;

  /* Opens a file, of `bytes` bytes if it is created. NULL with errno. */
  struct heddle_far_file *(*open)(const char *path, enum heddle_far_mode mode,
                                  uint64_t bytes);
  /* Closes a file that no queue knows any longer. Leaves errno as it is. */
  void (*close)(struct heddle_far_file *file);

  /* The rest is NULL if the files are memory. */

  /* Waits until the device has all that was written. 0, or -1 with errno. */
  int (*sync)(struct heddle_far_file *file);
  /* Moves up to `bytes` bytes, aligned or not, while the caller waits. Returns
   * their number, or a negative errno. */
  ssize_t (*move)(const struct heddle_far_file *file, uint64_t offset,
                  char *memory, size_t bytes, bool writes);

  /* Makes a queue whose requests move parts of `memory`. NULL if there can be
   * none: then all transfers use `move`. */
  struct heddle_far_queue *(*make_queue)(char *memory, size_t bytes);
  /* Gathers a request. The queue must have room for it. Nothing is moved
   * yet. */
  void (*start)(struct heddle_far_queue *queue,
                const struct heddle_far_request *request);
  /* Submits the gathered requests, and waits for a completion if `waits`. False
   * if completions must be taken first; some may have been submitted. */
  bool (*submit)(struct heddle_far_queue *queue, bool waits);
  /* Takes up to `room` completions. Returns their number; 0 if there are
   * none. */
  unsigned (*poll)(struct heddle_far_queue *queue,
                   struct heddle_far_completion *completions, unsigned room);
  /* Withdraws a request that has been gathered and not submitted: it will not
   * complete. False if there is no such request. Needs no room. */
  bool (*withdraw)(struct heddle_far_queue *queue, void *cookie);
  /* Asks for the early end of a request that has been submitted, and may have
   * completed since. The queue must have room as for a request. The request
   * completes in any case. */
  void (*cancel)(struct heddle_far_queue *queue, void *cookie);
  /* Releases a file that has no requests in flight. */
  void (*forget)(struct heddle_far_queue *queue,
                 const struct heddle_far_file *file);
};

/* Files and block devices, by io_uring. */
extern const struct heddle_far_device heddle_far_uring;

/* Memory: each file is created, without a path. */
extern const struct heddle_far_device heddle_far_memory;

#ifdef __cplusplus
}
#endif

#endif
