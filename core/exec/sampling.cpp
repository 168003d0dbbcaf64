#include "core/exec/sampling.h"

#include <utility>

#include "core/exec/clusters.h"
#include "core/exec/footprint.h"
#include "core/exec/guard_classes.h"
#include "core/exec/loop_effects.h"

namespace loom::exec {
namespace {

std::uint64_t mix(std::uint64_t h) {
  h = (h ^ (h >> 31)) * 0x9E3779B97F4A7C15ull;
  h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9ull;
  return h ^ (h >> 32);
}

// First, last and others of [0, extent). Equal extents give equal samples: an initialisation and the update of the same
// elements then leave out the same ones.
std::vector<std::int64_t> sampleOf(std::int64_t extent, std::int64_t keep, std::uint64_t seed,
                                   const std::set<std::int64_t>& also) {
  std::set<std::int64_t> chosen{0};
  chosen.insert(also.begin(), also.end());
  if (keep > 1) chosen.insert(extent - 1);
  for (std::uint64_t n = 1; std::int64_t(chosen.size()) < std::min(keep, extent); ++n) {
    chosen.insert(std::int64_t(mix(seed + n * 1000003 + std::uint64_t(extent)) % std::uint64_t(extent)));
  }
  return {chosen.begin(), chosen.end()};
}

std::vector<std::int64_t> sampleOfGrid(const Code& code, std::int64_t keep, std::uint64_t seed,
                                       const std::vector<std::int64_t>& also = {}) {
  // At most two: the first and the last.
  const auto& g = code.grid;
  std::int64_t total = g[0] * g[1] * g[2];
  std::set<std::int64_t> chosen{0, total - 1};
  chosen.insert(also.begin(), also.end());
  // Neighbours of the first: blocks that overlap do so with their neighbours.
  if (keep > 2 && g[0] > 1) chosen.insert(1);
  if (keep > 2 && g[1] > 1) chosen.insert(g[0]);
  if (keep > 2 && g[2] > 1) chosen.insert(g[0] * g[1]);
  for (std::uint64_t n = 1; std::int64_t(chosen.size()) < std::min(keep, total); ++n) {
    chosen.insert(std::int64_t(mix(seed * 31 + n * 7919) % std::uint64_t(total)));
  }
  return {chosen.begin(), chosen.end()};
}

// Kinds of blocks or iterations of which a sample has some, and blocks that meet.
constexpr std::size_t kMostBlocks = 24, kMostIterations = 8;
constexpr double kFootprintShare = 0.25;  // of the time

class Planning {
 public:
  Planning(const Executable& executable, std::size_t kernel, const std::map<ir::Id, LoopEffect>& effects,
           std::uint64_t seed)
      : executable_(executable),
        kernel_(kernel),
        code_(executable.codes[kernel]),
        effects_(effects),
        seed_(seed),
        trips_(code_.loops.size(), 0),
        least_(code_.loops.size(), 0) {
    std::set<ir::Id> blocks;
    for (const Site& s : code_.sites) {
      if (s.block) blocks.insert(s.block);
    }
    bool anyBound = false;
    for (const auto& [id, effect] : effects) {
      if (!effect.thread.starts_with("blockIdx")) continue;
      bool mine = false;
      for (ir::Id b : effect.blocks) mine = mine || blocks.count(b) > 0;
      if (!mine) continue;
      anyBound = true;
      // Blocks of a cluster run together, so that none is left out along an axis that is all a cluster's.
      const std::size_t axis = std::size_t(effect.thread.back() - 'x');
      if (code_.cluster[axis] > 1 && code_.cluster[axis] == code_.grid[axis]) continue;
      gridMayBeSampled_ = gridMayBeSampled_ && effect.mayBeSampled;
      gridWrites_.insert(effect.writes.begin(), effect.writes.end());
    }
    gridMayBeSampled_ = gridMayBeSampled_ && anyBound;
  }

  double whole() const { return estimateBlock(code_, {}) * double(blocks()); }

