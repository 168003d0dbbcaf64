#include "core/tune/rules/neighbours.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/ir/loads.h"
#include "core/ir/visit.h"
#include "core/schedule/analysis.h"
#include "core/tune/rules/built.h"

namespace loom::tune {

namespace {

using schedule::State;

constexpr std::int64_t kMostElements = 64;  // of a result; more of them are summed by several threads
constexpr std::int64_t kBitsAtOnce = 128;

bool isReduced(const ir::IterVar& v) { return v.type == ir::IterType::Reduce; }

bool isElementwise(const ir::Block& block) {
  return block->writes.size() == 1 && !block->init && block->body->kind == ir::StmtKind::Store &&
         std::ranges::none_of(block->iters, isReduced);
}

// The iterators that the dimensions of what a block writes are, each one; nothing: some index is more.
std::optional<std::vector<int>> writtenBy(const ir::BlockNode& block) {
  std::vector<int> found;
  for (const ir::Expr& index : ir::as<ir::StoreNode>(block.body)->indices) {
    const auto linear = linearIndex(block, index);
    if (!linear || linear->plain() < 0) return std::nullopt;
    found.push_back(linear->plain());
  }
  return found;
}

std::int64_t powerOfTwoIn(std::int64_t number) {  // the largest that divides it
  return number == 0 ? kBitsAtOnce : number & -number;
}

// Whether the buffer's rows all begin so many elements after an aligned address, and how many that are.
std::int64_t alignedRows(const ir::Buffer& buffer) {
  if (!buffer->strides.empty()) return 1;
  return buffer->shape.size() < 2 ? kBitsAtOnce : powerOfTwoIn(ir::constantOr(buffer->shape.back(), 1));
}

// Of an elementwise block how many neighbours along its last iterator can be loaded at once: this iterator says where
// an element lies, and nothing else, so that a condition is the same for all of them.
std::int64_t alignedProducer(const ir::BlockNode& block) {
  const ir::VarNode* last = block.iters.back().var.get();
  const auto isLast = [&](const ir::VarNode* v) { return v == last; };
  std::int64_t aligned = kBitsAtOnce;
  struct Rest : ir::Visitor {
    const ir::VarNode* last;
    bool found = false;
    void visitVar(const ir::VarNode& v) override { found |= &v == last; }
    void visitLoad(const ir::LoadNode& load) override {
      for (std::size_t d = 0; d + 1 < load.indices.size(); ++d) visit(load.indices[d]);
      if (load.indices.back().get() != last) visit(load.indices.back());
    }
  } rest;
  rest.last = last;
  rest.visit(ir::as<ir::StoreNode>(block.body)->value);
  if (rest.found) return 1;
  for (const ir::LoadNode* load : ir::loadsIn(block.body)) {
    if (!ir::usesVar(load->indices.back(), isLast)) continue;
    aligned = std::min({aligned, alignedRows(load->buffer), kBitsAtOnce / std::max<int>(8, load->buffer->dtype.bits)});
  }
  return aligned;
}

class Finder {
 public:
  Finder(const State& state, ir::Id id) : state_(state), id_(id), block_(state.tree().block(id)) {}

