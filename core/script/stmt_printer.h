// Statements as TVMScript, on top of an ExprPrinter. Private to the room.
#pragma once
#include "core/script/expr_printer.h"

namespace loom::script {

// Prints statements as TVMScript.
class StmtPrinter {
 public:
  StmtPrinter(ScriptWriter& writer, Dialect dialect) : writer_(writer), exprs_(writer, dialect) {}

  ExprPrinter& exprs() { return exprs_; }
  // Prints `@T.prim_func` and the function, in the current scope.
  void function(const ir::FunctionNode& function);
  // Prints the statements of a body, in the innermost scope.
  void body(const ir::Stmt& stmt);
  void statement(const ir::Stmt& stmt);

 private:
  void functionHeader(const ir::FunctionNode& function, std::vector<const ir::BufferNode*>& matched);
  void loop(const ir::ForNode& first);
  void launch(const ir::ForNode& n);
  std::vector<const ir::ForNode*> grid(const ir::ForNode& first) const;
  Text loopRange(const ir::ForNode& loop);
  void block(const ir::BlockRealizeNode& realize);
  void iterations(const ir::BlockRealizeNode& realize);
  void iteration(const ir::BlockRealizeNode& realize, std::size_t i);
  bool remaps(const ir::IterVar& iter, const ir::Expr& value) const;
  void regions(std::string_view method, const std::vector<ir::BufferRegion>& regions);
  void allocations(const ir::BlockNode& block);
  void store(const ir::StoreNode& n);
  void evaluate(const ir::EvaluateNode& n);
  void branch(const ir::IfThenElseNode& n);
  void let(const ir::LetStmtNode& n);
  void attribute(const ir::AttrNode& n);
  void whileLoop(const ir::WhileNode& n);

  // "T.block" in the dialect's name.
  std::string_view spelled(std::string_view tir, std::string_view stir) const {
    return exprs_.dialect() == Dialect::Tir ? tir : stir;
  }

  ScriptWriter& writer_;
  ExprPrinter exprs_;
  std::vector<const ir::ForNode*> loops_;  // around the statement being printed
};

}  // namespace loom::script
