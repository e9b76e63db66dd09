//===- GroupTotals.cpp - Totals of groups by `m[k] += x` ------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <unordered_map>
#include <vector>

namespace heddle::bench {

namespace {

struct Sale {
  std::uint64_t customer;
  std::uint64_t amount;
};

class GroupTotals {
public:
  explicit GroupTotals(Scale scale) {
    const std::int64_t customers = scale.of(1 << 20);
    const Permutation order(customers);
    totals.reserve(customers);
    for (std::int64_t i = 0; i < customers; ++i)
      totals[scramble(order(i))] = 0;
    sales.resize(scale.of(2000000));
    for (std::size_t i = 0; i < sales.size(); ++i)
      sales[i] = {scramble(randomBelow(1, i, customers)), i % 100};
  }

  void reset() {
    for (auto &[customer, total] : totals)
      total = 0;
  }
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (const auto &[customer, total] : totals)
      sum += customer * total;
    return sum;
  }

  std::uint64_t run() {
#pragma heddle async
    for (const Sale &sale : sales)
      totals[sale.customer] += sale.amount;
    return 0;
  }

  // Through the interface of buckets: the first element of one is all that can
  // be requested without waiting.
  std::uint64_t runByHand() {
    inGroups(static_cast<std::int64_t>(sales.size()), [&](std::int64_t begin,
                                                          auto size) {
      using Iterator = decltype(totals)::local_iterator;
      Iterator place[GroupSize];
      std::size_t bucket[GroupSize];
      for (int i = 0; i < size; ++i) {
        bucket[i] = totals.bucket(sales[begin + i].customer);
        // libstdc++ keeps the table of buckets first.
        prefetch(*reinterpret_cast<void **const *>(&totals) + bucket[i]);
      }
      for (int i = 0; i < size; ++i)
        prefetch((*reinterpret_cast<void **const *>(&totals))[bucket[i]]);
      for (int i = 0; i < size; ++i) {
        place[i] = totals.begin(bucket[i]);
        if (place[i] != totals.end(bucket[i]))
          prefetch(&*place[i]);
      }
      for (int i = 0; i < size; ++i) {
        while (place[i]->first != sales[begin + i].customer)
          ++place[i];
        place[i]->second += sales[begin + i].amount;
      }
    });
    return 0;
  }

private:
  std::unordered_map<std::uint64_t, std::uint64_t> totals;
  std::vector<Sale> sales;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(GroupTotals, "group-totals",
                     "totals of groups by m[k] += x")
