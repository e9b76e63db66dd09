// Threads put what they find into tables of their own, which grow: bins, counts
// by number, strings. Where these are local, what they consist of is in
// registers.
//
// RUN: %same_output -mllvm -inline-threshold=9000 %fopenmp | FileCheck %s
// CHECK-COUNT-8: remark: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

#include <memory>
#include <string>
#include <vector>

#define FAR(x) table[table[(x) % Elements]]

/// A loop over edges whose threads begin with \p declare. Each thread adds
/// \p result to the sum; no order may change that.
#define BY_THREADS(name, declare, body, result)                                \
  PROGRAM(name) {                                                              \
    int64_t sum = 0;                                                           \
    _Pragma("omp parallel reduction(+ : sum)") {                               \
      declare;                                                                 \
      _Pragma("omp for nowait schedule(dynamic, 64)") ASYNC_LOOP(CLAUSES) {    \
        body;                                                                  \
      }                                                                        \
      result;                                                                  \
    }                                                                          \
    return sum;                                                                \
  }

static inline int64_t digest(int64_t value, int64_t bin) {
  return int64_t(scramble(value * 100 + bin) >> 20);
}

#define SUM_OF_BINS                                                            \
  {                                                                            \
    for (size_t bin = 0; bin < bins.size(); ++bin)                             \
      for (const int64_t value : bins[bin])                                    \
        sum += digest(value, bin);                                             \
  }

using Bins = std::vector<std::vector<int64_t>>;

BY_THREADS(
    bins, Bins bins,
    {
      const size_t bin = FAR(i) % 40;
      if (bin >= bins.size())
        bins.resize(bin + 1);
      bins[bin].push_back(FAR(keys[i]));
    },
    SUM_OF_BINS)

// A reference to a bin is kept while the iteration waits.
BY_THREADS(
    kept, Bins bins,
    {
      const size_t bin = FAR(keys[i]) % 40;
      if (bin >= bins.size())
        bins.resize(bin + 1);
      auto &row = bins[bin];
      row.push_back(FAR(table[bin + i % 64]));
    },
    SUM_OF_BINS)

// Each edge of a node leads to a bin.
BY_THREADS(
    relaxed, Bins bins,
    {
      const int64_t from = FAR(i);
      for (int64_t edge = 0; edge < 3; ++edge) {
        const int64_t to = table[(from + edge) % Elements];
        const size_t bin = size_t(table[to]) % 60;
        if (bin >= bins.size())
          bins.resize(bin + 1);
        bins[bin].push_back(to);
      }
    },
    SUM_OF_BINS)

BY_THREADS(
    twoBins, Bins bins,
    {
      const int64_t one = FAR(i);
      const int64_t other = FAR(keys[one]);
      const size_t last = std::max<size_t>(one % 40, other % 40);
      if (last >= bins.size())
        bins.resize(last + 1);
      bins[one % 40].push_back(other);
      bins[other % 40].push_back(one);
    },
    SUM_OF_BINS)

BY_THREADS(
    counts, std::vector<int64_t> counts,
    {
      const size_t number = FAR(keys[i]) % 500;
      if (number >= counts.size())
        counts.resize(number + 1);
      counts[number] += FAR(number);
    },
    {
      for (size_t number = 0; number < counts.size(); ++number)
        sum += counts[number] * digest(1, number);
    })

BY_THREADS(
    reallocated, int64_t *sums = nullptr;
    size_t size = 0,
    {
      const size_t number = FAR(keys[i]) % 500;
      if (number >= size) {
        const size_t more = std::max(number + 1, 2 * size);
        sums = static_cast<int64_t *>(
            __builtin_realloc(sums, more * sizeof(int64_t)));
        for (; size < more; ++size)
          sums[size] = 0;
      }
      sums[number] += FAR(number + i);
    },
    {
      for (size_t number = 0; number < size; ++number)
        sum += sums[number] * digest(1, number);
      __builtin_free(sums);
    })

BY_THREADS(
    texts, std::vector<std::string> texts,
    {
      const size_t number = FAR(keys[i]) % 90;
      if (number >= texts.size())
        texts.resize(number + 1);
      texts[number] += char('a' + FAR(i) % 26);
    },
    {
      for (size_t number = 0; number < texts.size(); ++number)
        for (const char letter : texts[number])
          sum += digest(letter, number);
    })

BY_THREADS(
    owned, std::vector<std::unique_ptr<int64_t>> owned,
    {
      const size_t number = FAR(keys[i]) % 300;
      if (number >= owned.size())
        owned.resize(number + 1);
      if (!owned[number])
        owned[number] = std::make_unique<int64_t>(0);
      *owned[number] += FAR(i);
    },
    {
      for (size_t number = 0; number < owned.size(); ++number)
        if (owned[number])
          sum += *owned[number] * digest(1, number);
    })

int main() {
  prepare();
  printPrograms();
}
