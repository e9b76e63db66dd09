// Iterations that call what may throw or end the program, as everyday code
// does: containers, strings, functions that check their arguments, locks.
//
// RUN: %same_output -std=c++20 | FileCheck %s

#include "../../Inputs/program.h"
#include <array>
#include <cassert>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

static std::vector<int64_t> numbers;
static std::map<int64_t, int64_t> ordered;
static std::unordered_map<int64_t, int64_t> hashed;
static std::vector<std::string> words;
static std::mutex mutex;
static std::function<int64_t(const Node *)> weigh;
static int64_t out[Elements];

static int64_t digest() {
  uint64_t hash = 0;
  for (int64_t value : out)
    hash = scramble(hash + uint64_t(value));
  memset(out, 0, sizeof out);
  return int64_t(hash >> 1);
}

static const Node *find(int64_t key) {
  const Node *node = buckets[scramble(key) % Buckets];
  while (node && node->key != key)
    node = node->next;
  return node;
}

// A plain vector of the iteration's own.
PROGRAM(ownVector) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    std::vector<int64_t> own;
    for (const Node *node = buckets[keys[i] % Buckets]; node; node = node->next)
      own.push_back(node->value);
    for (int64_t value : own)
      sum += value;
  }
  return sum;
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(checkedAccess) {
  ASYNC_LOOP(CLAUSES)
    out[i] = numbers.at(numbers.at(keys[i]));
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(mapAt) {
  ASYNC_LOOP(CLAUSES)
    out[i] = ordered.at(table[keys[i]]);
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(hashMapAt) {
  ASYNC_LOOP(CLAUSES)
    out[i] = hashed.at(table[keys[i]]);
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(throwsOnError) {
  ASYNC_LOOP(CLAUSES) {
    const Node *node = find(table[keys[i]]);
    if (!node)
      throw std::runtime_error("not found");
    out[i] = node->value;
  }
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(exitsOnError) {
  ASYNC_LOOP(CLAUSES) {
    const Node *node = find(table[keys[i]]);
    if (!node) {
      fprintf(stderr, "no node for %lld\n", (long long)i);
      exit(1);
    }
    out[i] = node->value;
  }
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(exitsWithText) {
  ASYNC_LOOP(CLAUSES) {
    char text[64];
    const Node *node = find(table[keys[i]]);
    snprintf(text, sizeof text, "node of %lld", (long long)keys[i]);
    if (!node) {
      fprintf(stderr, "no %s\n", text);
      std::quick_exit(1);
    }
    out[i] = node->value + text[strlen(text) - 1];
  }
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(asserts) {
  ASYNC_LOOP(CLAUSES) {
    const Node *node = find(table[keys[i]]);
    assert(node && node->key >= 0);
    out[i] = node->value;
  }
  return digest();
}

[[noreturn]] NOINLINE static void fail(const char *text, int64_t number) {
  fprintf(stderr, "%s: %lld\n", text, (long long)number);
  abort();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(failsInFunction) {
  ASYNC_LOOP(CLAUSES) {
    const Node *node = find(table[keys[i]]);
    if (!node)
      fail("no node", i);
    out[i] = node->value;
  }
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(callsFunctionObject) {
  ASYNC_LOOP(CLAUSES)
    out[i] = weigh(find(table[keys[i]]));
  return digest();
}

// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: interleaved
PROGRAM(locks) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const Node *node = find(table[keys[i]]);
    std::lock_guard<std::mutex> guard(mutex);
    out[node->value] += node->key;
    sum += node->key;
  }
  return sum + digest();
}

PROGRAM(ownString) {
  ASYNC_LOOP(CLAUSES) {
    std::string text = "number ";
    text += std::to_string(table[keys[i]]);
    const Node *node = find(table[keys[i]]);
    text += node ? " is there, and its name is longer" : " is not";
    out[i] = int64_t(text.size()) + node->value;
  }
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(comparesStrings) {
  ASYNC_LOOP(CLAUSES)
    out[i] = words[table[keys[i]]] < words[table[i]];
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(partOfString) {
  ASYNC_LOOP(CLAUSES)
    out[i] = int64_t(words[table[keys[i]]].substr(1, 3).size());
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(optionalValue) {
  ASYNC_LOOP(CLAUSES) {
    std::optional<int64_t> found;
    if (const Node *node = find(table[keys[i]]))
      found = node->value;
    out[i] = found.value();
  }
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(variantOfTwo) {
  ASYNC_LOOP(CLAUSES) {
    std::variant<int64_t, const Node *> either = table[keys[i]];
    if (std::get<0>(either) % 3)
      either = find(std::get<0>(either));
    out[i] = either.index() ? std::get<1>(either)->value : std::get<0>(either);
  }
  return digest();
}

PROGRAM(allocates) {
  ASYNC_LOOP(CLAUSES) {
    int64_t *own = new int64_t[4];
    own[i % 4] = table[table[keys[i]]];
    asm volatile("" : : "r"(own) : "memory");
    out[i] = own[i % 4];
    delete[] own;
  }
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(allocatesInC) {
  ASYNC_LOOP(CLAUSES) {
    auto *own = static_cast<int64_t *>(malloc(sizeof(int64_t)));
    *own = table[table[keys[i]]];
    asm volatile("" : : "r"(own) : "memory");
    out[i] = *own;
    free(own);
  }
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(uniquePointer) {
  ASYNC_LOOP(CLAUSES) {
    auto own = std::make_unique<Node>(*find(table[keys[i]]));
    asm volatile("" : : "r"(own.get()) : "memory");
    out[i] = own->value + own->key;
  }
  return digest();
}

PROGRAM(sharedPointer) {
  ASYNC_LOOP(CLAUSES) {
    auto own = std::make_shared<int64_t>(table[table[keys[i]]]);
    std::shared_ptr<int64_t> copy = own;
    out[i] = *copy + copy.use_count();
  }
  return digest();
}

struct Base {
  virtual ~Base() = default;
};
struct Left : Base {
  int64_t value = 3;
};
struct Right : Base {
  int64_t value = 5;
};
static Left left;
static Right right;
static Base *bases[Elements];

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(castsToReference) {
  ASYNC_LOOP(CLAUSES) {
    Base &base = *bases[table[keys[i]]];
    out[i] = dynamic_cast<Left *>(&base) ? dynamic_cast<Left &>(base).value
                                         : dynamic_cast<Right &>(base).value;
  }
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(readsNumber) {
  ASYNC_LOOP(CLAUSES)
    out[i] = std::stoll(words[table[keys[i]]].substr(5));
  return digest();
}

PROGRAM(formats) {
  ASYNC_LOOP(CLAUSES) {
    std::ostringstream text;
    text << table[table[keys[i]]] << ' ' << i;
    out[i] = int64_t(text.str().size());
  }
  return digest();
}

static void throwIfNegative(int64_t value) {
  if (value < 0)
    throw std::out_of_range("negative");
}
static int64_t checked(int64_t value) {
  std::string unused = "cleaned up on the way out, and too long to be short";
  throwIfNegative(value);
  asm volatile("" : : "r"(unused.data()) : "memory");
  return value + int64_t(unused.size());
}

PROGRAM(throwsFarInside) {
  ASYNC_LOOP(CLAUSES)
    out[i] = checked(table[checked(table[keys[i]]) - 51]);
  return digest();
}

PROGRAM(ownMap) {
  ASYNC_LOOP(CLAUSES) {
    std::map<int64_t, int64_t> own;
    for (int64_t at = keys[i], k = 0; k < 4; at = table[at], ++k)
      own[at % 3] += at;
    out[i] = own.begin()->second;
  }
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(innerLoopThrows) {
  ASYNC_LOOP(CLAUSES) {
    int64_t sum = 0;
    for (const Node *node = buckets[keys[i] % Buckets]; node;
         node = node->next) {
      if (node->key < 0)
        throw node->key;
      sum += numbers.at(node->value);
    }
    out[i] = sum;
  }
  return digest();
}

// CHECK-DAG: :[[#@LINE + 7]]:{{.*}}remark: interleaved
PROGRAM(throwsInConstructor) {
  struct Checked {
    explicit Checked(int64_t value) : value(value) { throwIfNegative(value); }
    ~Checked() { asm volatile("" : : : "memory"); }
    int64_t value;
  };
  ASYNC_LOOP(CLAUSES) {
    Checked first(table[keys[i]]), second(table[first.value]);
    out[i] = first.value * 3 + second.value;
  }
  return digest();
}

// CHECK-DAG: :[[#@LINE + 2]]:{{.*}}remark: interleaved
PROGRAM(lambdaThrows) {
  ASYNC_LOOP(CLAUSES) {
    auto step = [&](int64_t at) {
      if (at >= Elements)
        throw at;
      return table[at];
    };
    out[i] = step(step(keys[i]));
  }
  return digest();
}

int main() {
  prepare();
  for (int64_t i = 0; i < Elements; ++i) {
    numbers.push_back(table[i]);
    ordered[i] = table[i];
    hashed[i] = table[i] * 3;
    words.push_back("word " + std::to_string(table[i]));
    bases[i] = table[i] % 3 ? static_cast<Base *>(&left) : &right;
  }
  weigh = [](const Node *node) { return node->value * 7; };
  printPrograms();
}
