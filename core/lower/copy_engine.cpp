#include "core/lower/copy_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/annotations.h"
#include "core/lower/clusters.h"
#include "core/lower/common_conditions.h"
#include "core/lower/copy_nest.h"
#include "core/lower/device_passes.h"
#include "core/lower/execution_group.h"
#include "core/lower/launch.h"
#include "core/lower/matrix_rows.h"
#include "core/lower/roles.h"
#include "core/lower/swizzle.h"
#include "core/lower/transfers.h"

namespace loom::lower {
namespace {

using namespace device;

// PTX ISA, cp.async.bulk.tensor, and cuTensorMapEncodeTiled of the CUDA driver: elements of a box along a dimension,
// bytes that lines and their distances are multiples of.
constexpr std::int64_t kMostExtent = 256, kUnit = 16;
// Rows of a sum that a warpgroup holds, and a warp of it.
constexpr std::int64_t kRowsOfWarpgroup = 64, kRowsOfWarp = kRowsOfWarpgroup / kWarpsOfWarpgroup;

class CopyEngine {
 public:
  explicit CopyEngine(Kernel& kernel) : kernel_(kernel) {
    for (int axis = 0; axis < 3; ++axis) {
      bind(kernel.threadIdx[axis], ir::intImm(kernel.block[axis]));
      bind(kernel.blockIdx[axis], kernel.gridExtent(axis));
    }
  }

  Result<void> run() {
    Stmt body = walk(kernel_.body);
    if (error_) return Failure(*error_);
    kernel_.body = body;
    return {};
  }

 private:
  void bind(const Var& var, const Expr& extent) {
    analyzer_.bind(var, ir::Range{ir::intImm(0, var->dtype), extent}, true);
  }
  std::nullptr_t refuse(const CopyNest& nest, Message why, Message remedy = {}) {
    return refuse(refusalOf(nest, std::move(why), std::move(remedy)));
  }
  std::nullptr_t refuse(Error why) {
    if (!error_) error_ = std::move(why);
    return nullptr;
  }

  Stmt walk(const Stmt& s) {
    if (!s || error_) return s;
    if (s->kind == StmtKind::Loop || s->kind == StmtKind::Block || s->kind == StmtKind::If) {
      if (const auto nest = copyNest(s, "tma")) {
        const bool own = s->kind != StmtKind::Loop || isOfBox(*as<LoopNode>(s), *nest);
        if (own) return copy(*nest);
      }
    }
    const std::size_t loops = loops_.size(), conditions = conditions_.size();
    const auto inside = [&] { return mapChildren(s, [&](const Stmt& child) { return walk(child); }); };
    Stmt result;
    if (s->kind == StmtKind::Loop) {
      bind(as<LoopNode>(s)->var, as<LoopNode>(s)->extent);
      loops_.push_back(as<LoopNode>(s));
      result = inside();
    } else if (s->kind == StmtKind::If) {
      const Expr& condition = as<IfNode>(s)->condition;
      std::ranges::copy(conjuncts(condition), std::back_inserter(conditions_));
      // What keeps a box within its matrix may say so of a tile that there is: (tile % 384) // 16 where tile < 384.
      const auto known = analyzer_.enter(as<IfNode>(s)->no ? ir::boolImm(true) : condition);
      result = inside();
    } else {
      result = inside();
    }
    loops_.resize(loops);
    conditions_.resize(conditions);
    return result;
  }

  // A loop that gives the box an extent, and doesn't repeat it.
  static bool isOfBox(const LoopNode& loop, const CopyNest& nest) {
    if (!nest.store) return true;
    return std::ranges::any_of(nest.store->to.at, [&](const Expr& e) {
      return ir::usesVar(e, [&](const ir::VarNode* v) { return v == loop.var.get(); });
    });
  }

