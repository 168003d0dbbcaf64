#include "core/ir/build.h"

#include <stdexcept>

#include "core/ir/constant_fold.h"
#include "core/ir/node_memory.h"

namespace loom::ir {
namespace {

// Later wins when two dtypes of different families meet; equal ranks are settled by width.
int family(DType t) {
  switch (t.code) {
    case DType::Code::Bool:
    case DType::Code::UInt:
    case DType::Code::Int: return 1;
    case DType::Code::E4M3:
    case DType::Code::E5M2: return 2;
    case DType::Code::BFloat: return 3;
    case DType::Code::Float: return 4;
    default: return 0;
  }
}

// The dtype both scalar types of two operands are brought to.
std::optional<DType> commonDType(DType a, DType b) {
  if (a == b) return a;
  int fa = family(a), fb = family(b);
  if (fa == 0 || fb == 0) return std::nullopt;
  if (fa != fb) return fa > fb ? a : b;
  if (fa == 2) return std::nullopt;
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;
  return a.isInt() ? b : a;  // of one width, unsigned wins
}

Expr constantOf(DType t, std::int64_t value) {
  if (t.isFloat()) return floatImm(static_cast<double>(value), t);
  return intImm(t.isBool() ? value != 0 : value, t);
}

// Whether an integer dtype has the number.
bool holds(DType t, std::int64_t value) {
  if (!t.isIntegral() || t.bits >= 64) return !t.isUInt() || value >= 0;
  const std::int64_t end = std::int64_t{1} << (t.isUInt() ? t.bits : t.bits - 1);
  return value < end && value >= (t.isUInt() ? 0 : -end);
}

// A constant brought to the scalar dtype t, or null when e is no constant that fits.
Expr castConstant(DType t, const Expr& e) {
  if (t.isHandle() || t.isVoid()) return nullptr;
  if (auto* i = asInt(e)) return holds(t, i->value) ? constantOf(t, i->value) : nullptr;
  if (e->kind != ExprKind::FloatImm) return nullptr;
  double value = as<FloatImmNode>(e)->value;
  if (t.isFloat()) return floatImm(value, t);
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(value > -kLimit && value < kLimit) || !holds(t, static_cast<std::int64_t>(value))) return nullptr;
  return constantOf(t, static_cast<std::int64_t>(value));
}

}  // namespace

Var makeVar(std::string name, DType dtype) { return std::make_shared<VarNode>(std::move(name), dtype); }
Expr intImm(std::int64_t value, DType dtype) { return newNode<IntImmNode>(value, dtype); }
Expr floatImm(double value, DType dtype) { return std::make_shared<FloatImmNode>(value, dtype); }
Expr boolImm(bool value) { return newNode<IntImmNode>(value, DType::Bool()); }
Expr stringImm(std::string value) { return std::make_shared<StringImmNode>(std::move(value)); }

Expr constant(DType dtype, double value) {
  DType t = dtype.element();
  Expr scalar = t.isFloat() ? floatImm(value, t) : constantOf(t, static_cast<std::int64_t>(value));
  return dtype.isScalar() ? scalar : broadcast(scalar, dtype.lanes);
}

Expr binary(ExprKind kind, Expr a, Expr b) {
  assert(isBinary(kind));
  DType t = kind >= ExprKind::EQ ? DType::Bool(a->dtype.lanes) : a->dtype;
  return newNode<BinaryNode>(kind, std::move(a), std::move(b), t);
}

bool matchTypes(Expr& a, Expr& b) {
  if (a->dtype == b->dtype) return true;
  if (a->dtype.isScalar() && !b->dtype.isScalar()) a = broadcast(a, b->dtype.lanes);
  if (b->dtype.isScalar() && !a->dtype.isScalar()) b = broadcast(b, a->dtype.lanes);
  if (a->dtype.lanes != b->dtype.lanes) return false;
  auto common = commonDType(a->dtype.element(), b->dtype.element());
  if (!common) return false;
  DType t = common->withLanes(a->dtype.lanes);
  a = cast(t, a);
  b = cast(t, b);
  return true;
}

Expr fold(ExprKind kind, Expr a, Expr b) {
  if (!matchTypes(a, b)) {
    throw std::logic_error("operands of dtypes " + a->dtype.str() + " and " + b->dtype.str() + " do not match");
  }
  if (auto folded = foldConstants(kind, a, b)) return folded;
  return binary(kind, std::move(a), std::move(b));
}

Expr notOf(Expr a) {
  if (auto* i = asInt(a)) return boolImm(i->value == 0);
  return std::make_shared<NotNode>(std::move(a));
}

Expr negate(Expr a) {
  if (auto* i = asInt(a)) return intImm(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(i->value)), a->dtype);
  if (a->kind == ExprKind::FloatImm) return floatImm(-as<FloatImmNode>(a)->value, a->dtype);
  return zero(a->dtype) - a;
}

