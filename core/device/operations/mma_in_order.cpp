// What the calls of mma.sync and ldmatrix mean in order, one lane after the other: loops over the elements of the lane,
// at the places where TVM's intrinsics describe them to lie. Those of what is loaded transposed are other ones than the
// hardware's, so that a program whose loads are calls and whose products are loops has its meaning, too. Elements that
// nothing transposes lie where the hardware takes them from. Buffers in the scopes m16n8k8.… are whole matrices: there
// the calls mean what their tiles say.
#include <algorithm>
#include <cstdio>

#include "core/arith/analyzer.h"
#include "core/device/operations/mma_calls.h"
#include "core/ir/build.h"
#include "core/layout/fragment_scope.h"

namespace loom::device {
namespace {

using namespace ir;

using View = const MatchBuffer*;

Failure refuse(Message why) { return fail("NotExecutable", std::move(why), Forbids::Environment); }

std::int64_t rows(const Buffer& b) { return constantOr(b->shape[0], 0); }
std::int64_t columns(const Buffer& b) { return constantOr(b->shape[1], 0); }

ir::Stmt loop(const Var& var, std::int64_t extent, ir::Stmt body, ForKind kind = ForKind::Serial) {
  ForNode n;
  n.var = var;
  n.min = intImm(0, var->dtype);
  n.extent = intImm(extent, var->dtype);
  n.forKind = kind;
  n.body = std::move(body);
  return std::make_shared<const ForNode>(std::move(n));
}

Expr div(const Expr& e, std::int64_t by) { return floordiv(e, intImm(by, e->dtype)); }
Expr mod(const Expr& e, std::int64_t by) { return floormod(e, intImm(by, e->dtype)); }

// The views of one call, and the loops that they make.
class Calls {
 public:
  Calls(const CallNode& call, const InOrder& context) : call_(call), context_(context) {}

  Result<ir::Stmt> ldmatrix() {
    const View to = view(3), from = pointed(5);
    if (!to || !from || call_.args.size() < 7) return noViews();
    const Buffer &d = to->buffer, &m = from->buffer;
    if (layout::isFragmentScope(d->scope)) return tile(d, m);
    if (!context_.lane) return noLane();
    const int part = 32 / d->dtype.bits;
    if (columns(d) != 4 * part) return noViews();
    const Var element = makeVar("element");
    const Expr &lane = context_.lane, group = div(element, part);
    const Expr row = div(lane, 4) + mod(group, 2) * 8;
    const Expr column = mod(lane, 4) * part + mod(element, part) + div(group, 2) * (4 * part);
    return loop(element, columns(d), store(d, load(m, {row, column}), {lane, element}));
  }

  Result<ir::Stmt> product() {
    const View a = view(6), b = view(8), c = view(10);
    if (!a || !b || !c || call_.args.size() < 12) return noViews();
    const Buffer &x = a->buffer, &y = b->buffer, &sum = c->buffer;
    if (layout::isFragmentScope(sum->scope)) return tiles(x, y, sum);
    if (!context_.lane) return noLane();
    const std::optional<std::int64_t> ofX = registerOf(x, call_.args[7]), ofY = registerOf(y, call_.args[9]),
                                      first = registerOf(sum, call_.args[11]);
    const std::optional<Shape> shape = shapeOf(call_.args[0]);
    if (!ofX || !ofY || !first || !shape) return noViews();
    const auto left = transposed(a), right = transposed(b);
    for (const View v : {a, b})
      if (!transposed(v) && !isTaken(v->buffer))
        return refuse(message("no load says whether {} lies by rows or by columns", v->source.buffer->name));
    // The sum's element: row lane / 4 + 8 · (element / 2), column lane % 4 · 2 + element % 2 of eight.
    const Var element = makeVar("element"), k = makeVar("k");
    const Expr& lane = context_.lane;
    const Expr row = div(lane, 4) + div(element, 2) * 8, column = mod(lane, 4) * 2 + mod(element, 2);
    const Expr place = Expr(element) + *first;
    const Corner ofLeft = cornerOf(x, *ofX, 2), ofRight = cornerOf(y, *ofY, 1);
    const Expr leftRow = row + ofLeft.row, leftK = Expr(k) + ofLeft.k;
    const Expr rightColumn = column + ofRight.row, rightK = Expr(k) + ofRight.k;
    const Expr factor = !left   ? taken(x, row, k, *ofX, shape->m / 8)
                        : *left ? held(x, leftK, leftRow)
                                : held(x, leftRow, leftK);
    const Expr other = !right               ? taken(y, column, k, *ofY, 1)
                       : !*right            ? held(y, rightColumn, rightK)
                       : y->dtype.bits == 8 ? gatheredAt(y, rightK, rightColumn)
                                            : held(y, rightK, rightColumn);
    const Expr value = load(sum, {lane, place}) + cast(sum->dtype, factor) * cast(sum->dtype, other);
    return loop(element, shape->m / 4, loop(k, shape->k, store(sum, value, {lane, place})));
  }

