#include "core/tune/rules/turned_tiles.h"

#include <algorithm>
#include <numeric>

#include "core/ir/loads.h"
#include "core/tune/rules/linear_index.h"

namespace loom::tune {

namespace {

using schedule::State;

constexpr std::int64_t kBankBits = 32;  // of a bank: what lanes read or write at once of columns

// The iterator that each dimension of a buffer is indexed by, without dimensions of one element; nothing: by more.
std::optional<std::vector<int>> iteratorsOf(const ir::BlockNode& block, const ir::Buffer& buffer,
                                            const std::vector<ir::Expr>& indices) {
  std::vector<int> found;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const auto index = linearIndex(block, indices[d]);
    if (!index) return std::nullopt;
    const int iterator = index->plain();
    if (iterator < 0 && ir::isConst(buffer->shape[d], 1)) continue;
    // An iterator beyond the buffer's rows is guarded by a condition, which a copy of the row wouldn't be.
    if (iterator < 0 || std::ranges::find(found, iterator) != found.end() ||
        ir::constantOr(block.iters[std::size_t(iterator)].domain.extent, 0) > ir::constantOr(buffer->shape[d], 0))
      return std::nullopt;
    found.push_back(iterator);
  }
  return found;
}

class Finder {
 public:
  Finder(const State& state, ir::Id id) : state_(state), id_(id), block_(state.tree().block(id)) {}

  TurnedOrNot find() {
    t_.name = block_->name;
    if (block_->writes.size() != 1 || block_->init || block_->body->kind != ir::StmtKind::Store)
      return {{}, message("{} is no elementwise block", t_.name)};
    if (Message why = readIterators(); !why.empty()) return {{}, why};
    const auto& store = *ir::as<ir::StoreNode>(block_->body);
    t_.result = store.buffer;
    auto written = iteratorsOf(*block_, store.buffer, store.indices);
    if (!written) return {{}, message("an index of what {} writes is no iterator by itself", t_.name)};
    dropUnits(*written);
    if (written->size() < 2) return {{}, message("{} writes along one axis", t_.name)};
    findReads(written->back());
    if (t_.reads.empty()) return {{}, message("{} reads along the axis along which it writes", t_.name)};
    group(*written);
    t_.alignedX = aligned(t_.groups.back(), t_.result);
    t_.alignedY = kBankBits;
    for (const TurnedRead& read : t_.reads)
      t_.alignedY = std::min(t_.alignedY, aligned(t_.groups[std::size_t(t_.y)], read.buffer));
    return {std::move(t_), {}};
  }

 private:
  Message readIterators() {
    const auto loops = loopsOfIterators(state_, id_);
    if (!loops) return message("loops around {} are not its iterators one by one", t_.name);
    t_.loops = *loops;
    if (!std::ranges::is_sorted(t_.loops))
      return message("loops around {} are not in the order of its iterators", t_.name);
    for (const ir::IterVar& iter : block_->iters) {
      const std::int64_t extent = ir::constantOr(iter.domain.extent, 0);
      if (extent < 1) return message("the extent of {} is no number", iter.var->name);
      if (iter.type != ir::IterType::Spatial) return message("{} is no elementwise block", t_.name);
      t_.extents.push_back(extent);
      t_.iterators.push_back(iter.var->name);
      t_.elements *= extent;
    }
    return {};
  }

  bool isUnit(int iterator) const { return t_.extents[std::size_t(iterator)] == 1; }
  void dropUnits(std::vector<int>& iterators) const {
    std::erase_if(iterators, [&](int i) { return isUnit(i); });
  }

