//===- NameJoin.cpp - A hash join with string keys ------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <bit>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::bench {

namespace {

struct Person {
  std::string name;
  std::uint64_t salary;
  std::uint64_t hash;
  Person *next;
};

std::string nameOf(std::uint64_t number) {
  // Longer than what std::string keeps in itself.
  return "employee " + std::to_string(scramble(number) >> 8);
}

std::uint64_t hashOf(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211;
  return hash ^ hash >> 32;
}

class NameJoin {
public:
  explicit NameJoin(Scale scale) : people(scale.of(1 << 20)) {
    buckets.resize(std::bit_ceil(people.size()));
    const Permutation order(people.size());
    for (std::size_t i = 0; i < people.size(); ++i) {
      Person &person = people[order(i)];
      person.name = nameOf(order(i));
      person.salary = i % 1000;
      person.hash = hashOf(person.name);
      Person *&bucket = buckets[person.hash & (buckets.size() - 1)];
      person.next = bucket;
      bucket = &person;
    }
    const std::int64_t count = scale.of(400000);
    for (std::int64_t i = 0; i < count; ++i)
      names.push_back(nameOf(randomBelow(1, i, people.size() * 5 / 4)));
  }

  std::uint64_t run() {
    std::uint64_t sum = 0, matches = 0;
#pragma heddle async
    for (const std::string &name : names) {
      const std::uint64_t hash = hashOf(name);
      for (const Person *person = buckets[hash & (buckets.size() - 1)]; person;
           person = person->next)
        if (person->hash == hash && person->name == name) {
          sum += person->salary;
          ++matches;
        }
    }
    return sum + (matches << 32);
  }

  std::uint64_t runByHand() {
    struct Probe {
      const Person *person;
      const std::string *name;
      std::uint64_t hash;
      enum { Bucket, Chain, Text } waitsFor;
    };
    std::uint64_t sum = 0, matches = 0;
    std::size_t next = 0;
    interleave<Probe>(
        [&](Probe &probe) {
          if (next == names.size())
            return false;
          probe = {nullptr, &names[next], hashOf(names[next]), Probe::Bucket};
          ++next;
          prefetch(&buckets[probe.hash & (buckets.size() - 1)]);
          return true;
        },
        [&](Probe &probe) {
          switch (probe.waitsFor) {
          case Probe::Bucket:
            probe.person = buckets[probe.hash & (buckets.size() - 1)];
            break;
          case Probe::Chain:
            if (probe.person->hash == probe.hash) {
              prefetch(probe.person->name.data());
              probe.waitsFor = Probe::Text;
              return true;
            }
            probe.person = probe.person->next;
            break;
          case Probe::Text:
            if (probe.person->name == *probe.name) {
              sum += probe.person->salary;
              ++matches;
            }
            probe.person = probe.person->next;
          }
          probe.waitsFor = Probe::Chain;
          prefetch(probe.person);
          return probe.person != nullptr;
        });
    return sum + (matches << 32);
  }

private:
  std::vector<Person> people;
  std::vector<Person *> buckets;
  std::vector<std::string> names;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(NameJoin, "string-join", "a hash join with string keys")