  Stmt copy(const CopyNest& nest) {
    const std::string& name = nest.block->name;
    if (auto why = refusalOfCopy(nest)) return refuse(std::move(*why));
    const StoreNode& store = *nest.store;
    std::vector<Expr> conditions = nest.conditions;
    Expr value = store.value;
    if (const auto* padded = zeroPadded(value)) {
      std::ranges::copy(conjuncts(padded->args[0]), std::back_inserter(conditions));
      value = padded->args[1];
    }
    const auto* load = ir::asLoad(value);
    const auto memory = [](const Buffer& b) { return memoryOf(b->scope).value_or(Memory::Local); };
    const bool loads = load && isShared(memory(store.to.buffer)) && memory(load->buffer) == Memory::Global;
    const bool stores = load && isShared(memory(load->buffer)) && memory(store.to.buffer) == Memory::Global &&
                        load == ir::asLoad(store.value);
    if (!loads && !stores)
      return refuse(nest, message("block {} doesn't copy from global to shared memory or back, which is what \"{}\" "
                                  "asks the copy engine for",
                                  name, kCopy));
    if (stores)
      if (auto why = refusalOfStore(kernel_, nest, *load)) return refuse(std::move(*why));
    for (const LoopNode* loop : nest.loops) bind(loop->var, loop->extent);
    const BufferPlace from{load->buffer, load->indices};
    return loads ? boxes(nest, {store.to, from, {1, 1}, false}, conditions)
                 : boxes(nest, {from, store.to, {1, 1}, true}, conditions);
  }

  // The extents of a box of rows and columns, and its first element in both memories. Rows of shared memory go along
  // the last dimension but one; those of the matrix in global memory along `rows`, and columns are what lies behind it.
  struct Box {
    BufferPlace shared, global;
    std::array<std::int64_t, 2> extents{1, 1};  // rows, columns
    bool stores = false;                        // from shared to global memory
    std::size_t rows = 0;                       // a dimension of the matrix
  };

  Stmt boxes(const CopyNest& nest, Box box, const std::vector<Expr>& conditions) {
    const std::string& name = nest.block->name;
    box.rows = placeInMatrix(box.global, nest.loops, analyzer_);
    const BufferPlace inShared = box.shared, inGlobal = box.global;
    const int sharedLast = int(inShared.at.size()) - 1, globalLast = int(inGlobal.at.size()) - 1;
    for (const LoopNode* loop : nest.loops) {
      const int a = dimensionOf(inShared.at, *loop, analyzer_), b = dimensionOf(inGlobal.at, *loop, analyzer_);
      const auto* extent = ir::asInt(loop->extent);
      const int fromEnd = sharedLast - a, dimension = fromEnd == 0 ? globalLast : int(box.rows);
      if (a < 0 || b < 0 || !extent || fromEnd > 1 || b != dimension)
        return refuse(nest,
                      message("the copy engine moves boxes of rows and columns as they lie, and loop {} of block {} "
                              "isn't one of rows or columns of both {} and {}",
                              loop->var->name, name, inShared.buffer->name, inGlobal.buffer->name),
                      message("the copy as cache_read makes it, without fuse or split of its loops"));
      box.extents[std::size_t(1 - fromEnd)] *= extent->value;
      const ir::VarMap zero{{loop->var.get(), ir::intImm(0, loop->var->dtype)}};
      for (Expr& index : box.shared.at) index = ir::substitute(index, zero);
      for (Expr& index : box.global.at) index = ir::substitute(index, zero);
    }
    // One thread asks for a box that is read. Of what is stored each row of threads, a warpgroup, may have its own.
    const std::size_t alone = box.stores ? 1 : kernel_.threadIdx.size();
    for (const Expr& index : inShared.at) {
      if (!ir::usesVar(index, [&](const ir::VarNode* v) {
            return std::any_of(kernel_.threadIdx.begin(), kernel_.threadIdx.begin() + std::ptrdiff_t(alone),
                               [&](const Var& t) { return t.get() == v; });
          }))
        continue;
      return refuse(nest,
                    message("the loops of block {} are bound to threads, but one thread asks the copy engine for the "
                            "whole box",
                            name),
                    message("without sch.bind of the loops of {}", name));
    }
    for (const Expr& condition : conditions) {
      if (!keepsWithin(condition, inGlobal, box.rows))
        return refuse(nest, message("block {} is done under a condition that doesn't only keep it within {}", name,
                                    inGlobal.buffer->name));
    }
    for (BufferPlace* place : {&box.shared, &box.global})
      for (Expr& index : place->at) index = analyzer_.simplify(index);
    return operations(nest, box);
  }

