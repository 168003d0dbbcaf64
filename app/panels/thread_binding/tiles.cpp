#include "app/panels/thread_binding/tiles.h"

#include <algorithm>

#include "app/panels/thread_binding/view/waves.h"
#include "app/panels/thread_binding/words.h"
#include "app/ui/cells.h"
#include "app/ui/look.h"
#include "app/ui/text.h"

namespace loom::panels::pictures {

namespace words = text::binding;
using window::Tone;

float waveShare(std::int64_t wave, std::int64_t waves, bool full) {
  if (wave == 0) return 0.75F;
  return wave + 1 == waves && !full ? 0.5F : wave % 2 == 1 ? 0.2F : 0.34F;
}

std::optional<std::int64_t> tilesOfTurns(const window::Look& look, const session::BlockWaves& waves,
                                         std::int64_t chosen, float width) {
  constexpr float kHighest = 1.5F;  // of the width
  const session::TurnTiles& tiles = *waves.tiles;
  const auto turns = std::int64_t(waves.turns.size());
  const bool full = waves.turns.back() == waves.blocks;
  const float dx = side(look, width, tiles.columns), dy = std::min(dx, kHighest * width / float(tiles.rows));
  const Canvas c = canvas("tiles", dx * float(tiles.columns), dy * float(tiles.rows));
  for (std::int64_t i = 0; i < std::int64_t(tiles.tiles.size()); ++i) {
    const session::TurnTile& tile = tiles.tiles[std::size_t(i)];
    const float x = float(i % tiles.columns) * dx, y = float(i / tiles.columns) * dy;
    const Tone tone = tile.turn + 1 == turns && !full ? Tone::kWarning : Tone::kBlock;
    cell(c, look, x, y, dx, dy, look.paint(tone, waveShare(tile.turn, turns, full)), "", look.paint(Tone::kText));
    if (tile.block == chosen) frame(c, look, x, y, dx, dy, look.paint(Tone::kText));
  }
  const std::int64_t column = std::int64_t(c.mouse.x / dx), row = std::int64_t(c.mouse.y / dy);
  if (!c.hovered || column < 0 || column >= tiles.columns || row < 0 || row >= tiles.rows) return std::nullopt;
  const session::TurnTile& under = tiles.tiles[std::size_t(row * tiles.columns + column)];
  showTip(look, say(look, words::kTileOf, under.block, under.turn + 1, turns));
  return c.clicked ? std::optional(under.block) : std::nullopt;
}

}  // namespace loom::panels::pictures
