//===- KeySort.h - Sorting by numbers --------------------------*- C++ -*-===//
//
// A parallel, stable sort by unsigned keys, for batches of updates. Elements
// are distributed to buckets of neighbouring keys; each bucket is then sorted
// by one thread within its cache. Buckets cover equal ranges of keys or, as
// keys of power-law graphs are mostly low, ranges that become wider from the
// lowest to the highest key. A bucket that still gets too many elements is
// distributed again.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_SORT_KEYSORT_H
#define HEDDLE_GRAPH_DETAIL_SORT_KEYSORT_H

#include "heddle/graph/VertexArray.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Tasks.h"
#include "heddle/graph/detail/sort/RadixSort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <omp.h>

namespace heddle::graph::detail {

/// Sorts by keyOf(element), a number without sign, and keeps the order of
/// elements with the same key.
template <typename Element, typename KeyOf> class KeySort {
public:
  explicit KeySort(KeyOf keyOf) : keyOf(keyOf) {}

  /// Fills `sorted` with elementAt(0), elementAt(1) and so on in their order.
  /// Runs on the threads of OpenMP if that is worth it. Throws std::bad_alloc.
  template <typename ElementAt>
  void sort(ElementAt elementAt, std::span<Element> sorted) const {
    const std::size_t size = sorted.size();
    if (size <= Few) {
      for (std::size_t i = 0; i < size; ++i)
        sorted[i] = elementAt(i);
      Element scratch[Few];
      mergeSort(sorted, scratch);
      HEDDLE_ASSERT(isSorted(sorted));
      return;
    }
    const Survey survey = surveyOf(elementAt, size);
    if (survey.isSorted) {
      copy(elementAt, sorted);
    } else if (size <= 2 * InBucket) {
      copy(elementAt, sorted);
      Array<Element> scratch(size);
      sortBucket(sorted, scratch.data());
      HEDDLE_ASSERT(isSorted(sorted));
    } else {
      const Scale scale(survey.lowest, survey.highest, size);
      if (isLinear(elementAt, size, scale))
        sortBuckets(Partition(elementAt, sorted, scale.buckets(),
                              [&](const Element &element) {
                                return scale.linear(keyOf(element));
                              }),
                    sorted);
      else
        sortBuckets(Partition(elementAt, sorted, scale.buckets(),
                              [&](const Element &element) {
                                return scale.logarithmic(keyOf(element));
                              }),
                    sorted);
    }
  }

private:
  using Key = decltype(std::declval<KeyOf>()(std::declval<Element>()));

  static constexpr std::size_t Few =
      std::clamp<std::size_t>(4096 / sizeof(Element), 16, 256);
  static constexpr std::size_t InBucket = std::size_t(1) << 13;
  static constexpr std::size_t MostInBucket = std::size_t(1) << 17;
  static constexpr unsigned MostBucketBits = 10;
  static constexpr int DigitBits = RadixSort<Element>::DigitBits;

  class Scale;
  class Partition;

  template <typename ElementAt>
  static void copy(ElementAt elementAt, std::span<Element> to) {
    const std::size_t size = to.size();
#pragma omp parallel for if (worthThreads(size))
    for (std::size_t i = 0; i < size; ++i)
      to[i] = elementAt(i);
  }

  bool isSorted(std::span<const Element> elements) const {
    return std::ranges::is_sorted(elements, {}, keyOf);
  }

  /// Properties of the keys.
  struct Survey {
    Key lowest, highest;
    bool isSorted;
  };

  template <typename ElementAt>
  Survey surveyOf(ElementAt elementAt, std::size_t size) const {
    constexpr std::size_t Blocks = 64;
    Survey surveys[Blocks];
    forEachTask(Blocks, worthThreads(size), [&](std::size_t block) {
      std::size_t i = std::max<std::size_t>(blockBegin(size, Blocks, block), 1);
      const std::size_t end = blockBegin(size, Blocks, block + 1);
      Key before = keyOf(elementAt(i - 1));
      Survey survey = {before, before, true};
      for (; i < end; ++i) {
        const Key key = keyOf(elementAt(i));
        survey.lowest = std::min(survey.lowest, key);
        survey.highest = std::max(survey.highest, key);
        survey.isSorted &= before <= key;
        before = key;
      }
      surveys[block] = survey;
    });
    Survey all = surveys[0];
    for (const Survey &survey : surveys) {
      all.lowest = std::min(all.lowest, survey.lowest);
      all.highest = std::max(all.highest, survey.highest);
      all.isSorted &= survey.isSorted;
    }
    return all;
  }

  /// Whether, by a sample, buckets of a linear scale are as balanced as those
  /// of a logarithmic scale.
  template <typename ElementAt>
  bool isLinear(ElementAt elementAt, std::size_t size,
                const Scale &scale) const {
    constexpr std::size_t Sample = 1024;
    using Counts = std::array<std::uint16_t, std::size_t(1) << MostBucketBits>;
    Counts linear = {}, logarithmic = {};
    for (std::size_t i = 0; i < Sample; ++i) {
      const Key key = keyOf(elementAt(size / Sample * i));
      ++linear[scale.linear(key)];
      ++logarithmic[scale.logarithmic(key)];
    }
    return std::ranges::max(linear) <= std::ranges::max(logarithmic);
  }

  static std::size_t blockBegin(std::size_t size, std::size_t blocks,
                                std::size_t block) {
    return size / blocks * block + std::min(block, size % blocks);
  }

  void sortBuckets(const Partition &partition,
                   std::span<Element> elements) const {
    std::size_t largest = 0;
    for (std::size_t i = 0; i < partition.buckets(); ++i)
      if (partition.size(i) <= MostInBucket)
        largest = std::max(largest, partition.size(i));
    Array<Element> scratch(largest *
                           static_cast<std::size_t>(omp_get_max_threads()));
    forEachTask(partition.buckets(), true, [&](std::size_t i) {
      const std::span<Element> bucket = partition.bucket(i, elements);
      if (bucket.size() > MostInBucket)
        return;
      Element *const own = scratch.data() + largest * static_cast<std::size_t>(
                                                          omp_get_thread_num());
      sortBucket(bucket, own);
      HEDDLE_ASSERT(isSorted(bucket));
    });
    for (std::size_t i = 0; i < partition.buckets(); ++i) {
      const std::span<Element> bucket = partition.bucket(i, elements);
      if (bucket.size() > MostInBucket)
        sortAgain(bucket);
    }
  }

  /// Sorts by the highest bits that distinguish most elements, then sorts each
  /// run of elements that are equal in these bits.
  void sortBucket(std::span<Element> bucket, Element *scratch) const {
    if (bucket.size() <= Few) {
      mergeSort(bucket, scratch);
      return;
    }
    Key differing = 0;
    for (const Element &element : bucket)
      differing |= keyOf(element) ^ keyOf(bucket[0]);
    if (differing == 0)
      return;
    const int digits =
        static_cast<int>(std::bit_width(bucket.size())) / DigitBits + 1;
    const int enough = digits * DigitBits;
    unsigned shift = 0;
    while (shift < 8 * sizeof(Key) && differing >> shift != 0)
      ++shift;
    for (int bits = 0; shift > 0 && bits < enough; --shift)
      bits += static_cast<int>(differing >> (shift - 1) & 1);
    RadixSort<Element> sort(bucket.data(), scratch, bucket.size());
    sort.sortBy(keyOf, differing >> shift << shift);
    sort.finish();
    if ((differing >> shift << shift) != differing)
      sortRuns(bucket, scratch, shift);
  }

  /// Sorts elements that are sorted but for their lowest bits.
  void sortRuns(std::span<Element> bucket, Element *scratch,
                unsigned lowBits) const {
    for (std::size_t begin = 0; begin < bucket.size();) {
      const Key high = keyOf(bucket[begin]) >> lowBits;
      std::size_t end = begin + 1;
      while (end < bucket.size() && keyOf(bucket[end]) >> lowBits == high)
        ++end;
      if (end - begin > 1)
        sortBucket(bucket.subspan(begin, end - begin), scratch);
      begin = end;
    }
  }

  void sortAgain(std::span<Element> bucket) const {
    Array<Element> copied(bucket.size());
    copy([&](std::size_t i) { return bucket[i]; },
         {copied.data(), copied.size()});
    sort([&](std::size_t i) { return copied[i]; }, bucket);
  }

  /// Merges ever longer runs.
  void mergeSort(std::span<Element> elements, Element *scratch) const {
    constexpr std::size_t ShortRun = 8;
    const auto less = [&](const Element &a, const Element &b) {
      return keyOf(a) < keyOf(b);
    };
    const std::size_t size = elements.size();
    HEDDLE_ASSERT(size <= Few);
    for (std::size_t i = 1; i < size; ++i)
      for (std::size_t k = i; k % ShortRun != 0; --k) {
        if (!less(elements[k], elements[k - 1]))
          break;
        std::swap(elements[k], elements[k - 1]);
      }
    Element *from = elements.data(), *to = scratch;
    for (std::size_t run = ShortRun; run < size; run *= 2) {
      for (std::size_t begin = 0; begin < size; begin += 2 * run) {
        Element *const middle = from + std::min(begin + run, size);
        std::merge(from + begin, middle, middle,
                   from + std::min(begin + 2 * run, size), to + begin, less);
      }
      std::swap(from, to);
    }
    if (from != elements.data())
      std::copy_n(from, size, elements.data());
  }

  const KeyOf keyOf;
};

/// Numbers buckets by the keys that belong to them.
template <typename Element, typename KeyOf>
class KeySort<Element, KeyOf>::Scale {
public:
  /// Chooses the scale for `size` keys from `lowest` to `highest`.
  Scale(Key lowest, Key highest, std::size_t size) : lowest(lowest) {
    HEDDLE_ASSERT(lowest < highest);
    constexpr unsigned LeastBits = 7; // more buckets than powers of two
    const unsigned bits = std::clamp<unsigned>(
        static_cast<unsigned>(std::bit_width(size / InBucket)), LeastBits,
        MostBucketBits);
    Key range = highest - lowest;
    for (; range > UINT64_MAX; range >>= 1)
      ++dropped;
    width = static_cast<unsigned>(
        std::bit_width(static_cast<std::uint64_t>(range)));
    shift = width - std::min(width, bits);
    fraction = bits - static_cast<unsigned>(std::bit_width(width));
    count = std::size_t(1) << bits;
    HEDDLE_ASSERT(linear(highest) < count && logarithmic(highest) < count);
  }