  // Whether all is outside of the matrix where the condition, `a < b`, doesn't hold: there a box has zeros anyway, and
  // isn't stored. It may say so of whole pieces: q < 125 where the index is q * 32 + c, and the extent 4000.
  bool keepsWithin(const Expr& condition, const BufferPlace& from, std::size_t rows) {
    const auto* less = ir::asBinary(condition, ir::ExprKind::LT);
    if (!less) return false;
    for (std::size_t d = 0; d < from.at.size(); ++d) {
      // Of several matrices the rows are one after the other: beyond those of one are the next one's.
      const bool allRows = d == rows && std::ranges::all_of(from.at.begin(), from.at.begin() + std::ptrdiff_t(d),
                                                            [](const Expr& e) { return ir::isConst(e, 0); });
      if (!allRows && d > 0 && d + 1 < from.at.size()) continue;
      const Expr extent = allRows                   ? heightOf(*from.buffer, rows)
                          : d + 1 == from.at.size() ? widthOf(*from.buffer, rows)
                                                    : from.buffer->shape[d];
      const DType t = less->a->dtype;
      const std::int64_t of = ir::constantOr(less->b, 0), all = ir::constantOr(extent, 0);
      const std::int64_t piece = of > 0 && all % of == 0 ? all / of : 1;
      const Expr gap =
          cast(t, from.at[d]) - cast(t, extent) - (less->a - less->b) * ir::intImm(std::max<std::int64_t>(piece, 1), t);
      if (analyzer_.constIntBound(analyzer_.simplify(gap)).min >= 0) return true;
    }
    return false;
  }

  // The index that counts a box's rows in each of its memories.
  static std::array<Expr*, 2> rowsOf(Box& box) {
    return {&box.shared.at[box.shared.at.size() - 2], &box.global.at[box.rows]};
  }

  Stmt operations(const CopyNest& nest, const Box& box) {
    const std::string& name = nest.block->name;
    const ir::BufferNode& matrix = *box.global.buffer;
    const std::int64_t bytes = matrix.dtype.bytes();
    const std::int64_t columns = box.extents[1];
    if (!matrix.strides.empty() || matrix.shape.size() < 2)
      return refuse(nest,
                    message("the copy engine takes {} as a matrix whose rows lie one after the other", matrix.name));
    const std::int64_t height = ir::constantOr(heightOf(matrix, box.rows), 0);
    const std::int64_t width = ir::constantOr(widthOf(matrix, box.rows), 0);
    if (height <= 0 || width <= 0)
      return refuse(nest, message("the copy engine's map of {} needs extents that are numbers", matrix.name));
    if (width * bytes % kUnit != 0)
      return refuse(nest,
                    message("rows of {} are {} bytes long; the copy engine takes rows that begin at multiples of {} "
                            "bytes",
                            matrix.name, width * bytes, kUnit),
                    message("without \"{}\" of block {}", kCopy, name));
    std::int64_t line = columns;
    int swizzle = 0;
    const std::int64_t wanted = swizzleOf(box.shared.buffer) / bytes;
    if (wanted > 0 && columns % wanted == 0) {
      line = wanted;
      swizzle = int(wanted * bytes);
    }
    if (line * bytes % kUnit != 0 || line > kMostExtent)
      return refuse(nest,
                    message("a line of the box of block {} has {} elements, {} bytes; the copy engine takes up to {} "
                            "elements, in multiples of {} bytes",
                            name, line, line * bytes, kMostExtent, kUnit),
                    message("sch.annotate(…, \"{}\", 128), so that longer rows are several boxes", kSwizzle));
    const int axis = multicastAxis(*nest.block);
    const bool together = nest.block->annotations.contains(kMulticast);
    if (together && !mayMulticast(nest, box, axis)) return nullptr;
    const std::int64_t rows = together ? box.extents[0] / kernel_.cluster[std::size_t(axis)] : box.extents[0];
    // Rows of one request, and from one to the next.
    std::int64_t each = kRowsOfWarp, step = kRowsOfWarpgroup;
    Axes asks = nest.store->uncovered;
    const bool byWarps = box.stores && isOfWarps(box.shared.buffer, rows);
    if (byWarps) {
      asks.bits = std::uint8_t((asks.bits & ~1) | Axes::kFurtherLanes);
    } else {
      const std::int64_t pieces = (rows + kMostExtent - 1) / kMostExtent;
      if (rows % pieces != 0)
        return refuse(nest,
                      message("the box of block {} has {} rows; the copy engine takes up to {}, or several equal boxes",
                              name, rows, kMostExtent));
      each = step = rows / pieces;
      asks.bits |= box.stores ? kernel_.block[0] > 1 : allThreads(kernel_).bits;
    }
    const Box asked = byWarps ? ofOwnWarp(box) : together ? ofOwnShare(box, axis, rows) : box;
    const int map = mapOf(box, {height, width}, {each, line}, swizzle);
    std::vector<Stmt> all;
    for (std::int64_t row = 0; row < rows; row += step)
      for (std::int64_t column = 0; column < columns; column += line)
        all.push_back(operation(nest, asked, {row, column}, {each, line}, map, width, asks));
    if (box.stores) all.push_back(commit(asks));
    auto block = std::make_shared<BlockNode>(*nest.block);
    block->body = seq(std::move(all));
    return block;
  }

