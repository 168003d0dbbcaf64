#pragma once

#include <cstdint>
#include <optional>

namespace loom::window {
struct Look;
}
namespace loom::session {
struct BlockWaves;
}

/// A wave is the set of blocks that run at once. Each block of a persistent kernel computes several tiles of the result
/// one after the other: its first tile in turn 0, the next one in turn 1, and so on.
namespace loom::panels::pictures {

/// Returns the opacity, 0 to 1, with which a block or tile is painted. `wave` is the number, from 0, of its wave or
/// turn, of which there are `waves`. `full` says whether the last one is full: has as many blocks as run at once, or a
/// tile for every block. The first wave is always the most opaque; after it the last one, if it is not full, stands
/// out, and the others alternate.
float waveShare(std::int64_t wave, std::int64_t waves, bool full);

/// Draws the tiles of a persistent kernel, each where it lies in the result, `width` px wide or less, with the opacity
/// that `waveShare` gives its turn. Tiles of the last turn have the colour of a warning if some blocks have no tile in
/// it; those of the block with the number `chosen` have frames (none if no block has it). `waves.tiles` must be there.
/// Returns the block of the tile that was clicked in this frame, or nothing.
std::optional<std::int64_t> tilesOfTurns(const window::Look& look, const session::BlockWaves& waves,
                                         std::int64_t chosen, float width);

}  // namespace loom::panels::pictures
