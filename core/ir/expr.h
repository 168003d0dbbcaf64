// Expressions of TensorIR: immutable nodes shared by pointer. `Expr` is a pointer; equal pointers mean the same node,
// which is how variables are told apart, while `structuralEqual` (equal.h) compares meaning. Constructors that fold
// constants are in build.h.
#pragma once
#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/ir/dtype.h"
#include "core/ir/id.h"

namespace loom::ir {

// The kinds of expressions.
enum class ExprKind : std::uint8_t {
  Var,
  IntImm,
  FloatImm,
  StringImm,
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  FloorDiv,
  FloorMod,
  Min,
  Max,  // Add to this are BinaryNodes; Div and Mod round toward zero (Div is `/` on floats)
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE,
  And,
  Or,  // EQ to this are BinaryNodes of a bool dtype
  Not,
  Cast,
  Select,
  Load,
  Call,
  Ramp,
  Broadcast,
  Let,
};

// The base of all expressions. Nodes are immutable and shared.
struct ExprNode {
  const ExprKind kind;
  const DType dtype;
  ExprNode(const ExprNode&) = delete;
  ExprNode& operator=(const ExprNode&) = delete;

 protected:
  ExprNode(ExprKind k, DType t) : kind(k), dtype(t) {}
};
using Expr = std::shared_ptr<const ExprNode>;

struct BufferNode;
using Buffer = std::shared_ptr<const BufferNode>;

// A variable is its node: two nodes with one name are two variables.
struct VarNode : ExprNode {
  const std::string name;  // the wanted name; the printer makes names unique
  VarNode(std::string n, DType t) : ExprNode(ExprKind::Var, t), name(std::move(n)) {}
};
using Var = std::shared_ptr<const VarNode>;

// A constant of an integer dtype, signed or unsigned, or a bool (0 or 1).
struct IntImmNode : ExprNode {
  const std::int64_t value;
  IntImmNode(std::int64_t v, DType t) : ExprNode(ExprKind::IntImm, t), value(v) {}
};

// A float constant.
struct FloatImmNode : ExprNode {
  const double value;  // the value before rounding to dtype, as written
  FloatImmNode(double v, DType t) : ExprNode(ExprKind::FloatImm, t), value(v) {}
};

// A string, as an argument of calls.
struct StringImmNode : ExprNode {
  const std::string value;
  explicit StringImmNode(std::string v) : ExprNode(ExprKind::StringImm, DType::Handle()), value(std::move(v)) {}
};

// A binary operation. Both operands have the same dtype; arithmetic has it too, comparisons, And and Or are bool, of as
// many lanes.
struct BinaryNode : ExprNode {
  const Expr a, b;
  BinaryNode(ExprKind k, Expr x, Expr y, DType t) : ExprNode(k, t), a(std::move(x)), b(std::move(y)) {}
};

// The negation of a bool.
struct NotNode : ExprNode {
  const Expr a;
  explicit NotNode(Expr x) : ExprNode(ExprKind::Not, DType::Bool(x->dtype.lanes)), a(std::move(x)) {}
};

// A conversion of a value to `dtype`.
struct CastNode : ExprNode {
  const Expr value;
  CastNode(DType t, Expr v) : ExprNode(ExprKind::Cast, t), value(std::move(v)) {}
};

// `yes` where the condition holds, else `no`. Both may be evaluated whatever the condition is; the call `if_then_else`
// evaluates only one.
struct SelectNode : ExprNode {
  const Expr condition, yes, no;
  SelectNode(Expr c, Expr y, Expr n)
      : ExprNode(ExprKind::Select, y->dtype), condition(std::move(c)), yes(std::move(y)), no(std::move(n)) {}
};

// buffer[indices], one index per dimension; a vector index (Ramp) gives a vector.
struct LoadNode : ExprNode {
  const Buffer buffer;
  const std::vector<Expr> indices;
  LoadNode(Buffer b, std::vector<Expr> i, DType t)
      : ExprNode(ExprKind::Load, t), buffer(std::move(b)), indices(std::move(i)) {}
};

// A call of an operator by TVM's name without "tir.": "exp", "if_then_else", "tvm_mma_sync", "tvm_access_ptr",
// "call_extern"…
struct CallNode : ExprNode {
  const std::string op;
  const std::vector<Expr> args;
  CallNode(DType t, std::string o, std::vector<Expr> a)
      : ExprNode(ExprKind::Call, t), op(std::move(o)), args(std::move(a)) {}
};

// The vector base, base + stride, base + 2 * stride, … with as many lanes as the dtype says.
struct RampNode : ExprNode {
  const Expr base, stride;
  RampNode(Expr b, Expr s, int lanes)
      : ExprNode(ExprKind::Ramp, b->dtype.withLanes(lanes)), base(std::move(b)), stride(std::move(s)) {}
};

// A vector with the same value in every lane.
struct BroadcastNode : ExprNode {
  const Expr value;
  BroadcastNode(Expr v, int lanes) : ExprNode(ExprKind::Broadcast, v->dtype.withLanes(lanes)), value(std::move(v)) {}
};

// `body` with `var` standing for `value`.
struct LetNode : ExprNode {
  const Var var;
  const Expr value, body;
  LetNode(Var v, Expr x, Expr b)
      : ExprNode(ExprKind::Let, b->dtype), var(std::move(v)), value(std::move(x)), body(std::move(b)) {}
};

// A typed memory area with a shape. Two nodes are two buffers; `id` stays the same when a schedule primitive replaces
// the node, with a new scope or dtype for example. Parameters of a function, allocations of a block and match_buffer
// views are all buffers.
struct BufferNode {
  Id id;
  Var data;  // the pointer variable, dtype handle; its name is the buffer's
  std::string name;
  DType dtype;
  std::vector<Expr> shape;       // elements per dimension
  std::vector<Expr> strides;     // in elements; empty means compact row-major
  Expr elemOffset;               // in elements; who makes a buffer sets it (0 for whole buffers, a variable for views)
  std::string scope = "global";  // "global", "shared", "shared.dyn", "local", "warp", "wmma.matrix_a", …
  int dataAlignment = 64;        // bytes
  int offsetFactor = 1;          // elemOffset is a multiple of this many elements
  // TVM's axis separators: dimensions before which a new axis of the physical memory begins; empty for flat memory.
  std::vector<int> axisSeparators;
};

// Returns the node as its concrete type; its kind must be that type's.
template <class Node>
const Node* as(const Expr& e) {
  return static_cast<const Node*>(e.get());
}
// Return the node as its concrete type; null if the expression is null or of another kind.
inline const VarNode* asVar(const Expr& e) { return e && e->kind == ExprKind::Var ? as<VarNode>(e) : nullptr; }
inline const IntImmNode* asInt(const Expr& e) { return e && e->kind == ExprKind::IntImm ? as<IntImmNode>(e) : nullptr; }
inline const LoadNode* asLoad(const Expr& e) { return e && e->kind == ExprKind::Load ? as<LoadNode>(e) : nullptr; }
inline const CallNode* asCall(const Expr& e) { return e && e->kind == ExprKind::Call ? as<CallNode>(e) : nullptr; }
// Returns a pointer to the variable that shares its ownership; the expression must be a variable.
inline Var varOf(const Expr& e) {
  assert(e && e->kind == ExprKind::Var);
  return std::static_pointer_cast<const VarNode>(e);
}
inline bool isBinary(ExprKind k) { return k >= ExprKind::Add && k <= ExprKind::Or; }
inline bool isComparison(ExprKind k) { return k >= ExprKind::EQ && k <= ExprKind::GE; }
// The binary operation that an expression is, or is of kind `k`, which must be a binary one; else null.
inline const BinaryNode* asBinary(const Expr& e) { return e && isBinary(e->kind) ? as<BinaryNode>(e) : nullptr; }
inline const BinaryNode* asBinary(const Expr& e, ExprKind k) { return e && e->kind == k ? as<BinaryNode>(e) : nullptr; }
// Returns the value of an integer constant; `otherwise` for any other expression.
inline std::int64_t constantOr(const Expr& e, std::int64_t otherwise) {
  auto* i = asInt(e);
  return i ? i->value : otherwise;
}
// Returns whether the expression is the integer constant `value`; false for null.
inline bool isConst(const Expr& e, std::int64_t value) {
  auto* i = asInt(e);
  return i && i->value == value;
}
// Returns whether the expression is the constant 0, an integer or a real number; false for null.
inline bool isZero(const Expr& e) {
  return isConst(e, 0) || (e && e->kind == ExprKind::FloatImm && as<FloatImmNode>(e)->value == 0);
}

}  // namespace loom::ir
