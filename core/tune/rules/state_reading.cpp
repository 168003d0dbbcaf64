#include "core/tune/rules/state_reading.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <vector>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/annotations.h"
#include "core/tune/rules/contraction.h"
#include "core/tune/rules/loop_values.h"
#include "core/tune/rules/memory_reading.h"
#include "core/tune/rules/read_back.h"

namespace loom::tune {

namespace {

using schedule::State;
using schedule::Tree;

constexpr std::size_t kMostKinds = 4;  // of spatial iterators: parts of sums, a batch, rows and columns
constexpr const char* kParts = "_rf";  // what rfactor adds to a block's name

bool isShared(const ir::Buffer& buffer) { return buffer->scope.starts_with("shared"); }

class Reader {
 public:
  Reader(const Sketch& sketch, const State& begin, const State& now)
      : sketch_(sketch),
        begin_(begin),
        now_(now),
        tree_(now.tree()),
        hasOthers_(std::ranges::find(sketch.quantities, "others.ns", &Quantity::name) != sketch.quantities.end()) {}

  std::map<std::string, std::int64_t> read() {
    for (const Tree::Node& node : begin_.tree().nodes()) {
      if (!node.isBlock || node.parent == Tree::kNone) continue;
      if (auto found = contractionOf(begin_, node.id).contraction) products_.push_back(std::move(*found));
    }
    product_ = openProduct();
    if (product_ && named("i.warpgroups")) {
      readWarpgroups();
    } else if (product_ && named("k.inner")) {
      readProduct();
    } else {
      readRest();
      for (const auto& [name, value] : decisionsForMemory(sketch_, begin_, now_)) values_[name] = value;
    }
    std::map<std::string, std::int64_t> kept;
    for (const auto& [name, value] : values_)
      if (named(name)) kept[name] = value;
    return kept;
  }

 private:
  bool named(const std::string& name) const { return decisionNamed(sketch_.space, name) >= 0; }

  // The product that a block is, or was made of by steps, which add to its name; null: none.
  const Contraction* productOf(const std::string& block) const {
    const Contraction* best = nullptr;
    for (const Contraction& c : products_)
      if ((block == c.name || block.starts_with(c.name + "_")) && (!best || c.name.size() > best->name.size()))
        best = &c;
    return best;
  }

  // Of a program of several parts the product that the sketch leaves open: only its lines have places.
  std::optional<Contraction> openProduct() const {
    for (const SketchFold& fold : sketch_.folds) {
      const auto first = sketch_.lines.begin() + fold.first;
      const bool isOpen = std::any_of(first, first + fold.lines, [](const SketchLine& line) {
        return !line.when.empty() || line.text.find('?') != std::string::npos;
      });
      if (const Contraction* product = isOpen ? productOf(fold.block) : nullptr) return *product;
    }
    return products_.empty() ? std::nullopt : std::optional(products_.front());
  }

  // The block that sums up: of those with a reduced iterator the outermost of the one with the most iterations.
  std::optional<ir::Id> summing() {
    std::optional<ir::Id> best;
    std::int64_t most = 1;
    for (const Tree::Node& node : tree_.nodes()) {
      if (!node.isBlock || node.parent == Tree::kNone) continue;
      const ir::Block block = tree_.block(node.id);
      const bool sums =
          std::ranges::any_of(block->iters, [](const ir::IterVar& iter) { return iter.type == ir::IterType::Reduce; });
      if (!sums || (best && tree_.isAncestorOrSelf(*best, node.id))) continue;
      const Contraction* product = productOf(block->name);
      if (product_ && (!product || product->name != product_->name)) continue;
      std::int64_t iterations = 1;
      for (const ir::IterVar& iter : block->iters)
        iterations *= std::max<std::int64_t>(1, ir::constantOr(iter.domain.extent, 1));
      if (iterations > most) best = node.id, most = iterations;
    }
    if (best && !loopsAround(*best).empty()) nest_ = loopsAround(*best).front()->id;
    return best;
  }

