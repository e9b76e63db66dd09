//===- NearestNeighbours.cpp - A recursive k-d tree -----------------------===//
//
// The nearest of many points to each of some others: the textbook's recursion,
// which prunes with what it has found so far.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <array>
#include <numeric>
#include <vector>

namespace heddle::bench {

namespace {

using Point = std::array<float, 3>;

struct Node {
  Point point;
  std::uint32_t name;
  Node *below;
  Node *above;
};

struct Nearest {
  float distance = 1e30F;
  std::uint32_t name = 0;
};

float squaredDistance(const Point &one, const Point &other) {
  float sum = 0;
  for (int axis = 0; axis < 3; ++axis)
    sum += (one[axis] - other[axis]) * (one[axis] - other[axis]);
  return sum;
}

void search(const Node *node, const Point &query, int axis, Nearest &nearest) {
  if (!node)
    return;
  const float distance = squaredDistance(node->point, query);
  if (distance < nearest.distance)
    nearest = {distance, node->name};
  const float toPlane = query[axis] - node->point[axis];
  const int next = axis == 2 ? 0 : axis + 1;
  search(toPlane < 0 ? node->below : node->above, query, next, nearest);
  if (toPlane * toPlane < nearest.distance)
    search(toPlane < 0 ? node->above : node->below, query, next, nearest);
}

class NearestNeighbours {
public:
  explicit NearestNeighbours(Scale scale) {
    const std::int64_t count = scale.of(3 << 19);
    nodes.resize(count);
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::vector<Point> points(count);
    for (std::int64_t i = 0; i < count; ++i)
      points[i] = randomPoint(1, i);
    const Permutation place(count);
    root = build(points, order.data(), order.data() + count, 0, place);
    queries.resize(scale.of(40000));
    for (std::size_t i = 0; i < queries.size(); ++i)
      queries[i] = randomPoint(2, i);
    nearestTo.resize(queries.size());
  }

  void reset() { std::ranges::fill(nearestTo, 0); }
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < nearestTo.size(); ++i)
      sum += scramble(i ^ nearestTo[i]);
    return sum;
  }

  std::uint64_t run() {
    const std::size_t count = queries.size();
#pragma heddle async
    for (std::size_t i = 0; i < count; ++i) {
      Nearest nearest;
      search(root, queries[i], 0, nearest);
      nearestTo[i] = nearest.name;
    }
    return 0;
  }

  std::uint64_t runByHand() {
    // Subtrees that may have to be visited, each with its distance to the
    // plane; the depth of the tree bounds their number.
    struct Search {
      struct Later {
        const Node *node;
        float toPlane;
        int axis;
      } later[40];
      const Node *node;
      Point query;
      Nearest nearest;
      int count, axis;
      std::size_t index;
    };
    std::size_t next = 0;
    interleave<Search>(
        [&](Search &state) {
          if (next == queries.size())
            return false;
          state.node = root;
          state.query = queries[next];
          state.nearest = {};
          state.count = state.axis = 0;
          state.index = next++;
          return true;
        },
        [&](Search &state) {
          const Node *node = state.node;
          const float distance = squaredDistance(node->point, state.query);
          if (distance < state.nearest.distance)
            state.nearest = {distance, node->name};
          const float toPlane =
              state.query[state.axis] - node->point[state.axis];
          state.axis = state.axis == 2 ? 0 : state.axis + 1;
          const Node *far = toPlane < 0 ? node->above : node->below;
          if (far)
            state.later[state.count++] = {far, toPlane * toPlane, state.axis};
          state.node = toPlane < 0 ? node->below : node->above;
          while (!state.node) {
            if (state.count == 0) {
              nearestTo[state.index] = state.nearest.name;
              return false;
            }
            const Search::Later &later = state.later[--state.count];
            if (later.toPlane < state.nearest.distance) {
              state.node = later.node;
              state.axis = later.axis;
            }
          }
          prefetch(state.node);
          return true;
        });
    return 0;
  }

private:
  static Point randomPoint(std::uint64_t seed, std::uint64_t index) {
    Point point;
    for (int axis = 0; axis < 3; ++axis)
      point[axis] =
          static_cast<float>(randomBelow(seed, 3 * index + axis, 1 << 24));
    return point;
  }

  Node *build(const std::vector<Point> &points, std::uint32_t *begin,
              std::uint32_t *end, int axis, const Permutation &place) {
    if (begin == end)
      return nullptr;
    std::uint32_t *middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end,
                     [&](std::uint32_t one, std::uint32_t other) {
                       return points[one][axis] < points[other][axis];
                     });
    const int next = axis == 2 ? 0 : axis + 1;
    Node *node = &nodes[place(*middle)];
    *node = {points[*middle], *middle,
             build(points, begin, middle, next, place),
             build(points, middle + 1, end, next, place)};
    return node;
  }

  std::vector<Node> nodes;
  const Node *root;
  std::vector<Point> queries;
  std::vector<std::uint32_t> nearestTo;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(NearestNeighbours, "kd-tree",
                     "nearest neighbours in a recursive k-d tree")
