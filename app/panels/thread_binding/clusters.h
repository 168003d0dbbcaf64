#pragma once

#include "core/model/cluster_copies.h"

namespace loom::window {
struct Look;
}

namespace loom::panels::pictures {

/// Draws the tile that blocks of a cluster bring each other, once for each of the blocks: in parts, each with the block
/// that asked for it; or the slices that each reads, with the block whose shared memory has them. A block's own part is
/// strong. `chosen` is the number, in the grid, of the block that is looked at. `width` is in px.
void clusterTiles(const window::Look& look, const char* id, const model::ClusterCopies& copies, std::int64_t chosen,
                  float width);

}  // namespace loom::panels::pictures