  // Whether a block is a root, or of another part of the program than the one that the sketch leaves open.
  bool isElsewhere(const Tree::Node& node) const {
    if (node.parent == Tree::kNone) return true;
    return hasOthers_ && nest_ && !tree_.isAncestorOrSelf(*nest_, node.id);
  }

  std::int64_t along(const ir::Expr& index, const std::vector<ir::For>& loops, Place place) const {
    std::int64_t product = 1;
    for (const ir::For& loop : loops)
      if (placeOf(*loop) == place) product *= valuesAlong(index, *loop);
    return product;
  }

  std::vector<ir::For> loopsAround(ir::Id block) const { return tune::loopsAround(tree_, block); }

  // Rows ("m") or columns ("n") of the product that the sketch tiles. Steps that all sketches begin with may have made
  // them of a batch, so that the plain program has others, `plain`.
  std::int64_t tiledLength(const std::string& axis, std::int64_t plain) const {
    const auto length = std::ranges::find(sketch_.quantities, "extent." + axis, &Quantity::name);
    std::int64_t value = plain;
    if (length != sketch_.quantities.end())
      std::from_chars(length->formula.data(), length->formula.data() + length->formula.size(), value);
    return value;
  }

  void readProduct() {
    const auto block = summing();
    if (!block) return;
    const ir::BlockRealize realize = tree_.realize(*block);
    std::vector<std::size_t> spatial, sums;
    for (std::size_t n = 0; n < realize->block->iters.size(); ++n)
      (realize->block->iters[n].type == ir::IterType::Reduce ? sums : spatial).push_back(n);
    const std::vector<ir::For> loops = loopsAround(*block);
    if (spatial.size() < 2 || sums.size() != 1 || loops.empty()) return;
    if (named("i.lanes") && spatial.size() > kMostKinds) return;  // digits of rows and columns
    if (spatial.back() > sums.front()) return;  // a single step along k, which sums nothing up by itself
    const bool tiles = std::ranges::any_of(loops, [](const ir::For& l) { return placeOf(*l) != Place::Serial; });
    if (!tiles) return;  // a plain nest decides nothing
    const ir::Expr i = realize->values[spatial[spatial.size() - 2]], j = realize->values[spatial.back()],
                   k = realize->values[sums.front()];
    const auto extentOf = [&](std::size_t n) { return ir::constantOr(realize->block->iters[n].domain.extent, 1); };
    for (const auto& [axis, index] : {std::pair("i", i), std::pair("j", j)}) {
      const std::string name = axis;
      values_[name + ".blocks"] = along(index, loops, Place::Grid);
      // Lanes of a warp along both axes: which of a thread's loop is warps isn't told by its extent.
      if (named(name + ".lanes")) continue;
      values_[name + ".parts"] = along(index, loops, Place::Parts);
      values_[name + ".warps"] = values_[name + ".threads"] = along(index, loops, Place::Threads);
      values_[name + ".frags"] = values_[name + ".inner"] = along(index, loops, Place::Serial);
    }
    readShape(*realize->block, extentOf(spatial[spatial.size() - 2]), extentOf(spatial.back()));
    readRaster(i, j, loops);
    if (!named("i.lanes")) readCopies(k, loops);
    std::int64_t stages = 1;
    for (const ir::For& loop : loops)
      if (const auto at = loop->annotations.find("software_pipeline_stage"); at != loop->annotations.end())
        stages = std::max(stages, largestIn(at->second) + 1);
    values_["stages"] = stages;
  }

