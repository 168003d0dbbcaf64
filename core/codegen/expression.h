// Expressions of device programs as C++.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <unordered_map>

#include "core/arith/analyzer.h"
#include "core/lower/device.h"

namespace loom::codegen {

// "half", "float", "int", "unsigned char", …
std::string typeName(ir::DType dtype);
// The built-in vector type for loads and stores of n bytes (16, 8, 4, 2): "uint4", "uint2", "unsigned", "unsigned
// short"; float vectors keep theirs ("float4", "float2").
std::string vectorTypeName(ir::DType element, int bytes);
std::string floatLiteral(double value, ir::DType dtype);

// The functions that the call may print as: the operation's name, with an f for float, or the external function's.
std::set<std::string> calledNames(const ir::CallNode& call);

// Prints scalar expressions. `name` gives the C++ name of a variable or buffer; `analyzer` knows the ranges of
// variables, so that floor division prints as `/`, `>>`, `%` or `&` where operands are never negative.
class ExpressionPrinter {
 public:
  using VarName = std::function<std::string(const ir::VarNode*)>;
  using BufferName = std::function<std::string(const ir::BufferNode*)>;
  // Replaces a Load that is one lane of a vector access; empty to print it as usual.
  using LaneName = std::function<std::string(const ir::LoadNode*)>;

  ExpressionPrinter(VarName var, BufferName buffer, arith::Analyzer& analyzer)
      : var_(std::move(var)), buffer_(std::move(buffer)), analyzer_(analyzer) {}

  // With the least parentheses; `precedence` is that of the operator around (0: none), as in C++, larger binds tighter.
  std::string print(const ir::Expr& e, int precedence = 0);
  // One lane of a vector expression; `lane` is the name of the lane's index.
  std::string printLane(const ir::Expr& e, const std::string& lane, const LaneName& loads, int precedence = 0);

 private:
  std::string binary(const ir::BinaryNode& n, int precedence);
  std::string division(const ir::BinaryNode& n, int precedence);
  std::string call(const ir::CallNode& n, int precedence);
  std::string wrap(std::string text, int own, int outer) const;
  bool neverNegative(const ir::Expr& e) { return analyzer_.constIntBound(e).min >= 0; }

  VarName var_;
  BufferName buffer_;
  arith::Analyzer& analyzer_;
  std::string lane_;  // set while printing a lane
  LaneName laneLoad_;
};

}  // namespace loom::codegen
