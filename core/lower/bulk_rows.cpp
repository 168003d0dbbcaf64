#include "core/lower/bulk_rows.h"

#include <algorithm>
#include <optional>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/copy_engine.h"
#include "core/lower/copy_nest.h"
#include "core/lower/launch.h"
#include "core/lower/matrix_rows.h"

namespace loom::lower {
namespace {

using namespace device;

// PTX ISA, cp.async.bulk: what addresses and the length are multiples of, in bytes.
constexpr std::int64_t kBulkUnit = 16;

bool uses(const Expr& e, const LoopNode& loop) {
  return ir::usesVar(e, [&](const ir::VarNode* v) { return v == loop.var.get(); });
}

class RowStores {
 public:
  explicit RowStores(const Kernel& kernel) : kernel_(kernel) {
    for (int axis = 0; axis < 3; ++axis) {
      bind(kernel.threadIdx[axis], ir::intImm(kernel.block[axis]));
      bind(kernel.blockIdx[axis], kernel.gridExtent(axis));
    }
  }

  Result<Stmt> run() {
    Stmt body = walk(kernel_.body);
    if (error_) return Failure(*error_);
    return body;
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
    if (s->kind == StmtKind::Loop || s->kind == StmtKind::Block || s->kind == StmtKind::If)
      if (const auto nest = copyNest(s, "bulk"); nest && isOfCopy(s, *nest)) return copy(s, *nest);
    if (s->kind == StmtKind::Loop) bind(as<LoopNode>(s)->var, as<LoopNode>(s)->extent);
    return mapChildren(s, [&](const Stmt& child) { return walk(child); });
  }
  // Whether the statement is the copy itself, and no loop around that repeats it.
  static bool isOfCopy(const Stmt& s, const CopyNest& nest) {
    return s->kind != StmtKind::Loop || !nest.store ||
           std::ranges::any_of(nest.store->to.at, [&](const Expr& e) { return uses(e, *as<LoopNode>(s)); });
  }

  Stmt copy(const Stmt& s, const CopyNest& nest) {
    const std::string& name = nest.block->name;
    if (auto why = refusalOfCopy(nest)) return refuse(std::move(*why));
    const auto* load = ir::asLoad(nest.store->value);
    const auto memory = [](const Buffer& b) { return memoryOf(b->scope).value_or(Memory::Local); };
    if (!load || !isShared(memory(load->buffer)) || memory(nest.store->to.buffer) != Memory::Global)
      return refuse(nest, message("block {} doesn't copy from shared to global memory, which is what \"{}\" asks "
                                  "rows to be stored for",
                                  name, kCopy));
    if (auto why = refusalOfStore(kernel_, nest, *load)) return refuse(std::move(*why));
    for (const LoopNode* loop : nest.loops) bind(loop->var, loop->extent);
    const BufferPlace from{load->buffer, load->indices}, &to = nest.store->to;
    const LoopNode* along = rowOf(nest, from, to);
    if (!along)
      return refuse(nest,
                    message("no loop of block {} goes through rows of both {} and {} one element after the other", name,
                            from.buffer->name, to.buffer->name),
                    message("the copy as cache_read makes it, without sch.bind of its last loop"));
    const std::int64_t elements = ir::asInt(along->extent)->value, bytes = from.buffer->dtype.bytes();
    if (std::ranges::any_of(nest.conditions, [&](const Expr& c) { return uses(c, *along); }))
      return refuse(nest, message("a condition of block {} parts its rows, which are stored as a whole", name));
    if (!to.buffer->strides.empty())
      return refuse(
          nest, message("the copy engine takes {} as a matrix whose rows lie one after the other", to.buffer->name));
    const BufferPlace row = first(from, *along), there = first(to, *along);
    if (elements * bytes % kBulkUnit != 0 || !isAligned(offsetIn(row), bytes) || !isAligned(offsetIn(there), bytes))
      return refuse(nest,
                    message("rows of block {} have {} elements, {} bytes; the copy engine stores multiples of {} bytes "
                            "that begin at such in both {} and {}",
                            name, elements, elements * bytes, kBulkUnit, from.buffer->name, to.buffer->name),
                    message("without \"{}\" of block {}", kCopy, name));
    auto store = std::make_shared<OperationNode>();
    const std::string evicts = *evictionOf(*nest.block);
    store->row = findOperation("bulk.store" + (evicts.empty() ? "" : "." + evicts));
    store->origin = nest.store->origin;
    store->uncovered = nest.store->uncovered;
    store->places = {there, row};
    for (BufferPlace& place : store->places) place.box = {1, elements};
    store->values = {ir::intImm(elements)};
    auto commit = makeSync(Token::BulkStores, SyncDoes::Commit);
    commit->uncovered = store->uncovered;
    auto block = std::make_shared<BlockNode>(*nest.block);
    block->body = seq({inPlace(s, *along, store), commit});
    return block;
  }

