#include "app/panels/loop_nest/view/loop_roles.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/ir/build.h"
#include "core/lower/annotations.h"
#include "core/lower/products.h"
#include "core/lower/turns.h"
#include "core/model/access.h"
#include "core/model/roles.h"

namespace loom::session {
namespace {

using WarpsOfBlocks = std::map<ir::Id, std::set<int>>;

WarpsOfBlocks warpsOf(const device::Program& program) {
  WarpsOfBlocks warps;
  for (const device::Kernel& kernel : program.kernels) {
    const std::vector<model::WarpRole> roles = model::rolesOf(kernel);
    if (roles.size() < 2) continue;
    const auto add = [&](ir::Id block, const device::StmtNode* statement) {
      for (const model::WarpRole& role : roles)
        if (role.has(statement)) warps[block].insert(role.warps.begin(), role.warps.end());
    };
    const model::KernelAccesses accesses = model::accessesOf(kernel);
    for (const model::Access& access : accesses.accesses) add(access.block, access.statement);
    for (const model::Work& work : accesses.work) add(work.block, work.statement);
  }
  return warps;
}

int numberOf(const ir::Annotations& annotations, const char* key) {
  const auto found = annotations.find(key);
  return found == annotations.end() ? 0 : int(lower::numberOf(found->second).value_or(0));
}

}  // namespace

void fillRoles(LoopNest& nest, const device::Program& program, const schedule::Tree& tree) {
  const WarpsOfBlocks warps = warpsOf(program);
  std::vector<NestRow>& rows = nest.rows;
  for (NestRow& row : rows) {
    if (row.kind != NestRow::Kind::kBlock) continue;
    const ir::Annotations& annotations = tree.block(row.id)->annotations;
    row.turns = numberOf(annotations, lower::kTurns);
    row.inFlight = numberOf(annotations, lower::kInFlight);
    if (const auto found = warps.find(row.id); found != warps.end()) row.warps = found->second;
  }
  // A block around others has their warps, if they all have the same, and says it for them.
  for (int i = int(rows.size()) - 1; i >= 0; --i) {
    NestRow& row = rows[std::size_t(i)];
    if (row.kind != NestRow::Kind::kBlock) continue;
    std::vector<NestRow*> inside;
    for (int below = i + 1; below < row.end; ++below)
      if (rows[std::size_t(below)].kind == NestRow::Kind::kBlock && !rows[std::size_t(below)].warps.empty())
        inside.push_back(&rows[std::size_t(below)]);
    if (inside.empty()) continue;
    const std::set<int>& first = inside.front()->warps;
    if (!std::ranges::all_of(inside, [&](const NestRow* other) { return other->warps == first; })) continue;
    if (row.warps.empty()) row.warps = first;
    if (row.warps != first) continue;
    for (NestRow* other : inside) other->warps.clear();
  }
}

std::vector<std::set<int>> takingTurns(const NestRow& row) {
  const int warps = int(row.warps.size());
  if (row.turns < 2 || warps < row.turns || warps % row.turns != 0) return {};
  std::vector<std::set<int>> groups(std::size_t(row.turns));
  int next = 0;
  for (const int warp : row.warps) groups[std::size_t(next++ / (warps / row.turns))].insert(warp);
  return groups;
}

}  // namespace loom::session