  Result<ir::Stmt> fill() {
    const View to = view(1);
    if (!to || call_.args.empty() || !asInt(call_.args[0])) return noViews();
    if (!context_.lane) return noLane();
    const Var i = makeVar("element");
    return loop(i, asInt(call_.args[0])->value, store(to->buffer, zero(to->buffer->dtype), {context_.lane, i}),
                ForKind::Unrolled);
  }

  // Two neighbours at once: each lane has pairs of columns.
  Result<ir::Stmt> storing() {
    const View to = pointed(2), from = view(3);
    if (!to || !from || rows(to->buffer) != 16 || columns(to->buffer) != 16) return noViews();
    if (!context_.lane) return noLane();
    const Expr& lane = context_.lane;
    const Var pair = makeVar("pair"), side = makeVar("side");
    const Expr row = mod(pair, 2) * 8 + div(lane, 4), column = div(pair, 2) * 8 + mod(lane, 4) * 2 + Expr(side);
    const ir::Stmt one = store(to->buffer, load(from->buffer, {lane, Expr(pair) * 2 + Expr(side)}), {row, column});
    return loop(pair, 4, loop(side, 2, one, ForKind::Vectorized), ForKind::Unrolled);
  }

  // What ldmatrix is asked to transpose and can't, elements of 8 bits: TVM 0.22, CodeGenCUDA of ptx_ldmatrix.
  Result<ir::Stmt> gathered() {
    const View to = view(3), from = pointed(5);
    if (!to || !from) return noViews();
    if (!context_.lane) return noLane();
    return gathered(to->buffer, from->buffer);
  }

 private:
  View view(std::size_t i) const { return i < call_.args.size() ? context_.viewOf(call_.args[i]) : nullptr; }
  View pointed(std::size_t i) const {
    const auto* pointer = i < call_.args.size() ? asCall(call_.args[i]) : nullptr;
    return pointer && pointer->args.size() >= 2 ? context_.viewOf(pointer->args[1]) : nullptr;
  }
  Failure noViews() const { return refuse(message("T.{} isn't over tiles that its block views", call_.op)); }
  Failure noLane() const { return refuse(message("T.{} stands in no loop over the lanes of a warp", call_.op)); }

  // Of a call's offset: the element of the lane's where its operand begins, a constant. Nothing for other offsets.
  std::optional<std::int64_t> registerOf(const Buffer& b, const Expr& offset) const {
    arith::Analyzer analyzer;
    analyzer.bind(std::static_pointer_cast<const VarNode>(context_.lane), Range{intImm(0), intImm(32)}, true);
    const Expr rest = analyzer.simplify(offset - b->elemOffset - context_.lane * columns(b));
    return asInt(rest) ? std::optional(asInt(rest)->value) : std::nullopt;
  }

