/*===- owners.c - Which task owns which line ------------------------------===*/

#include "far/owners.h"

#include <assert.h>

enum { LineBits = 6 };

static int16_t *chain_of(struct heddle_far_owners *owners, uint64_t line) {
  return &owners->chains[(line * 0x9E3779B97F4A7C15 >> 32) % HEDDLE_AMU_IDS];
}

void heddle_far_reset_owners(struct heddle_far_owners *owners) {
  for (unsigned i = 0; i < HEDDLE_AMU_IDS; ++i) {
    owners->chains[i] = HeddleFarNobody;
    owners->ids[i].line = 0;
  }
}

bool heddle_far_own(struct heddle_far_owners *owners, int id,
                    uint64_t address) {
  const uint64_t line = address >> LineBits;
  assert(id >= 0 && id < HEDDLE_AMU_IDS && line != 0);
  assert(owners->ids[id].line == 0); /* an id owns one line at most */
  int16_t *chain = chain_of(owners, line);
  int owner = *chain;
  while (owner != HeddleFarNobody && owners->ids[owner].line != line)
    owner = owners->ids[owner].next;
  owners->ids[id].line = line;
  if (owner == HeddleFarNobody) {
    owners->ids[id].first = HeddleFarNobody;
    owners->ids[id].next = *chain;
    *chain = (int16_t)id;
    return true;
  }
  owners->ids[id].next = HeddleFarNobody;
  if (owners->ids[owner].first == HeddleFarNobody)
    owners->ids[owner].first = (int16_t)id;
  else
    owners->ids[owners->ids[owner].last].next = (int16_t)id;
  owners->ids[owner].last = (int16_t)id;
  return false;
}

int heddle_far_disown(struct heddle_far_owners *owners, int id) {
  const uint64_t line = owners->ids[id].line;
  if (line == 0)
    return HeddleFarNobody;
  owners->ids[id].line = 0;
  int16_t *place = chain_of(owners, line);
  while (*place != id) {
    assert(*place !=
           HeddleFarNobody); /* an owner is in the chain of its line */
    place = &owners->ids[*place].next;
  }
  const int16_t heir = owners->ids[id].first;
  if (heir == HeddleFarNobody) {
    *place = owners->ids[id].next;
    return HeddleFarNobody;
  }
  assert(owners->ids[heir].line == line);
  /* The heir takes the slot in the chain. */
  owners->ids[heir].first = owners->ids[heir].next;
  owners->ids[heir].last = owners->ids[id].last;
  owners->ids[heir].next = owners->ids[id].next;
  *place = heir;
  return heir;
}
