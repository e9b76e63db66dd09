// Memory that is there from the turn of an earlier iteration on, and what is
// behind the iteration that ends the program: what an iteration rehearses in
// front of its turn reads none of it, though it knows the address.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-15: remark: {{interleaved|loop not interleaved}}

#include "../Inputs/program.h"

#include <atomic>
#include <map>
#include <memory>
#include <new>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <vector>

enum { Page = 4096, Pages = 128, Words = Page / sizeof(uint32_t) };
enum Operation { Grow, Use };

struct Instruction {
  Operation operation;
  uint32_t word;
};
static Instruction code[Elements];

/// The compiler does not know the variable.
template <class T> static T &hide(T &variable) {
  T *volatile pointer = &variable;
  return *pointer;
}

/// Memory without pages, or of a file without content.
struct Memory {
  const int file = memfd_create("memory", 0);
  char *const begin;

  explicit Memory(bool ofFile)
      : begin(static_cast<char *>(
            mmap(nullptr, Pages * Page, ofFile ? PROT_READ : PROT_NONE,
                 ofFile ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS,
                 ofFile ? file : -1, 0))) {}
  ~Memory() {
    munmap(begin, Pages * Page);
    close(file);
  }
};

static void prepareCode() {
  uint32_t pages = 0;
  for (int64_t i = 0; i < Elements; ++i)
    if (i % 40 == 0 && pages < Pages) {
      code[i] = {Grow, pages++};
    } else {
      const uint32_t page = i % 5 == 1 ? pages - 1 : table[keys[i]] % pages;
      code[i] = {Use, page * Words + uint32_t(keys[i]) % Words};
    }
}

/// A machine that makes its memory grow by GROW.
#define MACHINE(name, ofFile, ...)                                             \
  MACHINE_RUN(PROGRAM(name), ofFile, __VA_ARGS__)
#define MACHINE_RUN(HEADER, ofFile, ...)                                       \
  HEADER {                                                                     \
    prepareCode();                                                             \
    const Memory memory(ofFile);                                               \
    const auto *words = reinterpret_cast<const uint32_t *>(memory.begin);      \
    int64_t own = 0, &sum = hide(own);                                         \
    ASYNC_LOOP(CLAUSES) {                                                      \
      const Instruction instruction = code[i];                                 \
      if (instruction.operation == Grow) {                                     \
        __VA_ARGS__;                                                           \
      } else {                                                                 \
        const uint32_t word = instruction.word;                                \
        sum = sum * 31 + nodes[table[words[word] + word % Elements]].value;    \
      }                                                                        \
    }                                                                          \
    return sum;                                                                \
  }

#define PAGE (memory.begin + instruction.word * Page)

static bool allow(char *page) {
  return mprotect(page, Page, PROT_READ | PROT_WRITE) == 0;
}
NOINLINE static int64_t allowDeep(char *page, int64_t depth) {
  return depth ? allowDeep(page, depth - 1) + 1 : allow(page);
}
static bool (*volatile allowPointer)(char *) = allow;

MACHINE(protection, false, mprotect(PAGE, Page, PROT_READ | PROT_WRITE))
MACHINE(inCallee, false, allowDeep(PAGE, 3))
MACHINE(behindPointer, false, allowPointer(PAGE))
MACHINE(mapping, false,
        mmap(PAGE, Page, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0))
MACHINE(file, true,
        if (ftruncate(memory.file, (instruction.word + 1) * Page)) abort())

/// What containers run of the program's may be what makes memory come.
static char *nextPage;
template <class T> struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U> Allocator(const Allocator<U> &) {}
  T *allocate(size_t n) {
    allow(nextPage);
    return static_cast<T *>(malloc(n * sizeof(T)));
  }
  void deallocate(T *place, size_t) { free(place); }
  bool operator==(const Allocator &) const { return true; }
};
struct Element {
  char *page;
  explicit Element(char *page) : page(page) { allow(page); }
  Element(const Element &) = default;
  ~Element() {}
};
struct Order {
  bool operator()(char *one, char *other) const {
    return allow(one) && allow(other) && one < other;
  }
};
struct Hash {
  size_t operator()(char *page) const { return allow(page); }
};

