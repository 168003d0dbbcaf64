#include "core/exec/footprint.h"

#include <algorithm>
#include <set>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/loads.h"
#include "core/ir/visit.h"

namespace loom::exec {

namespace dev = loom::device;
using namespace ir;

namespace {

class Skeleton {
 public:
  explicit Skeleton(const dev::Kernel& kernel) : kernel_(kernel) {
    for (const Buffer& b : kernel.params) global_.insert(b.get());
    const dev::BufferUses uses = dev::usesOf(kernel.body);
    written_.insert(uses.written.begin(), uses.written.end());
    std::erase_if(written_, [&](const BufferNode* b) { return !global_.count(b); });
    read_ = makeBuffer(Id{}, "read", DType::Float(32), {intImm(1)}, "local");
    // Each block writes a number of its own, so that two of them never write the same.
    Expr n = kernel.blockIdx[2];
    n = n * intImm(kernel.grid[1]) + kernel.blockIdx[1];
    number_ = n * intImm(kernel.grid[0]) + kernel.blockIdx[0];
  }

  bool complete = true;

  dev::Kernel run() {
    dev::Kernel k = kernel_;
    dev::Allocation a;
    a.buffer = read_;
    a.memory = dev::Memory::Local;
    a.elements = 1;
    k.allocations = {a};
    k.body = reduced(kernel_.body);
    return k;
  }

 private:
  // Can its value be computed from variables and inputs alone?
  bool isPlace(const Expr& e) const {
    return std::ranges::all_of(loadsIn(e), [&](const LoadNode* l) {
      return global_.count(l->buffer.get()) && !written_.count(l->buffer.get());
    });
  }

  dev::Stmt store(const Buffer& b, Expr index, int lanes) {
    auto s = std::make_shared<dev::StoreNode>();
    s->to = {b, {std::move(index)}, lanes, false};
    Expr value = b->dtype.isBool() ? Expr(boolImm(true)) : cast(b->dtype.element(), number_);
    s->value = lanes > 1 ? broadcast(value, lanes) : value;
    return s;
  }

  // Reads of the memory that the kernel writes, one statement each.
  void reads(const Expr& e, std::vector<dev::Stmt>& out) {
    forEachExpr(e, [&](const Expr& x) {
      auto* l = asLoad(x);
      if (!l || !written_.count(l->buffer.get())) return;
      if (!isPlace(l->indices[0])) {
        complete = false;
        return;
      }
      for (int lane = 0; lane < x->dtype.lanes; ++lane) {
        Expr index = l->indices[0];
        if (index->kind == ExprKind::Ramp) {
          const auto& r = *as<RampNode>(index);
          index = r.base + r.stride * intImm(lane, r.stride->dtype);
        }
        auto s = std::make_shared<dev::StoreNode>();
        s->to = {read_, {intImm(0)}, 1, false};
        s->value = cast(DType::Float(32), load(l->buffer, {index}));
        out.push_back(s);
      }
    });
  }

  dev::Stmt reduced(const dev::Stmt& s) {
    if (!s) return nullptr;
    switch (s->kind) {
      case dev::StmtKind::Seq: {
        std::vector<dev::Stmt> kept;
        for (const dev::Stmt& child : dev::as<dev::SeqNode>(s)->stmts) {
          if (auto k = reduced(child)) kept.push_back(k);
        }
        return kept.empty() ? nullptr : dev::seq(std::move(kept));
      }
      case dev::StmtKind::Block: {
        dev::Stmt body = reduced(dev::as<dev::BlockNode>(s)->body);
        if (!body) return nullptr;
        auto n = std::make_shared<dev::BlockNode>(*dev::as<dev::BlockNode>(s));
        n->body = std::move(body);
        return n;
      }
      case dev::StmtKind::Loop: {
        const auto& loop = *dev::as<dev::LoopNode>(s);
        dev::Stmt body = reduced(loop.body);
        if (!body) return nullptr;
        auto n = std::make_shared<dev::LoopNode>(loop);
        n->body = body;
        if (!isPlace(loop.extent)) {
          complete = false;
          return nullptr;
        }
        // What a loop only repeats happens once.
        if (asInt(loop.extent) && !uses(body, loop.var.get())) n->extent = minOf(loop.extent, intImm(1));
        return n;
      }
      case dev::StmtKind::If: {
        const auto& branch = *dev::as<dev::IfNode>(s);
        dev::Stmt yes = reduced(branch.yes), no = reduced(branch.no);
        if (!yes && !no) return nullptr;
        if (!isPlace(branch.condition)) {
          complete = false;
          return nullptr;
        }
        auto n = std::make_shared<dev::IfNode>(branch);
        n->yes = yes;
        n->no = no;
        return n;
      }
      case dev::StmtKind::Store: {
        const auto& n = *dev::as<dev::StoreNode>(s);
        std::vector<dev::Stmt> kept;
        reads(n.value, kept);
        reads(n.to.index(), kept);
        if (written_.count(n.to.buffer.get())) {
          if (isPlace(n.to.index())) {
            kept.push_back(store(n.to.buffer, n.to.index(), n.to.lanes));
          } else {
            complete = false;
          }
        }
        return kept.empty() ? nullptr : dev::seq(std::move(kept));
      }
      case dev::StmtKind::Operation: return tiles(s);
      case dev::StmtKind::Sync: return nullptr;
    }
    return nullptr;
  }

