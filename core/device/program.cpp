#include "core/device/program.h"

#include <algorithm>
#include <utility>

#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"

namespace loom::device {

std::int64_t Kernel::sharedBytes() const {
  std::int64_t bytes = 0;
  for (const Allocation& a : allocations) {
    if (a.memory != Memory::Shared && a.memory != Memory::SharedDynamic) continue;
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (bytes > kMost - 15 || __builtin_add_overflow((bytes + 15) / 16 * 16, a.bytes(), &bytes)) return kMost;
  }
  return bytes;
}

Expr Kernel::gridExtent(int axis) const {
  const Expr& extent = gridExtents[std::size_t(axis)];
  return extent ? ir::cast(ir::DType::Int(32), extent) : ir::intImm(grid[std::size_t(axis)]);
}

void addRemark(std::vector<Remark>& remarks, Remark remark) {
  auto same = std::find_if(remarks.begin(), remarks.end(), [&](const Remark& r) { return r.text == remark.text; });
  if (same == remarks.end()) {
    remarks.push_back(std::move(remark));
  } else {
    same->subjects.insert(same->subjects.end(), remark.subjects.begin(), remark.subjects.end());
  }
}

void forEach(const Stmt& s, const std::function<bool(const Stmt&)>& f) {
  if (!s || !f(s)) return;
  switch (s->kind) {
    case StmtKind::Seq:
      for (const Stmt& child : as<SeqNode>(s)->stmts) forEach(child, f);
      break;
    case StmtKind::Loop: forEach(as<LoopNode>(s)->body, f); break;
    case StmtKind::If:
      forEach(as<IfNode>(s)->yes, f);
      forEach(as<IfNode>(s)->no, f);
      break;
    case StmtKind::Block: forEach(as<BlockNode>(s)->body, f); break;
    case StmtKind::Store:
    case StmtKind::Wmma:
    case StmtKind::Barrier: break;
  }
}

std::vector<Expr> expressionsOf(const Stmt& s) {
  if (s->kind == StmtKind::Store) return {as<StoreNode>(s)->index, as<StoreNode>(s)->value};
  std::vector<Expr> found;
  mapExpressions(s, [&](const Expr& e) {
    found.push_back(e);
    return e;
  });
  return found;
}

Stmt seq(std::vector<Stmt> stmts) {
  std::vector<Stmt> flat;
  for (Stmt& s : stmts) {
    if (!s) continue;
    if (s->kind == StmtKind::Seq) {
      for (const Stmt& inner : as<SeqNode>(s)->stmts) flat.push_back(inner);
    } else {
      flat.push_back(std::move(s));
    }
  }
  if (flat.empty()) return nullptr;
  if (flat.size() == 1) return flat.front();
  auto node = std::make_shared<SeqNode>();
  node->stmts = std::move(flat);
  return node;
}

Stmt barrier() { return std::make_shared<BarrierNode>(); }

Stmt mapChildren(const Stmt& s, const std::function<Stmt(const Stmt&)>& f) {
  switch (s->kind) {
    case StmtKind::Seq: {
      const auto& old = as<SeqNode>(s)->stmts;
      std::vector<Stmt> stmts;
      bool changed = false;
      for (const Stmt& child : old) {
        stmts.push_back(f(child));
        changed |= stmts.back() != child;
      }
      return changed ? seq(std::move(stmts)) : s;
    }
    case StmtKind::Loop: {
      Stmt body = f(as<LoopNode>(s)->body);
      if (body == as<LoopNode>(s)->body) return s;
      return body ? edit<LoopNode>(s, [&](LoopNode& n) { n.body = body; }) : nullptr;
    }
    case StmtKind::If: {
      const auto& n = *as<IfNode>(s);
      Stmt yes = n.yes ? f(n.yes) : nullptr, no = n.no ? f(n.no) : nullptr;
      if (yes == n.yes && no == n.no) return s;
      if (!yes && !no) return nullptr;
      return edit<IfNode>(s, [&](IfNode& m) {
        m.yes = yes ? yes : std::make_shared<SeqNode>();
        m.no = no;
      });
    }
    case StmtKind::Block: {
      Stmt body = f(as<BlockNode>(s)->body);
      if (body == as<BlockNode>(s)->body) return s;
      return body ? edit<BlockNode>(s, [&](BlockNode& n) { n.body = body; }) : nullptr;
    }
    case StmtKind::Store:
    case StmtKind::Wmma:
    case StmtKind::Barrier: break;
  }
  return s;
}

Stmt mapExpressions(const Stmt& s, const std::function<Expr(const Expr&)>& f) {
  switch (s->kind) {
    case StmtKind::Loop: {
      Expr extent = f(as<LoopNode>(s)->extent);
      return extent == as<LoopNode>(s)->extent ? s : edit<LoopNode>(s, [&](LoopNode& n) { n.extent = extent; });
    }
    case StmtKind::If: {
      Expr condition = f(as<IfNode>(s)->condition);
      return condition == as<IfNode>(s)->condition ? s : edit<IfNode>(s, [&](IfNode& n) { n.condition = condition; });
    }
    case StmtKind::Store: {
      const auto& n = *as<StoreNode>(s);
      Expr index = f(n.index), value = f(n.value);
      bool changed = index != n.index || value != n.value;
      auto elements = n.elements;
      for (StoreNode::Element& element : elements) {
        Expr at = f(element.index);
        changed |= at != element.index;
        element.index = std::move(at);
        for (Expr& c : element.coordinates) c = f(c);
      }
      if (!changed) return s;
      return edit<StoreNode>(s, [&](StoreNode& m) {
        m.index = index;
        m.value = value;
        m.elements = std::move(elements);
      });
    }
    case StmtKind::Wmma: {
      auto copy = std::make_shared<WmmaNode>(*as<WmmaNode>(s));
      bool changed = false;
      for (Expr* e : {&copy->d.index, &copy->a.index, &copy->b.index, &copy->c.index, &copy->fill, &copy->offset,
                      &copy->leading}) {
        if (!*e) continue;
        Expr now = f(*e);
        changed |= now != *e;
        *e = now;
      }
      return changed ? Stmt(copy) : s;
    }
    case StmtKind::Seq:
    case StmtKind::Block:
    case StmtKind::Barrier: break;
  }
  return s;
}

Stmt substitute(const Stmt& s, const Var& var, const Expr& value) {
  ir::VarMap map{{var.get(), value}};
  std::function<Stmt(const Stmt&)> walk = [&](const Stmt& node) {
    Stmt own = mapExpressions(node, [&](const Expr& e) { return ir::substitute(e, map); });
    return mapChildren(own, walk);
  };
  return walk(s);
}

}  // namespace loom::device
