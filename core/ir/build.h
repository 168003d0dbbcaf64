// Makes expressions and statements. The operators fold constants exactly as TVM's operators do (x + 0 → x, 2 * 3 → 6,
// x * 0 → 0 …); `binary` makes the node as asked. All operands of one operator have one dtype unless said otherwise.
#pragma once
#include "core/ir/stmt.h"

namespace loom::ir {

Var makeVar(std::string name, DType dtype = DType::Int(32));
Expr intImm(std::int64_t value, DType dtype = DType::Int(32));
Expr floatImm(double value, DType dtype);
Expr boolImm(bool value);
Expr stringImm(std::string value);
// Makes the constant `value` of any arithmetic dtype; a Broadcast for vectors.
Expr constant(DType dtype, double value);
inline Expr zero(DType dtype) { return constant(dtype, 0); }
inline Expr one(DType dtype) { return constant(dtype, 1); }

// Makes the node without folding.
Expr binary(ExprKind kind, Expr a, Expr b);
// Brings two operands to one dtype as TVM's operators do: a scalar is broadcast to the other's lanes; float beats
// bfloat, that beats float8, that beats integers; of one family the wider wins, then unsigned. False (operands may have
// changed) if no rule.
bool matchTypes(Expr& a, Expr& b);
// Makes the node as TVM's operator does: operands are brought to one dtype (matchTypes), then constants are folded.
// Throws std::logic_error if the dtypes can't be matched.
Expr fold(ExprKind kind, Expr a, Expr b);
Expr notOf(Expr a);                  // folded
Expr negate(Expr a);                 // 0 - a, folded
Expr cast(DType dtype, Expr value);  // folded: identity and constants
Expr select(Expr condition, Expr yes, Expr no);
Expr load(Buffer buffer, std::vector<Expr> indices);
Expr call(DType dtype, std::string op, std::vector<Expr> args);
Expr ramp(Expr base, Expr stride, int lanes);
Expr broadcast(Expr value, int lanes);
Expr ifThenElse(Expr condition, Expr yes, Expr no);  // the call that evaluates one side only

inline Expr operator+(Expr a, Expr b) { return fold(ExprKind::Add, std::move(a), std::move(b)); }
inline Expr operator-(Expr a, Expr b) { return fold(ExprKind::Sub, std::move(a), std::move(b)); }
inline Expr operator*(Expr a, Expr b) { return fold(ExprKind::Mul, std::move(a), std::move(b)); }
inline Expr operator+(Expr a, std::int64_t b) {
  auto t = a->dtype;
  return std::move(a) + intImm(b, t);
}
inline Expr operator-(Expr a, std::int64_t b) {
  auto t = a->dtype;
  return std::move(a) - intImm(b, t);
}
inline Expr operator*(Expr a, std::int64_t b) {
  auto t = a->dtype;
  return std::move(a) * intImm(b, t);
}
inline Expr floordiv(Expr a, Expr b) { return fold(ExprKind::FloorDiv, std::move(a), std::move(b)); }
inline Expr floormod(Expr a, Expr b) { return fold(ExprKind::FloorMod, std::move(a), std::move(b)); }
inline Expr truncdiv(Expr a, Expr b) { return fold(ExprKind::Div, std::move(a), std::move(b)); }
inline Expr truncmod(Expr a, Expr b) { return fold(ExprKind::Mod, std::move(a), std::move(b)); }
inline Expr minOf(Expr a, Expr b) { return fold(ExprKind::Min, std::move(a), std::move(b)); }
inline Expr maxOf(Expr a, Expr b) { return fold(ExprKind::Max, std::move(a), std::move(b)); }
inline Expr eq(Expr a, Expr b) { return fold(ExprKind::EQ, std::move(a), std::move(b)); }
inline Expr ne(Expr a, Expr b) { return fold(ExprKind::NE, std::move(a), std::move(b)); }
inline Expr lt(Expr a, Expr b) { return fold(ExprKind::LT, std::move(a), std::move(b)); }
inline Expr le(Expr a, Expr b) { return fold(ExprKind::LE, std::move(a), std::move(b)); }
inline Expr gt(Expr a, Expr b) { return fold(ExprKind::GT, std::move(a), std::move(b)); }
inline Expr ge(Expr a, Expr b) { return fold(ExprKind::GE, std::move(a), std::move(b)); }
inline Expr andOf(Expr a, Expr b) { return fold(ExprKind::And, std::move(a), std::move(b)); }
inline Expr orOf(Expr a, Expr b) { return fold(ExprKind::Or, std::move(a), std::move(b)); }

// Makes a buffer with a data variable of its own, without strides; its elemOffset is 0, of the dtype of the first
// extent. `dtype` and `shape` are of its elements.
Buffer makeBuffer(Id id, std::string name, DType dtype, std::vector<Expr> shape, std::string scope = "global");

Stmt store(Buffer buffer, Expr value, std::vector<Expr> indices);
Stmt evaluate(Expr value);
// Returns the statements as one: nested sequences are flattened, nulls and evaluate(0) dropped. Returns the statement
// itself if only one is left, and evaluate(0) if none is.
Stmt seq(std::vector<Stmt> stmts);
Stmt ifThen(Expr condition, Stmt yes, Stmt no = nullptr);
BlockRealize realize(std::vector<Expr> values, Expr predicate, Block block);
// Returns the region of the whole buffer: [0, extent) in each dimension.
BufferRegion wholeRegion(const Buffer& buffer);
bool isTrue(const Expr& e);   // the constant true
bool isFalse(const Expr& e);  // the constant false

}  // namespace loom::ir