  // The elements of the tiles and spans that an operation writes, one after the other.
  dev::Stmt tiles(const dev::Stmt& s) {
    std::vector<dev::Stmt> all;
    for (const dev::MemoryEffect& effect : dev::effectsOf(s).memory) {
      const dev::BufferPlace& place = effect.place;
      if (effect.operand < 0 || !written_.count(place.buffer.get())) continue;
      if (!effect.writes() || !isPlace(place.index()) || (effect.tile && !isPlace(effect.tile->leading))) {
        complete = false;
        return nullptr;
      }
      all.push_back(effect.tile ? tile(*dev::as<dev::OperationNode>(s), place, *effect.tile)
                                : store(place.buffer, place.index(), place.lanes));
    }
    return dev::seq(std::move(all));
  }
  dev::Stmt tile(const dev::OperationNode& operation, const dev::BufferPlace& first, const dev::MemoryTile& tile) {
    auto loop = [](const Var& v, std::int64_t extent, dev::Stmt body) {
      auto l = std::make_shared<dev::LoopNode>();
      l->var = v;
      l->extent = intImm(extent);
      l->body = std::move(body);
      return l;
    };
    Var row = makeVar("row"), column = makeVar("column");
    Expr index = first.index() + row * tile.leading + column;
    auto onlyIf = [](Expr condition, dev::Stmt yes) {
      auto n = std::make_shared<dev::IfNode>();
      n->condition = std::move(condition);
      n->yes = std::move(yes);
      return n;
    };
    dev::Stmt element = store(first.buffer, index, 1);
    if (operation.map >= 0) element = onlyIf(isInside(operation, row, column), element);
    dev::Stmt all = loop(row, tile.rows, loop(column, tile.columns, element));
    const int together = operation.row->group == dev::Group::Warp        ? 32
                         : operation.row->group == dev::Group::Warpgroup ? 128
                                                                         : 1;
    if (together == 1 || kernel_.block[0] % together != 0) return all;
    return onlyIf(eq(floormod(kernel_.threadIdx[0], intImm(together)), intImm(0)), all);
  }
  // Of a box of the copy engine, which leaves out what lies outside of the matrix.
  Expr isInside(const dev::OperationNode& n, const Var& row, const Var& column) const {
    const dev::TensorMap& map = kernel_.maps[std::size_t(n.map)];
    const auto value = [&](std::string_view name) {
      return n.values[std::size_t(std::ranges::find(n.row->values, name) - n.row->values.begin())];
    };
    return andOf(lt(value("row") + row, intImm(map.extents[0])), lt(value("column") + column, intImm(map.extents[1])));
  }

  static bool uses(const dev::Stmt& s, const VarNode* v) {
    bool found = false;
    dev::forEach(s, [&](const dev::Stmt& x) {
      for (const Expr& e : dev::expressionsOf(x)) {
        found = found || usesVar(e, [&](const VarNode* u) { return u == v; });
      }
      return !found;
    });
    return found;
  }

  const dev::Kernel& kernel_;
  std::set<const BufferNode*> global_, written_;
  Buffer read_;
  Expr number_;
};

}  // namespace

Footprint footprintOf(const dev::Program& program, std::size_t kernel, const std::map<int, InputValues>& contents,
                      double seconds, std::stop_token stop) {
  Footprint result;
  Skeleton skeleton(program.kernels[kernel]);
  dev::Program reduced = program;
  reduced.kernels = {skeleton.run()};
  reduced.host.launches = {0};
  result.complete = skeleton.complete;
  auto executable = prepare(reduced);
  if (!executable) {
    result.complete = false;
    return result;
  }
  const Code& code = executable->codes[0];
  Plan plan;
  plan.kernels.resize(1);
  const std::int64_t blocks = code.grid[0] * code.grid[1] * code.grid[2];
  const double each = estimateBlock(code, {});
  if (each * double(blocks) > seconds * 1e9) {
    // As many as there is time for, spread over the grid.
    result.complete = false;
    const auto fits = std::int64_t(seconds * 1e9 / std::max(1.0, each));
    if (fits < 2) return result;
    const double stride = double(blocks) / double(fits);
    for (std::int64_t n = 0; n < fits; ++n) plan.kernels[0].blocks.push_back(std::int64_t(double(n) * stride));
  }
  GlobalMemory memory(*executable, contents, plan);
  auto findings = execute(*executable, plan, memory, stop);
  if (!findings) return result;
  std::set<std::int64_t> meeting;
  auto numberOf = [&](const std::array<std::int64_t, 3>& at) {
    return at[0] + code.grid[0] * (at[1] + code.grid[1] * at[2]);
  };
  for (const Finding& f : *findings) {
    if (f.kind != Finding::Kind::RaceBetweenBlocks && f.kind != Finding::Kind::RepeatedStore) continue;
    if (f.blockIdx == f.otherBlockIdx) continue;
    meeting.insert(numberOf(f.blockIdx));
    meeting.insert(numberOf(f.otherBlockIdx));
  }
  result.meeting = {meeting.begin(), meeting.end()};
  return result;
}

}  // namespace loom::exec
