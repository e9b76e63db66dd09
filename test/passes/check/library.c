// What functions of the C library access: strings that they read, buffers that
// they fill, and what they keep from one call to the next.
//
// RUN: %heddle_clang -fheddle-check -w -O0 %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %heddle_clang -fheddle-check -w -O1 %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %heddle_clang -fheddle-check -w -O3 %s -o %t && %t 2>&1 | FileCheck %s

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { COUNT = 100, BYTES = 16 };
static char names[COUNT + 1][BYTES];
static wchar_t wide[COUNT + 1][BYTES];
static long sum;
static char *history;
static unsigned seed = 1;
static const char *volatile text = "5 four 3 two 1";

// Each iteration reads the name that the one before has written.
#define READS(NAME, ...)                                                       \
  static void NAME(void) {                                                     \
    memset(names, 0, sizeof names);                                            \
    _Pragma("heddle async") for (int i = 0; i < COUNT; ++i) {                  \
      char own[2 * BYTES] = "";                                                \
      long value = 0;                                                          \
      const char *name = names[i];                                             \
      __VA_ARGS__;                                                             \
      names[i + 1][0] = (char)('a' + (value + own[0] + i) % 26);               \
    }                                                                          \
  }

// CHECK: from_snprintf
// CHECK-NEXT: reads what another iteration wrote
READS(from_snprintf, snprintf(own, sizeof own, "%d %-8s", i, name))
// CHECK: from_sprintf
// CHECK-NEXT: reads what another iteration wrote
READS(from_sprintf, sprintf(own, "%*d%%%.4s", 3, i, name))
// CHECK: from_strncpy
// CHECK-NEXT: reads what another iteration wrote
READS(from_strncpy, strncpy(own, name, BYTES))
// CHECK: from_strcasecmp
// CHECK-NEXT: reads what another iteration wrote
READS(from_strcasecmp, value = strcasecmp(name, "heddle"))
// CHECK: from_strspn
// CHECK-NEXT: reads what another iteration wrote
READS(from_strspn, value = strspn(name, "abc"))
// CHECK: from_sscanf
// CHECK-NEXT: reads what another iteration wrote
READS(from_sscanf, sscanf(name, "%8s", own))
// CHECK: from_strndup
// CHECK-NEXT: reads what another iteration wrote
READS(from_strndup, char *copy = strndup(name, 3); value = copy[0]; free(copy))

// CHECK: wide_characters
// CHECK-NEXT: reads what another iteration wrote
static void wide_characters(void) {
#pragma heddle async
  for (int i = 0; i < COUNT; ++i)
    wide[i + 1][3] = wmemchr(wide[i], L'x', 4) ? L'y' : L'x';
}

#define KEEPS(NAME, CALL)                                                      \
  static void NAME(void) {                                                     \
    _Pragma("heddle async") for (int i = 0; i < COUNT; ++i) sum += CALL;       \
  }

// CHECK: state_of_rand
// CHECK-NEXT: 'rand'
KEEPS(state_of_rand, rand())
// CHECK: state_of_seed
// CHECK-NEXT: 'seed'
KEEPS(state_of_seed, rand_r(&seed))
// CHECK: state_of_strtok
// CHECK-NEXT: 'strtok'
KEEPS(state_of_strtok, (strtok(NULL, ",") != NULL))
// CHECK: state_of_history
// CHECK-NEXT: 'history'
KEEPS(state_of_history, (strtok_r(NULL, ",", &history) != NULL))
static FILE *input;
// CHECK: state_of_input
// CHECK-NEXT: 'input
KEEPS(state_of_input, fgetc(input))

// None of these is in conflict.
// CHECK: silent
// CHECK-NEXT: end
static void own_words(void) {
#pragma heddle async
  for (int i = 0; i < COUNT; ++i) {
    char line[32];
    strcpy(line, text);
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
      sum += *word;
    strcpy(line, text);
    char *rest;
    for (char *word = strtok_r(line, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest))
      sum += *word;
  }
}

static void own_files(const char *path) {
#pragma heddle async
  for (int i = 0; i < COUNT; ++i) {
    FILE *file = fopen(path, "r");
    char line[32];
    if (file && fgets(line, sizeof line, file))
      sum += line[0] + fgetc(file);
    if (file)
      fclose(file);
  }
}

// The number of bytes says what there is room for.
static char rows[COUNT][BYTES];

static void own_rows(const char *path) {
  const int file = open(path, O_RDONLY);
  char *end = (char *)rows + sizeof rows;
#pragma heddle async
  for (int i = 0; i < COUNT; ++i) {
    FILE *first = fopen(path, "r");
    if (first)
      fgets(rows[i], 4, first);
    if (first)
      fclose(first);
    sum += pread(file, rows[i], (size_t)(end - rows[i]), 1000000000);
    sum += rows[i][0];
  }
  close(file);
}

static char own[COUNT][BYTES];

static void own_strings(void) {
#pragma heddle async
  for (int i = 0; i < COUNT; ++i) {
    snprintf(own[i], BYTES, "%.5s %d", text, i);
    sum += strncmp(own[i], text, BYTES);
    strncat(own[i], text, 2);
    memmove(own[i], text, 4);
  }
}

// Grows under a lock.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *list;
static size_t size, room;

static void locked_list(void) {
#pragma heddle async
  for (int i = 0; i < COUNT; ++i) {
    pthread_mutex_lock(&lock);
    if (size == room) {
      room = room ? 2 * room : 1;
      int *longer = malloc(room * sizeof *longer);
      if (list)
        memcpy(longer, list, size * sizeof *longer);
      free(list);
      list = longer;
    }
    list[size++] = i;
    pthread_mutex_unlock(&lock);
  }
}

int main(int argc, char **argv) {
  static char words[] = "one,two,three,four";
  static char others[] = "one,two,three,four";
#define RUN(NAME) (fprintf(stderr, #NAME "\n"), NAME())
  RUN(from_snprintf);
  RUN(from_sprintf);
  RUN(from_strncpy);
  RUN(from_strcasecmp);
  RUN(from_strspn);
  RUN(from_sscanf);
  RUN(from_strndup);
  RUN(wide_characters);
  RUN(state_of_rand);
  RUN(state_of_seed);
  strtok(words, ",");
  RUN(state_of_strtok);
  strtok_r(others, ",", &history);
  RUN(state_of_history);
  input = fopen(argv[0], "r");
  RUN(state_of_input);
  fprintf(stderr, "silent\n");
  own_words();
  own_files(argv[0]);
  own_rows(argv[0]);
  own_strings();
  locked_list();
  fprintf(stderr, "end\n");
  return 0;
}
