// An operator delete that keeps accounts, for own-accounts.cpp.

#include "accounts.h"
#include <stdlib.h>

Accounts accounts;

void operator delete(void *place) noexcept {
  ++accounts.releases;
  accounts.lastReleased = place;
  free(place);
}

void operator delete(void *place, size_t) noexcept { operator delete(place); }
