// Index expressions that are evaluated for many warps and iterations, one after the other.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/device/lane_operations.h"

namespace loom::device {

// Expressions, and values of their variables. What stands in several of them is evaluated once, and anew only where a
// variable in it has another value than before: of an index whose thread stays, what depends on loops.
class LaneProgram {
 public:
  // Adds an expression, which must outlive this, and returns its number. To be called before any variable is set.
  int add(const ir::Expr& e);

  // Gives a variable a value. A variable that no expression has is ignored; one without a value makes what uses it
  // unknown.
  void set(const ir::VarNode* var, const LaneValues& value);

  // Returns the value of an expression with the variables' values. Returns null where WarpState::evaluate returns
  // nothing. What it points to changes as variables are set.
  const LaneValues* value(int number);

 private:
  enum class Kind { Unknown, Variable, Constant, Combination, Negation, Selection };
  struct Node {
    Kind kind = Kind::Unknown;
    LaneOperation operation = LaneOperation::Add;
    int a = -1, b = -1, c = -1;   // operands: nodes before it
    std::uint64_t variables = 0;  // that it depends on, a bit each; the last bit is shared by all from the 64th on
    bool known = false;
    LaneValues result = 0;
  };
  struct Expression {
    int node = -1;
    int from = 0, to = 0;                     // the nodes that it has and those before it lack
    std::uint64_t stale = ~std::uint64_t{0};  // variables with other values than when these nodes were evaluated
  };

  int compiled(const ir::Expr& e);
  int variable(const ir::VarNode* var);
  int made(Node node);
  void evaluate(Node& node);

  std::vector<Node> nodes_;
  std::vector<Expression> expressions_;
  std::unordered_map<const ir::VarNode*, int> variables_;  // nodes
  std::unordered_map<const ir::VarNode*, int> bound_;      // by Let, while its body is compiled
};

}  // namespace loom::device
