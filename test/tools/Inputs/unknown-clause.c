void clear(int *values) {
#pragma heddle async no_such_clause
  for (int i = 0; i < 10; ++i)
    values[i] = 0;
}