MACHINE(allocator, false, {
  nextPage = PAGE;
  std::vector<int64_t, Allocator<int64_t>> values;
  values.push_back(i);
  sum += values[0];
})
MACHINE(elements, false, {
  std::vector<Element> elements;
  elements.emplace_back(PAGE);
  sum += elements.size();
})
MACHINE(order, false, {
  std::map<char *, int64_t, Order> values;
  values[nullptr] = 1;
  values[PAGE] = i;
  sum += values.size();
})
MACHINE(hash, false, {
  std::unordered_map<char *, int64_t, Hash> values;
  values[PAGE] = i;
  sum += values.size();
})

/// Another thread makes the pages come.
static std::atomic<char *> wanted, there;
static char end;
static void serve() {
  for (char *last = nullptr, *page; (page = wanted) != &end;)
    if (page != last) {
      allow(page);
      there = last = page;
    }
}
#define SERVED(name, ORDER)                                                    \
  static int64_t name##Run(int64_t n);                                         \
  PROGRAM(name) {                                                              \
    wanted = there = nullptr;                                                  \
    std::thread server(serve);                                                 \
    const int64_t sum = name##Run(n);                                          \
    wanted = &end;                                                             \
    server.join();                                                             \
    return sum;                                                                \
  }                                                                            \
  MACHINE_RUN(static int64_t name##Run(int64_t n), false, {                    \
    wanted.store(PAGE, ORDER);                                                 \
    while (there.load(ORDER) != PAGE) {                                        \
    }                                                                          \
  })
SERVED(inOrder, std::memory_order_seq_cst)
SERVED(relaxed, std::memory_order_relaxed)

/// Tables that are made in place in the turn of an iteration.
PROGRAM(tables) {
  using Table = std::unordered_map<int64_t, int64_t>;
  struct Place {
    alignas(Table) char bytes[sizeof(Table)];
    Table &table() { return *std::launder(reinterpret_cast<Table *>(bytes)); }
  };
  enum { Each = 64 };
  std::unique_ptr<Place[]> places(new Place[Elements / Each]);
  memset(places.get(), 0x5a, Elements / Each * sizeof(Place));
  int64_t own = 0, &sum = hide(own);
  ASYNC_LOOP(CLAUSES) {
    Place &place = places[i / Each];
    if (i % Each == 0) {
      new (&place) Table;
      sum = sum * 3 + 1;
    } else {
      place.table()[table[keys[i]] % 16] += sum;
      const auto found = place.table().find(keys[i] % 16);
      if (found != place.table().end())
        sum = sum * 31 + found->second;
    }
  }
  for (int64_t k = 0; k * Each < n; ++k)
    places[k].table().~Table();
  return sum;
}

struct Step {
  bool ends;
  Node **at;
};
static Step steps[Elements];
static Node *pointers[Elements];

/// A program that ends in the middle; behind, there are no pointers.
#define ENDING(name, END)                                                      \
  PROGRAM(name) {                                                              \
    const int64_t middle = n * 3 / 4;                                          \
    for (int64_t i = 0; i < Elements; ++i) {                                   \
      pointers[i] = &nodes[table[i]];                                          \
      Node **none = reinterpret_cast<Node **>(0x31);                           \
      steps[i] = {i == middle, i < middle ? &pointers[table[keys[i]]] : none}; \
    }                                                                          \
    fflush(stdout);                                                            \
    const pid_t child = n > 0 ? fork() : -1;                                   \
    if (child == 0) {                                                          \
      int64_t own = 0, &sum = hide(own);                                       \
      ASYNC_LOOP(CLAUSES) {                                                    \
        if (steps[i].ends) {                                                   \
          END;                                                                 \
        } else {                                                               \
          sum = sum * 31 + (*steps[i].at)->value;                              \
        }                                                                      \
      }                                                                        \
      _exit(0);                                                                \
    }                                                                          \
    int status = 0;                                                            \
    if (child > 0)                                                             \
      waitpid(child, &status, 0);                                              \
    return status;                                                             \
  }

[[noreturn]] NOINLINE static void halt(int64_t sum) { _exit(sum & 63); }

ENDING(exits, _exit(sum & 63))
ENDING(aborts, abort())
ENDING(halts, halt(sum))

int main() {
  prepare();
  printPrograms();
}
