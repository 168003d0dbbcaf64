#include "core/exec/declared_regions.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/exec/scalar_code.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::exec {

using namespace ir;

namespace {

constexpr int kWalks = 48;               // through the loops outside of blocks
constexpr std::int64_t kMost = 400'000;  // expressions evaluated in all

class Walk {
 public:
  Walk(const Function& f, const std::map<int, InputValues>& contents, std::uint64_t seed)
      : function_(f), random_(seed * 2 + 1) {
    for (std::size_t p = 0; p < f->params.size(); ++p) {
      if (auto found = contents.find(int(p)); f->params[p].buffer && found != contents.end()) {
        inputs_[f->params[p].buffer.get()] = found->second;
      }
    }
    forEachStmt(Stmt(f->body), [&](const Stmt& s) {
      if (s->kind == StmtKind::Store) inputs_.erase(as<StoreNode>(s)->buffer.get());
      return true;
    });
  }

  std::vector<Finding> run() {
    for (walk_ = 0; walk_ < kWalks && left_ > 0; ++walk_) visit(Stmt(function_->body->block->body));
    return std::move(found_);
  }

 private:
  struct Interval {
    std::int64_t low, high;
  };
  struct Region {
    const BufferNode* buffer;
    std::vector<Interval> ranges;
  };
  struct Open {  // a block around the current statement
    const BlockNode* block;
    std::vector<Region> reads, writes;
    std::set<const BufferNode*> own;  // allocated or viewed inside
  };

  std::uint64_t random() {
    random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;
    return random_;
  }

  // Nothing where it depends on memory that isn't known before the program runs.
  std::optional<std::int64_t> value(const Expr& e) {
    if (auto* constant = asInt(e)) return constant->value;
    if (--left_ < 0) return {};
    auto code = codes_.find(e.get());
    if (code == codes_.end()) {
      auto made = compiler_.compile(e);
      code = codes_.emplace(e.get(), made ? std::optional(std::move(*made)) : std::nullopt).first;
      kept_.push_back(e);
    }
    if (!code->second) return {};
    bool known = true;
    variables_.resize(compiler_.variables());
    const Value v = evaluate(*code->second, compiler_.accesses(), variables_.data(), Value{0},
                             [&](int buffer, std::int64_t offset) {
                               auto input = inputs_.find(compiler_.buffers()[std::size_t(buffer)].get());
                               known = known && input != inputs_.end() && offset >= 0;
                               return known ? input->second.at(offset) : Value{0};
                             });
    return known ? std::optional(v.i) : std::nullopt;
  }
  void set(const Var& v, std::int64_t x) {
    const auto n = std::size_t(compiler_.variable(v.get()));
    if (variables_.size() <= n) variables_.resize(n + 1);
    variables_[n].i = x;
  }

  // --- statements ---

  void visit(const Stmt& s) {
    if (!s || left_ < 0) return;
    switch (s->kind) {
      case StmtKind::For: return loop(*asFor(s));
      case StmtKind::BlockRealize: return block(*asRealize(s));
      case StmtKind::Store: {
        const auto& n = *as<StoreNode>(s);
        for (const Expr& i : n.indices) loads(i);
        loads(n.value);
        return access(n.buffer, n.indices, true);
      }
      case StmtKind::IfThenElse: {
        const auto& n = *as<IfThenElseNode>(s);
        loads(n.condition);
        if (auto c = value(n.condition)) visit(*c ? n.yes : n.no);
        return;
      }
      case StmtKind::Seq:
        for (const Stmt& child : asSeq(s)->stmts) visit(child);
        return;
      case StmtKind::Let: {
        const auto& n = *as<LetStmtNode>(s);
        loads(n.value);
        auto v = n.var->dtype.isIntegral() ? value(n.value) : std::optional<std::int64_t>(0);
        if (!v) return;
        set(n.var, *v);
        return visit(n.body);
      }
      case StmtKind::Attr: return visit(as<AttrNode>(s)->body);
      case StmtKind::Evaluate:
      case StmtKind::While: return;
    }
  }

  void loop(const ForNode& n) {
    auto first = value(n.min), extent = value(n.extent);
    if (!first || !extent || *extent <= 0) return;
    std::set<std::int64_t> chosen;
    if (open_.empty()) {
      // One iteration a walk: corners in the first walks.
      chosen.insert(walk_ == 0 ? 0 : walk_ == 1 ? *extent - 1 : std::int64_t(random() % std::uint64_t(*extent)));
    } else {
      chosen = {0, *extent - 1};
      for (int k = 0; k < 2; ++k) chosen.insert(std::int64_t(random() % std::uint64_t(*extent)));
    }
    for (const std::int64_t i : chosen) {
      set(n.var, *first + i);
      visit(n.body);
    }
  }