  // Rows and columns of the instruction: what a block writes at a time, which is whole where the product is padded, or
  // else what each of so many rows and columns of instructions has.
  void readShape(const ir::BlockNode& block, std::int64_t rows, std::int64_t columns) {
    if (block.writes.empty() || !block.writes[0].buffer->scope.starts_with("wmma.")) return;  // of another instruction
    const std::size_t dimensions = block.writes[0].region.size();
    const auto read = [&](const char* name, std::size_t fromLast, std::int64_t extent, std::int64_t tiles) {
      const std::int64_t written =
          dimensions < 2 ? 0 : ir::constantOr(block.writes[0].region[dimensions - fromLast].extent, 0);
      if (written > 1) {
        values_[name] = written;
      } else if (tiles > 0 && extent % tiles == 0) {
        values_[name] = extent / tiles;
      }
    };
    read("shape.m", 2, tiledLength("m", product_->m), rows);
    read("shape.n", 1, tiledLength("n", product_->n), columns);
  }

  // Products by warpgroups: a product's rows and columns are what its block's iterators go in, the tile is what is
  // copied at once, and the rest stands in annotations.
  void readWarpgroups() {
    const auto block = summing();
    if (!block) return;
    const ir::BlockRealize realize = tree_.realize(*block);
    const std::vector<ir::For> loops = loopsAround(*block);
    const std::vector<ir::IterVar>& iters = realize->block->iters;
    if (iters.size() < 3 || loops.empty()) return;
    if (std::ranges::none_of(loops, [](const ir::For& l) { return placeOf(*l) == Place::Grid; })) return;
    const std::size_t row = iters.size() - 3, column = row + 1, sum = row + 2;
    const auto extentOf = [&](std::size_t n) {
      return std::max<std::int64_t>(1, ir::constantOr(iters[n].domain.extent, 1));
    };
    const bool swapped = isSwapped(*realize->block, *iters[row].var);
    if (swapped != (quantityOf(sketch_, "swapped", {}).value_or(0) == 1)) return;  // of another sketch
    if (swapped) std::swap(product_->a, product_->b), std::swap(product_->m, product_->n);
    const ir::Expr i = realize->values[row], j = realize->values[column], k = realize->values[sum];
    const auto annotated = [](const ir::BlockNode& of, const char* key) -> std::int64_t {
      const auto found = of.annotations.find(key);
      return found == of.annotations.end() ? 0 : largestIn(found->second);
    };
    const auto says = [](const ir::BlockNode& of, const char* key, const char* text) {
      const auto found = of.annotations.find(key);
      return found != of.annotations.end() && lower::textOf(found->second) == text;
    };
    std::set<ir::Id> aroundCopies;
    std::int64_t loaders = 0, slots = 0, early = 0, evict = 0;
    const ir::BlockNode* staged = nullptr;  // writes sums to slots
    for (const Tree::Node& node : tree_.nodes()) {
      if (!node.isBlock || isElsewhere(node)) continue;
      const ir::Block copy = tree_.block(node.id);
      if (const std::int64_t given = annotated(*copy, "tileloom.slots"); given > 0) slots = given, staged = copy.get();
      if (copy->writes.size() == 1 && copy->annotations.contains("tileloom.swizzle") &&
          std::ranges::any_of(copy->reads, [](const auto& r) { return r.buffer->scope == "local.wgmma"; }) &&
          slots == 0)  // threads take them on
        slots = 1, staged = copy.get();
      if (copy->writes.size() == 1 && !isShared(copy->writes[0].buffer) &&
          std::ranges::any_of(copy->reads, [](const auto& r) { return isShared(r.buffer); }))
        values_["c.vector"] = vectorOf(node.id);
      if (copy->writes.size() != 1 || copy->reads.size() != 1) continue;
      const bool stores = isShared(copy->reads[0].buffer) && !isShared(copy->writes[0].buffer);
      if (stores && says(*copy, "tileloom.evict", "first")) evict = 1;
      if (!isShared(copy->writes[0].buffer)) continue;
      const ir::Buffer& source = sourceOf(copy->reads[0].buffer);
      const bool ofA = source->name == product_->a.buffer;
      if (!ofA && source->name != product_->b.buffer) continue;
      if (!copy->annotations.contains("tileloom.copy")) return;  // threads copy: another kernel
      for (const ir::For& loop : loopsAround(node.id)) aroundCopies.insert(loop->id);
      values_[ofA ? "a.swizzle" : "b.swizzle"] = annotated(*copy, "tileloom.swizzle");
      loaders += copy->annotations.contains("tileloom.role") ? 1 : 0;
      early = std::max(early, annotated(*copy, "tileloom.early"));
    }
    values_["slots"] = slots, values_["early"] = early, values_["evict"] = evict;
    const bool isStaged = staged != nullptr && staged->writes.size() == 1 && !staged->writes[0].region.empty();
    values_["slab"] = isStaged ? ir::constantOr(staged->writes[0].region.back().extent, 0) : 0;
    values_["c.swizzle"] = isStaged ? annotated(*staged, "tileloom.swizzle") : 0;
    values_["over"] = isStaged && annotated(*staged, "tileloom.over_ring") > 0 ? 1 : 0;
    if (aroundCopies.empty()) return;
    std::int64_t outer = 1, inner = 1, rows = 1;
    for (const ir::For& loop : loops) {
      const std::int64_t trips = valuesAlong(k, *loop);
      const bool around = aroundCopies.contains(loop->id);
      (around ? outer : inner) *= trips;
      if (!around && placeOf(*loop) == Place::Serial) rows *= valuesAlong(i, *loop);
    }
    values_["k.outer"] = outer, values_["k.inner"] = inner;
    values_["i.warpgroups"] = along(i, loops, Place::Threads), values_["i.rows"] = rows;
    values_["i.blocks"] = extentOf(row) / std::max<std::int64_t>(1, values_["i.warpgroups"] * rows);
    // What a tile writes is whole where the last one reaches beyond the product, too.
    const auto& written = realize->block->writes;
    const std::int64_t columns =
        written.empty() || written[0].region.empty() ? 0 : ir::constantOr(written[0].region.back().extent, 0);
    values_["j.columns"] = columns > 1 ? columns : product_->n / extentOf(column);
    values_["j.blocks"] = extentOf(column);
    std::int64_t grid = 1, stages = 1;
    for (const ir::For& loop : loops) {
      if (placeOf(*loop) == Place::Grid) grid *= ir::constantOr(loop->extent, 1);
      if (const auto at = loop->annotations.find("software_pipeline_stage"); at != loop->annotations.end())
        stages = std::max(stages, largestIn(at->second) + 1);
    }
    values_["stages"] = stages;
    std::int64_t tiles = values_["i.blocks"] * values_["j.blocks"];
    for (std::size_t n = 0; n < row; ++n) tiles *= extentOf(n);  // of each product of a batch
    values_["persistent"] = grid < tiles ? 1 : 0;
    values_["flight"] = annotated(*realize->block, "tileloom.in_flight");
    values_["registers"] = annotated(*realize->block, "tileloom.registers");
    values_["turns"] = annotated(*realize->block, "tileloom.turns");
    values_["loaders"] = loaders == 2 ? 1 : 0;
    values_["raster"] = 1;
    readRaster(i, j, loops);
    const std::int64_t alongX = std::max<std::int64_t>(1, annotated(*realize->block, "tileloom.cluster_x"));
    const std::int64_t alongY = std::max<std::int64_t>(1, annotated(*realize->block, "tileloom.cluster_y"));
    // In one column rows take turns or don't: it is the same order.
    const bool oneColumn = values_["j.blocks"] == 1, turns = oneColumn || values_["raster"] > 1;
    values_["cluster.j"] = turns ? 1 : alongX;
    values_["cluster.i"] = turns ? alongX : alongY;
    if (values_["raster"] >= values_["i.blocks"]) values_["raster"] = values_["i.blocks"];
    if (oneColumn) values_.erase("raster");
  }