  // Bytes of a line by which some block wants the buffer swizzled; 0 where none does.
  std::int64_t swizzleOf(const Buffer& buffer) const {
    for (const BlockNode* b : annotatedBlocks(kernel_.body, kSwizzle))
      if (std::ranges::count(b->writes, buffer) > 0) return numberOf(b->annotations.at(kSwizzle)).value_or(0);
    return 0;
  }

  // Whether the rows of the buffer are written by warpgroups alone, of which each warp writes 16 of 64 rows.
  bool isOfWarps(const Buffer& buffer, std::int64_t rows) const {
    bool any = false, all = kernel_.block[0] == kWarpgroupThreads && rows % kRowsOfWarpgroup == 0;
    forEach(kernel_.body, [&](const Stmt& s) {
      const Effects effects = effectsOf(s);
      for (const MemoryEffect& e : effects.memory) {
        if (e.place.buffer != buffer || !e.writes()) continue;
        any = true;
        all &= effects.group == Group::Warpgroup;
      }
      return all;
    });
    return any && all;
  }
  // Whether the blocks of a cluster can bring the box to each other, each a part of its rows.
  bool mayMulticast(const CopyNest& nest, const Box& box, int axis) {
    const std::string& name = nest.block->name;
    if (axis < 0) {
      refuse(nest, message("\"{}\" of block {} is \"x\" or \"y\": the axis of the grid along which blocks of a cluster "
                           "share what is copied",
                           kMulticast, name));
      return false;
    }
    const std::int64_t blocks = kernel_.cluster[std::size_t(axis)];
    const char letter = "xyz"[axis];
    if (blocks == 1) {
      refuse(nest,
             message("\"{}\" of block {} needs clusters of several blocks along blockIdx.{}", kMulticast, name, letter),
             message("sch.annotate(…, \"{}\", 2)", axis == 0 ? kClusterX : kClusterY));
    } else if (box.stores) {
      refuse(nest, message("the copy engine multicasts what it reads; block {} stores", name));
    } else if (const auto role = nest.block->annotations.find(kRole);
               role == nest.block->annotations.end() || textOf(role->second) != "load") {
      refuse(nest,
             message("\"{}\" of block {} needs warps that load: they wait until the other blocks of the cluster have "
                     "read a slot",
                     kMulticast, name),
             message("sch.annotate({}, \"{}\", \"load\")", name, kRole));
    } else if (box.extents[0] % (blocks * kRowsTogether) != 0) {
      refuse(nest,
             message("{} rows of the box of block {} aren't {} parts of whole groups of {} rows, in which lines are "
                     "swizzled",
                     box.extents[0], name, blocks, kRowsTogether));
    } else {
      const auto same = [&](const Expr& e) { return sameInCluster(kernel_, std::size_t(axis), e, loops_); };
      const bool all = std::ranges::all_of(box.global.at, same) && std::ranges::all_of(conditions_, same) &&
                       std::ranges::all_of(loops_, [&](const LoopNode* l) { return same(l->extent); });
      if (all) return true;
      refuse(nest,
             message("{} blocks that are neighbours along blockIdx.{} don't copy the same part of {} in block {}, or "
                     "not equally often, so that none can do it for all",
                     blocks, letter, box.global.buffer->name, name));
    }
    return false;
  }
  // Of the rows that all blocks of a cluster get, the part that this one asks for.
  Box ofOwnShare(Box box, int axis, std::int64_t rows) const {
    const Expr place = placeInCluster(kernel_, std::size_t(axis));
    for (Expr* row : rowsOf(box)) *row = *row + ir::cast((*row)->dtype, place * ir::intImm(rows, place->dtype));
    return box;
  }

