#include "core/intrin/match.h"

#include <algorithm>
#include <optional>

#include "core/arith/analyzer.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/script/printer.h"

namespace loom::intrin {
namespace {

using namespace loom::ir;

std::string text(const Expr& e) { return e ? script::printExpr(e) : "nothing"; }

std::string text(const Stmt& s) {
  switch (s->kind) {
    case StmtKind::For: return "a loop";
    case StmtKind::BlockRealize: return "a block";
    case StmtKind::Store: return "a store";
    case StmtKind::Evaluate: return "a call";
    case StmtKind::IfThenElse: return "if";
    case StmtKind::Seq: return std::to_string(asSeq(s)->stmts.size()) + " statements";
    case StmtKind::Let: return "let";
    case StmtKind::Attr: return "attr";
    case StmtKind::While: return "while";
  }
  return "";
}

std::string_view kindName(ForKind k) {
  switch (k) {
    case ForKind::Serial: return "serial";
    case ForKind::Parallel: return "parallel";
    case ForKind::Vectorized: return "vectorized";
    case ForKind::Unrolled: return "unrolled";
    case ForKind::ThreadBinding: return "thread_binding";
  }
  return "";
}

std::string iterTypes(const std::vector<IterVar>& iters) {
  std::string out;
  for (const auto& iter : iters) out += "SRO"[static_cast<int>(iter.type)];
  return out;
}

// Left is the program, right the description, as in TVM.
class Comparator {
 public:
  // False with difference() set.
  bool compare(const BlockRealize& left, const BlockRealize& right) {
    place_ = left->block->id;
    if (!expr(left->predicate, right->predicate)) {
      difference_ = Difference{"predicate", text(left->predicate), text(right->predicate), place_, true};
      return false;
    }
    return block(*left->block, *right->block);
  }
  Match match;
  const Difference& difference() const { return *difference_; }

 private:
  // The innermost difference is met first and stays.
  bool differ(std::string what, std::string found, std::string wanted) {
    if (!difference_) difference_ = Difference{std::move(what), std::move(found), std::move(wanted), place_, false};
    return false;
  }
  template <class T, class F>
  bool all(const std::vector<T>& left, const std::vector<T>& right, const char* what, F compareOne) {
    if (left.size() != right.size()) {
      return differ(std::string("number of ") + what, std::to_string(left.size()), std::to_string(right.size()));
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!compareOne(left[i], right[i])) return differ(what, "", "");
    }
    return true;
  }

  bool stmt(const Stmt& left, const Stmt& right) {
    const Id around = place_;
    if (!placed(left, right)) return false;
    place_ = around;
    return true;
  }

  bool placed(const Stmt& left, const Stmt& right) {
    if (left->kind != right->kind) return differ("statement", text(left), text(right));
    switch (left->kind) {
      case StmtKind::For: return loop(*as<ForNode>(left), *as<ForNode>(right));
      case StmtKind::BlockRealize: return inner(*as<BlockRealizeNode>(left), *as<BlockRealizeNode>(right));
      case StmtKind::Seq:
        return all(asSeq(left)->stmts, asSeq(right)->stmts, "statements",
                   [&](const Stmt& a, const Stmt& b) { return stmt(a, b); });
      case StmtKind::Store: {
        auto *a = as<StoreNode>(left), *b = as<StoreNode>(right);
        return access(a->buffer, a->indices, b->buffer, b->indices) && expr(a->value, b->value);
      }
      default: return differ("statement that no description may have", text(left), text(right));
    }
  }

  bool loop(const ForNode& left, const ForNode& right) {
    place_ = left.id;
    if (!define(left.var, right.var)) return differ("loop variable", left.var->name, right.var->name);
    if (!named("loop start", left.min, right.min) || !named("loop extent", left.extent, right.extent)) return false;
    if (left.forKind != right.forKind || left.thread != right.thread) {
      return differ("loop kind", std::string(kindName(left.forKind)) + " " + left.thread,
                    std::string(kindName(right.forKind)) + " " + right.thread);
    }
    if (!annotations(left.annotations, right.annotations)) return false;
    return stmt(left.body, right.body);
  }