  // Whether rows of sums are those of the program's B: its result is formed turned.
  bool isSwapped(const ir::BlockNode& sums, const ir::VarNode& row) const {
    for (const ir::BufferRegion& read : sums.reads) {
      const bool ofRows = std::ranges::any_of(read.region, [&](const ir::Range& range) {
        return ir::usesVar(range.min, [&](const ir::VarNode* v) { return v == &row; });
      });
      if (ofRows && isShared(read.buffer)) return sourceOf(read.buffer)->name == product_->b.buffer;
    }
    return false;
  }

  std::int64_t vectorOf(ir::Id block) const { return tune::vectorOf(tree_, block); }

  // How many steps of the grid's loop pass before the column changes.
  void readRaster(const ir::Expr& i, const ir::Expr& j, const std::vector<ir::For>& loops) {
    const auto grid = std::ranges::find_if(loops, [](const ir::For& l) { return placeOf(*l) == Place::Grid; });
    if (grid == loops.end()) return;
    const std::int64_t extent = ir::constantOr((*grid)->extent, 0);
    const auto first = valueAt(j, (*grid)->var.get(), 0), row = valueAt(i, (*grid)->var.get(), 0);
    for (std::int64_t n = 1; n < std::min(extent, kMostIterations); ++n) {
      const auto now = valueAt(j, (*grid)->var.get(), n);
      if (!now || !first || !row) return;
      if (*now != *first) {
        values_["raster"] = n;
        return;
      }
    }
  }

