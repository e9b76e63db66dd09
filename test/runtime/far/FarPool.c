//===- FarPool.c - A device of the tests ----------------------------------===//

#include "FarPool.h"

#include "far/frames.h"
#include "far/region.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MostRequests = 100 };

struct pool_file {
  struct heddle_far_file file; // first
  char *bytes;
};

struct pool_queue {
  struct heddle_far_queue queue; // first
  struct {
    struct heddle_far_request request;
    struct iovec piece;
  } gathered[MostRequests];
  struct heddle_far_completion answers[MostRequests];
  unsigned answered;
};

static _Atomic unsigned sendings, requests, withdrawn;

struct PoolCounts poolCounts(void) {
  return (struct PoolCounts){sendings, requests, withdrawn};
}

static void closeFile(struct heddle_far_file *file) { free(file); }

static int syncFile(struct heddle_far_file *file) {
  (void)file;
  return 0;
}

static ssize_t move(const struct heddle_far_file *file, uint64_t offset,
                    char *memory, size_t bytes, bool writes) {
  char *at = ((const struct pool_file *)file)->bytes + offset;
  memcpy(writes ? at : memory, writes ? memory : at, bytes);
  return (ssize_t)bytes;
}

static struct heddle_far_queue *makeQueue(char *memory, size_t bytes) {
  (void)memory, (void)bytes;
  struct pool_queue *own = calloc(1, sizeof *own);
  return own ? &own->queue : NULL;
}

// Submits requests of several pieces before their array is freed.
static void start(struct heddle_far_queue *queue,
                  const struct heddle_far_request *request) {
  struct pool_queue *own = (struct pool_queue *)queue;
  const unsigned at = queue->gathered++;
  own->gathered[at].request = *request;
  own->gathered[at].piece = request->pieces[0];
  ++queue->under_way;
}

static int answer(const struct heddle_far_request *request,
                  const struct iovec *pieces) {
  size_t done = 0;
  for (unsigned i = 0; i < request->count; ++i) {
    move(request->file, request->offset + done, pieces[i].iov_base,
         pieces[i].iov_len, request->writes);
    done += pieces[i].iov_len;
  }
  return (int)done;
}

static bool submit(struct heddle_far_queue *queue, bool waits) {
  (void)waits; // all is answered at once
  struct pool_queue *own = (struct pool_queue *)queue;
  sendings += queue->gathered > 0;
  requests += queue->gathered;
  while (queue->gathered > 0) {
    const unsigned at = --queue->gathered;
    const struct heddle_far_request *request = &own->gathered[at].request;
    own->answers[own->answered++] = (struct heddle_far_completion){
        request->cookie,
        answer(request, request->count == 1 ? &own->gathered[at].piece
                                            : request->pieces)};
  }
  return true;
}

static unsigned poll(struct heddle_far_queue *queue,
                     struct heddle_far_completion *completions, unsigned room) {
  struct pool_queue *own = (struct pool_queue *)queue;
  unsigned taken = 0;
  for (; taken < room && own->answered > 0; ++taken)
    completions[taken] = own->answers[--own->answered];
  queue->under_way -= taken;
  return taken;
}

// Keeps the request in its slot until its withdrawal has been reported.
static bool withdraw(struct heddle_far_queue *queue, void *cookie) {
  struct pool_queue *own = (struct pool_queue *)queue;
  for (unsigned i = 0; i < queue->gathered; ++i)
    if (own->gathered[i].request.cookie == cookie) {
      own->gathered[i] = own->gathered[--queue->gathered];
      own->answers[own->answered++] = (struct heddle_far_completion){NULL, 0};
      ++withdrawn;
      return true;
    }
  return false;
}

static void cancel(struct heddle_far_queue *queue, void *cookie) {
  (void)cookie; // the request has been answered
  if (queue->under_way == MostRequests)
    abort(); // the caller has made no room
  struct pool_queue *own = (struct pool_queue *)queue;
  own->answers[own->answered++] = (struct heddle_far_completion){NULL, 0};
  ++queue->under_way;
}

static void forget(struct heddle_far_queue *queue,
                   const struct heddle_far_file *file) {
  (void)queue, (void)file;
}

static const struct heddle_far_device pool = {.most_requests = MostRequests,
                                              .gathers = 40,
                                              .alignment = 8,
                                              .close = closeFile,
                                              .sync = syncFile,
                                              .move = move,
                                              .make_queue = makeQueue,
                                              .start = start,
                                              .submit = submit,
                                              .poll = poll,
                                              .withdraw = withdraw,
                                              .cancel = cancel,
                                              .forget = forget};

uint64_t openInPool(char *bytes, uint64_t count) {
  struct pool_file *file = malloc(sizeof *file);
  if (!file || heddle_far_set_up() != 0)
    return 0;
  *file = (struct pool_file){{.device = &pool, .size = count}, bytes};
  const struct heddle_far_region region = {
      .file = &file->file, .size = count, .is_writable = true};
  return heddle_far_enter(&region);
}
