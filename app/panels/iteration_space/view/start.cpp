#include "app/panels/iteration_space/view/start.h"

#include <algorithm>

namespace loom::session {
namespace {

// Along how many axes a piece is one thick, of those that are longer: 0 is a tile, 1 a sheet; a line of one of 1024³
// can't be seen.
int thinAxes(const IterationSpace& space, const Partition& cut) {
  int thin = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    thin += space.axes()[d].extent > 1 && cut.chosenPart.bounds.to[d] - cut.chosenPart.bounds.from[d] <= 1;
  }
  return cut.chosenPart.parts.empty() ? 3 : thin;
}

bool isChanged(const SpaceLevel& level, const LoopNest& nest) {
  return std::any_of(nest.rows.begin(), nest.rows.end(), [&](const NestRow& row) {
    return row.kind == NestRow::Kind::kLoop && row.change != NestChange::kNone &&
           std::find(level.loops.begin(), level.loops.end(), row.id) != level.loops.end();
  });
}

}  // namespace

int levelToStartWith(const IterationSpace& space, const IterationView& view, const LoopNest& nest) {
  int sheet = -1, changed = -1, tile = -1;
  const int levels = std::min(int(space.levels().size()), int(view.partitions.size()));
  for (int l = 0; l < levels; ++l) {
    const int thin = thinAxes(space, view.partitions[std::size_t(l)]);
    if (thin == 0) tile = l;
    if (thin > 1 || !isChanged(space.levels()[std::size_t(l)], nest)) continue;
    if (thin == 0) changed = l;
    if (sheet < 0) sheet = l;
  }
  return changed >= 0 ? changed : sheet >= 0 ? sheet : tile;
}

}  // namespace loom::session