  // Tiles in shared memory: how often they are copied, and how.
  void readCopies(const ir::Expr& k, const std::vector<ir::For>& loops) {
    std::set<ir::Id> aroundCopies;
    bool copies = false;
    values_["epilogue"] = 0;
    for (const Tree::Node& node : tree_.nodes()) {
      if (!node.isBlock || isElsewhere(node)) continue;
      const ir::Block block = tree_.block(node.id);
      if (block->writes.size() != 1 || !isShared(block->writes[0].buffer) || block->reads.empty()) continue;
      if (std::ranges::any_of(block->iters, [](const ir::IterVar& v) { return v.type == ir::IterType::Reduce; }))
        continue;
      const ir::Buffer& source = sourceOf(block->reads[0].buffer);
      const std::string name = operandOf(source->name);
      if (name.empty()) {
        if (source->scope != "global") values_["epilogue"] = 1;
        continue;
      }
      copies = true;
      for (const ir::For& loop : loopsAround(node.id)) aroundCopies.insert(loop->id);
      values_[name + ".vector"] = vectorOf(node.id);
      values_[name + ".pad"] = paddingOf(*block);
      values_[name + ".swizzle"] = block->annotations.contains("tileloom.swizzle") ? 1 : 0;
    }
    if (!copies) return;
    std::int64_t outer = 1, inner = 1;
    for (const ir::For& loop : loops) {
      const std::int64_t trips = valuesAlong(k, *loop);
      (aroundCopies.contains(loop->id) ? outer : inner) *= trips;
      if (trips > 1 && !aroundCopies.contains(loop->id)) values_["unroll"] = loop->forKind == ir::ForKind::Unrolled;
    }
    values_["k.outer"] = outer, values_["k.inner"] = inner;
  }

  // With what the decisions about an operand's copies begin; "": the buffer is none.
  std::string operandOf(const std::string& buffer) const {
    if (buffer == product_->a.buffer) return "a";
    if (buffer == product_->b.buffer) return "b";
    const std::vector<std::string> names = decisionPrefixes(*product_);
    for (std::size_t n = 0; n < names.size(); ++n)
      if (buffer == product_->further[n].buffer) return names[n];
    return {};
  }