  bool inner(const BlockRealizeNode& left, const BlockRealizeNode& right) {
    place_ = left.block->id;
    if (!all(left.values, right.values, "iterator values", [&](const Expr& a, const Expr& b) { return expr(a, b); })) {
      return false;
    }
    if (!named("predicate", left.predicate, right.predicate)) return false;
    return block(*left.block, *right.block);
  }

  bool block(const BlockNode& left, const BlockNode& right) {
    place_ = left.id;
    for (const auto& iter : left.iters) leftAnalyzer_.bind(iter.var, iter.domain);
    if (!isOutermost_) {
      auto sameIter = [&](const IterVar& a, const IterVar& b) { return define(a.var, b.var) && a.type == b.type; };
      if (left.iters.size() != right.iters.size() ||
          !std::equal(left.iters.begin(), left.iters.end(), right.iters.begin(), sameIter)) {
        return differ("iterator types", iterTypes(left.iters), iterTypes(right.iters));
      }
      if (!all(left.allocs, right.allocs, "allocations",
               [&](const Buffer& a, const Buffer& b) { return buffer(a, b); })) {
        return false;
      }
    }
    auto compareRegion = [&](const BufferRegion& a, const BufferRegion& b) { return region(a, b); };
    if (!all(left.writes, right.writes, "writes", compareRegion)) return false;
    if (!all(left.reads, right.reads, "reads", compareRegion)) return false;
    isOutermost_ = false;
    return stmt(left.body, right.body);
  }

  bool expr(const Expr& left, const Expr& right) {
    if (left == right) return true;
    bool equal = left->kind == right->kind && left->dtype.code == right->dtype.code && sameKind(left, right);
    return equal || differ("expression", text(left), text(right));
  }

  // An expression whose place says more than that it is one.
  bool named(const char* what, const Expr& left, const Expr& right) {
    if (expr(left, right)) return true;
    difference_.reset();
    return differ(what, text(left), text(right));
  }

  bool sameKind(const Expr& left, const Expr& right) {
    switch (left->kind) {
      case ExprKind::Var: {
        auto it = equal_.find(as<VarNode>(left));
        return it != equal_.end() && it->second == right.get();
      }
      case ExprKind::IntImm: return asInt(left)->value == asInt(right)->value;
      case ExprKind::FloatImm: return as<FloatImmNode>(left)->value == as<FloatImmNode>(right)->value;
      case ExprKind::Cast: return expr(as<CastNode>(left)->value, as<CastNode>(right)->value);
      case ExprKind::Load: {
        auto *a = as<LoadNode>(left), *b = as<LoadNode>(right);
        return access(a->buffer, a->indices, b->buffer, b->indices);
      }
      case ExprKind::Select: {
        auto *a = as<SelectNode>(left), *b = as<SelectNode>(right);
        return expr(a->condition, b->condition) && expr(a->yes, b->yes) && expr(a->no, b->no);
      }
      case ExprKind::Call: {
        auto *a = as<CallNode>(left), *b = as<CallNode>(right);
        return a->op == b->op &&
               all(a->args, b->args, "arguments", [&](const Expr& x, const Expr& y) { return expr(x, y); });
      }
      default:
        return isBinary(left->kind) && expr(as<BinaryNode>(left)->a, as<BinaryNode>(right)->a) &&
               expr(as<BinaryNode>(left)->b, as<BinaryNode>(right)->b);
    }
  }

  bool define(const Var& left, const Var& right) {
    if (left == right) return true;
    auto [it, isNew] = equal_.try_emplace(left.get(), right.get());
    if (!isNew) return it->second == right.get();
    if (!left->dtype.isHandle()) analyzer_.bind(left, cast(left->dtype, right));
    return true;
  }

