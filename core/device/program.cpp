#include "core/device/program.h"

#include <algorithm>
#include <utility>

#include "core/device/build.h"
#include "core/device/operation.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"

namespace loom::device {

std::vector<std::int64_t> Allocation::extents() const {
  std::vector<std::int64_t> all;
  for (const layout::Dimension& d : layout.inputs()) all.push_back(d.extent);
  return all;
}

std::vector<std::int64_t> Allocation::strides() const {
  const auto* first = layout.stages().empty() ? nullptr : std::get_if<layout::DigitStage>(&layout.stages().front());
  if (!first) return {};
  std::vector<std::int64_t> all(layout.inputs().size());
  for (const layout::Digit& d : first->digits) {
    if (d.divisor != 1 || d.extent != layout.inputs()[std::size_t(d.source)].extent) return {};
    all[std::size_t(d.source)] = d.stride;
  }
  return all;
}

namespace {
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
}  // namespace

std::int64_t Kernel::sharedBytes() const {
  std::int64_t bytes = 0;
  for (const Allocation& a : allocations) {
    std::int64_t end = 0;
    if (!isShared(a.memory)) continue;
    if (__builtin_add_overflow(a.offset, a.bytes(), &end)) return kMost;
    bytes = std::max(bytes, end);
  }
  return bytes;
}

std::vector<SharedRegion> Kernel::sharedRegions() const {
  std::vector<const Allocation*> all;
  for (const Allocation& a : allocations)
    if (isShared(a.memory)) all.push_back(&a);
  std::ranges::stable_sort(all, {}, &Allocation::offset);
  std::vector<SharedRegion> regions;
  std::int64_t begin = 0;  // of the last region
  for (const Allocation* a : all) {
    if (regions.empty() || a->offset < 0 || a->offset - begin >= regions.back().bytes) {
      regions.emplace_back();
      begin = a->offset;
    }
    SharedRegion& region = regions.back();
    region.allocations.push_back(a);
    std::int64_t end = 0;  // from the region's first byte on
    if (__builtin_add_overflow(a->offset - begin, a->bytes(), &end)) end = kMost;
    region.bytes = std::max(region.bytes, end);
  }
  return regions;
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
    case StmtKind::Operation:
    case StmtKind::Sync: break;
  }
}

bool hasOperationsOf(Group group, const Stmt& s) {
  bool found = false;
  forEach(s, [&](const Stmt& inner) {
    found |= inner->kind == StmtKind::Operation && as<OperationNode>(inner)->row->group == group;
    return !found;
  });
  return found;
}

std::vector<const BlockNode*> annotatedBlocks(const Stmt& s, const std::string& key) {
  std::vector<const BlockNode*> blocks;
  forEach(s, [&](const Stmt& inner) {
    if (inner->kind == StmtKind::Block && as<BlockNode>(inner)->annotations.contains(key))
      blocks.push_back(as<BlockNode>(inner));
    return true;
  });
  return blocks;
}

std::vector<Expr> expressionsOf(const Stmt& s) {
  std::vector<Expr> found;
  mapExpressions(s, [&](const Expr& e) {
    found.push_back(e);
    return e;
  });
  return found;
}

Stmt seq(std::vector<Stmt> stmts) {
  std::vector<Stmt> flat;
  flat.reserve(stmts.size());
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
  auto node = ir::newNode<SeqNode>();
  node->stmts = std::move(flat);
  return node;
}

std::string withNames(std::string_view text, const std::function<std::string(std::string_view)>& valueOf) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    out += valueOf(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return out;
}

std::string textOf(const SyncNode& n, bool cuda, const Kernel& kernel, const SyncNames& names) {
  const SyncTexts* row = n.phase    ? &rowOf(n.token).ofPhase
                         : n.target ? &rowOf(n.token).ofTarget
                                    : rowOf(n.token).find(n.does);
  if (!row) return "";
  const Mbarrier* barrier = n.barrier < 0 ? nullptr : &kernel.mbarriers[std::size_t(n.barrier)];
  return withNames(cuda ? row->text : row->print, [&](std::string_view name) -> std::string {
    if (name == "allow") return std::to_string(n.allow);
    if (name == "bytes") return std::to_string(n.bytes);
    if (name == "barrier" && barrier) return names.buffer(barrier->buffer);
    if (name == "phases" && barrier) return names.buffer(barrier->buffer) + "_phases";
    // In CUDA the phase that counts as ended at first is one before the first of the hardware's.
    if (name == "phase" && barrier && n.phase) {
      return names.value(cuda && barrier->open ? n.phase + ir::intImm(1, n.phase->dtype) : n.phase);
    }
    if (name == "target" && n.target) return names.value(n.target);
    if (name == "slots" && barrier) return std::to_string(barrier->slots);
    if (name == "arrivals" && barrier) return std::to_string(barrier->arrivals);
    return name == "slot" && n.slot ? names.value(n.slot) : "0";
  });
}

std::shared_ptr<SyncNode> makeSync(Token token, SyncDoes does, int allow) {
  auto s = std::make_shared<SyncNode>();
  s->token = token;
  s->does = does;
  s->allow = allow;
  return s;
}