  // The function's buffer that a buffer is a copy of, or what no block copies.
  const ir::Buffer& sourceOf(const ir::Buffer& buffer) const {
    const ir::Buffer* at = &buffer;
    for (int depth = 0; depth < 8 && operandOf((*at)->name).empty(); ++depth) {
      const ir::Buffer* next = nullptr;
      for (const Tree::Node& node : tree_.nodes()) {
        if (!node.isBlock || isElsewhere(node)) continue;
        const ir::Block block = tree_.block(node.id);
        if (block->writes.size() == 1 && block->writes[0].buffer == *at && block->reads.size() == 1)
          next = &block->reads[0].buffer;
      }
      if (next == nullptr || *next == *at) break;
      at = next;
    }
    return *at;
  }

  static std::int64_t largestIn(const ir::AnnotationValue& value) {
    if (const auto* number = std::get_if<ir::Expr>(&value.value)) return ir::constantOr(*number, 0);
    std::int64_t most = 0;
    if (const auto* list = std::get_if<ir::AnnotationList>(&value.value))
      for (const ir::AnnotationValue& one : *list) most = std::max(most, largestIn(one));
    return most;
  }
  // Blocks that are no product: decisions carry the block's name where there are several.
  void readRest() {
    for (const Tree::Node& node : tree_.nodes()) {
      if (!node.isBlock || isElsewhere(node)) continue;
      const ir::Block block = tree_.block(node.id);
      if (isSummedInParts(block->name)) continue;
      const std::string whole = block->name.ends_with(kParts)
                                    ? block->name.substr(0, block->name.size() - std::string_view(kParts).size())
                                    : block->name;
      const std::string own = decisionPrefix(whole), prefix = named(own + "threads") ? own : "";
      if (!named(prefix + "threads")) continue;
      std::map<std::string, std::int64_t> bound;
      std::int64_t vector = 1;
      for (const ir::For& loop : loopsAround(node.id)) {
        const std::int64_t extent = ir::constantOr(loop->extent, 1);
        if (loop->forKind == ir::ForKind::ThreadBinding) bound[loop->thread] = extent;
        if (loop->forKind == ir::ForKind::Vectorized || loop->forKind == ir::ForKind::Unrolled) vector = extent;
      }
      if (!bound.contains("threadIdx.x")) continue;
      const auto columns = std::ranges::find(sketch_.quantities, prefix + "columns", &Quantity::name);
      const bool sumsColumns = columns != sketch_.quantities.end() && columns->formula == "1";
      const auto along = [&](const char* axis) { return bound.contains(axis) ? bound[axis] : 1; };
      values_[prefix + "threads"] = along(sumsColumns ? "threadIdx.y" : "threadIdx.x");
      values_[prefix + "rows"] = along(sumsColumns ? "threadIdx.x" : "threadIdx.y");
      values_[prefix + "vector"] = vector;
      values_[prefix + "sum.parts"] = along("blockIdx.y");
    }
  }

  // Whether the block adds up what one that steps made of it sums up in parts.
  bool isSummedInParts(const std::string& block) const {
    return std::ranges::any_of(tree_.nodes(), [&](const Tree::Node& node) {
      return node.isBlock && tree_.block(node.id)->name == block + kParts;
    });
  }

  const Sketch& sketch_;
  const State& begin_;
  const State& now_;
  const Tree& tree_;
  const bool hasOthers_;               // whether the program has parts that the sketch leaves as they are
  std::optional<ir::Id> nest_;         // the outermost loop around what sums up
  std::vector<Contraction> products_;  // of the plain program
  std::optional<Contraction> product_;
  std::map<std::string, std::int64_t> values_;
};

}  // namespace

std::map<std::string, std::int64_t> decisionsOf(const Sketch& sketch, const State& begin, const State& now) {
  return Reader(sketch, begin, now).read();
}

std::map<std::string, std::int64_t> decisionsOf(const Sketch& sketch, const std::vector<std::string>& lines,
                                                const schedule::State& begin, const schedule::State& now) {
  if (lines.empty()) return {};
  auto values = decisionsOf(sketch, begin, now);
  values.merge(decisionsIn(sketch, lines));  // keeps the state's
  return values;
}

}  // namespace loom::tune
