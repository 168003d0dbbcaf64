#include "core/tune/rules/memory_reading.h"

#include <algorithm>
#include <optional>

#include "core/tune/rules/draft.h"
#include "core/tune/rules/linear_index.h"
#include "core/tune/rules/loop_values.h"
#include "core/tune/rules/neighbours.h"

namespace loom::tune {

namespace {

using schedule::State;
using schedule::Tree;

bool isLocal(const ir::Buffer& buffer) { return buffer->scope == "local"; }
bool isShared(const ir::Buffer& buffer) { return buffer->scope.starts_with("shared"); }

class Reader {
 public:
  Reader(const Sketch& sketch, const State& begin, const State& now)
      : sketch_(sketch), begin_(begin), now_(now), tree_(now.tree()) {}

  std::map<std::string, std::int64_t> read() {
    for (const Tree::Node& node : begin_.tree().nodes()) {
      if (!node.isBlock || node.parent == Tree::kNone) continue;
      const std::string name = begin_.tree().block(node.id)->name;
      const auto block = blockNamed(name);
      if (!block || loopsAround(tree_, *block).empty()) continue;
      for (const std::string& prefix : {std::string(), decisionPrefix(name)}) {
        if (named(prefix + "x.results")) readNeighbours(prefix, node.id, *block);
        if (named(prefix + "tile.x")) readTiles(prefix, *block);
      }
    }
    return std::move(values_);
  }

 private:
  bool named(const std::string& name) const { return decisionNamed(sketch_.space, name) >= 0; }

  std::optional<ir::Id> blockNamed(const std::string& name) const {
    for (const Tree::Node& node : tree_.nodes())
      if (node.isBlock && tree_.block(node.id)->name == name) return node.id;
    return std::nullopt;
  }

  // How many values an iterator of a block takes in a thread, or in a block of threads, too.
  std::int64_t taken(ir::Id block, int iterator, bool byAllThreads) const {
    std::int64_t product = 1;
    for (const ir::For& loop : loopsAround(tree_, block)) {
      const Place place = placeOf(*loop);
      if (place == Place::Serial || (byAllThreads && place == Place::Threads))
        product *= valuesAlong(tree_.realize(block)->values[std::size_t(iterator)], *loop);
    }
    return product;
  }

  // Calls for each other block in the nest of a block that copies one buffer into another one, or makes one.
  template <class Take>
  void forCopies(ir::Id block, const Take& take) const {
    const ir::Id nest = loopsAround(tree_, block).front()->id;
    for (const Tree::Node& node : tree_.nodes())
      if (node.isBlock && node.id != block && tree_.isAncestorOrSelf(nest, node.id) &&
          tree_.block(node.id)->writes.size() == 1)
        take(node.id, *tree_.block(node.id));
  }

  void readNeighbours(const std::string& prefix, ir::Id plain, ir::Id block) {
    const NeighboursOrNot found = neighboursOf(begin_, plain);
    if (!found.neighbours || tree_.block(block)->iters.size() != found.neighbours->extents.size()) return;
    const Neighbours& n = *found.neighbours;
    values_[prefix + "x.results"] = taken(block, n.x, false);
    if (n.y >= 0) values_[prefix + "y.results"] = taken(block, n.y, false);
    std::int64_t whole = 1;
    forCopies(block, [&](ir::Id id, const ir::BlockNode& copy) {
      const ir::Buffer& written = copy.writes.front().buffer;
      if (!isLocal(written)) {
        values_[prefix + "stored.vector"] = vectorOf(tree_, id);
        return;
      }
      std::string of = copy.reads.empty() ? "" : copy.reads.front().buffer->name;
      for (const NeighbourRead& read : n.reads)
        if (read.producer == copy.name) of = read.buffer->name;
      if (!named(prefix + of + ".vector")) return;
      values_[prefix + of + ".vector"] = vectorOf(tree_, id);
      for (const ir::For& loop : loopsAround(tree_, id))
        for (int i : n.alongY)
          if (valuesAlong(tree_.realize(block)->values[std::size_t(i)], *loop) > 1) whole = 0;
    });
    if (n.mayKeepWindow()) values_[prefix + "window.whole"] = whole;
  }

  // The iterator that an access has last, of those that take several values; -1: none.
  static int lastIterator(const ir::BlockNode& block, const std::vector<ir::Range>& region) {
    for (std::size_t d = region.size(); d-- > 0;) {
      const auto index = linearIndex(block, region[d].min);
      const int iterator = index ? index->plain() : -1;
      if (iterator >= 0 && ir::constantOr(block.iters[std::size_t(iterator)].domain.extent, 1) > 1) return iterator;
    }
    return -1;
  }

  void readTiles(const std::string& prefix, ir::Id id) {
    const ir::Block block = tree_.block(id);
    const auto shared = std::ranges::find_if(block->reads, [](const auto& read) { return isShared(read.buffer); });
    if (shared == block->reads.end() || block->writes.size() != 1) return;
    const int x = lastIterator(*block, block->writes.front().region), y = lastIterator(*block, shared->region);
    if (x < 0 || y < 0) return;
    values_[prefix + "tile.x"] = taken(id, x, true);
    values_[prefix + "tile.y"] = taken(id, y, true);
    values_[prefix + "tile.pad"] = 0;
    forCopies(id, [&](ir::Id other, const ir::BlockNode& copy) {
      const ir::Buffer& written = copy.writes.front().buffer;
      if (isShared(written)) {
        values_[prefix + "tile.pad"] = paddingOf(copy);
      } else {
        values_[prefix + (isLocal(written) ? "y.vector" : "x.vector")] = vectorOf(tree_, other);
      }
    });
  }

  const Sketch& sketch_;
  const State& begin_;
  const State& now_;
  const Tree& tree_;
  std::map<std::string, std::int64_t> values_;
};

}  // namespace

std::map<std::string, std::int64_t> decisionsForMemory(const Sketch& sketch, const State& begin, const State& now) {
  return Reader(sketch, begin, now).read();
}

}  // namespace loom::tune
