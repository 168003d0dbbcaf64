// Prints statements as TVMScript, their expressions with an ExprPrinter. Internal to core/script.
#pragma once
#include "core/script/expr_printer.h"

namespace loom::script {

// Prints functions and statements of TensorIR as TVMScript. All text goes to `writer`, which must outlive the printer;
// the writer's innermost scope is that of the function, loop, block or branch whose body is being printed. `dialect` is
// the TVM whose spelling is printed: Dialect::Tir is 0.22, Dialect::STir the current one.
class StmtPrinter {
 public:
  StmtPrinter(ScriptWriter& writer, Dialect dialect) : writer_(writer), exprs_(writer, dialect) {}

  ExprPrinter& exprs() { return exprs_; }
  // Prints `@T.prim_func` and the function's definition in the writer's innermost scope.
  void function(const ir::FunctionNode& function);
  // Prints a body in the writer's innermost scope: each statement of a sequence, or the one statement.
  void body(const ir::Stmt& stmt);
  // Prints one statement in the writer's innermost scope; it may be a part whose outer loops aren't printed.
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

  // Returns the spelling of a name in the printer's dialect: `tir` or `stir`, such as "T.block" or "T.sblock".
  std::string_view spelled(std::string_view tir, std::string_view stir) const {
    return exprs_.dialect() == Dialect::Tir ? tir : stir;
  }

  ScriptWriter& writer_;
  ExprPrinter exprs_;
  std::vector<const ir::ForNode*> loops_;  // the loops around the statement being printed, outermost first
};

}  // namespace loom::script
