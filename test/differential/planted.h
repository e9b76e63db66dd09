//===- planted.h - Violations of the promise for random programs -*- C++ -*-==//
//
// run_check.py puts a call of one of these functions into a loop of a random
// program. Each makes a few iterations depend on each other. Valid C11 and
// C++20.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_DIFFERENTIAL_PLANTED_H
#define HEDDLE_TEST_DIFFERENTIAL_PLANTED_H

// Another number in each call, whichever thread or iteration makes it.
UNUSED static uint64_t plantedTicket(void) {
  static uint64_t next;
  return __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
}

UNUSED static NOINLINE void plantPrefix(void) {
  static uint64_t sums[8];
  uint64_t ticket = plantedTicket();
  sums[(ticket + 1) % 8] = sums[ticket % 8] + ticket;
}

UNUSED static NOINLINE void plantUpsert(void) {
  static Pair slots[4];
  uint64_t ticket = plantedTicket();
  uint64_t key = 1 + ticket / 6 % 3;
  Pair *slot = &slots[ticket % 4];
  if (slot->first != key) {
    slot->first = key;
    slot->second = ticket;
  } else {
    slot->second += 5;
  }
}

UNUSED static NOINLINE void plantList(void) {
  static Node pool[64];
  static Node *heads[4];
  uint64_t ticket = plantedTicket();
  Node *node = &pool[ticket % 64];
  node->key = ticket;
  node->next = heads[ticket % 4];
  heads[ticket % 4] = node;
}

UNUSED static NOINLINE void plantAppend(void) {
  static uint64_t values[16];
  static uint32_t used;
  values[used++ % 16] = plantedTicket();
}

UNUSED static NOINLINE void plantUnion(void) {
  static uint32_t parents[16];
  uint32_t ticket = (uint32_t)plantedTicket();
  uint32_t one = ticket % 16, other = ticket * 7 % 16;
  while (parents[one] && parents[one] != one)
    one = parents[one];
  if (one != other)
    parents[other] = one;
}

UNUSED static NOINLINE const char *plantedText(uint64_t number) {
  static char text[24];
  snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
  return text;
}

UNUSED static NOINLINE void plantBuffer(void) {
  if (plantedText(plantedTicket())[0] == 'x')
    printf("impossible\n");
}

UNUSED static NOINLINE void plantReduction(void) {
  static uint64_t total;
  total = total * 31 + plantedTicket();
}

UNUSED static NOINLINE void plantOrder(void) {
  static uint64_t last[3];
  uint64_t ticket = plantedTicket();
  last[ticket % 3] = ticket;
}

UNUSED static NOINLINE void plantWorklist(void) {
  static uint64_t list[8] = {1};
  uint64_t ticket = plantedTicket();
  uint64_t item = list[ticket % 8];
  list[(ticket + 3) % 8] = item + 1;
}

UNUSED static NOINLINE void plantCopy(void) {
  static Pair pairs[4];
  uint64_t ticket = plantedTicket();
  Pair pair = pairs[ticket % 4];
  exchange(&pair);
  pair.first += ticket;
  pairs[ticket % 4] = pair;
}

#endif
