// Index expressions that are evaluated for many warps and iterations, one after the other.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/device/lane_operations.h"

namespace loom::device {

// A list of index expressions, and the current values of their variables in the 32 lanes of a warp. All values are
// integers of 64 bits, whatever the type of the expression; booleans are 0 and 1. A subexpression that several
// expressions share is evaluated once. It is evaluated again only after one of its variables has got another value
// (from the 64th variable on, after any of those): when only a loop variable changes, the parts of an index that depend
// on the thread alone are kept.
class LaneProgram {
 public:
  // Adds an expression, whose nodes must outlive this object, and returns its number, counted from 0. All expressions
  // must be added before any variable is set, since `set` ignores variables that no expression uses yet.
  int add(const ir::Expr& e);

  // Returns the number of a free variable of the expressions that have been added, for `set`; -1 if none uses it.
  int variableOf(const ir::VarNode* var) const;
  // Gives the free variable with this number a value in each lane; does nothing if the number is -1. An expression that
  // uses a variable without a value has no value.
  void set(int variable, const LaneValues& value);
  // Does the same for a variable that isn't looked up beforehand.
  void set(const ir::VarNode* var, const LaneValues& value) { set(variableOf(var), value); }

  // Returns the value in each lane of the expression with this number, which `add` has returned. The caller must see to
  // it that the results of all operations fit in 64 bits. Returns null if a variable in it has no value, if it reads
  // memory, computes with floats, or calls a function other than shifts and the bitwise and, or and xor, or if an
  // operation has no result in one of the lanes, such as a division by 0, even one in a branch that isn't selected. The
  // pointee may change with the next `set` or `value`.
  const LaneValues* value(int number);

 private:
  enum class Kind { Unknown, Variable, Constant, Combination, Negation, Selection };
  struct Node {
    Kind kind = Kind::Unknown;
    LaneOperation operation = LaneOperation::Add;
    int a = -1, b = -1, c = -1;   // operands: nodes before it
    std::uint64_t variables = 0;  // a bit for each variable that the node depends on; the 64th and later share a bit
    bool known = false;
    LaneValues result = 0;
  };
  struct Expression {
    int node = -1;
    int from = 0, to = 0;                     // the range of nodes that no earlier expression has
    std::uint64_t stale = ~std::uint64_t{0};  // variables with other values than when these nodes were evaluated
  };

  int compiled(const ir::Expr& e);
  int variable(const ir::VarNode* var);
  int made(Node node);
  void evaluate(Node& node);

  std::vector<Node> nodes_;
  std::vector<Expression> expressions_;
  std::unordered_map<const ir::VarNode*, int> variables_;  // the node of each free variable
  std::unordered_map<const ir::VarNode*, int> bound_;      // the node of each variable bound by an enclosing Let
};

}  // namespace loom::device
