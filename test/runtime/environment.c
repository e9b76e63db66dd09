// Files that the environment names, from several processes and several copies
// of the runtime, and in a program that runs with more rights than its user.
//
// RUN: rm -rf %t && mkdir -m 755 %t && cd %t
// RUN: %plain_clang -DLIBRARY -I%source_root/runtime -fPIC -shared %s %runtime -o %t/own.so
// RUN: %plain_clang -I%source_root/runtime %s %runtime -o %t/program
//
// Each process of a run adds its loops, and so does each copy in a process; the
// next run replaces them. Processes that run at the same time are kept, too.
// RUN: echo 'import json, sys; rows = json.load(open(sys.argv[1])); print(len(rows), "rows", len({row["process"] for row in rows}), "processes", len({row["run"].split("/")[0] for row in rows}), "runs")' > %t/count.py
// RUN: cd %t && env HEDDLE_STATS=json:stats.json ./program fork ./own.so && %python count.py stats.json | FileCheck %s --check-prefix=COPIES
// COPIES: 3 rows 2 processes 1 runs
// RUN: cd %t && env HEDDLE_STATS=json:stats.json ./program && %python count.py stats.json | FileCheck %s --check-prefix=NEXT
// NEXT: 1 rows 1 processes 1 runs
// RUN: cd %t && env HEDDLE_STATS=json:stats.json bash -c './program; bash -c "./program; ./program fork ./own.so"; ./program & wait; ./program' && %python count.py stats.json | FileCheck %s --check-prefix=SHELL
// SHELL: 7 rows 6 processes 1 runs
// RUN: cd %t && for i in 1 2 3 4 5; do HEDDLE_STATS=json:stats.json ./program meet 5 & done; wait; %python count.py stats.json | FileCheck %s --check-prefix=TOGETHER
// TOGETHER: 5 rows 5 processes 5 runs
// RUN: ls -I program -I own.so -I stats.json -I count.py -I met %t | count 0
//
// A file that is empty is a new one; one that is something else stays.
// RUN: cd %t && : > stats.json && : > tune && env HEDDLE_STATS=json:stats.json HEDDLE_TUNE=tune ./program 2>&1 | count 0
// RUN: cd %t && grep -q fork.c stats.json && grep -q 'heddle-tune 1' tune
// RUN: cd %t && echo precious > stats.json && env HEDDLE_STATS=json:stats.json ./program 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: heddle: warning: HEDDLE_STATS: {{.*}}stats.json is not changed: it is no earlier report
// RUN: cd %t && grep -x precious stats.json
//
// A standard stream gets the rows beside what the program writes to it.
// RUN: cd %t && for file in /dev/stdout /dev/fd/1 /proc/self/fd/1; do for to in '>' '>>'; do \
// RUN:   echo before > out && env HEDDLE_STATS=json:$file XDG_CACHE_HOME=%t bash -c "./program path $to out" && \
// RUN:   [ $to = '>' ] || grep -qx before out || exit 1; grep -q probe out && grep -q fork.c out || exit 1; \
// RUN: done; done
// RUN: cd %t && env HEDDLE_STATS=json:/dev/stderr ./program 2>> out | count 0 && grep -q fork.c out && grep -qx before out && rm out
//
// Nothing waits for the other end of a pipe, nor dies of its absence.
// RUN: cd %t && rm -f tune && mkfifo pipe && mkdir heddle && cp program heddle/copy
// RUN: cd %t && env HEDDLE_TUNE=pipe timeout 20 ./program 2>&1 | FileCheck %s --check-prefix=PIPE
// PIPE: heddle: warning: HEDDLE_TUNE: cannot read {{.*}}pipe: it is no regular file
// RUN: cd %t && env HEDDLE_STATS=json:pipe timeout 20 ./program 2>&1 | FileCheck %s --check-prefix=UNREAD
// UNREAD: heddle: warning: HEDDLE_STATS: cannot write {{.*}}pipe: No such device or address
// RUN: cd %t && name=$(env XDG_CACHE_HOME=%t ./program path) && mkfifo $name && env XDG_CACHE_HOME=%t timeout 20 ./program
// RUN: cd %t && bash -c 'HEDDLE_STATS=1 ./program 2>/dev/full && HEDDLE_STATS=1 ./program 2>&- && HEDDLE_TASKS=x ./program 2>/dev/full && (exec 8<>pipe 9>pipe 8<&-; HEDDLE_STATS=1 HEDDLE_TASKS=x ./program 2>&9) && (ulimit -f 0; HEDDLE_STATS=json:new HEDDLE_TUNE=new2 ./program 2>/dev/null)' && not ls %t/new %t/new2

#include "heddle/heddle.h"
#include "tuner/site.h"

#include <stdio.h>
#include <string.h>

static heddle_site site = {.file = "fork.c",
                           .function = "loop",
                           .line = 5,
                           .versions = 1u << HEDDLE_SERIAL | 1u << HEDDLE_FIFO,
                           .default_version = HEDDLE_FIFO,
                           .fixed_tasks = 8,
                           .max_tasks = 8};

void run(void) {
  heddle_plan plan;
  heddle_site_begin(&site, 1000, &plan);
  heddle_site_end(&site, &plan, 1000, 1000, 0);
}

#ifndef LIBRARY
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Returns when so many processes have come here.
static int meet(int count) {
  const int file = open("met", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  struct stat status = {0};
  for (int failed = write(file, "x", 1) != 1; !failed && status.st_size < count;
       failed = fstat(file, &status))
    usleep(1000);
  return status.st_size < count;
}

int main(int argc, char **argv) {
  char path[4096];
  run();
  if (argc == 2 && !strcmp(argv[1], "path"))
    return heddle_probe_path(path, sizeof path) || puts(path) < 0;
  heddle_default_tasks(HEDDLE_SCHEDULE_FIFO);
  if (argc == 3 && !strcmp(argv[1], "meet"))
    return meet(atoi(argv[2]));
  if (argc < 3)
    return 0;
  void *library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  void (*run_own)(void) = library ? (void (*)(void))dlsym(library, "run") : 0;
  if (!run_own)
    return 1;
  run_own();
  const pid_t child = fork();
  if (child == 0)
    run();
  else
    wait(NULL);
  return 0;
}
#endif
