#include "core/schedule/state.h"

#include <algorithm>
#include <stdexcept>

#include "core/ir/equal.h"
#include "core/schedule/block_info.h"
#include "core/schedule/state_trail.h"

namespace loom::schedule {

std::vector<Dependency> BlockScope::bySrc(Id block) const {
  std::vector<Dependency> result;
  for (const auto& d : deps) {
    if (d.src == block) result.push_back(d);
  }
  return result;
}

std::vector<Dependency> BlockScope::byDst(Id block) const {
  std::vector<Dependency> result;
  for (const auto& d : deps) {
    if (d.dst == block) result.push_back(d);
  }
  return result;
}

const std::vector<Id>* BlockScope::writersOf(const ir::BufferNode* buffer) const {
  for (const auto& [written, blocks] : bufferWriters) {
    if (written == buffer) return &blocks;
  }
  return nullptr;
}

const BlockInfo& Program::info(Id block) const {
  auto it = infos.find(block);
  if (it == infos.end()) throw std::logic_error("no flags of this block");
  return it->second;
}

Result<State> State::create(ir::Module module) {
  if (module.functions.empty()) return fail("ValueError", message("the module has no function"), Forbids::Input);
  auto program = std::make_shared<Program>();
  for (const auto& function : module.functions) {
    if (!function->body || !function->body->block) return fail("ValueError", message("the function has no body"));
  }
  program->module = std::move(module);
  program->positions = std::make_shared<const Tree>(program->module);
  const auto& functions = program->module.functions;
  State state;
  for (int i = 0; i < static_cast<int>(functions.size()); ++i) {
    try {
      computeBlockInfo(*program, program->tree().root(i));
    } catch (const std::domain_error& e) {
      return fail("ValueError", message("the function can't be analysed: {}", e.what()), Forbids::Input);
    }
    if (functions.size() == 1 || functions[i]->name == "main") state.workingFunction_ = i;
  }
  state.program_ = std::move(program);
  return state;
}

const State::Binding* State::lookup(std::string_view name) const {
  for (auto* link = trail_.get(); link; link = link->previous.get()) {
    for (auto it = link->names.rbegin(); it != link->names.rend(); ++it) {
      if (it->name == name) return &*it;
    }
  }
  return nullptr;
}

State State::drawingFrom(std::int64_t chance) const {
  State same = *this;
  same.chance_ = chance;
  return same;
}

State State::with(std::vector<Binding> names) const {
  State next = *this;
  if (names.empty()) return next;
  auto link = std::make_shared<StateTrail>();
  link->previous = trail_;
  link->names = std::move(names);
  next.trail_ = std::move(link);
  return next;
}

bool State::isAlive(const Handle& handle) const {
  if (auto* block = std::get_if<BlockRef>(&handle)) return tree().isBlock(block->id);
  if (auto* loop = std::get_if<LoopRef>(&handle))
    return loop->marker != LoopRef::Marker::None || tree().isLoop(loop->id);
  return true;
}

const Origin* State::origin(Id made) const {
  for (auto* link = trail_.get(); link; link = link->previous.get()) {
    for (const auto& origin : link->origins) {
      if (origin.made == made) return &origin;
    }
  }
  return nullptr;
}

namespace {

bool sameLine(const Tree::Node& a, const Tree::Node& b) {
  if (a.isBlock != b.isBlock) return false;
  if (!a.isBlock) {
    auto* x = ir::as<ir::ForNode>(a.stmt);
    auto* y = ir::as<ir::ForNode>(b.stmt);
    return x->var == y->var && x->forKind == y->forKind && x->thread == y->thread && x->min == y->min &&
           x->extent == y->extent && ir::structuralEqual(x->annotations, y->annotations);
  }
  auto* x = ir::as<ir::BlockRealizeNode>(a.stmt);
  auto* y = ir::as<ir::BlockRealizeNode>(b.stmt);
  if (x == y) return true;
  auto same = [](const std::vector<ir::Expr>& p, const std::vector<ir::Expr>& q) {
    if (p.size() != q.size()) return false;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (!ir::structuralEqual(p[i], q[i])) return false;
    }
    return true;
  };
  if (!same(x->values, y->values) || !ir::structuralEqual(x->predicate, y->predicate)) return false;
  const auto& p = *x->block;
  const auto& q = *y->block;
  if (&p == &q) return true;
  auto sameRegions = [](const std::vector<ir::BufferRegion>& r, const std::vector<ir::BufferRegion>& s) {
    if (r.size() != s.size()) return false;
    for (std::size_t i = 0; i < r.size(); ++i) {
      if (!ir::structuralEqual(r[i], s[i])) return false;
    }
    return true;
  };
  if (p.name != q.name || p.iters.size() != q.iters.size() || p.allocs != q.allocs || p.init != q.init ||
      p.matches.size() != q.matches.size() || !ir::structuralEqual(p.annotations, q.annotations) ||
      !sameRegions(p.reads, q.reads) || !sameRegions(p.writes, q.writes)) {
    return false;
  }
  for (std::size_t i = 0; i < p.iters.size(); ++i) {
    if (p.iters[i].var != q.iters[i].var || p.iters[i].type != q.iters[i].type) return false;
    if (!ir::structuralEqual(p.iters[i].domain.min, q.iters[i].domain.min) ||
        !ir::structuralEqual(p.iters[i].domain.extent, q.iters[i].domain.extent))
      return false;
  }
  // A leaf's statements are its own; a scope's body belongs to the loops and blocks below.
  return p.body == q.body || ir::asFor(p.body) || ir::asSeq(p.body) || ir::asRealize(p.body);
}

// Those that must be taken out so that the others stand as they did: all but a longest increasing run of old places.
std::vector<Id> movedIn(const Tree& before, const Tree& after) {
  std::vector<int> places, previous, tails;  // of kept nodes; the run's node before each; the last of a run by length
  std::vector<Id> kept;
  for (const auto& node : after.nodes()) {
    const int old = before.find(node.id);
    if (old == Tree::kNone) continue;
    const int at = int(kept.size());
    kept.push_back(node.id);
    places.push_back(old);
    const auto longer =
        std::lower_bound(tails.begin(), tails.end(), old, [&](int tail, int place) { return places[tail] < place; });
    previous.push_back(longer == tails.begin() ? -1 : *(longer - 1));
    if (longer == tails.end()) {
      tails.push_back(at);
    } else {
      *longer = at;
    }
  }
  std::vector<bool> stays(kept.size());
  for (int at = tails.empty() ? -1 : tails.back(); at >= 0; at = previous[at]) stays[at] = true;
  std::vector<Id> moved;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!stays[i]) moved.push_back(kept[i]);
  return moved;
}

}  // namespace

std::vector<Id> Changes::altered() const {
  std::vector<Id> all = modified;
  for (Id id : moved)
    if (std::find(modified.begin(), modified.end(), id) == modified.end()) all.push_back(id);
  return all;
}

Changes changes(const State& before, const State& after) {
  Changes result;
  for (const auto& node : after.tree().nodes()) {
    int old = before.tree().find(node.id);
    if (old == Tree::kNone) {
      result.added.push_back(node.id);
    } else if (before.tree().nodes()[old].stmt != node.stmt && !sameLine(before.tree().nodes()[old], node)) {
      result.modified.push_back(node.id);
    }
  }
  for (const auto& node : before.tree().nodes()) {
    if (!after.tree().contains(node.id)) result.removed.push_back(node.id);
  }
  result.moved = movedIn(before.tree(), after.tree());
  return result;
}

}  // namespace loom::schedule