  // The loop along the last index of both memories, whose iterations are known.
  const LoopNode* rowOf(const CopyNest& nest, const BufferPlace& from, const BufferPlace& to) {
    const auto isLast = [&](const BufferPlace& p, const LoopNode& loop) {
      return dimensionOf(p.at, loop, analyzer_) + 1 == int(p.at.size());
    };
    const auto found = std::ranges::find_if(nest.loops, [&](const LoopNode* loop) {
      return ir::asInt(loop->extent) && isLast(from, *loop) && isLast(to, *loop);
    });
    return found == nest.loops.end() ? nullptr : *found;
  }
  BufferPlace first(const BufferPlace& place, const LoopNode& along) {
    const ir::VarMap zero{{along.var.get(), ir::intImm(0, along.var->dtype)}};
    return mapPlace(place, [&](const Expr& e) { return analyzer_.simplify(ir::substitute(e, zero)); });
  }

  // The number of an element in the memory that its buffer lies in: in shared memory by the allocation's rows, which
  // may be padded.
  Expr offsetIn(const BufferPlace& place) const {
    const auto own = std::ranges::find(kernel_.allocations, place.buffer, &Allocation::buffer);
    const std::vector<std::int64_t> strides =
        own == kernel_.allocations.end() ? std::vector<std::int64_t>() : own->strides();
    const Expr& begin = place.buffer->elemOffset;
    Expr offset = ir::intImm(0, DType::Int(64));
    for (std::size_t d = 0; d < place.at.size(); ++d) {
      const Expr at = ir::cast(DType::Int(64), place.at[d]);
      if (!strides.empty())
        offset = offset + at * ir::intImm(strides[d], DType::Int(64));
      else
        offset = offset * ir::cast(DType::Int(64), place.buffer->shape[d]) + at;
    }
    return begin ? ir::cast(DType::Int(64), begin) + offset : offset;
  }
  bool isAligned(const Expr& offset, std::int64_t bytes) {
    const arith::ModularSet set = analyzer_.modularSet(analyzer_.simplify(offset));
    return set.coeff * bytes % kBulkUnit == 0 && set.base * bytes % kBulkUnit == 0;
  }

  // The nest with the operation in place of the loop along the row, and of the blocks and the store within.
  Stmt inPlace(const Stmt& s, const LoopNode& along, const Stmt& operation) const {
    if (s->kind == StmtKind::Store) return operation;
    if (s.get() == &along) return inPlace(along.body, along, operation);
    if (s->kind == StmtKind::Block) return inPlace(as<BlockNode>(s)->body, along, operation);
    return mapChildren(s, [&](const Stmt& child) { return inPlace(child, along, operation); });
  }

  const Kernel& kernel_;
  arith::Analyzer analyzer_;
  std::optional<Error> error_;
};

}  // namespace

Result<void> storeRows(Kernel& kernel) {
  if (annotatedBlocks(kernel.body, kCopy).empty()) return {};
  auto body = RowStores(kernel).run();
  if (!body) return Failure(body.error());
  kernel.body = *body;
  return {};
}

}  // namespace loom::lower
