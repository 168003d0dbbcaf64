// What the calls on tiles of matrices mean in order on one thread: loops over the tiles that their blocks view.

#include "core/device/operations/families.h"
#include "core/device/operations/loops.h"
#include "core/ir/build.h"

namespace loom::device {
namespace {

using namespace ir;

std::int64_t rows(const MatchBuffer& m) { return constantOr(m.buffer->shape[0], 0); }
std::int64_t columns(const MatchBuffer& m) { return constantOr(m.buffer->shape[1], 0); }

Failure refuse(Message why) { return fail("NotExecutable", std::move(why), Forbids::Environment); }

}  // namespace

std::optional<bool> matrixCallLoadsByColumns(const CallNode& c) {
  if (c.op != "tvm_load_matrix_sync" || c.args.size() < 8 || c.args[7]->kind != ExprKind::StringImm)
    return std::nullopt;
  return as<StringImmNode>(c.args[7])->value == "col_major";
}

Result<ir::Stmt> matrixCallInOrder(const CallNode& c, const InOrder& context) {
  auto viewOf = [&](const Expr& data) { return context.viewOf(data); };
  const Failure noTiles = refuse(message("T.{} isn't over tiles that its block views", c.op));
  Var row = makeVar("row"), column = makeVar("column"), k = makeVar("k");
  if (c.op == "tvm_mma_sync" || c.op == "tvm_bmma_sync") {
    if (c.args.size() < 8) return noTiles;
    auto *d = viewOf(c.args[0]), *a = viewOf(c.args[2]), *b = viewOf(c.args[4]), *sum = viewOf(c.args[6]);
    if (!d || !a || !b || !sum) return noTiles;
    auto lies = context.columnMajor.find(b->source.buffer.get());
    if (lies == context.columnMajor.end())
      return refuse(message("no load says whether {} lies by rows or by columns", b->source.buffer->name));
    const Buffer& out = d->buffer;
    Expr x = load(a->buffer, {row, k});
    Expr y = lies->second ? load(b->buffer, {column, k}) : load(b->buffer, {k, column});
    // Of bits, tvm_bmma_sync counts those that differ.
    Expr term = c.op == "tvm_mma_sync" ? cast(out->dtype, x) * cast(out->dtype, y) : cast(out->dtype, ne(x, y));
    Expr value = load(sum->buffer, {row, column}) + term;
    return nest({{row, rows(*d)}, {column, columns(*d)}, {k, columns(*a)}}, ir::store(out, value, {row, column}));
  }
  if (c.args.size() < 6) return noTiles;
  auto* tile = viewOf(c.args[0]);
  if (!tile) return noTiles;
  const std::vector<std::pair<Var, std::int64_t>> all = {{row, rows(*tile)}, {column, columns(*tile)}};
  if (c.op == "tvm_fill_fragment") {
    return nest(all, store(tile->buffer, cast(tile->buffer->dtype, c.args[5]), {row, column}));
  }
  auto* pointer = asCall(c.args[5]);
  if (!pointer || pointer->args.size() < 2) return noTiles;
  auto* memory = viewOf(pointer->args[1]);
  if (!memory) return noTiles;
  // A fragment that is loaded by columns holds the tile as memory does; the product knows.
  bool loads = c.op == "tvm_load_matrix_sync";
  const Buffer &to = loads ? tile->buffer : memory->buffer, &from = loads ? memory->buffer : tile->buffer;
  return nest(all, store(to, load(from, {row, column}), {row, column}));
}

}  // namespace loom::device
