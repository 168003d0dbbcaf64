#include "core/model/enumerate.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>
#include <unordered_map>

#include "core/ir/visit.h"
#include "core/model/guard_lanes.h"
#include "core/model/lane_sums.h"

namespace loom::model {
namespace {

using ir::ExprKind;
using VarSet = std::set<const ir::VarNode*>;

constexpr std::int64_t kPeriodBytes = layout::kLineBytes;

void addTerms(const ir::Expr& e, std::int64_t factor, std::vector<Term>& out) {
  if (auto* n = ir::asInt(e)) {
    out.push_back({factor * n->value, nullptr});
  } else if (auto* b = ir::asBinary(e, ExprKind::Add)) {
    addTerms(b->a, factor, out);
    addTerms(b->b, factor, out);
  } else if (auto* b = ir::asBinary(e, ExprKind::Sub)) {
    addTerms(b->a, factor, out);
    addTerms(b->b, -factor, out);
  } else if (auto* b = ir::asBinary(e, ExprKind::Mul); b && ir::asInt(b->b)) {
    addTerms(b->a, factor * ir::asInt(b->b)->value, out);
  } else if (auto* b = ir::asBinary(e, ExprKind::Mul); b && ir::asInt(b->a)) {
    addTerms(b->b, factor * ir::asInt(b->a)->value, out);
  } else {
    out.push_back({factor, e});
  }
}

VarSet varsOf(const ir::Expr& e) {
  VarSet vars;
  if (!e) return vars;
  ir::forEachExpr(e, [&](const ir::Expr& x) {
    if (auto* v = ir::asVar(x)) vars.insert(v);
  });
  return vars;
}

// How many assignments of the variables make all guards hold, as a share. Sampled beyond 2^16.
double shareOf(const device::Kernel& kernel, const std::vector<Guard>& guards, const std::vector<Variable>& variables,
               const VarSet& own, bool& exact) {
  std::vector<Variable> mine;
  std::int64_t n = 1;
  for (const Variable& v : variables) {
    if (!own.contains(v.var)) continue;
    mine.push_back(v);
    n *= v.extent;
  }
  constexpr std::int64_t kMost = 1 << 16;
  std::int64_t step = std::max<std::int64_t>(1, n / kMost), asked = 0, held = 0;
  if (step > 1) exact = false;
  LaneSums sums(kernel, mine);
  GuardLanes all(guards, &sums);
  sums.place(0);
  for (std::int64_t i = 0; i < n; i += step) {
    std::int64_t rest = i;
    for (std::size_t v = 0; v < mine.size(); ++v) {
      sums.set(v, rest % mine[v].extent);
      all.program.set(mine[v].var, rest % mine[v].extent);
      rest /= mine[v].extent;
    }
    bool known = true;
    held += all.active(known) != 0;
    exact &= known;
    ++asked;
  }
  return asked ? double(held) / double(asked) : 0;
}

}  // namespace

std::vector<Term> termsOf(const ir::Expr& index) {
  std::vector<Term> out;
  addTerms(index, 1, out);
  return out;
}

std::vector<Variable> variablesAround(const KernelAccesses& k, const std::vector<int>& loops) {
  std::vector<Variable> out;
  for (int axis = 0; axis < 3; ++axis)
    out.push_back({k.kernel->blockIdx[std::size_t(axis)].get(), k.kernel->grid[std::size_t(axis)]});
  for (int l : loops) out.push_back({k.loops[std::size_t(l)].var.get(), k.loops[std::size_t(l)].extent});
  return out;
}

Enumeration::Enumeration(const KernelAccesses& kernel, const std::vector<int>& loops, const std::vector<Guard>& guards,
                         const ir::Expr& index, int bytes, const ir::Expr& leading)
    : kernel_(kernel), index_(index), leading_(leading) {
  const device::Kernel& k = *kernel.kernel;
  for (int l : loops) exact_ &= kernel.loops[std::size_t(l)].constant;
  VarSet threads;
  for (const auto& t : k.threadIdx) threads.insert(t.get());
  auto touches = [](const VarSet& a, const VarSet& b) {
    return std::any_of(a.begin(), a.end(), [&](const ir::VarNode* v) { return b.contains(v); });
  };
  // Variables whose every value matters, and those that enter by one linear term only.
  VarSet whole = varsOf(leading);
  std::vector<std::pair<const ir::VarNode*, std::int64_t>> linear;
  if (index) {
    for (const Term& t : termsOf(index)) {
      if (!t.atom) continue;
      VarSet vars = varsOf(t.atom);
      bool uniform = !touches(vars, threads);
      std::int64_t step = std::abs(t.coefficient) * bytes % kPeriodBytes;
      if (uniform && step == 0) continue;
      if (uniform && ir::asVar(t.atom)) {
        linear.emplace_back(ir::asVar(t.atom), step);
      } else {
        whole.insert(vars.begin(), vars.end());
      }
    }
  }
  // Guards that share no variable with the address or with threads are counted by themselves.
  VarSet joint = threads, own;
  joint.insert(whole.begin(), whole.end());
  for (const auto& [v, step] : linear) joint.insert(v);
  std::vector<Guard> apart = guards;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < apart.size(); ++i) {
      VarSet vars = varsOf(apart[i].condition);
      if (!touches(vars, joint)) continue;
      joint.insert(vars.begin(), vars.end());
      whole.insert(vars.begin(), vars.end());
      joint_.push_back(apart[i]);
      apart.erase(apart.begin() + std::ptrdiff_t(i));
      moved = true;
      break;
    }
  }
  for (const Guard& g : apart) own.merge(varsOf(g.condition));
  around_ = variablesAround(kernel, loops);
  if (!apart.empty()) repeats_ *= shareOf(k, apart, around_, own, exact_);
  VarSet asked;
  for (const Guard& g : joint_) asked.merge(varsOf(g.condition));
  for (std::size_t number = 0; number < around_.size(); ++number) {
    const Variable& v = around_[number];
    total_ *= double(v.extent);
    std::int64_t values = 1;
    if (whole.contains(v.var)) {
      values = v.extent;
    } else {
      std::int64_t period = 1;
      for (const auto& [var, step] : linear) {
        if (var == v.var) period = std::lcm(period, kPeriodBytes / std::gcd(step, kPeriodBytes));
      }
      values = std::min(period, v.extent);
    }
    if (values <= 1) {
      repeats_ *= double(v.extent);
      fixed_.push_back(v.var);
    } else {
      varied_.push_back({v.var, v.extent, values, number, asked.contains(v.var)});
    }
  }
  total_ *= double((k.threads() + layout::kLanes - 1) / layout::kLanes);
}

