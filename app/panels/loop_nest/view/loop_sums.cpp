#include "app/panels/loop_nest/view/loop_sums.h"

#include <algorithm>
#include <map>
#include <set>

namespace loom::session {

void accumulateSubtree(LoopNest& nest) {
  for (NestRow& loop : nest.rows) {
    if (loop.kind != NestRow::Kind::kLoop) continue;
    NestRow::Below sum;
    sum.known = loop.runs >= 0;
    for (int i = int(&loop - nest.rows.data()) + 1; i < loop.end; ++i) {
      const NestRow& row = nest.rows[std::size_t(i)];
      if (row.kind == NestRow::Kind::kLoop) continue;
      sum.known = sum.known && row.runs >= 0;
      sum.flops += std::max(0.0, row.flops);
      for (const MovedBytes& moved : row.moved) {
        sum.known = sum.known && moved.bytes >= 0;
        if (moved.level == MemoryLevel::kGlobal) sum.global += std::max(0.0, moved.bytes);
        if (moved.level == MemoryLevel::kShared) sum.shared += std::max(0.0, moved.bytes);
      }
    }
    loop.below = sum;
  }
}

namespace {

// The loop and all that split and fuse made it from.
std::set<ir::Id> lineage(const schedule::State& state, ir::Id loop) {
  std::set<ir::Id> all;
  std::vector<ir::Id> open{loop};
  while (!open.empty()) {
    const ir::Id id = open.back();
    open.pop_back();
    if (!all.insert(id).second) continue;
    const schedule::Origin* origin = state.origin(id);
    if (origin == nullptr || (origin->primitive != "split" && origin->primitive != "fuse")) continue;
    open.insert(open.end(), origin->parents.begin(), origin->parents.end());
  }
  return all;
}

}  // namespace

void findRelatedLoops(LoopNest& nest, const schedule::State& state) {
  std::map<ir::Id, std::vector<int>> rowsOf;  // by ancestor
  std::vector<std::set<ir::Id>> lineages(nest.rows.size());
  for (std::size_t i = 0; i < nest.rows.size(); ++i) {
    if (nest.rows[i].kind != NestRow::Kind::kLoop) continue;
    lineages[i] = lineage(state, nest.rows[i].id);
    for (ir::Id id : lineages[i]) rowsOf[id].push_back(int(i));
  }
  for (std::size_t i = 0; i < nest.rows.size(); ++i) {
    std::set<int> found;
    for (ir::Id id : lineages[i]) found.insert(rowsOf[id].begin(), rowsOf[id].end());
    found.erase(int(i));
    const schedule::Origin* mine = state.origin(nest.rows[i].id);
    for (int row : found) {
      const schedule::Origin* other = state.origin(nest.rows[std::size_t(row)].id);
      const bool sibling =
          mine != nullptr && other != nullptr && mine->step == other->step && mine->parents == other->parents;
      nest.rows[i].kin.push_back({row, sibling});
    }
  }
}

}  // namespace loom::session
