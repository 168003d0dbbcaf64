#include "core/ir/visit.h"

namespace loom::ir {

void Visitor::visit(const Expr& e) {
  if (!e) return;
  switch (e->kind) {
    case ExprKind::Var: return visitVar(*as<VarNode>(e));
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
    case ExprKind::StringImm: return visitImmediate(*e);
    case ExprKind::Not: return visitNot(*as<NotNode>(e));
    case ExprKind::Cast: return visitCast(*as<CastNode>(e));
    case ExprKind::Select: return visitSelect(*as<SelectNode>(e));
    case ExprKind::Load: return visitLoad(*as<LoadNode>(e));
    case ExprKind::Call: return visitCall(*as<CallNode>(e));
    case ExprKind::Ramp: return visitRamp(*as<RampNode>(e));
    case ExprKind::Broadcast: return visitBroadcast(*as<BroadcastNode>(e));
    case ExprKind::Let: return visitLet(*as<LetNode>(e));
    default: return visitBinary(*as<BinaryNode>(e));
  }
}

void Visitor::visitBinary(const BinaryNode& n) {
  visit(n.a);
  visit(n.b);
}
void Visitor::visitNot(const NotNode& n) { visit(n.a); }
void Visitor::visitCast(const CastNode& n) { visit(n.value); }
void Visitor::visitSelect(const SelectNode& n) {
  visit(n.condition);
  visit(n.yes);
  visit(n.no);
}
void Visitor::visitLoad(const LoadNode& n) {
  for (const auto& i : n.indices) visit(i);
}
void Visitor::visitCall(const CallNode& n) {
  for (const auto& a : n.args) visit(a);
}
void Visitor::visitRamp(const RampNode& n) {
  visit(n.base);
  visit(n.stride);
}
void Visitor::visitBroadcast(const BroadcastNode& n) { visit(n.value); }
void Visitor::visitLet(const LetNode& n) {
  visit(n.value);
  visit(n.body);
}

void Visitor::visit(const Stmt& s) {
  if (!s) return;
  switch (s->kind) {
    case StmtKind::For: return visitFor(*as<ForNode>(s));
    case StmtKind::BlockRealize: return visitRealize(*as<BlockRealizeNode>(s));
    case StmtKind::Store: return visitStore(*as<StoreNode>(s));
    case StmtKind::Evaluate: return visitEvaluate(*as<EvaluateNode>(s));
    case StmtKind::IfThenElse: return visitIf(*as<IfThenElseNode>(s));
    case StmtKind::Seq: return visitSeq(*as<SeqNode>(s));
    case StmtKind::Let: return visitLetStmt(*as<LetStmtNode>(s));
    case StmtKind::Attr: return visitAttr(*as<AttrNode>(s));
    case StmtKind::While: return visitWhile(*as<WhileNode>(s));
  }
}

void Visitor::visitFor(const ForNode& n) {
  visit(n.min);
  visit(n.extent);
  visit(n.body);
}
void Visitor::visitRealize(const BlockRealizeNode& n) {
  for (const auto& v : n.values) visit(v);
  visit(n.predicate);
  visitBlock(*n.block);
}
void Visitor::visitBlock(const BlockNode& n) {
  auto range = [&](const Range& r) {
    visit(r.min);
    visit(r.extent);
  };
  for (const auto& iter : n.iters) range(iter.domain);
  for (const auto& read : n.reads) {
    for (const auto& r : read.region) range(r);
  }
  for (const auto& write : n.writes) {
    for (const auto& r : write.region) range(r);
  }
  for (const auto& match : n.matches) {
    for (const auto& r : match.source.region) range(r);
  }
  visit(n.init);
  visit(n.body);
}
void Visitor::visitStore(const StoreNode& n) {
  visit(n.value);
  for (const auto& i : n.indices) visit(i);
}
void Visitor::visitEvaluate(const EvaluateNode& n) { visit(n.value); }
void Visitor::visitIf(const IfThenElseNode& n) {
  visit(n.condition);
  visit(n.yes);
  visit(n.no);
}
void Visitor::visitSeq(const SeqNode& n) {
  for (const auto& s : n.stmts) visit(s);
}
void Visitor::visitLetStmt(const LetStmtNode& n) {
  visit(n.value);
  visit(n.body);
}
void Visitor::visitAttr(const AttrNode& n) {
  visit(n.node);
  visit(n.value);
  visit(n.body);
}
void Visitor::visitWhile(const WhileNode& n) {
  visit(n.condition);
  visit(n.body);
}

namespace {

class EachExpr : public Visitor {
 public:
  explicit EachExpr(const std::function<void(const Expr&)>& f) : f_(f) {}
  using Visitor::visit;
  void visit(const Expr& e) override {
    if (!e) return;
    f_(e);
    Visitor::visit(e);
  }

 private:
  const std::function<void(const Expr&)>& f_;
};

class EachStmt : public Visitor {
 public:
  explicit EachStmt(const std::function<bool(const Stmt&)>& f) : f_(f) {}
  void visit(const Expr&) override {}
  void visit(const Stmt& s) override {
    if (s && f_(s)) Visitor::visit(s);
  }

 private:
  const std::function<bool(const Stmt&)>& f_;
};

// A load or store also uses its buffer's data variable, as TVM's UsesVar has it.
class UsesVar : public Visitor {
 public:
  explicit UsesVar(const std::function<bool(const VarNode*)>& wanted) : wanted_(wanted) {}
  void visit(const Expr& e) override {
    if (!found) Visitor::visit(e);
  }
  void visit(const Stmt& s) override {
    if (!found) Visitor::visit(s);
  }
  bool found = false;

 protected:
  void visitVar(const VarNode& v) override { found = found || wanted_(&v); }
  void visitLoad(const LoadNode& n) override {
    visitVar(*n.buffer->data);
    Visitor::visitLoad(n);
  }
  void visitStore(const StoreNode& n) override {
    visitVar(*n.buffer->data);
    Visitor::visitStore(n);
  }

 private:
  const std::function<bool(const VarNode*)>& wanted_;
};

}  // namespace

void forEachExpr(const Expr& e, const std::function<void(const Expr&)>& f) { EachExpr(f).visit(e); }
void forEachExpr(const Stmt& s, const std::function<void(const Expr&)>& f) { EachExpr(f).visit(s); }
void forEachStmt(const Stmt& s, const std::function<bool(const Stmt&)>& f) { EachStmt(f).visit(s); }

bool usesVar(const Expr& e, const std::function<bool(const VarNode*)>& wanted) {
  UsesVar u(wanted);
  u.visit(e);
  return u.found;
}
bool usesVar(const Stmt& s, const std::function<bool(const VarNode*)>& wanted) {
  UsesVar u(wanted);
  u.visit(s);
  return u.found;
}

}  // namespace loom::ir
