// Adds up many linked lists. A list can only be followed one node at a time,
// but the directive lets many lists be followed at once.

#include <cstdint>
#include <cstdio>
#include <vector>

struct Node {
  const Node *next;
  int64_t value;
};

int main() {
  constexpr int64_t Lists = 1 << 14, Length = 50;
  std::vector<Node> nodes(Lists * Length);
  std::vector<const Node *> heads(Lists);
  // Scatters the nodes: neighbours in a list are far apart in memory.
  for (int64_t i = 0; i < Lists * Length; ++i) {
    Node &node = nodes[i * 7919 % (Lists * Length)];
    node = {heads[i % Lists], i};
    heads[i % Lists] = &node;
  }

  int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async
  for (int64_t list = 0; list < Lists; ++list)
    for (const Node *node = heads[list]; node; node = node->next)
      sum += node->value;

  std::printf("%lld nodes add up to %lld\n",
              static_cast<long long>(Lists * Length),
              static_cast<long long>(sum));
}
