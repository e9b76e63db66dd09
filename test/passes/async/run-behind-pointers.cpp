// Variables that all iterations find behind the same pointers, which only some
// of them read: their order is kept.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK: remark: interleaved the loop's iterations

#include "Inputs/program.h"

#include <memory>
#include <vector>

static int64_t far(int64_t key) { return table[table[table[key]]]; }
static int64_t digest(const std::vector<int64_t> &out, int64_t count) {
  int64_t sum = 0;
  for (int64_t k = 0; k < count; ++k)
    sum += out[k] * (k + 1);
  return sum;
}

struct Context {
  int64_t *count;
  std::vector<int64_t> *out;
  int64_t *begin;
};
#define CONTEXT(name, ...)                                                     \
  NOINLINE static void name##In(const Context *context, int64_t n) {           \
    ASYNC_LOOP(CLAUSES) {                                                      \
      __VA_ARGS__                                                              \
    }                                                                          \
  }                                                                            \
  PROGRAM(name) {                                                              \
    std::vector<int64_t> out(2 * Elements);                                    \
    int64_t count = 0;                                                         \
    Context context{&count, &out, out.data()};                                 \
    name##In(&context, n);                                                     \
    return digest(out, 2 * Elements) + count;                                  \
  }

CONTEXT(vector, if (far(keys[i]) % 3) (*context->out)[(*context->count)++] = i;)
CONTEXT(array, if (far(keys[i]) % 3) context->begin[(*context->count)++] = i;)
CONTEXT(always, context->begin[(*context->count)++] = far(keys[i]);)
CONTEXT(bothWays, if (far(keys[i]) % 3) context->begin[(*context->count)++] = i;
        else context->begin[(*context->count)++] = -i;)
CONTEXT(last, if (far(keys[i]) % 3) *context->begin = i;)
CONTEXT(hash, if (const int64_t x = far(keys[i]);
                  x % 3) *context->begin = *context->begin * 31 + x;)
CONTEXT(second, if (far(keys[i]) % 3) context->begin[1] = far(i);)

struct Sink {
  int64_t *out, count;
  void put(int64_t x) { out[count++] = x; }
};
NOINLINE static void fill(Sink *const *sink, int64_t n) {
  ASYNC_LOOP(CLAUSES)
    if (far(keys[i]) & 1)
      (*sink)->put(i);
}
PROGRAM(member) {
  std::vector<int64_t> out(Elements);
  Sink sink{out.data(), 0}, *pointer = &sink;
  fill(&pointer, n);
  return digest(out, sink.count);
}

struct Owner {
  std::unique_ptr<Sink> sink;
  NOINLINE void run(int64_t n) {
    ASYNC_LOOP(CLAUSES)
      if (far(keys[i]) & 1)
        sink->put(i);
  }
};
PROGRAM(owned) {
  std::vector<int64_t> out(Elements);
  Owner owner{std::make_unique<Sink>(Sink{out.data(), 0})};
  owner.run(n);
  return digest(out, owner.sink->count);
}

struct Chain {
  Chain *up;
  int64_t value;
};
NOINLINE static void addToChain(const Chain *chain, int64_t n) {
  ASYNC_LOOP(CLAUSES) {
    const int64_t x = far(keys[i]);
    if (x & 1)
      chain->up->value = chain->up->value * 5 + x;
    else
      chain->up->up->value = chain->up->up->value * 5 + x;
  }
}
PROGRAM(either) {
  Chain top{nullptr, 1}, middle{&top, 2}, bottom{&middle, 3};
  addToChain(&bottom, n);
  return top.value * 31 + middle.value;
}

PROGRAM(captured) {
  std::vector<int64_t> out(Elements);
  int64_t count = 0;
  auto put = [&](int64_t x) { out[count++] = x; };
  auto run = [&]() __attribute__((noinline)) {
    ASYNC_LOOP(CLAUSES)
      if (far(keys[i]) % 3)
        put(i);
  };
  run();
  return digest(out, count);
}

int main() {
  prepare();
  printPrograms();
}