  // Whether the operand was loaded transposed. Nothing where no load says it.
  std::optional<bool> transposed(View v) const {
    const auto found = context_.columnMajor.find(v->source.buffer.get());
    return found == context_.columnMajor.end() ? std::nullopt : std::optional(found->second);
  }
  // The element of a tile that was loaded as its rows lie, where the intrinsics describe it to be.
  static Expr held(const Buffer& b, const Expr& row, const Expr& column) {
    const int part = 32 / b->dtype.bits;
    return load(b, {mod(row, 8) * 4 + div(mod(column, 4 * part), part),
                    div(column, 4 * part) * (2 * part) + div(row, 8) * part + mod(column, part)});
  }
  // Whether an operand that no call loads can only lie where the product takes it from: of 32 bits, which ldmatrix
  // transposes as little as TVM describes them elsewhere.
  static bool isTaken(const Buffer& b) { return b->dtype.bits == 32; }
  // There, row `row` of A or column `row` of B (layout::mmaFragment), of which the operand has so many eights; `first`:
  // the lane's element with which the operand begins.
  static Expr taken(const Buffer& b, const Expr& row, const Expr& k, std::int64_t first, int eights) {
    const int part = 32 / b->dtype.bits;
    const Expr element = div(k, 4 * part) * (eights * part) + div(row, 8) * part + mod(k, part) + first;
    return load(b, {mod(row, 8) * 4 + div(mod(k, 4 * part), part), element});
  }
  // Where an operand begins within a tile that ldmatrix.x4 loaded: row of A or column of B, and step of k.
  struct Corner {
    std::int64_t row = 0, k = 0;
  };
  // Of the lane's element `first` of a tile of 16 rows of A, or columns of B: parts of `eights` eights of these lie
  // side by side, step by step of k, before those of further rows (A: 2, B: 1).
  static Corner cornerOf(const Buffer& b, std::int64_t first, int eights) {
    const int part = 32 / b->dtype.bits;
    const std::int64_t step = part * eights, together = std::max(columns(b) * eights / 2, step);
    return {(first / together * eights + first % step / part) * 8, first % together / step * (4 * part)};
  }
  struct Shape {
    int m = 0, k = 0;
  };
  // A product's shape by its name, "m16n8k16". Nothing for other texts.
  static std::optional<Shape> shapeOf(const Expr& name) {
    if (name->kind != ExprKind::StringImm) return std::nullopt;
    Shape shape;
    int n = 0;
    const int read = std::sscanf(as<StringImmNode>(name)->value.c_str(), "m%dn%dk%d", &shape.m, &n, &shape.k);
    return read == 3 && shape.m > 0 && n == 8 && shape.k > 0 ? std::optional(shape) : std::nullopt;
  }
  // The same of what was gathered.
  static Expr gatheredAt(const Buffer& b, const Expr& row, const Expr& column) {
    return load(b, {div(mod(row, 16), 4) + mod(column, 8) * 4, div(column, 8) * 8 + div(row, 16) * 4 + mod(row, 4)});
  }

  ir::Stmt gathered(const Buffer& d, const Buffer& m) const {
    const Expr& lane = context_.lane;
    const Var i = makeVar("element");
    const Expr row = div(mod(i, 8), 4) * 16 + mod(lane, 4) * 4 + mod(i, 4), column = div(lane, 4) + div(i, 8) * 8;
    return loop(i, 16, store(d, load(m, {row, column}), {lane, i}), ForKind::Unrolled);
  }

  Result<ir::Stmt> tile(const Buffer& d, const Buffer& m) const {
    const Var row = makeVar("row"), column = makeVar("column");
    return loop(row, rows(d), loop(column, columns(d), store(d, load(m, {row, column}), {row, column})));
  }
  Result<ir::Stmt> tiles(const Buffer& x, const Buffer& y, const Buffer& sum) const {
    const Var row = makeVar("row"), column = makeVar("column"), k = makeVar("k");
    const Expr value =
        load(sum, {row, column}) + cast(sum->dtype, load(x, {row, k})) * cast(sum->dtype, load(y, {k, column}));
    return loop(row, rows(sum), loop(column, columns(sum), loop(k, columns(x), store(sum, value, {row, column}))));
  }

  const CallNode& call_;
  const InOrder& context_;
};

}  // namespace

Result<ir::Stmt> mmaCallInOrder(const CallNode& call, const InOrder& context) {
  Calls calls(call, context);
  return call.op == "ptx_ldmatrix" ? calls.ldmatrix() : calls.product();
}

std::optional<bool> mmaCallLoadsByColumns(const CallNode& call) {
  if (call.op != "ptx_ldmatrix" || call.args.empty()) return std::nullopt;
  return !isConst(call.args[0], 0);
}

std::optional<Result<ir::Stmt>> inElements(const CallNode& call, const InOrder& context) {
  Calls calls(call, context);
  if (call.op == "mma_fill") return calls.fill();
  if (call.op == "mma_store") return calls.storing();
  const bool transposed = call.op == "ptx_ldmatrix" && !call.args.empty() && !isConst(call.args[0], 0);
  if (transposed && call.dtype.bits == 8) return calls.gathered();
  return std::nullopt;
}

}  // namespace loom::device
