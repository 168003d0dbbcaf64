#include "app/panels/iteration_space/view/space.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "app/panels/iteration_space/view/parts.h"
#include "core/arith/constraints.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/layout/request.h"
#include "core/model/enumerate.h"

namespace loom::session {

using schedule::State;
using schedule::Tree;

namespace {

// "Z_o_update" is what blockize, tensorize and decompose_reduction leave of "Z".
std::string firstName(std::string name, const std::set<std::string>& known) {
  while (!known.contains(name)) {
    bool cut = false;
    for (const char* end : {"_o", "_update", "_i"}) {
      if (!name.ends_with(end)) continue;
      name.resize(name.size() - std::string_view(end).size());
      cut = true;
      break;
    }
    if (!cut) return "";
  }
  return name;
}

double pointsOf(const ir::BlockNode& block) {
  double points = 1;
  for (const auto& iter : block.iters) points *= double(ir::constantOr(iter.domain.extent, 1));
  return points;
}

bool reduces(const ir::BlockNode& block) {
  return std::any_of(block.iters.begin(), block.iters.end(),
                     [](const auto& iter) { return iter.type == ir::IterType::Reduce; });
}

// A block without blocks in it, with the blocks around it but the root, outermost first.
struct Candidate {
  std::vector<ir::BlockRealize> chain;
  ir::Block first;  // what it was before any step; null: not found
  double work = 0;
};

std::optional<Candidate> mainBlock(const State& start, const State& state, const LoopNest& nest) {
  std::map<std::string, ir::Block> begun;
  std::set<std::string> known;
  for (const auto& node : start.tree().nodes()) {
    if (!node.isBlock || node.parent == Tree::kNone) continue;
    const ir::Block block = start.tree().block(node.id);
    begun.emplace(block->name, block);
    known.insert(block->name);
  }
  std::optional<Candidate> best;
  const Tree& tree = state.tree();
  for (const auto& node : tree.nodes()) {
    if (!node.isBlock || node.parent == Tree::kNone || !tree.childBlocks(node.id).empty()) continue;
    Candidate here;
    for (ir::Id at = node.id; at; at = tree.parent(at)) {
      if (tree.isBlock(at) && at != tree.rootOf(node.id)) here.chain.insert(here.chain.begin(), tree.realize(at));
    }
    const ir::BlockNode& leaf = *here.chain.back()->block;
    if (const std::string name = firstName(leaf.name, known); !name.empty()) here.first = begun[name];
    here.work = here.first ? pointsOf(*here.first) : pointsOf(leaf);
    if (reduces(here.first ? *here.first : leaf)) here.work *= 2;
    const int row = nest.find(node.id);
    if (!here.first && row >= 0) here.work = std::max(here.work, nest.rows[std::size_t(row)].flops);
    if (!best || here.work > best->work) best = std::move(here);
  }
  return best;
}

int componentOf(const std::string& thread) { return thread.empty() ? 0 : std::clamp(thread.back() - 'x', 0, 2); }

// The most threads, or blocks, along each axis of what is launched together with the block.
void findLaunch(const ir::Stmt& stmt, IterationParts& parts) {
  ir::forEachStmt(stmt, [&](const ir::Stmt& s) {
    if (const auto* loop = ir::asFor(s); loop && loop->forKind == ir::ForKind::ThreadBinding) {
      const std::int64_t extent = ir::constantOr(loop->extent, 1);
      const auto c = std::size_t(componentOf(loop->thread));
      if (loop->thread.starts_with("blockIdx")) parts.grid[c] = std::max(parts.grid[c], extent);
      if (loop->thread.starts_with("threadIdx")) parts.threads[c] = std::max(parts.threads[c], extent);
    }
    return true;
  });
}

// Which of the block's axes are drawn: the three largest, in the block's order.
std::vector<std::size_t> drawnOf(const std::vector<SpaceAxis>& all) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return all[a].extent > all[b].extent; });
  order.resize(std::min<std::size_t>(3, order.size()));
  std::sort(order.begin(), order.end());
  return order;
}

std::string plainName(const std::string& iter) {
  return iter.size() > 1 && iter.front() == 'v' ? iter.substr(iter[1] == '_' ? 2 : 1) : iter;
}

// The axis along which most of a block's warps, or of a warp's lanes, differ, of those that a loop around the block is
// bound to: x is the fastest, so that a block of 1 × 4 threads has lanes along y, one of 128 × 1 has warps along x.
HardwareAxis axisOf(const std::array<std::int64_t, 3>& threads, const std::array<bool, 6>& bound, bool ofLanes) {
  constexpr HardwareAxis kAxes[] = {HardwareAxis::kThreadX, HardwareAxis::kThreadY, HardwareAxis::kThreadZ};
  HardwareAxis most = ofLanes ? HardwareAxis::kThreadX : HardwareAxis::kThreadY;
  double share = 1;
  double below = 1;  // threads with the same place on this axis and those after it
  for (std::size_t c = 0; c < 3; ++c) {
    const double all = below * double(threads[c]), warp = double(layout::kLanes);
    const double along =
        ofLanes ? std::min(all, warp) / std::min(below, warp) : std::max(all, warp) / std::max(below, warp);
    if (bound[3 + c] && along > share) share = along, most = kAxes[c];
    below = all;
  }
  return most;
}

}  // namespace

