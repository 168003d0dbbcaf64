#include "core/model/persistent_turns.h"

#include <algorithm>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/model/role_program.h"

namespace loom::model {
namespace {

using namespace device;

constexpr std::int64_t kMostTurns = 4096;

// The condition under which the whole body of a loop stands; null if there is none.
const IfNode* guardOf(const LoopNode& loop) {
  Stmt inside = loop.body;
  while (inside && inside->kind == StmtKind::Block) inside = as<BlockNode>(inside)->body;
  if (inside && inside->kind == StmtKind::Seq && as<SeqNode>(inside)->stmts.size() == 1)
    inside = as<SeqNode>(inside)->stmts.front();
  const IfNode* guard = inside && inside->kind == StmtKind::If ? as<IfNode>(inside) : nullptr;
  return guard && !guard->no ? guard : nullptr;
}

// Whether blocks with following numbers take following tiles and then skip those of all other blocks, as in
// turn · blocks + blockIdx < tiles. A loop over a block's own rows is none, whose last block has fewer of them.
bool skipsOtherBlocks(const ir::Expr& condition, const ir::VarNode* loop, const Kernel& kernel) {
  const ir::BinaryNode* less = condition->kind == ir::ExprKind::LT ? ir::as<ir::BinaryNode>(condition) : nullptr;
  if (!less || kernel.blocks() < 2) return false;
  RoleValues values;  // of no other variable: what depends on one has no value
  const auto tileOf = [&](std::int64_t turn, std::int64_t block) {
    values.setBlock(kernel, block);
    values.set(loop, turn);
    return values.evaluate(less->a);
  };
  const auto first = tileOf(0, 0), ofNextTurn = tileOf(1, 0), ofNextBlock = tileOf(0, 1);
  if (!first || !ofNextTurn || !ofNextBlock) return false;
  const std::int64_t step = *ofNextBlock - *first;
  return step > 0 && *ofNextTurn - *first >= step * kernel.blocks();
}

}  // namespace

std::vector<std::int64_t> persistentTurns(const Kernel& kernel) {
  const LoopNode* loop = nullptr;
  const IfNode* guard = nullptr;
  forEach(kernel.body, [&](const Stmt& s) {
    if (loop || s->kind != StmtKind::Loop) return !loop;
    const auto* candidate = as<LoopNode>(s);
    const IfNode* over = guardOf(*candidate);
    if (over && skipsOtherBlocks(over->condition, candidate->var.get(), kernel)) loop = candidate, guard = over;
    return !loop;
  });
  const std::int64_t extent = loop ? ir::constantOr(loop->extent, 0) : 0;
  if (extent < 1 || extent > kMostTurns) return {};
  RoleValues values;
  std::vector<std::int64_t> working(std::size_t(extent), 0);
  for (std::int64_t block = 0; block < kernel.blocks(); ++block) {
    values.setBlock(kernel, block);
    for (std::int64_t turn = 0; turn < extent; ++turn) {
      values.set(loop->var.get(), turn);
      const auto holds = values.evaluate(guard->condition);
      if (!holds) return {};
      working[std::size_t(turn)] += *holds ? 1 : 0;
    }
  }
  while (!working.empty() && working.back() == 0) working.pop_back();  // the loop may be longer than need be
  return working;
}

}  // namespace loom::model
