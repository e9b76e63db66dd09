//===- WordTrie.cpp - A trie of virtual nodes -----------------------------===//
//
// As in an adaptive radix tree, nodes of several kinds answer the same
// question.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <array>
#include <memory>
#include <vector>

namespace heddle::bench {

// Outside the unnamed namespace, so that both compilations have the same
// virtual functions.
namespace trie {

using Word = std::array<unsigned char, 8>;

struct Node {
  std::uint64_t value = 0; ///< of a word that ends here

  virtual ~Node() = default;
  /// Null if there is none.
  virtual Node *child(unsigned char letter) const = 0;
  /// Returns false if the node is full.
  virtual bool add(unsigned char letter, Node *child) = 0;
};

struct LargeNode final : Node {
  Node *children[32] = {};

  Node *child(unsigned char letter) const override {
    return children[letter % 32];
  }
  bool add(unsigned char letter, Node *child) override {
    children[letter % 32] = child;
    return true;
  }
};

struct SmallNode final : Node {
  unsigned char letters[4] = {};
  unsigned count = 0;
  Node *children[4] = {};

  Node *child(unsigned char letter) const override {
    for (unsigned i = 0; i < count; ++i)
      if (letters[i] == letter)
        return children[i];
    return nullptr;
  }
  bool add(unsigned char letter, Node *child) override {
    if (count == 4)
      return false;
    letters[count] = letter;
    children[count++] = child;
    return true;
  }
};

} // namespace trie

namespace {

using namespace trie;

/// The word of this number, of 16 letters.
Word wordOf(std::uint64_t number) {
  Word word;
  for (std::size_t i = 0; i < word.size(); ++i)
    word[i] = 'a' + (scramble(number) >> 8 * i & 15);
  return word;
}

class WordTrie {
public:
  explicit WordTrie(Scale scale) {
    const std::int64_t count = scale.of(1 << 19);
    for (std::int64_t i = 0; i < count; ++i)
      insert(wordOf(i), i);
    texts.resize(scale.of(600000));
    for (std::size_t i = 0; i < texts.size(); ++i)
      texts[i] = wordOf(randomBelow(1, i, count + count / 8));
  }

  std::uint64_t run() {
    std::uint64_t sum = 0;
#pragma heddle async
    for (const Word &text : texts) {
      const Node *node = root;
      for (std::size_t i = 0; node && i < text.size(); ++i)
        node = node->child(text[i]);
      if (node)
        sum += node->value;
    }
    return sum;
  }

  std::uint64_t runByHand() {
    struct Search {
      const Node *node;
      const Word *text;
      std::size_t depth;
    };
    std::uint64_t sum = 0;
    std::size_t next = 0;
    interleave<Search>(
        [&](Search &state) {
          if (next == texts.size())
            return false;
          state = {root, &texts[next++], 0};
          return true;
        },
        [&](Search &state) {
          if (state.depth == state.text->size()) {
            sum += state.node->value;
            return false;
          }
          state.node = state.node->child((*state.text)[state.depth++]);
          prefetch(state.node);
          return state.node != nullptr;
        });
    return sum;
  }

private:
  template <typename Kind> Node *make() {
    nodes.push_back(std::make_unique<Kind>());
    return nodes.back().get();
  }

  void insert(const Word &word, std::uint64_t value) {
    // A small node that is full gives way to a large one in its parent.
    Node *parent = nullptr, *node = root;
    for (std::size_t i = 0; i < word.size(); ++i) {
      Node *child = node->child(word[i]);
      if (!child) {
        child = make<SmallNode>();
        if (!node->add(word[i], child)) {
          node = replace(*static_cast<SmallNode *>(node), parent, word[i - 1]);
          node->add(word[i], child);
        }
      }
      parent = node;
      node = child;
    }
    node->value = value;
  }

  Node *replace(const SmallNode &small, Node *parent, unsigned char letter) {
    Node *large = make<LargeNode>();
    for (unsigned i = 0; i < small.count; ++i)
      large->add(small.letters[i], small.children[i]);
    if (auto *above = dynamic_cast<SmallNode *>(parent))
      *std::ranges::find(above->children, &small) = large;
    else
      parent->add(letter, large);
    return large;
  }

  std::vector<std::unique_ptr<Node>> nodes;
  Node *root = make<LargeNode>();
  std::vector<Word> texts;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(WordTrie, "trie", "words in a trie of virtual nodes")