  void fit(double nanoseconds, const std::map<int, InputValues>& contents, std::stop_token stop, Plan& plan,
           Plan::Kernel& part) {
    part.samples.resize(code_.loops.size());
    if (whole() <= nanoseconds) return;
    std::int64_t fewest = blocks();
    if (gridMayBeSampled_) fewest = std::int64_t(sampleOfGrid(code_, 3, seed_).size());
    // Loops only where the fewest blocks take too long.
    const auto restrict = [&] {
      for (std::int64_t keep : {8, 3, 1}) {
        while (estimateBlock(code_, trips_) * double(fewest) > nanoseconds && restrictOne(keep)) {
        }
      }
    };
    restrict();
    // What is notable of a loop runs whatever it takes: the others make room for it.
    const auto also = notable();
    for (std::size_t l = 0; l < trips_.size(); ++l) {
      const std::int64_t kept = std::exchange(trips_[l], 1);
      least_[l] = std::int64_t(sampleOfLoop(l, also).size());
      trips_[l] = kept == 0 ? 0 : std::max(kept, least_[l]);
    }
    restrict();
    for (std::size_t l = 0; l < trips_.size(); ++l) {
      if (trips_[l] == 0) continue;
      const CodeLoop& loop = code_.loops[l];
      part.samples[l] = sampleOfLoop(l, also);
      trips_[l] = std::int64_t(part.samples[l].size());
      if (trips_[l] == loop.extent) {
        part.samples[l].clear();
        trips_[l] = 0;
        continue;
      }
      const auto& writes = effects_.at(loop.id).writes;
      plan.restricted.insert(writes.begin(), writes.end());
      plan.left.push_back(message("{} of {} iterations of {} in {}", trips_[l], loop.extent, loop.name, code_.name));
    }
    auto fits = std::int64_t(std::min(1e15, nanoseconds / std::max(1.0, estimateBlock(code_, trips_))));
    if (gridMayBeSampled_ && fits < blocks()) {
      const auto some =
          sampleOfGrid(code_, fits / code_.blocksOfCluster(), seed_, notableBlocks(nanoseconds, contents, stop));
      // The others of their clusters run with them.
      for (const auto& together : clustersOf(code_, some))
        part.blocks.insert(part.blocks.end(), together.begin(), together.end());
      std::ranges::sort(part.blocks);
      if (std::int64_t(part.blocks.size()) == blocks()) {
        part.blocks.clear();
      } else {
        plan.restricted.insert(gridWrites_.begin(), gridWrites_.end());
        plan.left.push_back(message("{} of {} blocks of {}", part.blocks.size(), blocks(), code_.name));
      }
    }
  }

 private:
  std::int64_t blocks() const { return code_.grid[0] * code_.grid[1] * code_.grid[2]; }

  // Iterations at which the kernel's conditions come out in other ways, by the loop's extent: loops of one extent run
  // the same ones.
  std::map<std::int64_t, std::set<std::int64_t>> notable() const {
    std::map<std::int64_t, std::set<std::int64_t>> all;
    bool any = false;
    for (std::int64_t t : trips_) any = any || t > 0;
    if (!any) return all;
    const auto iterations = distinctIterations(executable_.program->kernels[kernel_], kMostIterations);
    for (std::size_t l = 0; l < std::min(iterations.size(), code_.loops.size()); ++l) {
      all[code_.loops[l].extent].insert(iterations[l].begin(), iterations[l].end());
    }
    return all;
  }
  std::vector<std::int64_t> notableBlocks(double nanoseconds, const std::map<int, InputValues>& contents,
                                          std::stop_token stop) const {
    std::vector<std::int64_t> all = distinctBlocks(executable_.program->kernels[kernel_], kMostBlocks);
    const Footprint footprint =
        footprintOf(*executable_.program, kernel_, contents, nanoseconds * 1e-9 * kFootprintShare, stop);
    for (std::int64_t n : footprint.meeting) {
      if (all.size() < 2 * kMostBlocks) all.push_back(n);
    }
    return all;
  }

