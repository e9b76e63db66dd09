//===- Rays.cpp - Traversal of a bounding volume hierarchy ----------------===//
//
// Rays through many boxes: an iterative traversal with a small stack, which
// counts the boxes that a ray hits.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <numeric>
#include <vector>

namespace heddle::bench {

namespace {

struct Vector {
  float x, y, z;
};

struct Box {
  Vector low, high;
};

/// Two boxes in a node; a child below zero is a leaf, whose number is ~child.
struct Node {
  Box boxes[2];
  std::int32_t children[2];
};

struct Ray {
  Vector origin, inverse; ///< of the direction
};

bool hits(const Ray &ray, const Box &box) {
  const auto slab = [](float origin, float inverse, float low, float high,
                       float &enter, float &leave) {
    const float one = (low - origin) * inverse,
                other = (high - origin) * inverse;
    enter = std::max(enter, std::min(one, other));
    leave = std::min(leave, std::max(one, other));
  };
  float enter = 0, leave = 1e30F;
  slab(ray.origin.x, ray.inverse.x, box.low.x, box.high.x, enter, leave);
  slab(ray.origin.y, ray.inverse.y, box.low.y, box.high.y, enter, leave);
  slab(ray.origin.z, ray.inverse.z, box.low.z, box.high.z, enter, leave);
  return enter <= leave;
}

class SmallStack {
public:
  void push(std::int32_t node) { nodes[count++] = node; }
  std::int32_t pop() { return nodes[--count]; }
  bool empty() const { return count == 0; }

private:
  std::int32_t nodes[64];
  int count = 0;
};

class Rays {
public:
  explicit Rays(Scale scale) {
    const std::int64_t count = scale.of(1 << 20);
    std::vector<Vector> centres(count);
    for (std::int64_t i = 0; i < count; ++i)
      centres[i] = {randomUnit(3 * i), randomUnit(3 * i + 1),
                    randomUnit(3 * i + 2)};
    std::vector<std::int32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    nodes.resize(count - 1);
    const Permutation place(count - 1);
    std::int64_t used = 0;
    Box box;
    root =
        build(centres, order.data(), order.data() + count, 0, place, used, box);
    rays.resize(scale.of(3000));
    for (std::size_t i = 0; i < rays.size(); ++i)
      rays[i] = {{randomUnit(~6 * i), randomUnit(~(6 * i + 1)), -0.1F},
                 {1 / (randomUnit(~(6 * i + 2)) - 0.501F),
                  1 / (randomUnit(~(6 * i + 3)) - 0.501F), 1}};
  }

  std::uint64_t run() {
    std::uint64_t sum = 0;
#pragma heddle async
    for (const Ray &ray : rays) {
      SmallStack stack;
      stack.push(root);
      while (!stack.empty()) {
        const Node &node = nodes[stack.pop()];
        for (int side = 0; side < 2; ++side)
          if (hits(ray, node.boxes[side])) {
            if (node.children[side] < 0)
              sum += ~node.children[side];
            else
              stack.push(node.children[side]);
          }
      }
    }
    return sum;
  }

  std::uint64_t runByHand() {
    struct Search {
      const Ray *ray;
      SmallStack stack;
      const Node *node;
    };
    std::uint64_t sum = 0;
    std::size_t next = 0;
    interleave<Search, 16>(
        [&](Search &state) {
          if (next == rays.size())
            return false;
          state.ray = &rays[next++];
          state.node = &nodes[root];
          return true;
        },
        [&](Search &state) {
          for (int side = 0; side < 2; ++side)
            if (hits(*state.ray, state.node->boxes[side])) {
              const std::int32_t child = state.node->children[side];
              if (child < 0) {
                sum += ~child;
              } else {
                state.stack.push(child);
                prefetch(&nodes[child]);
              }
            }
          if (state.stack.empty())
            return false;
          state.node = &nodes[state.stack.pop()];
          return true;
        });
    return sum;
  }

private:
  static float randomUnit(std::uint64_t index) {
    return static_cast<float>(randomBelow(1, index, 1 << 24)) / (1 << 24);
  }

  /// Returns the child that stands for these boxes, and the box around them.
  std::int32_t build(const std::vector<Vector> &centres, std::int32_t *begin,
                     std::int32_t *end, int axis, const Permutation &place,
                     std::int64_t &used, Box &around) {
    if (end - begin == 1) {
      const auto [x, y, z] = centres[*begin];
      const float half = 0.002F;
      around = {{x - half, y - half, z - half}, {x + half, y + half, z + half}};
      return ~*begin;
    }
    float Vector::*const axes[] = {&Vector::x, &Vector::y, &Vector::z};
    std::int32_t *middle = begin + (end - begin) / 2;
    std::nth_element(
        begin, middle, end, [&](std::int32_t one, std::int32_t two) {
          return centres[one].*axes[axis] < centres[two].*axes[axis];
        });
    const auto name = static_cast<std::int32_t>(place(used++));
    Node &node = nodes[name];
    axis = (axis + 1) % 3;
    node.children[0] =
        build(centres, begin, middle, axis, place, used, node.boxes[0]);
    node.children[1] =
        build(centres, middle, end, axis, place, used, node.boxes[1]);
    for (float Vector::*const one : axes) {
      around.low.*one =
          std::min(node.boxes[0].low.*one, node.boxes[1].low.*one);
      around.high.*one =
          std::max(node.boxes[0].high.*one, node.boxes[1].high.*one);
    }
    return name;
  }

  std::vector<Node> nodes;
  std::int32_t root;
  std::vector<Ray> rays;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(Rays, "bvh", "traversal of a bounding volume hierarchy")
