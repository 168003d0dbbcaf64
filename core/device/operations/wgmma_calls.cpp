#include "core/device/operations/wgmma_calls.h"

#include <algorithm>

#include "core/device/operations/call_arguments.h"
#include "core/device/operations/loops.h"

namespace loom::device {
namespace {

using namespace ir;

constexpr std::size_t kTile = 4, kFirst = 5;  // arguments: the number of the sum's tile, and the first after it
// Arguments of a product: the order of the second factor, and that of the first, which lies by rows where none is
// given.
constexpr std::size_t kOrderOfB = kFirst + 4, kOrderOfA = kFirst + 5;

Failure refuse(const ReadContext& context, Message why, const Buffer& buffer, Message remedy = {}) {
  std::vector<Id> subjects;
  if (context.block) subjects.push_back(context.block->id);
  if (buffer) subjects.push_back(buffer->id);
  return notAKernel(std::move(why), std::move(subjects), std::move(remedy), Forbids::Hardware);
}

const FragmentShape* shapeOf(const ReadContext& context, const Buffer& buffer) {
  for (const Allocation& a : *context.allocations)
    if (a.buffer == buffer && a.fragment) return &*a.fragment;
  return nullptr;
}

// What distinguishes the rows of one call.
struct Wanted {
  int n = 0;
  std::optional<int> k;
  std::optional<bool> rowsOfA, rowsOfB;
};
const OperationRow* find(const OperationFamily& family, const CallNode& call, const Wanted& wanted,
                         const std::function<bool(const OperationRow&)>& fits = {}) {
  for (const OperationRow& row : family.rows) {
    if (row.call != call.op || row.tile.n != wanted.n || (wanted.k && row.tile.k != *wanted.k)) continue;
    if (wanted.rowsOfA && row.operands[1].rowMajor != *wanted.rowsOfA) continue;
    if (wanted.rowsOfB && row.operands[2].rowMajor != *wanted.rowsOfB) continue;
    if (!fits || fits(row)) return &row;
  }
  return nullptr;
}

Result<OperationNode> readProduct(const OperationFamily& family, const CallNode& call, const ReadContext& context,
                                  const Arguments& args, BufferPlace sum, const Wanted& tile) {
  OperationNode n;
  bool rowsOfA = true, rowsOfB = true;
  LOOM_TAKE(rowsOfB, args.rowMajor(kOrderOfB));
  if (call.args.size() > kOrderOfA) {
    LOOM_TAKE(rowsOfA, args.rowMajor(kOrderOfA));
  }
  n.places.resize(4);
  n.places[0] = n.places[3] = std::move(sum);
  LOOM_TAKE(n.places[1], args.pointer(kFirst));
  LOOM_TAKE(n.places[2], args.pointer(kFirst + 2));
  const Expr zero = intImm(0);
  n.values = {nullptr, zero, zero, nullptr, zero, zero};
  LOOM_TAKE(n.values[0], args.expression(kFirst + 1));
  LOOM_TAKE(n.values[3], args.expression(kFirst + 3));
  const Buffer &d = n.places[0].buffer, &a = n.places[1].buffer, &b = n.places[2].buffer;
  const auto multiplies = [&](const OperationRow& row) {
    const ProductTypes& types = row.products.front();
    return types.factors == a->dtype && types.factors == b->dtype && types.result == d->dtype;
  };
  n.row = find(family, call, {tile.n, tile.k, rowsOfA, rowsOfB}, multiplies);
  if (n.row) return n;
  if (!rowsOfA && find(family, call, {tile.n, tile.k, true, rowsOfB}, multiplies))
    return refuse(context,
                  message("{} multiplies {} of {}, which lies by columns: tensor cores of a warpgroup take the first "
                          "factor by rows, [m, k], unless its elements have 16 bits",
                          nameOf(context.block), a->name, a->dtype.str()),
                  a);
  if (find(family, call, {tile.n, tile.k, rowsOfA, {}}, multiplies))
    return refuse(context,
                  message("{} multiplies by {} of {}, which lies by rows: tensor cores of a warpgroup take the second "
                          "factor by columns, [n, k], unless its elements have 16 bits",
                          nameOf(context.block), b->name, b->dtype.str()),
                  b);
  return refuse(context,
                message("{} multiplies {} by {} to {} as m64n{}k{}, which wgmma doesn't have", nameOf(context.block),
                        a->dtype.str(), b->dtype.str(), d->dtype.str(), tile.n, *tile.k),
                d);
}

}  // namespace

Result<OperationNode> readWgmmaCall(const OperationFamily& family, const CallNode& call, const ReadContext& context) {
  const Arguments args(call, context);
  BufferPlace sum;
  Wanted tile;
  int m = 0, k = 0;
  LOOM_TAKE(sum, args.fragment(0, kTile));
  LOOM_TAKE(m, args.size(1));
  LOOM_TAKE(tile.n, args.size(2));
  LOOM_TAKE(k, args.size(3));
  const FragmentShape* shape = shapeOf(context, sum.buffer);
  if (!shape || familyOf(sum.buffer->scope) != family.fragments)
    return refuse(context, message("{} isn't a sum of a warpgroup, which lies in local.wgmma", sum.buffer->name),
                  sum.buffer);
  // Columns of a sum can be stored by themselves.
  const bool columns = call.op == "ptx_wgmma_store" && tile.n < shape->tile.n && shape->tile.n % tile.n == 0;
  if (m != shape->tile.m || (tile.n != shape->tile.n && !columns))
    return refuse(context,
                  message("{} is a sum of {}×{} tiles, but {} takes one of {}×{}", sum.buffer->name, shape->tile.m,
                          shape->tile.n, nameOf(context.block), m, tile.n),
                  sum.buffer, message("sch.tensorize all its blocks with intrinsics of one tile"));
  if (call.op == "ptx_wgmma_mma_async") {
    tile.k = k;
    return readProduct(family, call, context, args, std::move(sum), tile);
  }
  OperationNode n;
  n.row =
      find(family, call, tile, [&](const OperationRow& row) { return (row.operands.back().first >= 0) == columns; });
  if (!n.row) return refuse(context, message("wgmma has no sums of {}×{}", m, tile.n), sum.buffer);
  if (call.op == "ptx_wgmma_fill") {
    n.places = {std::move(sum)};
    n.values.resize(1);
    LOOM_TAKE(n.values[0], args.expression(kFirst));
    return n;
  }
  n.places.resize(2);
  LOOM_TAKE(n.places[0], args.pointer(kFirst));
  n.values = {nullptr, intImm(0), intImm(0)};
  LOOM_TAKE(n.values[0], args.expression(kFirst + 1));
  if (columns) {
    // The call counts tiles of its own width.
    Expr& number = sum.at.back();
    const Expr parts = intImm(shape->tile.n / tile.n, number->dtype);
    n.values.push_back(ir::cast(DType::Int(32), floormod(number, parts)) * intImm(tile.n));
    number = floordiv(number, parts);
  }
  n.places[1] = std::move(sum);
  return n;
}

// --- in order ---

std::optional<bool> wgmmaCallLoadsByColumns(const CallNode&) { return std::nullopt; }

namespace {

const MatchBuffer* pointed(const CallNode& c, std::size_t argument, const InOrder& context) {
  const CallNode* pointer = argument < c.args.size() ? asCall(c.args[argument]) : nullptr;
  return pointer && pointer->args.size() > 1 ? context.viewOf(pointer->args[1]) : nullptr;
}

std::int64_t extentOf(const MatchBuffer& m, std::size_t d) { return constantOr(m.buffer->shape[d], 0); }

}  // namespace

Result<ir::Stmt> wgmmaCallInOrder(const CallNode& c, const InOrder& context) {
  const Failure noTiles =
      fail("NotExecutable", message("T.{} isn't over tiles that its block views", c.op), Forbids::Environment);
  const MatchBuffer* sum = c.args.size() > kFirst ? context.viewOf(c.args[0]) : nullptr;
  if (!sum) return noTiles;
  const Buffer& d = sum->buffer;
  const Var row = makeVar("row"), column = makeVar("column"), k = makeVar("k");
  const std::vector<std::pair<Var, std::int64_t>> tile{{row, extentOf(*sum, 0)}, {column, extentOf(*sum, 1)}};
  if (c.op == "ptx_wgmma_fill") return nest(tile, store(d, cast(d->dtype, c.args[kFirst]), {row, column}));
  const MatchBuffer* memory = pointed(c, kFirst, context);
  if (!memory) return noTiles;
  if (c.op == "ptx_wgmma_store") return nest(tile, store(memory->buffer, load(d, {row, column}), {row, column}));
  const MatchBuffer* other = pointed(c, kFirst + 2, context);
  const auto isByRows = [&](std::size_t argument) { return as<StringImmNode>(c.args[argument])->value == "row_major"; };
  for (std::size_t argument = kOrderOfB; argument < std::max(c.args.size(), kOrderOfA); ++argument)
    if (!other || argument >= c.args.size() || c.args[argument]->kind != ExprKind::StringImm) return noTiles;
  const bool rowsOfA = c.args.size() <= kOrderOfA || isByRows(kOrderOfA);
  const Expr x = rowsOfA ? load(memory->buffer, {row, k}) : load(memory->buffer, {k, row});
  const Expr y = isByRows(kOrderOfB) ? load(other->buffer, {k, column}) : load(other->buffer, {column, k});
  const Expr value = load(d, {row, column}) + cast(d->dtype, x) * cast(d->dtype, y);
  auto all = tile;
  all.emplace_back(k, extentOf(*memory, rowsOfA ? 1 : 0));
  return nest(all, store(d, value, {row, column}));
}

}  // namespace loom::device
