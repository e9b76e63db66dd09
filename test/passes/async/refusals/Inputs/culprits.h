// What loops in culprits-elsewhere.cpp call: the code at fault is here.

void log_line(long);

inline long throwing(long x) {
  log_line(x);
  return x;
}

inline long assembly(long x) {
  asm volatile("fixed_label: nop");
  return x;
}

long use(const void *) noexcept;
template <class T> long sum_copies(const T *keys, const T *table, long n) {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i) {
    const long bytes = table[keys[i]] * sizeof(T);
    sum += use(__builtin_alloca(bytes));
  }
  return sum;
}

extern long position;

inline void advance(const long *steps) {
  if (steps[position & 1023])
    position = position * 3 + steps[position & 1023];
}

struct Slot {
  long key, value;
};

inline void update(Slot &slot, const long *far, long key) {
  if (slot.key != key) {
    slot.key = key;
    slot.value = far[far[key]];
  }
}

inline void lock(int *word) {
  while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE))
    ;
}

inline void unlock(int *word) { __atomic_store_n(word, 0, __ATOMIC_RELEASE); }