  bool buffer(const Buffer& left, const Buffer& right) {
    if (left == right) return true;
    auto it = match.current.find(right.get());
    if (it != match.current.end()) return it->second == left || differ("buffer", left->name, right->name);
    if (!define(left->data, right->data)) return differ("buffer", left->name, right->name);
    if (left->dtype != right->dtype) return differ("buffer type", left->dtype.str(), right->dtype.str());
    if (left->scope != right->scope) return differ("buffer scope", left->scope, right->scope);
    match.current.emplace(right.get(), left);
    return true;
  }

  bool region(const BufferRegion& left, const BufferRegion& right) {
    if (!buffer(left.buffer, right.buffer)) return false;
    if (left.region.size() < right.region.size()) {
      return differ("number of dimensions", std::to_string(left.region.size()), std::to_string(right.region.size()));
    }
    std::size_t offset = left.region.size() - right.region.size();
    auto it = match.base.find(left.buffer.get());
    bool isFirst = it == match.base.end();
    std::vector<Expr> base;
    for (std::size_t i = 0; i < offset; ++i) {
      const Range& l = left.region[i];
      if (!isConst(l.extent, 1)) return differ("region extent", text(l.extent), "1");
      if (!isFirst && !leftAnalyzer_.canProveEqual(it->second[i], l.min)) {
        return differ("region start", text(l.min), text(it->second[i]));
      }
      base.push_back(l.min);
    }
    for (std::size_t i = 0; i < right.region.size(); ++i) {
      const Range &l = left.region[i + offset], &r = right.region[i];
      if (!analyzer_.canProveEqual(l.extent, r.extent)) return differ("region extent", text(l.extent), text(r.extent));
      base.push_back(l.min);
      if (isFirst) continue;
      Expr start = leftAnalyzer_.simplify(l.min - it->second[i + offset]);
      if (!analyzer_.canProveEqual(start, r.min)) return differ("region start", text(start), text(r.min));
    }
    if (isFirst) match.base.emplace(left.buffer.get(), std::move(base));
    return true;
  }

  bool access(const Buffer& left, const std::vector<Expr>& leftIndices, const Buffer& right,
              const std::vector<Expr>& rightIndices) {
    if (!buffer(left, right)) return false;
    auto base = match.base.find(left.get());
    if (leftIndices.size() < rightIndices.size() || base == match.base.end()) {
      return differ("number of indices", std::to_string(leftIndices.size()), std::to_string(rightIndices.size()));
    }
    std::size_t offset = leftIndices.size() - rightIndices.size();
    for (std::size_t i = 0; i < rightIndices.size(); ++i) {
      Expr index = leftIndices[i + offset] - base->second[i + offset];
      if (!analyzer_.canProveEqual(index, rightIndices[i])) {
        return differ("index", text(leftIndices[i + offset]), text(rightIndices[i]));
      }
    }
    return true;
  }

  bool annotations(const Annotations& left, const Annotations& right) {
    if (structuralEqual(left, right)) return true;
    auto keys = [](const Annotations& a) {
      std::string out;
      for (const auto& [key, value] : a) out += (out.empty() ? "" : ", ") + key;
      return out;
    };
    return differ("annotations", keys(left), keys(right));
  }

  bool isOutermost_ = true;
  Id place_;
  arith::Analyzer analyzer_;      // knows left variables as right ones
  arith::Analyzer leftAnalyzer_;  // knows the domains of left iterators
  std::unordered_map<const VarNode*, const ExprNode*> equal_;
  std::optional<Difference> difference_;
};

}  // namespace

tl::expected<Match, Difference> match(const BlockRealize& block, const Function& description) {
  Comparator comparator;
  if (!comparator.compare(block, description->body)) return tl::unexpected(comparator.difference());
  return std::move(comparator.match);
}

}  // namespace loom::intrin