  NeighboursOrNot find() {
    n_.name = block_->name;
    if (Message why = readIterators(); !why.empty()) return {{}, why};
    if (block_->body->kind != ir::StmtKind::Store) return {{}, message("{} is no single store", n_.name)};
    const auto written = writtenBy(*block_);
    if (!written || written->empty())
      return {{}, message("an index of what {} writes is no iterator by itself", n_.name)};
    if (n_.reduced > kMostElements) return {{}, message("results: {}, elements of each: {}", n_.results, n_.reduced)};
    n_.x = written->back();
    n_.sum = n_.result = block_->writes.front().buffer;
    bool severalElements = n_.reduced > 1;
    for (std::size_t r = 0; r < block_->reads.size(); ++r) {
      if (block_->reads[r].buffer == n_.sum) return {{}, message("{} reads what it writes", n_.name)};
      for (const ir::Range& range : block_->reads[r].region) severalElements |= !ir::isConst(range.extent, 1);
      if (!readIndices(int(r)))
        return {
            {},
            message("{} reads {} at indices that are no sums of iterators", n_.name, block_->reads[r].buffer->name)};
      if (block_->reads[r].buffer->dtype.bits % 8 != 0 || n_.sum->dtype.bits % 8 != 0)
        return {{}, message("elements of {} share a byte", block_->reads[r].buffer->name)};
    }
    if (!severalElements) return {{}, message("elements: {}, each by itself", n_.results)};
    findWindows(*written);
    if (still_.contains(n_.x) || still_.contains(n_.y))
      return {{}, message("{} reads a buffer by more than sums of the iterators of its neighbours", n_.name)};
    for (std::size_t r = 0; r < indices_.size(); ++r) describeRead(int(r));
    findConsumers();
    return {std::move(n_), {}};
  }

 private:
  Message readIterators() {
    const auto loops = loopsOfIterators(state_, id_);
    if (!loops) return message("loops around {} are not its iterators one by one", n_.name);
    n_.loops = *loops;
    for (std::size_t i = 0; i < block_->iters.size(); ++i) {
      const ir::IterVar& iter = block_->iters[i];
      const std::int64_t extent = ir::constantOr(iter.domain.extent, 0);
      if (extent < 1) return message("the extent of {} is no number", iter.var->name);
      if (iter.type != ir::IterType::Spatial && !isReduced(iter))
        return message("{} is neither spatial nor reduced", iter.var->name);
      n_.extents.push_back(extent);
      (isReduced(iter) ? n_.reduced : n_.results) *= extent;
      if (!isReduced(iter)) n_.outer.push_back(int(i));
    }
    std::ranges::sort(n_.outer, {}, [&](int i) { return n_.loops[std::size_t(i)]; });
    if (n_.outer.empty()) return message("{} has a single result", n_.name);
    return {};
  }

  // An index that is no sum, of spatial iterators along which a thread then has a single result: the quotient of a
  // channel by those that it has for each of the image's.
  std::optional<LinearIndex> standingStill(const ir::Expr& index) {
    LinearIndex names{std::vector<std::int64_t>(block_->iters.size(), 0), 0};
    bool isKnown = !ir::readsMemory(index);
    for (std::size_t i = 0; i < block_->iters.size(); ++i) {
      const ir::VarNode* var = block_->iters[i].var.get();
      if (!ir::usesVar(index, [&](const ir::VarNode* v) { return v == var; })) continue;
      isKnown &= !isReduced(block_->iters[i]);
      names.of[i] = 1;
      still_.insert(int(i));
    }
    return isKnown ? std::optional(std::move(names)) : std::nullopt;
  }

  bool readIndices(int r) {
    std::vector<LinearIndex> all;
    const std::vector<ir::Range>& region = block_->reads[std::size_t(r)].region;
    for (std::size_t d = 0; d < region.size(); ++d) {
      auto linear = linearIndex(*block_, region[d].min);
      if (!linear && d + 1 < region.size() && ir::isConst(region[d].extent, 1)) linear = standingStill(region[d].min);
      if (!linear || ir::constantOr(region[d].extent, 0) < 1) return false;
      all.push_back(std::move(*linear));
    }
    if (all.empty()) return false;
    indices_.push_back(std::move(all));
    return true;
  }

