#include "app/panels/thread_binding/view/turns.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/device/lane_values.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/model/separated_index.h"

namespace loom::session {
namespace {

constexpr std::int64_t kMostTiles = 1 << 16;

// The number of the tile and the loop over tiles.
struct TileNumber {
  ir::Expr number;
  int loop = 0;
};

// Whether an iteration of the loop moves the number on by more than those of all blocks are apart, so that the blocks
// go on to what no other block has: turn · blocks + blockIdx. The rows of a block, blockIdx · 8 + row, lie side by
// side.
bool skipsOtherBlocks(const model::KernelAccesses& accesses, const TileNumber& tile) {
  const device::Kernel& kernel = *accesses.kernel;
  device::WarpState state;
  for (const model::LoopInfo& loop : accesses.loops) state.set(loop.var.get(), 0);
  const auto numberOf = [&](std::int64_t block, std::int64_t turn) -> std::optional<std::int64_t> {
    state.place(kernel, block, 0);
    state.set(accesses.loops[std::size_t(tile.loop)].var.get(), turn);
    const auto number = state.evaluate(tile.number);
    return number ? std::optional((*number)[0]) : std::nullopt;
  };
  const auto first = numberOf(0, 0), next = numberOf(0, 1), ofLastBlock = numberOf(kernel.blocks() - 1, 0);
  return first && next && ofLastBlock && *ofLastBlock > *first && *next - *first > *ofLastBlock - *first;
}

std::optional<TileNumber> tileNumberOf(const model::KernelAccesses& accesses, const model::Access& access) {
  for (const model::Guard& guard : access.guards) {
    if (!guard.holds || guard.condition->kind != ir::ExprKind::LT) continue;
    const ir::Expr& number = ir::as<ir::BinaryNode>(guard.condition)->a;
    bool ofBlock = false;
    std::optional<int> loop;
    ir::forEachExpr(number, [&](const ir::Expr& part) {
      if (part->kind != ir::ExprKind::Var) return;
      const auto variable = model::variableOf(accesses, access, ir::as<ir::VarNode>(part));
      if (!variable) return;
      ofBlock |= variable->axis == model::Axis::Block;
      if (variable->axis == model::Axis::Loop) loop = variable->number;
    });
    if (!ofBlock || !loop) continue;
    if (const TileNumber tile{number, *loop}; skipsOtherBlocks(accesses, tile)) return tile;
  }
  return std::nullopt;
}

// For each block the offset at which it begins to write each of its tiles, by the tile's number.
using Places = std::vector<std::map<std::int64_t, std::int64_t>>;

std::optional<Places> placesOf(const ThreadBinding& binding, const model::Access& access, const TileNumber& tile) {
  const model::KernelAccesses& accesses = binding.accesses();
  const device::Kernel& kernel = binding.kernel();
  const model::LoopInfo& loop = accesses.loops[std::size_t(tile.loop)];
  if (!loop.constant || loop.extent * kernel.blocks() > kMostTiles) return std::nullopt;
  Places places(static_cast<std::size_t>(kernel.blocks()));
  device::WarpState state;
  // Of the loops inside, the first iteration: that is where a tile begins.
  for (const model::LoopInfo& other : accesses.loops) state.set(other.var.get(), 0);
  for (std::int64_t block = 0; block < kernel.blocks(); ++block) {
    // Warpgroups that take turns have tiles of their own.
    for (int warp = 0; warp < int(binding.warpCount()); ++warp) {
      state.place(kernel, block, warp);
      for (std::int64_t turn = 0; turn < loop.extent; ++turn) {
        state.set(loop.var.get(), turn);
        bool known = true;
        if ((state.threads() & model::activeLanes(access.guards, state, known)) == 0) continue;
        const auto number = state.evaluate(tile.number), offset = state.evaluate(access.index);
        if (!number || !offset || !number->uniform) return std::nullopt;
        const auto [at, isNew] = places[std::size_t(block)].emplace(number->one, (*offset)[0]);
        if (!isNew) at->second = std::min(at->second, (*offset)[0]);
      }
    }
  }
  return places;
}

}  // namespace

std::optional<int> turnLoopOf(const model::KernelAccesses& accesses, const model::Access& access) {
  const auto tile = tileNumberOf(accesses, access);
  return tile ? std::optional(tile->loop) : std::nullopt;
}

std::optional<TurnTiles> turnTiles(const ThreadBinding& binding) {
  const auto& all = binding.accesses().accesses;
  // The result: what is stored last to global memory.
  const auto result = std::ranges::find_if(
      all.rbegin(), all.rend(), [](const model::Access& a) { return a.write && a.memory == device::Memory::Global; });
  if (result == all.rend()) return std::nullopt;
  const auto tile = tileNumberOf(binding.accesses(), *result);
  const auto places = tile ? placesOf(binding, *result, *tile) : std::nullopt;
  if (!places) return std::nullopt;
  const std::int64_t pitch = binding.rowsOf(*result).pitch;
  std::set<std::int64_t> rows, columns;
  std::map<std::pair<std::int64_t, std::int64_t>, TurnTile> tiles;
  for (std::int64_t block = 0; block < std::int64_t(places->size()); ++block) {
    std::int64_t turn = 0;
    for (const auto& [number, offset] : (*places)[std::size_t(block)]) {
      rows.insert(offset / pitch);
      columns.insert(offset % pitch);
      if (!tiles.emplace(std::pair(offset / pitch, offset % pitch), TurnTile{block, turn++}).second)
        return std::nullopt;  // two of them share a place
    }
  }
  if (tiles.empty() || tiles.size() != rows.size() * columns.size()) return std::nullopt;
  TurnTiles arranged{std::int64_t(columns.size()), std::int64_t(rows.size()), {}};
  for (const auto& [place, of] : tiles) arranged.tiles.push_back(of);
  return arranged;
}

}  // namespace loom::session
