#include "app/panels/loop_nest/view/nest_folds.h"

#include <algorithm>
#include <limits>

namespace loom::session {

namespace {

bool isNew(const NestRow& row) { return row.change == NestChange::kNew; }

// A loop or a block without others inside may stand on the line of the loop that it is all of.
bool canJoin(const LoopNest& nest, int at) {
  if (at == 0) return false;
  const NestRow& row = nest.rows[std::size_t(at)];
  const NestRow& above = nest.rows[std::size_t(at) - 1];
  const bool fits = row.kind == NestRow::Kind::kLoop || (row.kind == NestRow::Kind::kBlock && row.children == 0);
  return fits && row.parent == at - 1 && above.kind == NestRow::Kind::kLoop && above.children == 1 && !isNew(row) &&
         !isNew(above);
}

// Rows between a line and the nearest that the last step changed.
int distance(const LoopNest& nest, const NestLine& line) {
  int least = std::numeric_limits<int>::max();
  for (int i = 0; i < int(nest.rows.size()); ++i) {
    if (nest.rows[std::size_t(i)].change == NestChange::kNone) continue;
    least = std::min(least, std::max({line.first - i, i - line.last, 0}));
  }
  return least;
}

}  // namespace

std::vector<NestLine> NestFolds::folded(const LoopNest& nest, const std::vector<ir::Id>& open) const {
  auto isOpen = [&](int at) {
    return std::find(open.begin(), open.end(), nest.rows[std::size_t(at)].id) != open.end();
  };
  std::vector<NestLine> lines;
  for (int i = 0; i < int(nest.rows.size()); ++i) {
    const bool joins = !lines.empty() && canJoin(nest, i) && joined_.count(nest.rows[std::size_t(i)].id) != 0 &&
                       !isOpen(i) && !isOpen(i - 1);
    if (joins) {
      lines.back().last = i;
    } else {
      lines.push_back({i, i});
    }
  }
  return lines;
}

std::vector<NestLine> NestFolds::lines(const LoopNest& nest, const std::vector<ir::Id>& open,
                                       const std::function<bool(const std::vector<NestLine>&)>& fits) {
  if (!fits(folded(nest, {}))) {
    std::vector<NestLine> chains = nestLines(nest, [](const NestRow& row) { return !isNew(row); });
    std::erase_if(chains, [](const NestLine& line) { return line.first == line.last; });
    std::ranges::stable_sort(chains, std::ranges::greater(),
                             [&](const NestLine& line) { return distance(nest, line); });
    for (const NestLine& chain : chains) {
      for (int i = chain.first + 1; i <= chain.last; ++i) joined_.insert(nest.rows[std::size_t(i)].id);
      if (fits(folded(nest, {}))) break;
    }
  }
  return folded(nest, open);
}

}  // namespace loom::session
