#pragma once

#include "core/model/cluster_copies.h"

namespace loom::window {
struct Look;
}

namespace loom::panels::pictures {

/// Draws one tile for each block of the cluster `copies.blocks`: what the block gets of the data that the cluster
/// shares, divided into parts. With multicast copies (`copies.slices` is false), a part names the block of the cluster
/// that issued the copy of it. With `copies.slices`, a part is a slice that the block reads from the shared memory of
/// the block named. The part that belongs to the tile's own block has a stronger colour. `chosen` is the number, in the
/// grid, of the block that the panel shows; its tile is framed. `id` is the ImGui id of the picture, and `width` the
/// most that all tiles together may take, in px. Also shows the tooltip of the part under the mouse.
void clusterTiles(const window::Look& look, const char* id, const model::ClusterCopies& copies, std::int64_t chosen,
                  float width);

}  // namespace loom::panels::pictures
