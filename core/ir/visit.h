// Base classes and functions that walk through programs or rewrite them. The default functions visit every child
// expression and statement in program order, but not annotations, nor the shape, strides, offset and data variable of a
// buffer. When rewriting, they return the same node if no child changed.
#pragma once
#include <functional>

#include "core/ir/stmt.h"

namespace loom::ir {

// Visits all expressions and statements below a node. Derived classes override what they look at, and call the base's
// function to go on below it.
class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void visit(const Expr& e);  // dispatches; null is ignored
  virtual void visit(const Stmt& s);  // dispatches; null is ignored

 protected:
  virtual void visitVar(const VarNode&) {}         // a use; not where a loop, block or let declares it
  virtual void visitImmediate(const ExprNode&) {}  // IntImm, FloatImm, StringImm
  virtual void visitBinary(const BinaryNode&);
  virtual void visitNot(const NotNode&);
  virtual void visitCast(const CastNode&);
  virtual void visitSelect(const SelectNode&);
  virtual void visitLoad(const LoadNode&);
  virtual void visitCall(const CallNode&);
  virtual void visitRamp(const RampNode&);
  virtual void visitBroadcast(const BroadcastNode&);
  virtual void visitLet(const LetNode&);

  virtual void visitFor(const ForNode&);
  virtual void visitRealize(const BlockRealizeNode&);
  // Visits the domains of the iteration variables, regions, views (match_buffer), then init and body.
  virtual void visitBlock(const BlockNode&);
  virtual void visitStore(const StoreNode&);
  virtual void visitEvaluate(const EvaluateNode&);
  virtual void visitIf(const IfThenElseNode&);
  virtual void visitSeq(const SeqNode&);
  virtual void visitLetStmt(const LetStmtNode&);
  virtual void visitAttr(const AttrNode&);
  virtual void visitWhile(const WhileNode&);
};

// Rewrites expressions and statements from the leaves up. What doesn't change is shared, not copied. Derived classes
// override what they rewrite; the base's function rewrites what is below a node. Loops and blocks keep their ids, and
// the variables that loops, blocks and lets declare stay.
class Mutator {
 public:
  virtual ~Mutator() = default;
  virtual Expr rewrite(const Expr& e);  // null stays null
  // Null stays null. A Seq of which a statement has changed is made anew by `seq` (build.h): flattened, without the
  // statements that became null or evaluate(0), and evaluate(0) if none is left. Only a statement of a Seq, an else and
  // an init may become null: another node would keep a null body. There an override returns evaluate(0) instead.
  virtual Stmt rewrite(const Stmt& s);
  virtual Block rewriteBlock(const Block& b);
  // Called for the buffer of each load, store, region, allocation and view; must return the same for the same buffer.
  virtual Buffer rewriteBuffer(const Buffer& b) { return b; }

 protected:
  virtual Expr rewriteVar(const Expr& e) { return e; }  // a use
  virtual Expr rewriteBinary(const Expr& e);
  virtual Expr rewriteNot(const Expr& e);
  virtual Expr rewriteCast(const Expr& e);
  virtual Expr rewriteSelect(const Expr& e);
  virtual Expr rewriteLoad(const Expr& e);
  virtual Expr rewriteCall(const Expr& e);
  virtual Expr rewriteRamp(const Expr& e);
  virtual Expr rewriteBroadcast(const Expr& e);
  virtual Expr rewriteLet(const Expr& e);

  virtual Stmt rewriteFor(const Stmt& s);
  virtual Stmt rewriteRealize(const Stmt& s);
  virtual Stmt rewriteStore(const Stmt& s);
  virtual Stmt rewriteEvaluate(const Stmt& s);
  virtual Stmt rewriteIf(const Stmt& s);
  virtual Stmt rewriteSeq(const Stmt& s);
  virtual Stmt rewriteLetStmt(const Stmt& s);
  virtual Stmt rewriteAttr(const Stmt& s);
  virtual Stmt rewriteWhile(const Stmt& s);

  Range rewriteRange(const Range& r);
  BufferRegion rewriteRegion(const BufferRegion& r);
};

// Returns whether both have the same nodes, by pointer.
bool sameNodes(const Range& a, const Range& b);
bool sameNodes(const BufferRegion& a, const BufferRegion& b);

// Calls f on e and every expression in it, parents first. Here and below, nothing is in a null e or s.
void forEachExpr(const Expr& e, const std::function<void(const Expr&)>& f);
// Calls f on every expression of s (blocks' regions and bindings included, but not annotations and the shapes, strides
// and offsets of buffers), parents first.
void forEachExpr(const Stmt& s, const std::function<void(const Expr&)>& f);
// Calls f on s and every statement in it (a block's init before its body) in program order; where f returns false, what
// is inside is skipped.
void forEachStmt(const Stmt& s, const std::function<bool(const Stmt&)>& f);
// Returns whether `wanted` is true of a variable that is used in e or s. A load or store uses its buffer's data
// variable too.
bool usesVar(const Expr& e, const std::function<bool(const VarNode*)>& wanted);
bool usesVar(const Stmt& s, const std::function<bool(const VarNode*)>& wanted);

}  // namespace loom::ir