  // Each warp stores what it has written itself, so that no warp waits for another.
  Box ofOwnWarp(Box box) const {
    const Expr warp = ir::floordiv(kernel_.threadIdx[0], ir::intImm(kWarpLanes));
    for (Expr* row : rowsOf(box)) *row = *row + ir::cast((*row)->dtype, warp * ir::intImm(kRowsOfWarp));
    return box;
  }

  static Stmt commit(Axes asks) {
    auto s = makeSync(Token::BulkStores, SyncDoes::Commit);
    s->uncovered = asks;
    return s;
  }

  int mapOf(const Box& of, std::vector<std::int64_t> extents, std::vector<std::int64_t> box, int swizzle) {
    const Buffer& buffer = of.global.buffer;
    for (std::size_t m = 0; m < kernel_.maps.size(); ++m)
      if (const TensorMap& known = kernel_.maps[m];
          known.buffer == buffer && known.box == box && known.swizzle == swizzle && known.stores == of.stores)
        return int(m);
    TensorMap map;
    map.stores = of.stores;
    map.buffer = buffer;
    map.name = buffer->name + "_map";
    for (std::size_t n = 1; std::ranges::count(kernel_.maps, map.name, &TensorMap::name); ++n)
      map.name = fmt::format("{}_map_{}", buffer->name, n);
    map.strides = {extents.back(), 1};
    map.extents = std::move(extents);
    map.box = std::move(box);
    map.swizzle = swizzle;
    kernel_.maps.push_back(std::move(map));
    return int(kernel_.maps.size()) - 1;
  }

  Stmt operation(const CopyNest& nest, const Box& box, std::array<std::int64_t, 2> first,
                 std::array<std::int64_t, 2> extents, int map, std::int64_t width, Axes asks) {
    auto n = std::make_shared<OperationNode>();
    const int axis = multicastAxis(*nest.block);
    const std::string name = box.stores ? "tma.store" : axis >= 0 ? "tma.load.multicast" : "tma.load";
    const std::string evicts = evictionOf(*nest.block).value_or("");
    n->row = findOperation(name + (evicts.empty() ? "" : "." + evicts));
    n->origin = nest.store->origin;
    n->uncovered = asks;
    n->map = map;
    const std::size_t shared = box.stores ? 1 : 0, global = 1 - shared;
    n->places.resize(2);
    n->places[shared] = moved(box.shared, box.shared.at.size() - 2, first, extents);
    n->places[global] = moved(box.global, box.rows, first, extents);
    n->values = {ir::intImm(box.stores ? width : extents[1]),
                 ir::intImm(box.stores ? extents[1] : width),
                 ir::cast(DType::Int(32), n->places[global].at.back()),
                 ir::cast(DType::Int(32), analyzer_.simplify(rowOf(n->places[global], box.rows))),
                 ir::intImm(0),
                 ir::intImm(0)};
    if (axis >= 0) n->values.push_back(multicastBlocks(kernel_, std::size_t(axis)));
    return n;
  }
  BufferPlace moved(BufferPlace place, std::size_t rows, std::array<std::int64_t, 2> by,
                    std::array<std::int64_t, 2> extents) {
    if (place.at.size() > 1)
      place.at[rows] = analyzer_.simplify(place.at[rows] + ir::intImm(by[0], place.at[rows]->dtype));
    Expr& column = place.at.back();
    column = analyzer_.simplify(column + ir::intImm(by[1], column->dtype));
    place.box = extents;
    return place;
  }

  Kernel& kernel_;
  arith::Analyzer analyzer_;
  std::vector<const LoopNode*> loops_;  // around what is walked
  std::vector<Expr> conditions_;
  std::optional<Error> error_;
};

}  // namespace

Result<void> useCopyEngine(Kernel& kernel) {
  if (annotatedBlocks(kernel.body, kCopy).empty()) return {};
  kernel.body = gatherConditions(kernel.body);
  return CopyEngine(kernel).run();
}

}  // namespace loom::lower
