// Annotated loops of the tests, over the numbers `i` below `n`.

#ifndef LOOP_H
#define LOOP_H

#define HEDDLE_PRAGMA(...) _Pragma(#__VA_ARGS__)
#define ASYNC_LOOP(...)                                                        \
  HEDDLE_PRAGMA(heddle async __VA_ARGS__)                                      \
  for (__typeof__(n) i = 0; i < n; ++i)

#endif
