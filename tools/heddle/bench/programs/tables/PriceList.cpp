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

  // A group of searches, compacted in every step and filled up with new ones.
  // libstdc++ has the root of the tree behind end(), values behind the links of
  // nodes, and the link to greater keys behind that to smaller ones.
  std::uint64_t runByHand() {
    using Link = const std::_Rb_tree_node_base *;
    using Node =
        std::_Rb_tree_node<std::pair<const std::uint64_t, std::uint64_t>>;
    constexpr int width = 128;
    Link links[width];
    Order open[width];
    const Link root = prices.end()._M_node->_M_parent;
    std::uint64_t sum = 0;
    int live = 0;
    for (std::size_t next = 0; live > 0 || next < orders.size();) {
      while (live < width && next < orders.size()) {
        links[live] = root;
        open[live++] = orders[next++];
      }
      int kept = 0;
      for (int i = 0; i < live; ++i) {
        const Order order = open[i];
        const auto &[key, price] =
            *static_cast<const Node *>(links[i])->_M_valptr();
        sum += key == order.item ? order.amount * price : 0;
        const Link link = (&links[i]->_M_left)[key < order.item];
        prefetch(link);
        links[kept] = link;
        open[kept] = order;
        kept += key != order.item;
      }
      live = kept;
    }
    return sum;
  }

private:
  std::map<std::uint64_t, std::uint64_t> prices;
  std::vector<Order> orders;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(PriceList, "map-at", "std::map through at()")