int IterationParts::levelOf(SpaceLevel::Kind kind) const {
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (levels[i].kind == kind) return int(i);
  return -1;
}

Result<std::shared_ptr<const IterationSpace>> IterationSpace::of(const State& start, const State& state,
                                                                 const LoopNest& nest) {
  const auto found = mainBlock(start, state, nest);
  if (!found) return fail("NoBlock", message("the function has no block"));
  auto made = std::make_unique<Parts>();
  IterationParts& parts = *made;
  const Tree& tree = state.tree();
  const ir::BlockRealize leaf = found->chain.back();
  parts.block = leaf->block->name;
  parts.blockId = leaf->block->id;

  // The box: as the unscheduled program counts it where the outermost block still has an iterator for each of its.
  const auto& outer = found->chain.front()->block->iters;
  std::vector<std::int64_t> unit(outer.size(), 1);
  std::vector<SpaceAxis> all;
  bool counted = found->first && found->first->iters.size() == outer.size();
  for (std::size_t d = 0; d < outer.size(); ++d) {
    const std::int64_t now = ir::constantOr(outer[d].domain.extent, -1);
    if (now < 1) return fail("NotConstant", message("the extent of {} is not known", outer[d].var->name));
    const std::int64_t before = counted ? ir::constantOr(found->first->iters[d].domain.extent, -1) : -1;
    counted = counted && before > 0 && before % now == 0;
    all.push_back({plainName(outer[d].var->name), now, outer[d].type == ir::IterType::Reduce});
  }
  for (std::size_t d = 0; counted && d < outer.size(); ++d) {
    const auto& first = found->first->iters[d];
    all[d] = {plainName(first.var->name), ir::constantOr(first.domain.extent, 1), first.type == ir::IterType::Reduce};
    unit[d] = all[d].extent / ir::constantOr(outer[d].domain.extent, 1);
  }
  const std::vector<std::size_t> drawn = drawnOf(all);
  for (std::size_t d = 0; d < all.size(); ++d) {
    const auto at = std::find(drawn.begin(), drawn.end(), d);
    if (at == drawn.end()) {
      parts.hidden.push_back(all[d]);
    } else {
      parts.axes[std::size_t(at - drawn.begin())] = all[d];
    }
  }

  // Coordinates as sums of terms in the loops' variables. A block in a block counts in what one run of the outer does.
  ir::VarMap values;
  std::vector<ir::Expr> conditions;
  for (const auto& realize : found->chain) {
    const auto& iters = realize->block->iters;
    for (std::size_t d = 0; d < iters.size(); ++d) {
      const ir::Expr value = ir::substitute(realize->values[d], values);
      values[iters[d].var.get()] = value;
      if (d >= all.size()) continue;
      if (realize != found->chain.front())
        unit[d] /= std::max<std::int64_t>(1, ir::constantOr(iters[d].domain.extent, 1));
      unit[d] = std::max<std::int64_t>(1, unit[d]);
      const auto at = std::find(drawn.begin(), drawn.end(), d);
      if (at == drawn.end()) continue;
      const auto axis = std::size_t(at - drawn.begin());
      for (const model::Term& term : model::termsOf(value)) {
        if (term.atom) {
          parts.terms.push_back({axis, term.coefficient * unit[d], term.atom, -1});
        } else {
          parts.base[axis] += term.coefficient * unit[d];
        }
      }
      parts.tile[axis] = unit[d];
    }
    const ir::Expr predicate = ir::substitute(realize->predicate, values);
    arith::forEachConjunct(predicate, [&](const ir::Expr& e) {
      if (!ir::isConst(e, 1)) conditions.push_back(e);
    });
  }
  parts.tensor = parts.tile[0] * parts.tile[1] * parts.tile[2] > 1;

  // The loops around it, and what launches them.
  std::vector<const Tree::Node*> loops;
  for (ir::Id at = tree.parent(leaf->block->id); at; at = tree.parent(at)) {
    if (tree.isLoop(at)) loops.insert(loops.begin(), &tree.at(at));
  }
  findLaunch(loops.empty() ? ir::Stmt(leaf) : loops.front()->stmt, parts);
  SpaceLevel blocks{
      SpaceLevel::Kind::kBlocks, HardwareAxis::kBlock, "", {}, parts.grid[0] * parts.grid[1] * parts.grid[2]};
  const std::int64_t threads = parts.threads[0] * parts.threads[1] * parts.threads[2];
  SpaceLevel warps{
      SpaceLevel::Kind::kWarps, HardwareAxis::kThreadY, "", {}, (threads + layout::kLanes - 1) / layout::kLanes};
  SpaceLevel lanes{
      SpaceLevel::Kind::kLanes, HardwareAxis::kThreadX, "", {}, std::min<std::int64_t>(threads, layout::kLanes)};
  std::vector<SpaceLevel> serial;
  bool lanesDiffer = false;
  std::array<bool, 6> bound{};
  for (const Tree::Node* node : loops) {
    const auto* loop = ir::asFor(node->stmt);
    IterationParts::Loop made{loop->var.get(), ir::constantOr(loop->min, 0), ir::constantOr(loop->extent, -1)};
    if (made.extent < 1) return fail("NotConstant", message("the extent of {} is not known", loop->var->name));
    const std::string thread = loop->forKind == ir::ForKind::ThreadBinding ? loop->thread : "";
    const int component = componentOf(thread);
    if (thread.starts_with("blockIdx")) {
      made.hardware = component;
      blocks.loops.push_back(node->id);
    } else if (thread.starts_with("threadIdx")) {
      made.hardware = 3 + component;
      const std::int64_t below = component == 0   ? 1
                                 : component == 1 ? parts.threads[0]
                                                  : parts.threads[0] * parts.threads[1];
      const bool inWarp = below < layout::kLanes && made.extent > 1;
      lanesDiffer |= inWarp;
      (inWarp && below * made.extent <= layout::kLanes ? lanes : warps).loops.push_back(node->id);
    } else if (made.extent > 1) {
      const int row = nest.find(node->id);
      const NestRow* known = row >= 0 ? &nest.rows[std::size_t(row)] : nullptr;
      made.level = int(serial.size());
      serial.push_back({SpaceLevel::Kind::kLoop,
                        known ? known->axis : HardwareAxis::kSerial,
                        known ? known->name : loop->var->name,
                        {node->id},
                        made.extent});
    }
    if (made.hardware >= 0) bound[std::size_t(made.hardware)] = true;
    parts.loops.push_back(made);
  }
  for (std::size_t c = 0; c < 3; ++c) {
    if (!bound[c]) parts.repeated *= parts.grid[c];
    // A tensor instruction is one warp's: its lanes do it together.
    if (!bound[3 + c] && !(parts.tensor && c == 0)) parts.repeated *= parts.threads[c];
  }
  if (const int row = nest.find(parts.blockId); row >= 0) {
    const auto& repeated = nest.rows[std::size_t(row)].repeated;
    parts.isGuarded = !repeated.empty() &&
                      std::all_of(repeated.begin(), repeated.end(), [](const Repetition& r) { return r.guarded; });
  }
  warps.axis = axisOf(parts.threads, bound, false);
  lanes.axis = axisOf(parts.threads, bound, true);
  if (blocks.count > 1 && !blocks.loops.empty()) parts.levels.push_back(blocks);
  const bool threadLoops = !warps.loops.empty() || !lanes.loops.empty();
  if (warps.count > 1 && threadLoops) parts.levels.push_back(warps);
  if (lanes.count > 1 && lanesDiffer) {
    if (lanes.loops.empty()) lanes.loops = warps.loops;
    if (warps.count <= 1) lanes.loops.insert(lanes.loops.end(), warps.loops.begin(), warps.loops.end());
    parts.levels.push_back(lanes);
  }
  const int before = int(parts.levels.size());
  for (auto& loop : parts.loops)
    if (loop.level >= 0) loop.level += before;
  parts.levels.insert(parts.levels.end(), serial.begin(), serial.end());
  parts.group(conditions);
  return std::shared_ptr<const IterationSpace>(new IterationSpace(std::move(made)));
}