  // Buffers whose last axis is not x, but which have x, too, each read at one place; all with the first one's last
  // axis.
  void findReads(int x) {
    const std::vector<const ir::LoadNode*> loads = ir::loadsIn(block_->body);
    int last = -1;
    for (std::size_t r = 0; r < block_->reads.size(); ++r) {
      const ir::Buffer& buffer = block_->reads[r].buffer;
      const auto isOf = [&](const ir::LoadNode* load) { return load->buffer == buffer; };
      const auto load = std::ranges::find_if(loads, isOf);
      if (load == loads.end() || std::ranges::count_if(loads, isOf) != 1) continue;
      if (buffer->dtype.bits % 8 != 0 || t_.result->dtype.bits % 8 != 0 || !buffer->strides.empty()) continue;
      auto order = iteratorsOf(*block_, buffer, (*load)->indices);
      if (!order) continue;
      TurnedRead read{int(r), buffer, *order, {}, 0};
      std::ranges::sort(read.iterators);
      dropUnits(*order);
      if (order->empty() || order->back() == x || std::ranges::find(*order, x) == order->end()) continue;
      if (last >= 0 && order->back() != last) continue;
      last = order->back();
      for (std::size_t d = 0; d < (*load)->indices.size(); ++d)
        if (linearIndex(*block_, (*load)->indices[d])->plain() == last) read.lastDimension = int(d);
      orders_.push_back(*order);
      t_.reads.push_back(std::move(read));
    }
  }

  // Whether one iterator follows another one in a buffer of which they are whole dimensions.
  bool follow(const std::vector<int>& order, const ir::Buffer& buffer, int one, int next) const {
    const auto at = std::ranges::find(order, one);
    if (at == order.end() || at + 1 == order.end() || *(at + 1) != next) return false;
    std::vector<std::int64_t> shape;
    for (const ir::Expr& extent : buffer->shape)
      if (!ir::isConst(extent, 1)) shape.push_back(ir::constantOr(extent, 0));
    if (shape.size() != order.size()) return false;
    return shape[std::size_t(at + 1 - order.begin())] == t_.extents[std::size_t(next)];
  }

  void group(const std::vector<int>& written) {
    const auto merges = [&](int one, int next) {
      if (!follow(written, t_.result, one, next)) return false;
      for (std::size_t r = 0; r < t_.reads.size(); ++r)
        if (!follow(orders_[r], t_.reads[r].buffer, one, next)) return false;
      return true;
    };
    for (int i : written) {
      if (!t_.groups.empty() && merges(t_.groups.back().back(), i)) {
        t_.groups.back().push_back(i);
      } else {
        t_.groups.push_back({i});
      }
    }
    const auto groupOf = [&](int i) {
      return std::ranges::find_if(t_.groups,
                                  [&](const auto& group) { return std::ranges::find(group, i) != group.end(); });
    };
    t_.y = int(groupOf(orders_.front().back()) - t_.groups.begin());
    for (std::size_t r = 0; r < t_.reads.size(); ++r) {
      for (int i : t_.reads[r].iterators)
        if (isUnit(i)) t_.reads[r].groups.push_back({i});
      for (int i : orders_[r])
        if (const auto group = groupOf(i); group->front() == i) t_.reads[r].groups.push_back(*group);
    }
    t_.alongX = extentOf(t_.groups.back()), t_.alongY = extentOf(t_.groups[std::size_t(t_.y)]);
    // Iterators of one element come first: they cut nothing.
    for (std::size_t i = 0; i < t_.extents.size(); ++i)
      if (isUnit(int(i))) t_.groups.insert(t_.groups.begin(), {int(i)}), ++t_.y;
  }

  std::int64_t extentOf(const std::vector<int>& group) const {
    std::int64_t product = 1;
    for (int i : group) product *= t_.extents[std::size_t(i)];
    return product;
  }

  // How many neighbours of a group at the end of a buffer an access of a bank's width may take.
  std::int64_t aligned(const std::vector<int>& group, const ir::Buffer& buffer) const {
    std::int64_t row = extentOf(group);
    if (group.size() == 1) row = std::gcd(row, ir::constantOr(buffer->shape.back(), 1));
    std::int64_t most = 1;
    while (2 * most * buffer->dtype.bits <= kBankBits && row % (2 * most) == 0) most *= 2;
    return most;
  }

  const State& state_;
  const ir::Id id_;
  const ir::Block block_;
  std::vector<std::vector<int>> orders_;  // of what is turned, without iterators of one element
  TurnedTiles t_;
};

}  // namespace

bool TurnedTiles::merges() const {
  return std::ranges::any_of(groups, [](const std::vector<int>& group) { return group.size() > 1; });
}

TurnedOrNot turnedTilesOf(const State& state, ir::Id block) { return Finder(state, block).find(); }

}  // namespace loom::tune
