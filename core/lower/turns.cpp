#include "core/lower/turns.h"

#include <algorithm>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/lower/annotations.h"
#include "core/lower/launch.h"
#include "core/lower/versions.h"

namespace loom::lower {
namespace {

using namespace device;

constexpr std::int64_t kFewestTurns = 2, kMostTurns = 4;

// The loop around the first pipelined loop; null where there is none.
const LoopNode* loopOfTiles(const Stmt& s, const LoopNode* around) {
  const LoopNode* found = nullptr;
  if (s->kind == StmtKind::Loop) {
    if (as<LoopNode>(s)->pipelined) return around;
    around = as<LoopNode>(s);
  }
  mapChildren(s, [&](const Stmt& child) {
    if (child && !found) found = loopOfTiles(child, around);
    return child;
  });
  return found;
}

Stmt everyNth(const Stmt& s, const LoopNode* tiles, int turns, const Var& own) {
  if (!s) return s;
  if (s->kind != StmtKind::Loop || as<LoopNode>(s)->var != tiles->var)
    return mapChildren(s, [&](const Stmt& child) { return everyNth(child, tiles, turns, own); });
  const DType type = tiles->var->dtype;
  const Expr n = ir::intImm(turns, type), all = tiles->extent;
  auto loop = std::make_shared<LoopNode>(*as<LoopNode>(s));
  loop->var = ir::makeVar(tiles->var->name, type);
  const Expr tile = Expr(loop->var) * n + ir::cast(type, own);
  arith::Analyzer analyzer;
  loop->extent = analyzer.simplify(ir::floordiv(all + n - ir::intImm(1, type), n));
  loop->body = device::substitute(loop->body, tiles->var, tile);
  if (!ir::isConst(analyzer.simplify(ir::floormod(all, n)), 0)) {
    auto guard = std::make_shared<IfNode>();
    guard->condition = ir::lt(tile, all);
    guard->yes = loop->body;
    loop->body = std::move(guard);
  }
  return loop;
}

}  // namespace

Result<int> turnsOf(const Stmt& s) {
  std::int64_t turns = 1;
  if (!s) return 1;
  for (const BlockNode* b : annotatedBlocks(s, kTurns)) {
    turns = numberOf(b->annotations.at(kTurns)).value_or(0);
    if (turns < kFewestTurns || turns > kMostTurns)
      return notAKernel(message("\"{}\" of block {} is a whole number from {} to {}: the warpgroups that take tiles in "
                                "turns",
                                kTurns, b->name, kFewestTurns, kMostTurns),
                        {b->block});
  }
  return int(turns);
}

Result<Stmt> inTurns(Kernel& kernel, const Stmt& work) {
  const auto turns = turnsOf(work);
  if (!turns) return Failure(turns.error());
  if (*turns == 1) return work;
  std::vector<Id> subjects;
  for (const BlockNode* b : annotatedBlocks(work, kTurns)) subjects.push_back(b->block);
  if (kernel.block[1] != 1)
    return notAKernel(message("{} warpgroups work on one tile together, and \"{}\" gives each a tile of its own",
                              kernel.block[1], kTurns),
                      subjects, message("without sch.bind(…, \"threadIdx.y\")"));
  const LoopNode* tiles = loopOfTiles(work, nullptr);
  if (!tiles || tiles->use != LoopUse::Serial)
    return notAKernel(message("there are no tiles to take in turns: the pipelined loop has no loop around it that a "
                              "block goes through"),
                      subjects,
                      message("sch.split(the loop of tiles, [None, blocks]), of which the inner part is bound "
                              "to blockIdx.x"));
  const Var& own = kernel.threadIdx[1];
  // Before the loops' variables change, which say nothing of the warpgroup.
  Buffers written;
  for (const ir::BufferNode* b : usesOf(work).written) {
    const auto allocation = std::ranges::find_if(
        kernel.allocations, [&](const Allocation& a) { return a.buffer.get() == b && isShared(a.memory); });
    if (allocation == kernel.allocations.end()) continue;
    multiply(*allocation, *turns);
    written.insert(b);
  }
  return withVersion(everyNth(work, tiles, *turns, own), written, own);
}

}  // namespace loom::lower