IterationSpace::IterationSpace(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
IterationSpace::~IterationSpace() = default;

const std::string& IterationSpace::block() const { return parts_->block; }
ir::Id IterationSpace::blockId() const { return parts_->blockId; }
const std::array<SpaceAxis, 3>& IterationSpace::axes() const { return parts_->axes; }
const std::vector<SpaceAxis>& IterationSpace::hidden() const { return parts_->hidden; }
const Point& IterationSpace::tile() const { return parts_->tile; }
bool IterationSpace::tensor() const { return parts_->tensor; }
const std::vector<SpaceLevel>& IterationSpace::levels() const { return parts_->levels; }
std::int64_t IterationSpace::repeated() const { return parts_->repeated; }
bool IterationSpace::isGuarded() const { return parts_->isGuarded; }

int IterationSpace::levelOf(ir::Id loop) const {
  for (std::size_t i = 0; i < parts_->levels.size(); ++i) {
    const auto& loops = parts_->levels[i].loops;
    if (std::find(loops.begin(), loops.end(), loop) != loops.end()) return int(i);
  }
  return -1;
}

int IterationSpace::levelOf(SpaceLevel::Kind kind) const { return parts_->levelOf(kind); }

std::vector<std::int64_t> IterationSpace::clamped(std::vector<std::int64_t> path) const {
  path.resize(parts_->levels.size(), 0);
  for (std::size_t i = 0; i < path.size(); ++i) {
    path[i] = std::clamp<std::int64_t>(path[i], 0, parts_->levels[i].count - 1);
  }
  return path;
}

}  // namespace loom::session