  // A window is where a spatial and a reduced iterator, or several elements, are summed in one index.
  void findWindows(const std::vector<int>& written) {
    std::set<int> windowed, withX, withY, inWindow;
    for (std::size_t r = 0; r < indices_.size(); ++r) {
      for (std::size_t d = 0; d < indices_[r].size(); ++d) {
        const LinearIndex& index = indices_[r][d];
        const bool isWide = !ir::isConst(block_->reads[r].region[d].extent, 1);
        std::set<int> spatial, reduced;
        for (std::size_t i = 0; i < index.of.size(); ++i)
          if (index.of[i] != 0 && n_.extents[i] > 1) (isReduced(block_->iters[i]) ? reduced : spatial).insert(int(i));
        if (!spatial.empty() && (isWide || !reduced.empty())) {
          windowed.insert(spatial.begin(), spatial.end());
          for (int i : reduced) inWindow.insert(i);
        }
        // What lies side by side in memory is read together, too.
        if (d + 1 == indices_[r].size()) inWindow.insert(reduced.begin(), reduced.end());
      }
    }
    for (int i : written)
      if (i != n_.x && windowed.contains(i)) n_.y = i;
    for (std::size_t i = 0; i < block_->iters.size(); ++i) {
      if (!isReduced(block_->iters[i])) continue;
      if (!inWindow.contains(int(i))) {
        n_.apart.push_back(int(i));
      } else {
        (n_.y >= 0 && goesAlong(int(i), n_.y) ? n_.alongY : n_.inside).push_back(int(i));
      }
    }
  }

  // Whether a reduced iterator moves a window along this iterator alone.
  bool goesAlong(int reduced, int iterator) const {
    bool found = false;
    for (const auto& indices : indices_) {
      for (std::size_t d = 0; d < indices.size(); ++d) {
        if (!indices[d].names(reduced)) continue;
        found |= indices[d].names(iterator);
        if (indices[d].names(n_.x)) return false;
      }
    }
    return found;
  }

  void describeRead(int r) {
    const ir::BufferRegion& region = block_->reads[std::size_t(r)];
    NeighbourRead read{r, region.buffer, {}, {}, indices_[std::size_t(r)].back(), 1};
    for (std::size_t d = 0; d < region.region.size(); ++d) {
      const LinearIndex& index = indices_[std::size_t(r)][d];
      const auto step = [&](int i) { return i < 0 ? 0 : std::abs(index.of[std::size_t(i)]); };
      Reach reach{ir::constantOr(region.region[d].extent, 1) - 1, step(n_.x), step(n_.y), 0};
      for (int i : n_.inside) reach.fixed += step(i) * (n_.extents[std::size_t(i)] - 1);
      for (int i : n_.alongY) reach.ofWhole += step(i) * (n_.extents[std::size_t(i)] - 1);
      read.reach.push_back(reach);
    }
    read.aligned = std::min(alignedRows(region.buffer), kBitsAtOnce / region.buffer->dtype.bits);
    // What begins at different elements is aligned as all of them are.
    read.aligned = std::min(read.aligned, powerOfTwoIn(read.last.constant));
    if (const auto producers = schedule::producersOf(state_.program(), id_)) {
      for (ir::Id producer : *producers) {
        const ir::Block made = state_.tree().block(producer);
        if (made->writes.front().buffer != region.buffer || !mayBecomeCopy(state_, producer)) continue;
        read.producer = made->name;
        read.aligned = std::min(
            {kBitsAtOnce / region.buffer->dtype.bits, powerOfTwoIn(read.last.constant), alignedProducer(*made)});
      }
    }
    n_.reads.push_back(std::move(read));
  }

  // Elementwise blocks that go on from the result, as far as primitives take them to where it is stored.
  void findConsumers() {
    std::string trial = "b = sch.get_block(\"" + n_.name + "\")\nc = sch.cache_write(b, 0, \"local\")\n";
    const auto isOutput = [&](ir::Id id) {
      const auto readers = schedule::consumersOf(state_.program(), id);
      return !readers || readers->size() != 1;
    };
    for (ir::Id last = id_; !isOutput(last);) {
      const ir::Id next = schedule::consumersOf(state_.program(), last)->front();
      const ir::Block block = state_.tree().block(next);
      if (!isElementwise(block)) return;
      const auto written = writtenBy(*block);
      // The same elements in the same order, so that neighbours stay neighbours.
      const auto& read =
          std::ranges::find_if(block->reads, [&](const ir::BufferRegion& r) { return r.buffer == n_.result; });
      if (!written || read == block->reads.end() || read->region.size() != written->size()) return;
      for (std::size_t d = 0; d < written->size(); ++d)
        if (read->region[d].min.get() != block->iters[std::size_t((*written)[d])].var.get()) return;
      if (block->writes.front().buffer->dtype.bits % 8 != 0) return;
      trial += "sch.reverse_compute_inline(sch.get_block(\"" + block->name + "\"))\n";
      if (!stateByLines(state_, trial, {})) return;
      n_.consumers.push_back(block->name);
      n_.result = block->writes.front().buffer;
      last = next;
    }
  }

