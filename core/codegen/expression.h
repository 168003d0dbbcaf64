// Prints expressions of device programs, the kernels to which scheduled programs are lowered, as CUDA C++.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <unordered_map>

#include "core/arith/analyzer.h"
#include "core/device/program.h"

namespace loom::codegen {

struct OperationText;

// Returns the name of the type of one lane of a dtype in CUDA C++: "half", "float", "int", "unsigned char", …
std::string typeName(ir::DType dtype);
// Returns the built-in vector type for loads and stores of `bytes` (16, 8, 4 or 2): "uint4", "uint2", "unsigned",
// "unsigned short"; for an element of float32 "float4", "float2" and "float". For other numbers of bytes, returns the
// name of the element's own type.
std::string vectorTypeName(ir::DType element, int bytes);
// Returns the type of two elements of float16 or bfloat16 that are computed at once: "half2" or "__nv_bfloat162".
std::string pairTypeName(ir::DType element);
// Returns the C++ literal or constant of a float in a dtype.
std::string floatLiteral(double value, ir::DType dtype);

// Returns the names of all CUDA functions that may be called where `call` is printed: those in the operation's texts,
// or the external function.
std::set<std::string> calledNames(const ir::CallNode& call);

// Prints scalar expressions. The functions given to it return the C++ names of variables and buffers. `analyzer` knows
// the ranges of variables, so that floor division prints as `/`, `>>`, `%` or `&` where operands are never negative; it
// must outlive the printer.
class ExpressionPrinter {
 public:
  using VarName = std::function<std::string(const ir::VarNode*)>;
  using BufferName = std::function<std::string(const ir::BufferNode*)>;
  // A function that returns the text of one lane of a vector Load. An empty function: a vector Load is printed as the
  // one int or unsigned int that its four 8-bit elements make up.
  using LaneName = std::function<std::string(const ir::LoadNode*)>;

  ExpressionPrinter(VarName var, BufferName buffer, arith::Analyzer& analyzer)
      : var_(std::move(var)), buffer_(std::move(buffer)), analyzer_(analyzer) {}

  // Prints an expression with as few parentheses as possible. If its outermost operator binds less tightly than
  // `precedence` (a Level of precedence.h), parentheses stand around the whole; with 0 never.
  std::string print(const ir::Expr& e, int precedence = 0);
  // Prints one lane of a vector expression. `lane` is the C++ name of the variable that has the lane's index, and
  // `loads` prints the vector Loads in it.
  std::string printLane(const ir::Expr& e, const std::string& lane, const LaneName& loads, int precedence = 0);
  // Prints a vector expression of two lanes for which device::isHalfArithmetic holds, or an operand of one: vectors of
  // pairTypeName. `loads` prints the vector Loads in it.
  std::string printPairs(const ir::Expr& e, const LaneName& loads, int precedence = 0);
  // Prints the node `e` as `variable`, a C++ variable that holds its value, until `forget` is called for it; `e` must
  // live until then.
  void name(const ir::ExprNode* e, std::string variable) { named_[e] = std::move(variable); }
  void forget(const ir::ExprNode* e) { named_.erase(e); }

 private:
  std::string binary(const ir::BinaryNode& n, int precedence);
  std::string division(const ir::BinaryNode& n, int precedence);
  std::string ofFloat8(const ir::BinaryNode& n, int precedence);
  std::string call(const ir::CallNode& n, int precedence);
  std::string ofFloats(const ir::CallNode& n, const OperationText& row);
  std::string ofIntegers(const ir::CallNode& n, const OperationText& row, int precedence);
  std::string bits(const ir::CallNode& n, int precedence);
  std::string pairOfOne(const ir::Expr& value);
  std::string gathered(const ir::CallNode& n, int precedence);
  std::string cast(const ir::Expr& value, ir::DType to, int precedence);
  // Returns `text`, an expression of precedence `level`, converted to a type.
  std::string converted(ir::DType to, const std::string& text, int level, int precedence) const;
  // Prints an expression of any float type, converted to float32.
  std::string asFloat(const ir::Expr& e, int precedence);
  // Returns whether the text of a narrow integer, which C++ computes as an int, may have a value that the type doesn't
  // hold.
  bool mayExceed(const ir::Expr& e) const;
  // Prints a narrow integer wrapped to the value that it has in its type, for operands whose upper bits matter.
  std::string exact(const ir::Expr& e, int precedence);
  std::string wrap(std::string text, int own, int outer) const;
  // Returns whether the value is so far from the ends of int32 that a sum of two such values doesn't overflow.
  bool small(const ir::Expr& e) {
    constexpr std::int64_t kLimit = std::int64_t{1} << 30;
    auto bound = analyzer_.constIntBound(e);
    return e->dtype.bits < 32 || (bound.min > -kLimit && bound.max < kLimit);
  }
  bool neverNegative(const ir::Expr& e) { return analyzer_.constIntBound(e).min >= 0; }

  VarName var_;
  BufferName buffer_;
  arith::Analyzer& analyzer_;
  std::unordered_map<const ir::ExprNode*, std::string> named_;
  std::string lane_;  // set while printing a lane
  LaneName laneLoad_;
  bool pairs_ = false;  // whether what is printed are pairs
};

}  // namespace loom::codegen
