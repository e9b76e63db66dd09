// Loops whose accesses follow each other see what has been stored in far memory
// by any way: with a call, or without one because the page is in sight. The
// cache is far smaller than the data.
//
// RUN: %clangxx -std=c++20 -O0 %s %far_runtime -o %t.O0 && env HEDDLE_FAR_CACHE=1M %t.O0 %t.data
// RUN: %clangxx -std=c++20 -Os %s %far_runtime -o %t.Os && env HEDDLE_FAR_CACHE=1M %t.Os %t.data
// RUN: %clangxx -std=c++20 -O2 %s %far_runtime -o %t.O2 && env HEDDLE_FAR_CACHE=1M %t.O2 %t.data
// RUN: env HEDDLE_FAR_CACHE=9M %t.O2 %t.data
// RUN: %clangxx -std=c++20 -O3 -march=native -fPIC %fopenmp %s %far_runtime -o %t.threads && env HEDDLE_FAR_CACHE=1M OMP_NUM_THREADS=4 %t.threads %t.data
// RUN: rm -f %t.data*
//
// RUN: not %t.O2 %t.data outside 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: not %t.O2 %t.data readonly 2>&1 | FileCheck --check-prefix=READONLY %s
// RUN: not %t.O2 %t.data closed 2>&1 | FileCheck --check-prefix=CLOSED %s
// OUTSIDE: error: reading {{.*}} at byte 4096 of 4100: Bad address
// READONLY: error: writing {{.*}} at byte 0 of 4100: Read-only file system
// CLOSED: error: reading far memory at 0x{{.*}}: no such region

#include "Inputs/far.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr size_t Count = 300'000;

template <typename T>
heddle_far T *create(const std::string &path, size_t bytes) {
  return static_cast<heddle_far T *>(allocate(path.c_str(), bytes));
}

void close(heddle_far void *start) {
  check(heddle_far_close(start) == 0, "close");
}

uint64_t value(size_t i) { return i * 0x9E3779B97F4A7C15; }

template <typename T> void fillAndSum(const std::string &path) {
  auto *far = create<T>(path, Count * sizeof(T));
  PARALLEL(omp parallel for)
  for (size_t i = 0; i < Count; ++i)
    far[i] = static_cast<T>(value(i));
  uint64_t expected = 0, up = 0, down = 0;
  for (size_t i = 0; i < Count; ++i)
    expected += static_cast<uint64_t>(static_cast<T>(value(i)));
  PARALLEL(omp parallel for reduction(+ : up))
  for (size_t i = 0; i < Count; ++i)
    up += static_cast<uint64_t>(far[i]);
  for (size_t i = Count; i-- > 0;)
    down += static_cast<uint64_t>(far[i]);
  check(up == expected, "sum");
  check(down == expected, "sum from the end");
  close(far);
}

// Pages of several regions and of one region by turns.
void several(const std::string &path) {
  auto *from = create<uint64_t>(path + "1", Count * 8);
  auto *to = create<uint64_t>(path + "2", Count * 8);
  for (size_t i = 0; i < Count; ++i)
    from[i] = value(i);
  PARALLEL(omp parallel for)
  for (size_t i = 0; i < Count; ++i)
    to[i] = from[i] + 1;
  for (size_t i = 0; i < Count; ++i)
    to[i] += from[i];
  for (size_t i = 0; i < Count / 2; ++i)
    to[Count / 2 + i] -= to[i] - 2 * from[i];
  bool holds = true;
  for (size_t i = 0; i < Count; ++i)
    holds &= to[i] == 2 * value(i) + (i < Count / 2);
  check(holds, "sum of two");
  close(from);
  close(to);
}

// Neighbouring elements belong to different threads.
void shared(const std::string &path) {
  auto *far = create<uint8_t>(path, Count);
  for (unsigned round = 0; round < 3; ++round) {
    PARALLEL(omp parallel for schedule(static, 1))
    for (size_t i = 0; i < Count; ++i)
      far[i] = static_cast<uint8_t>(far[i] + i + round);
  }
  bool holds = true;
  for (size_t i = 0; i < Count; ++i)
    holds &= far[i] == static_cast<uint8_t>(3 * i + 3);
  check(holds, "elements of several threads");
  close(far);
}

// A page that is in sight belongs to a region that is gone.
void anew(const std::string &path) {
  for (uint64_t round = 0; round < 20; ++round) {
    auto *far = create<uint64_t>(path, 4096);
    check(far[1] == 0, "a new region");
    far[1] = round + 1;
    check(far[1] == round + 1, "what has just been stored");
    close(far);
  }
}

// A store after a page has been written back is written back, too.
void synced(const std::string &path) {
  auto *far = create<uint64_t>(path, 8192);
  for (uint64_t round = 0; round < 20; ++round) {
    far[7] = round;
    check(heddle_far_sync(far) == 0, "sync");
    FILE *file = fopen(path.c_str(), "rb");
    uint64_t found[8];
    check(file && fread(found, 8, 8, file) == 8 && found[7] == round,
          "what has been written");
    fclose(file);
  }
  close(far);
}

struct __attribute__((packed)) Packed {
  char tag;
  uint64_t value;
};

void unaligned(const std::string &path) {
  auto *far = create<Packed>(path, Count * sizeof(Packed));
  for (size_t i = 0; i < Count; ++i)
    far[i].value = value(i);
  bool holds = true;
  for (size_t i = 0; i < Count; ++i)
    holds &= far[i].value == value(i) && far[i].tag == 0;
  check(holds, "packed structures");
  close(far);
}

void wrong(const std::string &path, const std::string &what) {
  auto *far = create<uint64_t>(path, 4100);
  far[0] = 1;
  if (what == "outside")
    printf("%d\n", static_cast<int>(far[512]));
  close(far);
  if (what == "closed")
    printf("%d\n", static_cast<int>(far[0]));
  auto *constant = static_cast<heddle_far uint64_t *>(
      heddle_far_open(path.c_str(), HEDDLE_FAR_READ, 0));
  if (constant[0] == 1)
    constant[0] = 2;
}

} // namespace

int main(int count, char **arguments) {
  const std::string path = arguments[1];
  if (count > 2)
    wrong(path, arguments[2]);
  fillAndSum<uint64_t>(path);
  fillAndSum<uint16_t>(path);
  fillAndSum<int32_t>(path);
  several(path);
  shared(path);
  anew(path);
  synced(path);
  unaligned(path);
  return 0;
}
