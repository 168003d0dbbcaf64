// Makes expressions and statements. The operators fold constants as TVM's operators do (x + 0 → x, 2 * 3 → 6, x * 0 →
// 0, …), but where TVM throws, as for a division by the constant 0, they make the node; `binary` makes the node without
// folding. The operators bring operands of two dtypes to one, as `fold` does; the operands of `binary`, and the two
// values of `select`, must have the same dtype.
#pragma once
#include "core/ir/stmt.h"

namespace loom::ir {

// Make a new variable, and constants. The dtype of `intImm` must be that of a scalar integer, or bool, and that of
// `floatImm` of a scalar float; the value is stored as it is, even if the dtype can't hold it.
Var makeVar(std::string name, DType dtype = DType::Int(32));
Expr intImm(std::int64_t value, DType dtype = DType::Int(32));
Expr floatImm(double value, DType dtype);
Expr boolImm(bool value);
Expr stringImm(std::string value);
// Makes the constant `value` of any arithmetic dtype, bool included; a Broadcast for vectors. For integers, the
// fraction is cut off.
Expr constant(DType dtype, double value);
inline Expr zero(DType dtype) { return constant(dtype, 0); }
inline Expr one(DType dtype) { return constant(dtype, 1); }

// Makes the node without folding. Comparisons have the dtype bool, other nodes that of `a`.
Expr binary(ExprKind kind, Expr a, Expr b);
// Brings two operands to one dtype as TVM's operators do: a scalar is broadcast to the other's lanes; float beats
// bfloat, that beats float8, that beats integers; of one family the wider wins, then unsigned. Returns false if TVM has
// no rule for the two dtypes; the operands may have changed then.
bool matchTypes(Expr& a, Expr& b);
// Makes the node as TVM's operator does: operands are brought to one dtype (matchTypes), then constants are folded.
// Throws std::logic_error if the dtypes can't be matched.
Expr fold(ExprKind kind, Expr a, Expr b);
// Make expressions. `notOf`, `negate` (0 - a) and `cast` fold constants, and `cast` returns a value that has the dtype
// already as it is.
Expr notOf(Expr a);
Expr negate(Expr a);
Expr cast(DType dtype, Expr value);
Expr select(Expr condition, Expr yes, Expr no);
Expr load(Buffer buffer, std::vector<Expr> indices);
Expr call(DType dtype, std::string op, std::vector<Expr> args);
Expr ramp(Expr base, Expr stride, int lanes);
Expr broadcast(Expr value, int lanes);
// Makes the call T.if_then_else, which evaluates only one of its values; folded if the condition is constant. Throws
// std::logic_error if the values' dtypes can't be matched.
Expr ifThenElse(Expr condition, Expr yes, Expr no);

inline Expr operator+(Expr a, Expr b) { return fold(ExprKind::Add, std::move(a), std::move(b)); }
inline Expr operator-(Expr a, Expr b) { return fold(ExprKind::Sub, std::move(a), std::move(b)); }
inline Expr operator*(Expr a, Expr b) { return fold(ExprKind::Mul, std::move(a), std::move(b)); }
// With a number `b`, the operators take only an `a` that is a scalar integer, since they make `b` by `intImm`.
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

// Makes a compact row-major buffer of elements of `dtype` with a new data variable. Its elemOffset is 0, in the dtype
// of the first extent (int32 without dimensions).
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
bool isTrue(const Expr& e);   // returns whether the expression is the constant true
bool isFalse(const Expr& e);  // returns whether the expression is the constant false

}  // namespace loom::ir
