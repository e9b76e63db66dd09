// States that iterations hand on to the next one: a pointer, an index, a length
// or a table that is valid only when it is the iteration's turn. Before, it may
// be a mark, what is left of something else, or memory that is no more. What an
// iteration rehearses in front of its turn does not follow it.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-16: remark: interleaved

#include "../Inputs/program.h"

#include <list>
#include <map>
#include <new>
#include <stdlib.h>
#include <string.h>
#include <unordered_map>
#include <vector>

/// No mark can be told from a pointer but by the value.
static Node *const Closed = reinterpret_cast<Node *>(0x1001);

/// What all states begin with.
struct Sum {
  int64_t sum = 0;
  Node *other = &nodes[3];

  void add(const Node *node) {
    sum = sum * 31 + node->value + (node->next ? node->next->value : 0);
  }
  /// Something to wait for.
  void addOther(int64_t i) {
    add(other);
    other = &nodes[table[keys[i]]];
  }
};

/// The compiler does not know the variable.
template <class T> static T &hide(T &variable) {
  T *volatile pointer = &variable;
  return *pointer;
}

/// Of four iterations, the first one opens, the second one uses and closes.
#define STATES(OPEN, USE)                                                      \
  ASYNC_LOOP(CLAUSES) {                                                        \
    if (i % 4 == 0) {                                                          \
      OPEN                                                                     \
    } else if (i % 4 == 1) {                                                   \
      USE                                                                      \
    } else {                                                                   \
      state.addOther(i);                                                       \
    }                                                                          \
  }                                                                            \
  return state.sum;

PROGRAM(mark) {
  struct State : Sum {
    Node *open = Closed;
  } own;
  State &state = hide(own);
  STATES(state.open = &nodes[keys[i]];, state.add(state.open);
         state.open = Closed;)
}

PROGRAM(below) {
  Node *stack[8];
  struct State : Sum {
    Node **top;
  } own;
  State &state = hide(own);
  memset(stack, 1, sizeof stack);
  state.top = stack + 1;
  STATES(*state.top++ = &nodes[keys[i]];, state.add(state.top[-1]);
         *--state.top = Closed;)
}

PROGRAM(back) {
  struct State : Sum {
    std::vector<Node *> open;
  } own;
  State &state = hide(own);
  state.open.reserve(8);
  STATES(state.open.push_back(&nodes[keys[i]]);, state.add(state.open.back());
         state.open.pop_back();)
}

PROGRAM(deleted) {
  struct Holder {
    Node *node;
  };
  struct State : Sum {
    Holder *open = nullptr;
  } own;
  State &state = hide(own);
  STATES(state.open = new Holder{&nodes[keys[i]]};, state.add(state.open->node);
         state.open->node = Closed; delete state.open;)
}

PROGRAM(tagged) {
  struct State : Sum {
    union {
      int64_t number;
      Node *node;
    };
  } own;
  State &state = hide(own);
  state.number = 7;
  STATES(state.node = &nodes[keys[i]];, state.add(state.node);
         state.number = i + 7;)
}

PROGRAM(index) {
  struct State : Sum {
    int32_t open = INT32_MAX;
  } own;
  State &state = hide(own);
  Node *all = &hide(nodes[0]);
  STATES(state.open = keys[i];, state.add(&all[state.open]);
         state.open = INT32_MAX;)
}

PROGRAM(smaller) {
  static Node *large[Elements];
  Node *small[1] = {&nodes[1]};
  for (int64_t k = 0; k < Elements; ++k)
    large[k] = &nodes[table[k]];
  struct State : Sum {
    Node **table;
  } own;
  State &state = hide(own);
  state.table = small;
  STATES(state.table = large;
         , state.add(state.table[scramble(keys[i]) % Elements]);
         state.table = small;)
}

PROGRAM(copied) {
  struct Setting {
    Node *node;
    int64_t more[40];
  };
  Setting settings[4];
  for (int k = 0; k < 4; ++k)
    settings[k] = {&nodes[7 * k], {}};
  struct State : Sum {
    Setting setting{};
  } own;
  State &state = hide(own);
  const Setting *from = &hide(settings[0]);
  STATES(memcpy(&state.setting, &from[keys[i] & 3], sizeof(Setting));
         , state.add(state.setting.node);
         memset(&state.setting, 0, sizeof(Setting));)
}