Expr cast(DType dtype, Expr value) {
  if (value->dtype == dtype) return value;
  DType t = dtype.element();
  if (dtype.isScalar() || value->dtype.isScalar()) {
    if (value->dtype != t) {
      auto folded = castConstant(t, value);
      value = folded ? folded : std::make_shared<CastNode>(t, std::move(value));
    }
    return dtype.isScalar() ? value : broadcast(value, dtype.lanes);
  }
  if (value->kind == ExprKind::Broadcast) return broadcast(cast(t, as<BroadcastNode>(value)->value), dtype.lanes);
  if (value->kind == ExprKind::Ramp && t.isIntegral()) {
    auto* r = as<RampNode>(value);
    return ramp(cast(t, r->base), cast(t, r->stride), dtype.lanes);
  }
  return std::make_shared<CastNode>(dtype, std::move(value));
}

Expr select(Expr condition, Expr yes, Expr no) {
  return std::make_shared<SelectNode>(std::move(condition), std::move(yes), std::move(no));
}

Expr load(Buffer buffer, std::vector<Expr> indices) {
  DType t = buffer->dtype;
  if (!indices.empty()) t = t.withLanes(t.lanes * indices.back()->dtype.lanes);
  return std::make_shared<LoadNode>(std::move(buffer), std::move(indices), t);
}

Expr call(DType dtype, std::string op, std::vector<Expr> args) {
  return std::make_shared<CallNode>(dtype, std::move(op), std::move(args));
}

Expr ramp(Expr base, Expr stride, int lanes) {
  return std::make_shared<RampNode>(std::move(base), std::move(stride), lanes);
}

Expr broadcast(Expr value, int lanes) { return std::make_shared<BroadcastNode>(std::move(value), lanes); }

Expr ifThenElse(Expr condition, Expr yes, Expr no) {
  if (!matchTypes(yes, no)) throw std::logic_error("the two values of if_then_else have different dtypes");
  if (auto* i = asInt(condition)) return i->value ? yes : no;
  DType t = yes->dtype;
  return call(t, "if_then_else", {std::move(condition), std::move(yes), std::move(no)});
}

Buffer makeBuffer(Id id, std::string name, DType dtype, std::vector<Expr> shape, std::string scope) {
  auto b = std::make_shared<BufferNode>();
  b->id = id;
  b->data = makeVar(name, DType::Handle());
  b->name = std::move(name);
  b->dtype = dtype;
  b->elemOffset = intImm(0, shape.empty() ? DType::Int(32) : shape[0]->dtype);
  b->shape = std::move(shape);
  b->scope = std::move(scope);
  return b;
}

Stmt store(Buffer buffer, Expr value, std::vector<Expr> indices) {
  auto s = std::make_shared<StoreNode>();
  s->buffer = std::move(buffer);
  s->value = std::move(value);
  s->indices = std::move(indices);
  return s;
}

Stmt evaluate(Expr value) {
  auto s = std::make_shared<EvaluateNode>();
  s->value = std::move(value);
  return s;
}

Stmt seq(std::vector<Stmt> stmts) {
  std::vector<Stmt> flat;
  auto isNothing = [](const Stmt& s) {
    return !s || (s->kind == StmtKind::Evaluate && isConst(as<EvaluateNode>(s)->value, 0));
  };
  for (auto& s : stmts) {
    if (isNothing(s)) continue;
    if (auto* inner = asSeq(s)) {
      flat.insert(flat.end(), inner->stmts.begin(), inner->stmts.end());
    } else {
      flat.push_back(std::move(s));
    }
  }
  if (flat.empty()) return evaluate(intImm(0));
  if (flat.size() == 1) return flat[0];
  auto s = std::make_shared<SeqNode>();
  s->stmts = std::move(flat);
  return s;
}

Stmt ifThen(Expr condition, Stmt yes, Stmt no) {
  auto s = std::make_shared<IfThenElseNode>();
  s->condition = std::move(condition);
  s->yes = std::move(yes);
  s->no = std::move(no);
  return s;
}

BlockRealize realize(std::vector<Expr> values, Expr predicate, Block block) {
  auto s = std::make_shared<BlockRealizeNode>();
  s->values = std::move(values);
  s->predicate = std::move(predicate);
  s->block = std::move(block);
  return s;
}

BufferRegion wholeRegion(const Buffer& buffer) {
  BufferRegion r{buffer, {}};
  for (const auto& extent : buffer->shape) r.region.push_back({intImm(0), extent});
  return r;
}

bool isTrue(const Expr& e) { return asInt(e) && e->dtype.isBool() && asInt(e)->value != 0; }
bool isFalse(const Expr& e) { return asInt(e) && e->dtype.isBool() && asInt(e)->value == 0; }

}  // namespace loom::ir
