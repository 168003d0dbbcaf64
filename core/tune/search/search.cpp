#include "core/tune/search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>

#include "core/process/on_all_cores.h"
#include "core/tune/rules/built.h"
#include "core/tune/search/median_error.h"
#include "core/tune/space/crossover.h"

namespace loom::tune {

namespace {

constexpr std::size_t kOfOneFamily = 3;
constexpr int kMoves[] = {-2, -1, 1, 2};  // of a decision's values, from that of a good schedule
constexpr const char* kFamily[] = {"tile.m", "tile.n", "tile.k", "stages", "share.a", "share.b"};
constexpr const char* kLooksAt[] = {"tile.m", "tile.n", "tile.k",  "stages", "threads",
                                    "shared", "blocks", "share.a", "share.b"};
constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

Search::Search(const RulePlan& plan, const std::vector<std::optional<Diagram>>& diagrams, schedule::State start,
               const model::Device& device, const schedule::Environment& environment, Strategy strategy,
               std::uint64_t seed, const std::vector<Built>& built)
    : plan_(plan),
      diagrams_(diagrams),
      start_(std::move(start)),
      device_(device),
      environment_(environment),
      strategy_(strategy),
      random_(seed) {
  for (std::size_t n = 0; n < plan.sketches.size(); ++n) {
    const bool counted = diagrams[n] && diagrams[n]->count() > 0;
    counts_.push_back(counted ? std::optional<PinnedCounts>(*diagrams[n]) : std::nullopt);
  }
  rankFamilies();
  for (const Built& b : built) {
    seen_.emplace(b.construction.sketch, b.construction.assignment);
    Candidate c = described({b.construction.sketch, b.construction.assignment, Origin::Construction});
    c.lines = b.lines;
    c.kernel = std::make_shared<document::KernelText>(b.kernel);
    c.predicted = c.predictedAsWritten = b.microseconds;
    if (kernels_.insert(c.kernel->key).second) candidates_.push_back(std::move(c));
  }
  std::vector<Proposal> constructions;
  for (std::size_t n = 0; built.empty() && n < plan.sketches.size(); ++n) {
    auto constructed = construct(plan, int(n), device);
    if (!constructed) continue;
    seen_.emplace(int(n), constructed->assignment);
    constructions.push_back({int(n), std::move(constructed->assignment), Origin::Construction});
  }
  add(std::move(constructions));
}

void Search::rankFamilies() {
  const auto start = std::chrono::steady_clock::now();
  formulas_.resize(plan_.sketches.size());
  process::onAllCores(plan_.sketches.size(), [&](std::size_t n) {
    if (counts_[n]) formulas_[n] = FormulaTier::of(plan_.sketches[n], *diagrams_[n], device_);
  });
  for (std::size_t n = 0; n < formulas_.size(); ++n) {
    if (!formulas_[n]) continue;
    for (const FormulaTier::Ranked& r : formulas_[n]->ranked()) ranked_.push_back({r.microseconds, int(n), r.family});
  }
  std::ranges::stable_sort(ranked_, {}, &RankedFamily::microseconds);
  formulaSeconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A schedule of a family whose rank has any number of digits alike: half of them are of the first √n of n families.
std::optional<Search::Proposal> Search::drawnByFormula() {
  if (ranked_.empty()) return std::nullopt;
  const double part = std::uniform_real_distribution<double>(0, 1)(random_);
  const auto rank = std::size_t(std::pow(double(ranked_.size()), part)) - 1;
  const RankedFamily& r = ranked_[std::min(rank, ranked_.size() - 1)];
  return Proposal{r.sketch, formulas_[std::size_t(r.sketch)]->draw(r.family, random_), Origin::Formula};
}

std::optional<Search::Proposal> Search::nextInOrder() {
  for (; orderFamily_ < ranked_.size(); ++orderFamily_, orderIndex_ = 0) {
    const RankedFamily& r = ranked_[orderFamily_];
    const FormulaTier& tier = *formulas_[std::size_t(r.sketch)];
    if (orderIndex_ == tier.schedulesOf(r.family)) continue;
    ++enumerated_;
    return Proposal{r.sketch, tier.at(r.family, orderIndex_++), Origin::Enumerated};
  }
  for (; orderSketch_ < counts_.size(); ++orderSketch_, orderIndex_ = 0) {
    const auto& counts = counts_[orderSketch_];
    if (!counts || formulas_[orderSketch_] || orderIndex_ == counts->count()) continue;
    ++enumerated_;
    return Proposal{int(orderSketch_), counts->at(orderIndex_++), Origin::Enumerated};
  }
  return std::nullopt;
}

std::optional<Count> Search::schedules() const {
  Count sum = 0;
  for (const auto& diagram : diagrams_)
    if (!diagram || !tune::add(sum, diagram->count())) return std::nullopt;
  return sum;
}

Candidate Search::described(Proposal proposal) const {
  const Sketch& s = plan_.sketches[std::size_t(proposal.sketch)];
  Candidate c;
  c.sketch = proposal.sketch;
  c.origin = proposal.origin;
  c.assignment = std::move(proposal.assignment);
  for (const char* name : kLooksAt) {
    const auto value = quantityOf(s, name, c.assignment);
    c.quantities.push_back(std::log2(1.0 + double(value ? std::max<std::int64_t>(*value, 0) : 0)));
  }
  for (std::size_t n = 0; n < plan_.sketches.size(); ++n) c.quantities.push_back(int(n) == c.sketch ? 1 : 0);
  c.family = std::to_string(c.sketch);
  for (const char* name : kFamily) c.family += fmt::format(" {}", quantityOf(s, name, c.assignment).value_or(0));
  if (const auto& formula = formulas_[std::size_t(c.sketch)]) c.formula = formula->microsecondsOf(c.assignment);
  return c;
}

Candidate Search::made(Proposal proposal) const {
  const Sketch& s = plan_.sketches[std::size_t(proposal.sketch)];
  Candidate c = described(std::move(proposal));
  const auto dead = [&](const Error& why) {
    c.death = why;
    return c;
  };
  auto lines = linesOf(s, c.assignment);
  if (!lines) return dead(lines.error());
  c.lines = std::move(*lines);
  auto applied = madeByLines(start_, c.lines, environment_);
  if (!applied) return dead(applied.error());
  auto kernel = std::make_shared<document::KernelText>(std::move(applied->kernel));
  if (const auto time = predictedTime(*kernel, device_)) c.predicted = c.predictedAsWritten = *time;
  c.kernel = std::move(kernel);
  return c;
}

void Search::add(std::vector<Proposal> proposals) {
  std::vector<std::optional<Candidate>> all(proposals.size());
  process::onAllCores(all.size(), [&](std::size_t n) {
    if (!stop_.stop_requested()) all[n] = made(std::move(proposals[n]));
  });
  for (std::optional<Candidate>& c : all)
    if (c && (c->death || kernels_.insert(c->kernel->key).second)) candidates_.push_back(std::move(*c));
}

std::vector<std::size_t> Search::fastest(std::size_t count) const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (candidates_[i].measured && !candidates_[i].death) all.push_back(i);
  std::ranges::sort(all, {}, [&](std::size_t i) { return *candidates_[i].measured; });
  if (all.size() > count) all.resize(count);
  return all;
}

// The candidates that new ones are made of: the best measured, or the constructions while there are none.
std::vector<std::size_t> Search::drawnFrom() const {
  std::vector<std::size_t> from = fastest(strategy_ == Strategy::Coordinate ? 1 : 8);
  for (std::size_t i = 0; from.empty() && i < candidates_.size(); ++i)
    if (candidates_[i].origin == Origin::Construction && candidates_[i].kernel) return {i};
  return from;
}

void Search::draw(std::size_t count) {
  std::vector<int> counted;
  for (std::size_t n = 0; n < counts_.size(); ++n)
    if (counts_[n]) counted.push_back(int(n));
  if (counted.empty()) return;
  const std::vector<std::size_t> parents = drawnFrom();
  std::size_t neighbour = 0;
  std::vector<Proposal> proposals;
  const auto propose = [&](int sketch, Assignment assignment, Origin origin) {
    if (seen_.emplace(sketch, assignment).second) proposals.push_back({sketch, std::move(assignment), origin});
  };
  while (strategy_ == Strategy::Exhaustive && proposals.size() < count) {
    auto next = nextInOrder();
    if (!next) break;
    propose(next->sketch, std::move(next->assignment), next->origin);
  }
  for (std::size_t attempt = 0; strategy_ != Strategy::Exhaustive && proposals.size() < count && attempt < count * 4;
       ++attempt) {
    const bool fromParents = strategy_ == Strategy::Random   ? false
                             : strategy_ == Strategy::Funnel ? attempt % 2 == 1
                                                             : true;
    if (!fromParents || parents.empty()) {
      // The formula proposes what it likes; every eighth is drawn without it.
      if (strategy_ == Strategy::Funnel && attempt % 8 != 0) {
        if (auto drawn = drawnByFormula()) {
          propose(drawn->sketch, std::move(drawn->assignment), drawn->origin);
          continue;
        }
      }
      const int sketch = counted[attempt / 2 % counted.size()];
      if (auto drawn = counts_[std::size_t(sketch)]->draw(random_)) propose(sketch, std::move(*drawn), Origin::Uniform);
      continue;
    }
    const Candidate& mother = candidates_[parents[attempt / 2 % parents.size()]];
    const auto& diagram = diagrams_[std::size_t(mother.sketch)];
    if (!diagram) continue;
    if (strategy_ == Strategy::Funnel && attempt % 8 == 7) {
      // One decision moves, and those that go with it follow: to another tile no single one leads.
      const Space& space = diagram->space();
      std::vector<int> open;
      for (std::size_t d = 0; d < space.decisions.size(); ++d)
        if (space.decisions[d].values.size() > 1) open.push_back(int(d));
      if (open.empty()) continue;
      const int d = open[random_() % open.size()];
      const std::vector<std::int64_t>& values = space.decisions[std::size_t(d)].values;
      const int at = valueIndexOf(space.decisions[std::size_t(d)], mother.assignment[std::size_t(d)]);
      const int to = at + kMoves[random_() % std::size(kMoves)];
      if (to < 0 || to >= int(values.size())) continue;
      if (auto moved = movedTo(space, mother.assignment, d, values[std::size_t(to)]))
        propose(mother.sketch, std::move(*moved), Origin::Neighbour);
      continue;
    }
    if (strategy_ == Strategy::Coordinate || (strategy_ == Strategy::Funnel && attempt % 4 == 3)) {
      const auto near = neighboursOf(diagram->space(), mother.assignment);
      if (near.empty()) continue;
      propose(mother.sketch, near[neighbour++ % near.size()], Origin::Neighbour);
      continue;
    }
    const Candidate& other = candidates_[parents[random_() % parents.size()]];
    const Candidate& father = other.sketch == mother.sketch ? other : mother;
    // Every decision may be a key: those that are not stay as either parent has them.
    std::vector<int> keys;
    for (std::size_t d = 0; d < mother.assignment.size(); ++d) keys.push_back(int(d));
    if (auto child = childOf(*diagram, Pins(diagram->space()), mother.assignment, father.assignment, keys, random_))
      propose(mother.sketch, std::move(*child), Origin::Child);
  }
  add(std::move(proposals));
}

Search::Promises::Promises(const std::vector<Candidate>& candidates)
    : byCode_{learned(candidates, false), learned(candidates, true)} {}

Correction Search::Promises::learned(const std::vector<Candidate>& candidates, bool asCompiled) {
  std::vector<Correction::Sample> samples;
  for (const Candidate& c : candidates)
    if (c.measured && c.predicted && c.asCompiled == asCompiled)
      samples.push_back({c.quantities, *c.predicted, *c.measured});
  return Correction(samples);
}

double Search::Promises::of(const Candidate& c) const {
  return c.predicted ? *c.predicted * byCode_[c.asCompiled ? 1 : 0].factor(c.quantities) : kNever;
}

std::vector<std::size_t> Search::shortlist(std::size_t count) {
  const bool first = fastest(1).empty();
  // Without a device nothing is ever measured: in their order, schedules are done with once they are compiled.
  const auto isOpen = [&](const Candidate& c) {
    const bool isDone = c.measured || (strategy_ == Strategy::Exhaustive && first && c.asCompiled);
    return !c.death && !isDone && c.kernel;
  };
  if (strategy_ == Strategy::Exhaustive) {
    // Not far ahead of what is measured. Several schedules may make one kernel.
    auto open = std::size_t(std::ranges::count_if(candidates_, isOpen));
    while (open < count && !stop_.stop_requested()) {
      const Count passed = enumerated_;
      draw(count - open);
      if (enumerated_ == passed) break;  // all have come
      open = std::size_t(std::ranges::count_if(candidates_, isOpen));
    }
  } else {
    draw(count * (first ? 6 : 3));
  }
  const Promises promises(candidates_);
  const bool predicts = strategy_ != Strategy::Random && strategy_ != Strategy::Exhaustive;
  std::vector<std::pair<double, std::size_t>> open;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& c = candidates_[i];
    if (!isOpen(c)) continue;
    open.emplace_back(c.origin == Origin::Construction ? -1 : predicts ? promises.of(c) : 0, i);
  }
  std::ranges::stable_sort(open);
  std::map<std::string, std::size_t> families;
  std::vector<std::size_t> list;
  for (const auto& [time, i] : open) {
    if (list.size() == count) break;
    if (strategy_ != Strategy::Exhaustive && ++families[candidates_[i].family] > kOfOneFamily) continue;
    list.push_back(i);
  }
  // Where families run out, more of them.
  for (const auto& [time, i] : open) {
    if (list.size() >= count) break;
    if (std::ranges::find(list, i) == list.end()) list.push_back(i);
  }
  return list;
}

std::vector<std::size_t> Search::round(const std::vector<std::size_t>& list, std::size_t count) const {
  std::vector<std::size_t> alive;
  for (std::size_t i : list)
    if (!candidates_[i].death) alive.push_back(i);
  if (strategy_ == Strategy::Random || strategy_ == Strategy::Exhaustive) {
    if (alive.size() > count) alive.resize(count);
    return alive;
  }
  const Promises promises(candidates_);
  std::ranges::stable_sort(alive, {}, [&](std::size_t i) {
    return candidates_[i].origin == Origin::Construction ? 0 : promises.of(candidates_[i]);
  });
  std::vector<std::size_t> chosen, uniform;
  for (std::size_t n = alive.size(); n-- > count && uniform.size() < count / 8;)
    if (candidates_[alive[n]].origin == Origin::Uniform) uniform.push_back(alive[n]);
  for (std::size_t i : alive)
    if (chosen.size() + uniform.size() < count) chosen.push_back(i);
  chosen.insert(chosen.end(), uniform.begin(), uniform.end());
  return chosen;
}

void Search::compiled(std::size_t candidate, double microseconds) {
  candidates_[candidate].predicted = microseconds;
  candidates_[candidate].asCompiled = true;
}
void Search::measured(std::size_t candidate, double microseconds, double deviceSeconds) {
  candidates_[candidate].measured = microseconds;
  candidates_[candidate].deviceSeconds = deviceSeconds;
}
void Search::died(std::size_t candidate, Error why) { candidates_[candidate].death = std::move(why); }

std::optional<std::size_t> Search::best() const {
  if (const auto one = fastest(1); !one.empty()) return one.front();
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& c = candidates_[i];
    if (c.death || !c.kernel) continue;
    if (!best || c.predicted.value_or(kNever) < candidates_[*best].predicted.value_or(kNever)) best = i;
  }
  return best;
}

std::optional<double> Search::error() const { return medianError(candidates_, &Candidate::predicted); }
std::optional<double> Search::formulaError() const { return medianError(candidates_, &Candidate::formula); }

}  // namespace loom::tune