Stmt barrier() { return makeSync(Token::BlockBarrier); }
Stmt clusterBarrier() { return makeSync(Token::ClusterBarrier); }
Stmt clusterExchange() { return makeSync(Token::ClusterExchange); }
Stmt warpBarrier() { return makeSync(Token::WarpBarrier); }

namespace {

// Each of them replaced by f(it); nothing if none is another then.
template <class T>
std::optional<std::vector<T>> mapped(const std::vector<T>& all, const std::function<T(const T&)>& f) {
  std::optional<std::vector<T>> made;
  for (std::size_t i = 0; i < all.size(); ++i) {
    T now = f(all[i]);
    if (!made && now != all[i]) made = all;
    if (made) (*made)[i] = std::move(now);
  }
  return made;
}

// A statement of which a copy is made when something of it is first changed.
template <class Node>
class Edited {
 public:
  explicit Edited(const Stmt& s) : s_(s) {}
  Node& node() {
    if (!copy_) copy_ = ir::newNode<Node>(*as<Node>(s_));
    return *copy_;
  }
  Stmt result() const { return copy_ ? copy_ : s_; }

 private:
  const Stmt& s_;
  std::shared_ptr<Node> copy_;
};

}  // namespace

Stmt mapChildren(const Stmt& s, const std::function<Stmt(const Stmt&)>& f) {
  switch (s->kind) {
    case StmtKind::Seq: {
      auto stmts = mapped(as<SeqNode>(s)->stmts, f);
      return stmts ? seq(std::move(*stmts)) : s;
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
    case StmtKind::Operation:
    case StmtKind::Sync: break;
  }
  return s;
}

BufferPlace mapPlace(const BufferPlace& place, const std::function<Expr(const Expr&)>& f) {
  BufferPlace mapped = place;
  for (Expr& index : mapped.at) index = f(index);
  return mapped;
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
      auto at = mapped(n.to.at, f);
      Expr value = f(n.value);
      if (!at && value == n.value) return s;
      return edit<StoreNode>(s, [&](StoreNode& m) {
        if (at) m.to.at = std::move(*at);
        m.value = value;
      });
    }
    case StmtKind::Operation: {
      const auto& n = *as<OperationNode>(s);
      Edited<OperationNode> edited(s);
      for (std::size_t p = 0; p < n.places.size(); ++p)
        if (auto at = mapped(n.places[p].at, f)) edited.node().places[p].at = std::move(*at);
      if (auto values = mapped(n.values, f)) edited.node().values = std::move(*values);
      if (Expr slot = n.slot ? f(n.slot) : n.slot; slot != n.slot) edited.node().slot = std::move(slot);
      return edited.result();
    }
    case StmtKind::Sync: {
      const auto& n = *as<SyncNode>(s);
      Edited<SyncNode> edited(s);
      for (std::size_t l = 0; l < n.landed.size(); ++l)
        if (auto versions = mapped(n.landed[l].versions, f)) edited.node().landed[l].versions = std::move(*versions);
      for (Expr SyncNode::*part : {&SyncNode::slot, &SyncNode::phase, &SyncNode::target}) {
        Expr now = n.*part ? f(n.*part) : n.*part;
        if (now != n.*part) edited.node().*part = std::move(now);
      }
      return edited.result();
    }
    case StmtKind::Seq:
    case StmtKind::Block: break;
  }
  return s;
}

namespace {

// s in nodes of its own, each changed by `change` before what is inside it.
Stmt copied(const Stmt& s, const std::function<void(StmtNode&)>& change) {
  if (!s) return s;
  const auto inside = [&](Stmt& child) { child = copied(child, change); };
  const auto leaf = [&](StmtNode& n) { change(n); };
  const auto around = [&](auto& n) {
    change(n);
    inside(n.body);
  };
  switch (s->kind) {
    case StmtKind::Seq:
      return edit<SeqNode>(s, [&](SeqNode& n) {
        change(n);
        std::ranges::for_each(n.stmts, inside);
      });
    case StmtKind::Loop: return edit<LoopNode>(s, around);
    case StmtKind::Block: return edit<BlockNode>(s, around);
    case StmtKind::If:
      return edit<IfNode>(s, [&](IfNode& n) {
        change(n);
        inside(n.yes);
        inside(n.no);
      });
    case StmtKind::Store: return edit<StoreNode>(s, leaf);
    case StmtKind::Operation: return edit<OperationNode>(s, leaf);
    case StmtKind::Sync: return edit<SyncNode>(s, leaf);
  }
  return s;
}

}  // namespace

Stmt numbered(const Stmt& s, int& next) {
  return copied(s, [&](StmtNode& n) {
    if (n.kind != StmtKind::Seq) n.number = next++;
  });
}

Stmt copyOf(const Stmt& s) {
  return copied(s, [](StmtNode&) {});
}

Stmt substitute(const Stmt& s, const Var& var, const Expr& value) {
  ir::VarMap map{{var.get(), value}};
  const std::function<Stmt(const Stmt&)> walk = [&](const Stmt& node) {
    Stmt own = mapExpressions(node, [&](const Expr& e) { return ir::substitute(e, map); });
    return mapChildren(own, walk);
  };
  return walk(s);
}

}  // namespace loom::device
