/*===- failure.c - Failures that end the program --------------------------===*/

#include "far/support/failure.h"

#include "host/messages.h"

#include <string.h>

_Noreturn void heddle_far_give_up(const char *what, int error) {
  heddle_fail("far memory: %s: %s", what, strerror(error));
}