PROGRAM(chosenPlace) {
  static int64_t zero[Elements];
  struct State : Sum {
    Node *open[8]{};
  } own;
  State &state = hide(own);
  const int64_t *chosen = &hide(zero[0]);
  STATES(state.open[chosen[i]] = &nodes[keys[i]];, state.add(state.open[0]);
         state.open[chosen[i]] = nullptr;)
}

PROGRAM(ring) {
  struct State : Sum {
    unsigned head = 0, tail = 0;
    Node *open[8];
  } own;
  State &state = hide(own);
  for (Node *&place : state.open)
    place = Closed;
  STATES(state.open[state.head++ & 7] = &nodes[keys[i]];
         , Node *&place = state.open[state.tail++ & 7]; state.add(place);
         place = Closed;)
}

PROGRAM(freeList) {
  struct State : Sum {
    int head = 0, held = INT32_MAX;
    int next[32];
    Node *place[32];
  } own;
  State &state = hide(own);
  for (int k = 0; k < 32; ++k) {
    state.next[k] = k + 1 < 32 ? k + 1 : INT32_MAX;
    state.place[k] = Closed;
  }
  STATES(state.held = state.head; state.head = state.next[state.held];
         state.place[state.held] = &nodes[keys[i]];
         , state.add(state.place[state.held]); state.place[state.held] = Closed;
         state.next[state.held] = state.head; state.head = state.held;
         state.held = INT32_MAX;)
}

PROGRAM(reallocated) {
  struct State : Sum {
    Node **open = nullptr;
    int64_t size = 0;
  } own;
  State &state = hide(own);
  STATES(state.open = static_cast<Node **>(malloc(8 * (1 + keys[i] % 20)));
         state.size = 1 + keys[i] % 20;
         for (int64_t k = 0; k < state.size; ++k) state.open[k] =
             &nodes[(keys[i] + k) % Elements];
         , state.add(state.open[scramble(i) % state.size]); free(state.open);
         state.open = nullptr; state.size = 0;)
}

PROGRAM(found) {
  struct State : Sum {
    std::unordered_map<int64_t, Node *> map;
  } own;
  State &state = hide(own);
  STATES(state.map[keys[i]] = &nodes[table[i]];
         , state.add(state.map.find(keys[i - 1])->second);
         state.map[keys[i - 1]] = Closed; state.map.erase(keys[i - 1]);)
}

PROGRAM(madeMap) {
  using Map = std::unordered_map<int64_t, int64_t>;
  struct State : Sum {
    alignas(Map) char memory[sizeof(Map)];
  } own;
  State &state = hide(own);
  memset(state.memory, 0x41, sizeof(Map));
  Map *map = reinterpret_cast<Map *>(state.memory);
  STATES(new (map) Map();, (*map)[keys[i]] += i;
         state.sum = state.sum * 31 + (*map)[table[i]]; map->~Map();
         memset(state.memory, 0x41, sizeof(Map));)
}

PROGRAM(swappedMaps) {
  struct State : Sum {
    std::unordered_map<int64_t, Node *> one, other;
  } own;
  State &state = hide(own);
  STATES(state.one[keys[i]] = &nodes[keys[i]]; state.one.swap(state.other);
         , state.add(state.other[keys[i - 1]]); state.one.swap(state.other);
         state.one.clear();)
}

PROGRAM(recentlyUsed) {
  struct Entry {
    int64_t key, value;
  };
  std::list<Entry> order;
  std::unordered_map<int64_t, std::list<Entry>::iterator> places;
  int64_t hits = 0, sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[keys[i]] % 97;
    const auto found = places.find(key);
    if (found != places.end()) {
      ++hits;
      found->second->value += i;
      order.splice(order.begin(), order, found->second);
    } else {
      if (order.size() >= 16) {
        sum = sum * 31 + order.back().value;
        places.erase(order.back().key);
        order.pop_back();
      }
      order.push_front({key, i});
      places[key] = order.begin();
    }
  }
  return sum * 31 + hits;
}

int main() {
  prepare();
  printPrograms();
}
