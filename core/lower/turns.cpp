#include "core/lower/turns.h"

#include <algorithm>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/lower/annotations.h"
#include "core/lower/launch.h"
#include "core/lower/ring_sizes.h"
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

// A ring of slots from which a tile's sums are stored, and how often it is written for one tile.
struct StagingRing {
  Buffer buffer;
  std::int64_t slots = 1, parts = 1;
  std::vector<Id> by;
};
// The rings inside a loop of tiles: each is written after a wait that leaves all slots but one on their way.
void findRings(const Stmt& s, std::int64_t times, std::vector<StagingRing>& found) {
  if (s->kind == StmtKind::Loop) times *= ir::constantOr(as<LoopNode>(s)->extent, 1);
  if (s->kind == StmtKind::Sync) {
    const SyncNode& wait = *as<SyncNode>(s);
    if (wait.token == Token::BulkStores && wait.allow > 0)
      for (const Landed& l : wait.landed) found.push_back({l.buffer, wait.allow + 1, times, l.by});
  }
  mapChildren(s, [&](const Stmt& child) {
    if (child) findRings(child, times, found);
    return child;
  });
}

// A warpgroup leaves out the tiles of the others, and the slots of a ring with them: it finds the next one where it
// left off only where these are whole rounds.
Result<void> ringsGoRound(const LoopNode& tiles, int turns) {
  if (ir::constantOr(tiles.extent, turns + 1) <= turns) return {};  // one tile each
  std::vector<StagingRing> rings;
  findRings(tiles.body, 1, rings);
  for (const StagingRing& r : rings) {
    if ((turns - 1) * r.parts % r.slots == 0) continue;
    std::int64_t fits = r.slots - 1;
    while (fits > 1 && (turns - 1) * r.parts % fits != 0) --fits;
    return notAKernel(
        message(
            "{} warpgroups take tiles in turns, and each stores {} parts of a tile from {} slots of {}: the {} parts "
            "that it leaves out are no whole rounds of the slots, so that its next tile would begin at one that may "
            "still be read",
            turns, r.parts, r.slots, r.buffer->name, (turns - 1) * r.parts),
        r.by, message("{} = {}", kSlots, fits));
  }
  return {};
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
  if (auto round = ringsGoRound(*tiles, *turns); !round) return Failure(round.error());
  const Var& own = kernel.threadIdx[1];
  // Before the loops' variables change, which say nothing of the warpgroup.
  Buffers written;
  for (const ir::BufferNode* b : usesOf(work).written) {
    const auto allocation = std::ranges::find_if(
        kernel.allocations, [&](const Allocation& a) { return a.buffer.get() == b && isShared(a.memory); });
    if (allocation == kernel.allocations.end()) continue;
    multiply(*allocation, *turns, work);
    written.insert(b);
  }
  return withVersion(everyNth(work, tiles, *turns, own), written, own);
}

}  // namespace loom::lower
