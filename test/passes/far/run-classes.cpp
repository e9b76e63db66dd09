// Classes in far memory are read, changed and updated as in memory, by
// heddle::far<T>, with and without the directive.
//
// RUN: %clangxx -std=c++20 -O0 %s %far_runtime -o %t.O0 && env HEDDLE_FAR_CACHE=1M %t.O0 %t.data
// RUN: %clangxx -std=c++20 -O2 -Rpass=heddle %s %far_runtime -o %t.O2 2>&1 | FileCheck %s
// RUN: env HEDDLE_FAR_CACHE=1M %t.O2 %t.data
// RUN: %clangxx -std=c++20 -O3 -march=native %fopenmp %s %far_runtime -o %t.threads && env HEDDLE_FAR_CACHE=1M OMP_NUM_THREADS=3 %t.threads %t.data
// RUN: rm -f %t.data

// CHECK-COUNT-4: remark: interleaved the loop's iterations (dynamic schedule)

#include "Inputs/far.h"
#include "heddle/FarArray.h"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using Complex = std::complex<double>;

class Record {
public:
  Record() = default;
  explicit Record(int64_t number) : numbers{number, -number}, tag(1) {}
  Record operator+(int64_t more) const {
    Record sum = *this;
    sum.numbers[0] += more;
    return sum;
  }
  int64_t sum() const { return numbers[0] + 2 * numbers[1] + tag; }

  int64_t numbers[2];
  uint32_t tag;
};

constexpr size_t Count = 60'000, Updates = 9000;

size_t place(size_t i) { return (i * 0x9E3779B97F4A7C15 >> 32) % Count; }

template <typename Array> Complex gather(const Array &array) {
  double real = 0, imaginary = 0;
  PARALLEL(omp parallel for reduction(+ : real, imaginary))
#pragma heddle async scheduler(dynamic)
  for (size_t i = 0; i < Updates; ++i) {
    const Complex value = array[place(i)];
    real += value.real();
    imaginary += std::conj(value).imag();
  }
  return {real, imaginary};
}

template <typename Array> void update(Array &array) {
#pragma heddle async scheduler(dynamic)
  for (size_t i = 0; i < Updates; ++i)
    array[place(i) % 700] += Complex(1, static_cast<double>(i));
}

template <typename Array> int64_t methods(const Array &array) {
  int64_t sum = 0;
#pragma heddle async scheduler(dynamic)
  for (size_t i = 0; i < Updates; ++i) {
    const Record record = array[place(i)];
    sum += record.sum();
  }
  return sum;
}

template <typename Pointer> void atomics(Pointer records) {
  PARALLEL(omp parallel for)
#pragma heddle async scheduler(dynamic)
  for (size_t i = 0; i < Updates; ++i)
    __atomic_fetch_add(&(records + static_cast<ptrdiff_t>(place(i) % 99))->tag,
                       1, __ATOMIC_RELAXED);
}

void complexNumbers(const std::string &path) {
  std::vector<Complex> near(Count);
  for (size_t i = 0; i < Count; ++i)
    near[i] = Complex(static_cast<double>(i), 3);
  heddle::FarArray<Complex> far(path, HEDDLE_FAR_CREATE, Count);
  check(far.size() == Count, "size");
  std::copy(near.begin(), near.end(), far.begin());
  check(gather(far) == gather(near), "sum of complex numbers");
  update(far);
  update(near);
  check(std::equal(far.begin(), far.end(), near.begin()), "updates");
  far.sync();
  far.close();

  const heddle::FarArray<Complex> again(path, HEDDLE_FAR_READ);
  check(std::equal(again.begin(), again.end(), near.begin()), "file");
}

void records() {
  std::vector<Record> near(Count);
  heddle::FarArray<Record> moved(7);
  heddle::FarArray<Record> far(Count);
  moved = std::move(far);
  far = std::move(moved);
  for (size_t i = 0; i < Count; ++i)
    far[i] = near[i] = Record(static_cast<int64_t>(i));
  far[5] += 77;
  near[5] = near[5] + 77;
  far[6] = far[5];
  near[6] = near[5];
  check(methods(far) == methods(near), "methods of records");
  atomics(far.data());
  atomics(near.data());
  int64_t sum = 0, expected = 0;
  for (const Record record : far)
    sum += record.sum();
  for (const Record &record : near)
    expected += record.sum();
  check(sum == expected, "sum of records");
}

void pointers() {
  const heddle::FarArray<int> array(100);
  heddle::far<int> p = array.data();
  for (int i = 0; i < 100; ++i)
    *p++ = 99 - i;
  check(p - array.begin() == 100 && p == array.end(), "distance");
  check(!heddle::far<int>() && p && array.begin() < p, "comparison");
  const heddle::far<const int> constant = array.data() + 3;
  check(*constant == 96 && constant[2] == 94 && *(constant - 3) == 99,
        "constants");
  array[0] *= 2;
  array[0] -= 1;
  check(array[0] == 197, "update");
  std::sort(array.begin(), array.end());
  for (int i = 0; i < 99; ++i)
    check(*(array.begin() + i) == i, "sort");
  check(*--p == 197, "what was largest");
}

void errors(const std::string &path) {
  try {
    heddle::FarArray<int> missing(path + "/missing", HEDDLE_FAR_READ);
    check(false, "what does not exist");
  } catch (const std::system_error &error) {
    check(error.code() == std::errc::not_a_directory ||
              error.code() == std::errc::no_such_file_or_directory,
          "code of an error");
  }
  try {
    heddle::FarArray<Record> large(~size_t(0) / 2);
    check(false, "what is too large");
  } catch (const std::system_error &error) {
    check(error.code() == std::errc::invalid_argument, "code of a size");
  }
}

} // namespace

int main(int, char **arguments) {
  complexNumbers(arguments[1]);
  records();
  pointers();
  errors(arguments[1]);
  return 0;
}