  // The loop whose restriction to `keep` iterations saves most, with all that are made of the same loop of the program;
  // false when none saves anything. Where iterations overlap, all run.
  bool restrictOne(std::int64_t keep) {
    double best = estimateBlock(code_, trips_) * 0.98;
    std::size_t chosen = trips_.size();
    for (std::size_t l = 0; l < trips_.size(); ++l) {
      const CodeLoop& loop = code_.loops[l];
      std::int64_t now = trips_[l] ? trips_[l] : loop.extent;
      auto effect = effects_.find(loop.id);
      if (now <= keep || loop.pipelined || effect == effects_.end() || !effect->second.mayBeSampled) continue;
      if (!isKnownAtOnce(l)) continue;
      double cost = estimateBlock(code_, restricted(l, keep));
      if (cost < best) {
        best = cost;
        chosen = l;
      }
    }
    if (chosen == trips_.size()) return false;
    trips_ = restricted(chosen, keep);
    return true;
  }
  std::vector<std::int64_t> restricted(std::size_t loop, std::int64_t keep) const {
    std::vector<std::int64_t> trips = trips_;
    for (std::size_t l = 0; l < trips.size(); ++l)
      if (isSameLoop(l, loop)) trips[l] = std::min(code_.loops[l].extent, std::max(keep * atOnce(l), least_[l]));
    return trips;
  }

  // Made of one loop of the program.
  bool isSameLoop(std::size_t a, std::size_t b) const {
    return a == b || (code_.loops[a].id && code_.loops[a].id == code_.loops[b].id);
  }
  // How many iterations of a loop go with one of the shortest that is made of the same: of tiles that warpgroups take
  // in turns those that load go through all, each that multiplies through its own.
  std::int64_t atOnce(std::size_t loop) const {
    std::int64_t fewest = code_.loops[loop].extent;
    for (std::size_t l = 0; l < code_.loops.size(); ++l)
      if (isSameLoop(l, loop)) fewest = std::min(fewest, code_.loops[l].extent);
    return fewest < 1 ? 1 : (code_.loops[loop].extent + fewest - 1) / fewest;
  }
  // Whether that number is the only one that the lengths of these loops allow.
  bool isKnownAtOnce(std::size_t loop) const {
    for (std::size_t l = 0; l < code_.loops.size(); ++l) {
      const std::int64_t extent = code_.loops[l].extent, n = atOnce(l);
      if (isSameLoop(l, loop) && n > 1 && (extent + n - 1) / n == (extent + n) / (n + 1)) return false;
    }
    return true;
  }
  // Tiles that are taken in turns are the first ones: whose turn it is goes by how many there were.
  std::vector<std::int64_t> sampleOfLoop(std::size_t loop,
                                         const std::map<std::int64_t, std::set<std::int64_t>>& also) const {
    const std::int64_t extent = code_.loops[loop].extent;
    bool inTurns = false;
    for (std::size_t l = 0; l < code_.loops.size(); ++l) inTurns |= isSameLoop(l, loop) && atOnce(l) > 1;
    if (!inTurns) {
      const auto places = also.find(extent);
      return sampleOf(extent, trips_[loop], seed_, places == also.end() ? std::set<std::int64_t>{} : places->second);
    }
    std::vector<std::int64_t> first;
    for (std::int64_t n = 0; n < trips_[loop]; ++n) first.push_back(n);
    return first;
  }

  const Executable& executable_;
  const std::size_t kernel_;
  const Code& code_;
  const std::map<ir::Id, LoopEffect>& effects_;
  std::uint64_t seed_;
  std::vector<std::int64_t> trips_;  // 0: all
  std::vector<std::int64_t> least_;  // that run because they are notable
  bool gridMayBeSampled_ = true;
  std::set<const ir::VarNode*> gridWrites_;
};

}  // namespace

Plan samplingPlan(double seconds, const ir::Function& scheduled, const Executable& executable,
                  const std::map<int, InputValues>& contents, std::uint64_t seed, std::stop_token stop) {
  Plan plan;
  plan.kernels.resize(executable.codes.size());
  auto effects = loopEffects(scheduled);
  double total = 0;
  for (std::size_t k = 0; k < executable.codes.size(); ++k) total += Planning(executable, k, effects, seed).whole();
  for (std::size_t k = 0; k < executable.codes.size(); ++k) {
    Planning planning(executable, k, effects, seed);
    planning.fit(seconds * 1e9 * planning.whole() / std::max(total, 1.0), contents, stop, plan, plan.kernels[k]);
  }
  return plan;
}

}  // namespace loom::exec