  const State& state_;
  const ir::Id id_;
  const ir::Block block_;
  std::set<int> still_;                            // iterators along which a thread has a single result
  std::vector<std::vector<LinearIndex>> indices_;  // by read and dimension
  Neighbours n_;
};

std::vector<std::int64_t> powersUpTo(std::int64_t most) {
  std::vector<std::int64_t> all;
  for (std::int64_t v = 1; v <= most; v *= 2) all.push_back(v);
  return all;
}

}  // namespace

NeighboursOrNot neighboursOf(const State& state, ir::Id block) { return Finder(state, block).find(); }

bool mayBecomeCopy(const State& state, ir::Id producer) {
  const ir::Block block = state.tree().block(producer);
  if (!isElementwise(block) || block->iters.empty()) return false;
  const auto written = writtenBy(*block);
  if (!written || written->back() != int(block->iters.size()) - 1) return false;
  const auto readers = schedule::consumersOf(state.program(), producer);
  if (!readers || readers->size() != 1) return false;
  return bool(stateByLines(state, "p = sch.get_block(\"" + block->name + "\")\nsch.set_scope(p, 0, \"local\")\n", {}));
}

std::vector<std::int64_t> loadedAtOnce(const Neighbours& of, const NeighbourRead& read, std::int64_t x, std::int64_t y,
                                       std::int64_t whole) {
  std::int64_t steps = read.reach.back().elements(x, y, whole);
  const auto stepsBy = [&](int iterator, std::int64_t taken) {
    const std::int64_t each = std::abs(read.last.of[std::size_t(iterator)]);
    if (each == 0 || of.extents[std::size_t(iterator)] <= taken) return;
    if (of.extents[std::size_t(iterator)] % taken != 0) steps = 1;  // the last thread's part is cut off
    steps = std::gcd(steps, each * taken);
  };
  for (int i : of.outer) stepsBy(i, i == of.x ? x : i == of.y ? y : 1);
  for (int i : of.apart) stepsBy(i, 1);
  if (whole == 0)
    for (int i : of.alongY) stepsBy(i, 1);
  return powersUpTo(std::min(read.aligned, powerOfTwoIn(steps)));
}

std::vector<std::int64_t> storedAtOnce(const Neighbours& of, std::int64_t x) {
  if (of.extents[std::size_t(of.x)] % x != 0) return {1};
  return powersUpTo(std::min({powerOfTwoIn(x), alignedRows(of.result),
                              kBitsAtOnce / std::max<std::int64_t>(of.sum->dtype.bits, of.result->dtype.bits)}));
}

std::int64_t registersOf(const Neighbours& of, std::int64_t x, std::int64_t y, std::int64_t whole) {
  const auto registers = [](std::int64_t elements, const ir::DType& type) { return (elements * type.bits + 31) / 32; };
  std::int64_t sum = registers(x * y, of.sum->dtype);
  if (!of.consumers.empty()) sum += registers(x * y, of.result->dtype);
  for (const NeighbourRead& read : of.reads) {
    std::int64_t elements = 1;
    for (const Reach& reach : read.reach) elements *= reach.elements(x, y, whole);
    sum += registers(elements, read.buffer->dtype);
  }
  return sum;
}

}  // namespace loom::tune
