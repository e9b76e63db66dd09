// Memory that one iteration frees and another one uses again, from wherever it
// comes, is new memory.
//
// REQUIRES: plugin
// RUN: %heddle_clangxx -std=c++20 -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <memory>
#include <sys/mman.h>
#include <thread>
#include <vector>
constexpr int N = 100, Words = 32;
static uint64_t out[N];

static uint64_t use(uint64_t *words, uint64_t seed) {
  for (int k = 0; k < Words; ++k)
    words[k] = seed + k;
  uint64_t sum = 0;
  for (int k = 0; k < Words; ++k)
    sum += words[k];
  return sum;
}
// silent
static void from_posix_memalign() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    void *memory;
    if (posix_memalign(&memory, 64, Words * sizeof(uint64_t)))
      abort();
    out[i] = use(static_cast<uint64_t *>(memory), i);
    free(memory);
  }
}
// silent
static void from_aligned_alloc() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    void *memory = aligned_alloc(64, Words * sizeof(uint64_t));
    out[i] = use(static_cast<uint64_t *>(memory), i);
    free(memory);
  }
}
// silent
static void from_valloc() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    void *memory = valloc(Words * sizeof(uint64_t));
    out[i] = use(static_cast<uint64_t *>(memory), i);
    free(memory);
  }
}
// silent
static void from_pvalloc() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    void *memory = pvalloc(Words * sizeof(uint64_t));
    out[i] = use(static_cast<uint64_t *>(memory), i);
    free(memory);
  }
}
// silent
static void from_reallocarray() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    void *memory = reallocarray(nullptr, Words, sizeof(uint64_t));
    out[i] = use(static_cast<uint64_t *>(memory), i);
    free(memory);
  }
}
// silent
static void from_mmap() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    out[i] = use(static_cast<uint64_t *>(memory), i);
    munmap(memory, 4096);
  }
}
// silent
static void from_aligned_new() {
  struct alignas(128) Wide {
    uint64_t words[Words];
  };
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    auto wide = std::make_unique<Wide>();
    out[i] = use(wide->words, i);
  }
}
// silent
static void from_getline() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    char *line = nullptr;
    size_t size = 0;
    FILE *file = fmemopen(const_cast<char *>("a line\n"), 7, "r");
    if (getline(&line, &size, file) < 0)
      abort();
    line[0] = 'a' + i % 7;
    line[1] += line[0];
    out[i] = line[1];
    free(line);
    fclose(file);
  }
}
// silent
static void from_asprintf() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    char *text;
    if (asprintf(&text, "%d", i) < 0)
      abort();
    text[0] += i % 7;
    out[i] = text[0];
    free(text);
  }
}
// silent
static void from_memstream() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    fprintf(file, "%d", i);
    fclose(file);
    text[0] += i % 7;
    out[i] = text[0];
    free(text);
  }
}
// silent
static void from_stacks_of_threads() {
#pragma heddle async
  for (int i = 0; i < 10; ++i) {
    uint64_t sum = 0;
    std::thread thread([&] {
      uint64_t words[Words];
      sum = use(words, i);
    });
    thread.join();
    out[i] = sum;
  }
}
int main() {
  from_posix_memalign();
  from_aligned_alloc();
  from_valloc();
  from_pvalloc();
  from_reallocarray();
  from_mmap();
  from_aligned_new();
  from_getline();
  from_asprintf();
  from_memstream();
  from_stacks_of_threads();
}