  void block(const BlockRealizeNode& n) {
    const BlockNode& b = *n.block;
    std::vector<std::int64_t> values;
    for (const Expr& e : n.values) {
      auto v = value(e);
      if (!v) return;
      values.push_back(*v);
    }
    for (std::size_t i = 0; i < values.size(); ++i) set(b.iters[i].var, values[i]);
    if (auto inside = value(n.predicate); !inside || !*inside) return;
    Open o{&b, {}, {}, {}};
    if (!regions(b.reads, o.reads) || !regions(b.writes, o.writes)) return;
    for (const Buffer& x : b.allocs) o.own.insert(x.get());
    for (const MatchBuffer& m : b.matches) o.own.insert(m.buffer.get());
    open_.push_back(std::move(o));
    visit(b.init);
    visit(b.body);
    open_.pop_back();
  }
  bool regions(const std::vector<BufferRegion>& declared, std::vector<Region>& out) {
    for (const BufferRegion& r : declared) {
      Region region{r.buffer.get(), {}};
      for (const Range& range : r.region) {
        auto low = value(range.min), extent = value(range.extent);
        if (!low || !extent) return false;
        region.ranges.push_back({*low, *low + *extent - 1});
      }
      out.push_back(std::move(region));
    }
    return true;
  }

  // --- accesses ---

  // Those of the side of a condition that is taken.
  void loads(const Expr& e) {
    if (!e) return;
    auto branch = [&](const Expr& condition, const Expr& yes, const Expr& no) {
      loads(condition);
      if (auto c = value(condition)) loads(*c ? yes : no);
    };
    if (auto* l = asLoad(e)) {
      for (const Expr& i : l->indices) loads(i);
      return access(l->buffer, l->indices, false);
    }
    if (auto* b = asBinary(e)) {
      if (b->kind == ExprKind::And) return branch(b->a, b->b, nullptr);
      if (b->kind == ExprKind::Or) return branch(b->a, nullptr, b->b);
      loads(b->a);
      return loads(b->b);
    }
    switch (e->kind) {
      case ExprKind::Not: return loads(as<NotNode>(e)->a);
      case ExprKind::Cast: return loads(as<CastNode>(e)->value);
      case ExprKind::Select: return branch(as<SelectNode>(e)->condition, as<SelectNode>(e)->yes, as<SelectNode>(e)->no);
      case ExprKind::Call: {
        const auto& n = *as<CallNode>(e);
        if (n.op == "if_then_else" && n.args.size() == 3) return branch(n.args[0], n.args[1], n.args[2]);
        for (const Expr& a : n.args) loads(a);
        return;
      }
      default: return;
    }
  }

  static bool covers(const std::vector<Region>& regions, const BufferNode* b, const std::vector<std::int64_t>& at) {
    for (const Region& r : regions) {
      if (r.buffer != b || r.ranges.size() != at.size()) continue;
      bool inside = true;
      for (std::size_t d = 0; d < at.size(); ++d)
        inside = inside && at[d] >= r.ranges[d].low && at[d] <= r.ranges[d].high;
      if (inside) return true;
    }
    return false;
  }

  static bool mentions(const Open& o, const BufferNode* b) {
    auto is = [&](const Region& r) { return r.buffer == b; };
    return std::ranges::any_of(o.reads, is) || std::ranges::any_of(o.writes, is);
  }

  void access(const Buffer& b, const std::vector<Expr>& indices, bool write) {
    std::vector<std::int64_t> at;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      auto v = value(indices[d]);
      // Out of bounds is a fault of its own.
      if (!v || *v < 0 || *v >= constantOr(b->shape[d], *v + 1)) return;
      at.push_back(*v);
    }
    for (std::size_t n = open_.size(); n-- > 0;) {
      const Open& o = open_[n];
      if (o.own.count(b.get())) return;
      if (o.block->iters.empty() && o.reads.empty() && o.writes.empty()) continue;
      // A kernel by hand says what it is given and gives back; what its threads keep in between is theirs.
      if (b->scope != "global" && !mentions(o, b.get())) continue;
      if (covers(o.writes, b.get(), at) || (!write && covers(o.reads, b.get(), at))) continue;
      return tell(*o.block, b, at, write);
    }
  }

  void tell(const BlockNode& block, const Buffer& b, const std::vector<std::int64_t>& at, bool write) {
    if (!told_.insert({&block, b.get(), write}).second) return;
    Finding f;
    f.kind = Finding::Kind::UndeclaredAccess;
    f.ofOriginal = true;
    f.kernel = function_->name;
    f.block = block.id;
    f.blockName = block.name;
    f.buffer = b->name;
    f.elements = 1;
    for (std::size_t d = 0; d < at.size(); ++d) {
      const std::int64_t extent = constantOr(b->shape[d], 1);
      f.element = f.element * extent + at[d];
      f.elements *= extent;
    }
    f.write = write;
    for (const IterVar& iter : block.iters) {
      f.loops.emplace_back(iter.var->name, variables_[std::size_t(compiler_.variable(iter.var.get()))].i);
    }
    f.threads.push_back({0, 0, 0});
    found_.push_back(std::move(f));
  }

  const Function& function_;
  std::uint64_t random_;
  std::map<const BufferNode*, InputValues> inputs_;
  ScalarCompiler compiler_;
  std::unordered_map<const ExprNode*, std::optional<ScalarCode>> codes_;
  std::vector<Expr> kept_;
  std::vector<Value> variables_;
  std::vector<Open> open_;
  std::set<std::tuple<const BlockNode*, const BufferNode*, bool>> told_;
  std::vector<Finding> found_;
  std::int64_t left_ = kMost;
  int walk_ = 0;
};

}  // namespace

std::vector<Finding> undeclaredAccesses(const Function& function, const std::map<int, InputValues>& contents,
                                        std::uint64_t seed) {
  return Walk(function, contents, seed).run();
}

}  // namespace loom::exec