namespace {

// The distances between lanes that were met, each once, by a number.
class KindsOfLanes {
 public:
  // Returns the lanes' values as distances from the one in lane 0; where others are too many, as they are. `lanes` must
  // outlive the result.
  LaneIndex of(const device::LaneValues& lanes) {
    device::LaneValues distances;
    distances.uniform = lanes.uniform;
    std::uint64_t hash = 0;
    for (std::size_t lane = 0; !lanes.uniform && lane < lanes.each.size(); ++lane) {
      distances.each[lane] = lanes.each[lane] - lanes.each[0];
      hash = (hash ^ std::uint64_t(distances.each[lane])) * 0x9e3779b97f4a7c15;
    }
    const auto [first, last] = byHash_.equal_range(hash);
    for (auto at = first; at != last; ++at)
      if (const device::LaneValues& known = met_[std::size_t(at->second)]; known == distances)
        return {&known, lanes[0], at->second};
    constexpr std::size_t kMost = 512;
    if (met_.size() == kMost) return {&lanes, 0, -1};
    byHash_.emplace(hash, int(met_.size()));
    return {&met_.emplace_back(distances), lanes[0], int(met_.size()) - 1};
  }

 private:
  std::deque<device::LaneValues> met_;  // which stay where they are
  std::unordered_multimap<std::uint64_t, int> byHash_;
};

}  // namespace

struct Enumeration::Evaluation {
  LaneSums sums;
  GuardLanes guards;
  std::optional<int> indexSum;   // of `sums`
  int index = -1, leading = -1;  // of the guards' program
  std::vector<int> inProgram;    // the number there of each variable around the statement

  Evaluation(const device::Kernel& kernel, const std::vector<Variable>& around, const std::vector<Guard>& joint,
             const ir::Expr& indexed, const ir::Expr& led)
      : sums(kernel, around), guards(joint, &sums) {
    if (indexed) indexSum = sums.add(termsOf(indexed));
    if (indexed && !indexSum) index = guards.program.add(indexed);
    if (led) leading = guards.program.add(led);
    for (const Variable& v : around) inProgram.push_back(guards.program.variableOf(v.var));
  }
};

void Enumeration::set(Varied& v, std::int64_t value, Evaluation& evaluation) {
  v.now = value;
  evaluation.sums.set(v.number, value);
  evaluation.guards.program.set(evaluation.inProgram[v.number], value);
}

void Enumeration::draw(std::uint64_t& random, Evaluation& evaluation) {
  for (Varied& v : varied_) {
    random = random * 6364136223846793005 + 1442695040888963407;
    set(v, std::int64_t((random >> 33) % std::uint64_t(v.extent)), evaluation);
  }
}

