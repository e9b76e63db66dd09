struct Part {
  long number, stock;
  const struct Part *next;
};
struct Tree {
  long key;
  const struct Tree *left, *right;
};

extern long scratch;

const struct Part *findPart(const struct Part *const *buckets, long mask,
                            long number);
long sumBelow(const struct Tree *tree, long limit);
void keep(long value);
