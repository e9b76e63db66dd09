/*===- failure.c - Failures that end the program --------------------------===*/

#include "far/support/failure.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Noreturn void heddle_far_give_up(const char *what, int error) {
  fprintf(stderr, "heddle: error: far memory: %s: %s\n", what, strerror(error));
  fflush(stdout);
  _exit(1);
}