double Enumeration::scaleOf(Evaluation& evaluation, std::uint32_t threads, std::uint64_t random, std::int64_t rounds,
                            std::int64_t atMost) {
  std::int64_t all = 1;
  for (const Varied& v : varied_) {
    if (!v.isOfGuards) continue;
    all *= v.extent;
    if (all > atMost) return 1;
  }
  std::uint32_t lanes = 0;  // those in which the guards hold, whenever they do
  bool known = true, alike = true;
  const auto holds = [&] {
    const std::uint32_t active = evaluation.guards.active(known) & threads;
    if (active != 0 && lanes == 0) lanes = active;
    alike &= active == 0 || active == lanes;
    return active != 0;
  };
  std::int64_t held = 0, drawn = 0;
  for (std::int64_t i = 0; i < all && known && alike; ++i) {
    std::int64_t rest = i;
    for (Varied& v : varied_) {
      if (!v.isOfGuards) continue;
      set(v, rest % v.extent, evaluation);
      rest /= v.extent;
    }
    held += holds() ? 1 : 0;
  }
  for (std::int64_t i = 0; i < rounds && known && alike; ++i) {
    draw(random, evaluation);
    drawn += holds() ? 1 : 0;
  }
  if (!known || !alike || drawn == 0) return 1;
  return double(held) / double(all) * double(rounds) / double(drawn);
}

void Enumeration::run(std::int64_t atMost, const std::function<void(const Pattern&)>& visit) {
  const device::Kernel& k = *kernel_.kernel;
  int warps = int((k.threads() + layout::kLanes - 1) / layout::kLanes);
  double all = 1;
  for (const Varied& v : varied_) all *= double(v.values);
  std::int64_t asked = std::max<std::int64_t>(1, atMost / warps);
  bool sample = all > double(asked);
  exact_ &= !sample;
  std::int64_t rounds = sample ? asked : std::int64_t(all);
  std::uint64_t random = 0x9e3779b97f4a7c15;
  Evaluation evaluation(k, around_, joint_, index_, leading_);
  device::LaneProgram& program = evaluation.guards.program;
  for (const ir::VarNode* v : fixed_) program.set(v, 0);
  const auto take = [&](Varied& v, std::int64_t value) {
    set(v, value, evaluation);
    v.weight = double((v.extent - value + v.values - 1) / v.values);
  };
  KindsOfLanes kinds;
  LaneIndex ofWarp;  // without what the sum is in lane 0
  for (warp_ = 0; warp_ < warps; ++warp_) {
    device::WarpState threads;
    threads.place(k, 0, warp_);
    for (const ir::Var& v : k.threadIdx) program.set(v.get(), *threads.evaluate(v));
    evaluation.sums.place(warp_);
    if (evaluation.indexSum) ofWarp = kinds.of(evaluation.sums.distances(*evaluation.indexSum).each);
    double scale = 1;
    if (sample) {
      if (!joint_.empty()) scale = scaleOf(evaluation, threads.threads(), random, rounds, 2 * asked);
      scale /= double(rounds);
      for (Varied& v : varied_) v.weight = double(v.extent);
    } else {
      for (Varied& v : varied_) take(v, 0);
    }
    for (std::int64_t i = 0; i < rounds; ++i) {
      if (sample) draw(random, evaluation);
      Pattern pattern;
      pattern.weight = repeats_ * scale;
      for (const Varied& v : varied_) pattern.weight *= v.weight;
      bool known = true;
      pattern.active = evaluation.guards.active(known) & threads.threads();
      exact_ &= known;
      ++patterns_;
      if (pattern.active != 0 && pattern.weight > 0) {
        if (evaluation.indexSum) {
          pattern.index = ofWarp;
          pattern.index.offset += evaluation.sums.first(*evaluation.indexSum);
        } else if (evaluation.index >= 0) {
          if (const device::LaneValues* lanes = program.value(evaluation.index)) pattern.index = kinds.of(*lanes);
        }
        if (evaluation.leading >= 0) pattern.leading = program.value(evaluation.leading);
        visit(pattern);
      }
      // The first variable's values follow each other.
      for (std::size_t v = 0; !sample && v < varied_.size(); ++v) {
        take(varied_[v], varied_[v].now + 1 < varied_[v].values ? varied_[v].now + 1 : 0);
        if (varied_[v].now != 0) break;
      }
    }
  }
}

device::WarpState Enumeration::state() const {
  device::WarpState state;
  state.place(*kernel_.kernel, 0, warp_);
  for (const ir::VarNode* v : fixed_) state.set(v, 0);
  for (const Varied& v : varied_) state.set(v.var, v.now);
  return state;
}

}  // namespace loom::model
