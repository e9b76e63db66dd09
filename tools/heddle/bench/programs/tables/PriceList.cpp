//===- PriceList.cpp - std::map through at() ------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <map>
#include <vector>

namespace heddle::bench {

namespace {

struct Order {
  std::uint64_t item;
  std::uint64_t amount;
};

class PriceList {
public:
  explicit PriceList(Scale scale) {
    const std::int64_t count = scale.of(1 << 20);
    const Permutation order(count);
    for (std::int64_t i = 0; i < count; ++i)
      prices[3 * order(i)] = scramble(order(i)) % 1000;
    orders.resize(scale.of(300000));
    for (std::size_t i = 0; i < orders.size(); ++i)
      orders[i] = {3 * randomBelow(1, i, count), i % 10};
  }

  std::uint64_t run() {
    std::uint64_t sum = 0;
#pragma heddle async
    for (const Order &order : orders)
      sum += order.amount * prices.at(order.item);
    return sum;
  }

  // libstdc++ has the root of the tree behind end(), values behind the links of
  // nodes, and the link to greater keys behind that to smaller ones.
  std::uint64_t runByHand() {
    using Link = const std::_Rb_tree_node_base *;
    using Node =
        std::_Rb_tree_node<std::pair<const std::uint64_t, std::uint64_t>>;
    struct Search {
      Link link;
      Order order;
    };
    std::uint64_t sum = 0;
    std::size_t next = 0;
    interleave<Search>(
        [&](Search &state) {
          if (next == orders.size())
            return false;
          state = {prices.end()._M_node->_M_parent, orders[next++]};
          return true;
        },
        [&](Search &state) {
          const auto &[key, price] =
              *static_cast<const Node *>(state.link)->_M_valptr();
          if (key == state.order.item) {
            sum += state.order.amount * price;
            return false;
          }
          state.link = (&state.link->_M_left)[key < state.order.item];
          prefetch(state.link);
          return true;
        });
    return sum;
  }

private:
  std::map<std::uint64_t, std::uint64_t> prices;
  std::vector<Order> orders;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(PriceList, "map-at", "std::map through at()")