  std::size_t buckets() const { return count; }

  /// Returns the bucket if all cover ranges of equal length.
  std::size_t linear(Key key) const { return offset(key) >> shift; }

  /// Returns the bucket if ranges become twice as long from one power of two to
  /// the next.
  std::size_t logarithmic(Key key) const {
    const std::uint64_t number = offset(key);
    const auto bits = static_cast<unsigned>(std::bit_width(number));
    const unsigned power = bits - std::min(bits, fraction + 1);
    return (std::size_t(power) << fraction) + (number >> power);
  }

private:
  std::uint64_t offset(Key key) const {
    return static_cast<std::uint64_t>((key - lowest) >> dropped);
  }

  const Key lowest;
  unsigned dropped = 0; ///< bits beyond the highest 64
  unsigned width, shift;
  unsigned fraction; ///< bits that tell apart numbers of the same power
  std::size_t count;
};

/// Elements distributed to buckets.
template <typename Element, typename KeyOf>
class KeySort<Element, KeyOf>::Partition {
public:
  template <typename ElementAt, typename BucketOf>
  Partition(ElementAt elementAt, std::span<Element> to, std::size_t count,
            BucketOf bucketOf) {
    const std::size_t size = to.size();

    // At first the number of elements that a block has for each bucket, then
    // the index of the next one.
    Array<std::size_t> places(Blocks * count);
    const auto begin = [&](std::size_t block) {
      return blockBegin(size, Blocks, block);
    };
    forEachTask(Blocks, true, [&](std::size_t block) {
      std::size_t *const counts = places.data() + block * count;
      std::fill_n(counts, count, 0);
      for (std::size_t i = begin(block); i < begin(block + 1); ++i)
        ++counts[bucketOf(elementAt(i))];
    });
    begins = Array<std::size_t>(count + 1);
    std::size_t total = 0;
    for (std::size_t bucket = 0; bucket < count; ++bucket) {
      begins[bucket] = total;
      for (std::size_t block = 0; block < Blocks; ++block)
        total += std::exchange(places[block * count + bucket], total);
    }
    begins[count] = total;
    HEDDLE_ASSERT(total == size);
    forEachTask(Blocks, true, [&](std::size_t block) {
      std::size_t *const place = places.data() + block * count;
      for (std::size_t i = begin(block); i < begin(block + 1); ++i) {
        const Element element = elementAt(i);
        to[place[bucketOf(element)]++] = element;
      }
    });
  }

  std::size_t buckets() const { return begins.size() - 1; }
  std::size_t size(std::size_t i) const { return begins[i + 1] - begins[i]; }
  std::span<Element> bucket(std::size_t i, std::span<Element> elements) const {
    HEDDLE_ASSERT(i < buckets() && begins[i + 1] <= elements.size());
    return elements.subspan(begins[i], size(i));
  }

private:
  static constexpr std::size_t Blocks = 64;

  Array<std::size_t> begins;
};

/// Fills `sorted` with elementAt(0), elementAt(1) and so on, by their keys.
/// See KeySort.
template <typename Element, typename ElementAt, typename KeyOf>
void sortByKey(ElementAt elementAt, std::span<Element> sorted, KeyOf keyOf) {
  KeySort<Element, KeyOf>(keyOf).sort(elementAt, sorted);
}

} // namespace heddle::graph::detail

#endif
