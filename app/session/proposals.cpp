#include "app/session/proposals.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/script/line_diff.h"

namespace loom::session {

namespace {

constexpr double kLeastGain = 0.02;      // of the time before: less is within what the model can tell
constexpr std::size_t kFinalists = 6;    // programs that are executed and compiled, over all
constexpr std::size_t kForAdvice = 2;    // and for each advice
constexpr std::size_t kMostFinals = 16;  // in one pass, those that turn out wrong included
constexpr std::size_t kShown = 3;
constexpr const char *kPipeline = "pipeline", *kWarpgroups = "warpgroups";  // codes of the advice

bool usesAny(const tune::CandidateStep& step, std::initializer_list<std::string_view> primitives) {
  return std::any_of(primitives.begin(), primitives.end(), [&](std::string_view p) { return step.uses(p); });
}

class Search {
 public:
  Search(const ProposalQuery& search, const schedule::Environment& environment, const std::atomic<bool>& stop)
      : search_(search), environment_(environment), stop_(stop) {}

  Proposals run() {
    for (const model::Advice& a : search_.advice) made_.trials.push_back({a, 0, -1, 0});
    const auto kernel = document::makeKernel(search_.history.node(search_.node).state, {}, 0, search_.history.sizes());
    const auto before = kernel.problem ? std::nullopt : search_.written(kernel);
    if (!before || stop_) {
      made_.done = !stop_;
      return made_;
    }
    made_.before = *before;
    known_.insert(kernel.key);
    shared_ = sharedOf(kernel);
    steps_ = tune::candidateSteps(search_.history, search_.node, environment_, kernel.program->kernels.front().block,
                                  stop_, search_.device ? &*search_.device : nullptr);
    if (!search_.hasAsyncCopies) {
      std::erase_if(steps_, [](const tune::CandidateStep& step) {
        return step.makes(tune::PipelineMove::Asynchronous) || step.makes(tune::PipelineMove::MmaSync);
      });
    }
    made_.steps = int(steps_.size());
    times_.resize(steps_.size());
    predicted_.resize(steps_.size());
    // Few programs, of which the advice names the next: they come first.
    predict([](const tune::CandidateStep& step) { return !step.moves.empty(); });
    if (const auto few = moves(); !few.empty()) {
      finish(few, kMostFinals);
      show();
    }
    for (AdviceTrial& help : made_.trials) {
      predict([&](const tune::CandidateStep& step) { return couldHelp(step, help.against); });
      finishFor(help);
      show();
    }
    takeTogether();
    predict([](const tune::CandidateStep&) { return true; });
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < steps_.size(); ++i) all.push_back(i);
    finish(fastest(std::move(all)), kFinalists);
    finish(untold(), kForAdvice);
    made_.done = !stop_;
    show();
    return made_;
  }

 private:
  void predict(const std::function<bool(const tune::CandidateStep&)>& which) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (stop_) return;
      if (predicted_[i] || !which(steps_[i])) continue;
      predicted_[i] = true;
      const auto kernel = document::makeKernel(steps_[i].state, {}, 0, search_.history.sizes());
      if (search_.progress) search_.progress(++seen_, made_.steps);
      if (kernel.problem || !known_.insert(kernel.key).second) continue;
      times_[i] = search_.written(kernel);
      made_.predicted += times_[i].has_value();
    }
  }

  // As they are written.
  std::vector<std::size_t> fastest(std::vector<std::size_t> of) const {
    std::erase_if(of, [&](std::size_t i) { return !times_[i] || *times_[i] > (1 - kLeastGain) * made_.before; });
    std::stable_sort(of.begin(), of.end(), [&](std::size_t a, std::size_t b) { return *times_[a] < *times_[b]; });
    return of;
  }

  // What a program as written doesn't show: instructions saved, loads that a thread has under way.
  std::vector<std::size_t> untold() const {
    std::vector<std::size_t> of;
    for (std::size_t i = 0; search_.compiled && i < steps_.size(); ++i) {
      const bool alike = times_[i] && std::abs(*times_[i] - made_.before) <= kLeastGain * made_.before;
      if (alike && usesAny(steps_[i], {"unroll", "vectorize"})) of.push_back(i);
    }
    return of;
  }

  // A pipeline's steps: what waits and overlaps only machine code shows.
  std::vector<std::size_t> moves() const {
    std::vector<std::size_t> of;
    for (std::size_t i = 0; search_.compiled && i < steps_.size(); ++i)
      if (times_[i] && !steps_[i].moves.empty() && !steps_[i].joint) of.push_back(i);
    return of;
  }

  void finishFor(AdviceTrial& help) {
    std::vector<std::size_t> of;
    help.tried = 0;
    help.best = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (!times_[i] || !couldHelp(steps_[i], help.against)) continue;
      of.push_back(i);
      ++help.tried;
      if (help.best == 0 || *times_[i] < help.best) help.best = *times_[i];
    }
    finish(fastest(of), kForAdvice);
  }

  // The fastest step against each finding, one after another as long as the next still applies and is a gain: two rows
  // that conflict want two paddings.
  void takeTogether() {
    std::vector<const Proposal*> singles;
    for (const AdviceTrial& help : made_.trials) {
      if (help.proposal < 0) continue;
      const Proposal* one = &made_.offered[std::size_t(help.proposal)];
      const bool here = one->step.edited < 0 && one->step.at == search_.node;
      if (here && std::find(singles.begin(), singles.end(), one) == singles.end()) singles.push_back(one);
    }
    std::stable_sort(singles.begin(), singles.end(), [](const auto* a, const auto* b) { return a->after < b->after; });
    std::optional<tune::CandidateStep> all;
    double time = 0;
    for (const Proposal* one : singles) {
      if (stop_) return;
      if (!all) {
        const auto known = std::find_if(steps_.begin(), steps_.end(), [&](const tune::CandidateStep& step) {
          return step.at == one->step.at && step.lines == one->step.lines;
        });
        all = *known;
        time = times_[std::size_t(known - steps_.begin())].value_or(made_.before);
        continue;
      }
      tune::CandidateStep more = *all;
      more.joint = true;
      more.moves.clear();  // its words are those of its lines
      more.lines += "\n" + one->step.lines;
      more.step += "\n" + one->step.step;
      const auto applied = search_.history.preview(more.at, more.lines, environment_);
      if (!applied) continue;
      more.state = applied->next;
      tune::countThreads(more);
      for (auto [to, from] : {std::pair(&more.primitives, &one->step.primitives), {&more.blocks, &one->step.blocks}})
        for (const std::string& name : *from)
          if (std::find(to->begin(), to->end(), name) == to->end()) to->push_back(name);
      const auto kernel = document::makeKernel(more.state, {}, 0, search_.history.sizes());
      const auto faster = kernel.problem || known_.count(kernel.key) != 0 ? std::nullopt : search_.written(kernel);
      if (!faster || *faster > (1 - kLeastGain) * time) continue;
      known_.insert(kernel.key);
      all = std::move(more);
      time = *faster;
    }
    if (!all || !all->joint) return;
    steps_.push_back(std::move(*all));
    times_.push_back(time);
    predicted_.push_back(true);
    finish({steps_.size() - 1}, 1);
    show();
  }

  // Goes on until so many are faster by the deepest model there is.
  void finish(const std::vector<std::size_t>& of, std::size_t wanted) {
    std::size_t good = 0;
    for (std::size_t n = 0; n < of.size() && n < kMostFinals && good < wanted && !stop_; ++n) {
      const std::size_t i = of[n];
      auto known = finals_.find(i);
      if (known == finals_.end()) known = finals_.emplace(i, finalOf(i)).first;
      good += known->second.has_value();
    }
  }

  std::optional<Proposal> finalOf(std::size_t i) {
    if (!search_.isRight(steps_[i].state)) {
      made_.wrong += !stop_;
      return std::nullopt;
    }
    const auto kernel = document::makeKernel(steps_[i].state, {}, 0, search_.history.sizes());
    Proposal proposal{steps_[i],
                      {tune::titleOf(steps_[i]), {}},
                      made_.before,
                      *times_[i],
                      ModelBasis::kSource,
                      shared_,
                      sharedOf(kernel),
                      0,
                      0};
    if (search_.compiled && search_.compiledBefore) {
      const auto compiled = search_.compiled(kernel);
      if (!compiled) return std::nullopt;
      proposal.before = search_.compiledBefore->microseconds;
      proposal.after = compiled->microseconds;
      proposal.basis = ModelBasis::kMachineCode;
      proposal.registersBefore = search_.compiledBefore->registers;
      proposal.registersAfter = compiled->registers;
    }
    if (proposal.after > (1 - kLeastGain) * proposal.before) return std::nullopt;
    return proposal;
  }

  static std::int64_t sharedOf(const document::KernelText& kernel) {
    std::int64_t most = 0;
    if (!kernel.program) return most;
    for (const device::Kernel& one : kernel.program->kernels) most = std::max(most, one.sharedBytes());
    return most;
  }

  // Two ways with one effect: a value of one parameter, or an axis, is another, and the time is the same.
  static bool repeats(const Proposal& a, const Proposal& b) {
    const bool alike = a.step.primitives == b.step.primitives && a.step.blocks == b.step.blocks;
    return alike && std::abs(a.after - b.after) < 0.01 * a.after;
  }

  // One thing at a time: of the proposals from `first` on that could help, the fastest of those that make the fewest
  // moves.
  std::vector<Proposal>::iterator leastMoves(std::vector<Proposal>::iterator first, const model::Advice& against) {
    auto least = first;
    for (auto p = first; p != made_.offered.end(); ++p)
      if (couldHelp(p->step, against) && p->step.moves.size() < least->step.moves.size()) least = p;
    return least;
  }

  void show() {
    made_.offered.clear();
    made_.best.clear();
    for (const auto& [i, proposal] : finals_)
      if (proposal) made_.offered.push_back(*proposal);
    std::stable_sort(made_.offered.begin(), made_.offered.end(),
                     [](const Proposal& a, const Proposal& b) { return a.after < b.after; });
    for (std::size_t i = 0; i < made_.offered.size() && made_.best.size() < kShown; ++i) {
      const bool again = std::any_of(made_.best.begin(), made_.best.end(), [&](int other) {
        return repeats(made_.offered[std::size_t(other)], made_.offered[i]);
      });
      if (!again) made_.best.push_back(int(i));
    }
    for (AdviceTrial& help : made_.trials) {
      auto found = std::find_if(made_.offered.begin(), made_.offered.end(),
                                [&](const Proposal& p) { return couldHelp(p.step, help.against); });
      if (help.against.code == kPipeline || help.against.code == kWarpgroups) found = leastMoves(found, help.against);
      help.proposal = found == made_.offered.end() ? -1 : int(found - made_.offered.begin());
    }
    if (search_.tell && !stop_) search_.tell(made_);
  }

  const ProposalQuery& search_;
  const schedule::Environment& environment_;
  const std::atomic<bool>& stop_;
  Proposals made_;
  std::vector<tune::CandidateStep> steps_;
  std::vector<std::optional<double>> times_;               // by step, as written; none of those that repeat another
  std::vector<bool> predicted_;                            // whether that was tried
  std::set<std::string> known_;                            // keys of programs
  std::map<std::size_t, std::optional<Proposal>> finals_;  // executed and compiled; none: wrong, or no faster
  std::int64_t shared_ = 0;                                // bytes of a block of the state
  int seen_ = 0;
};

}  // namespace

bool couldHelp(const tune::CandidateStep& step, const model::Advice& a) {
  if (step.joint) return false;  // against each finding its own step is told
  if (a.code == kWarpgroups) return step.isOfWarpgroups();
  if (a.code == kPipeline) return !step.moves.empty() && !step.isOfWarpgroups();
  if (!step.moves.empty() && a.code != "busiest") return false;
  const bool edit = step.edited >= 0;
  if (a.code == "bank_conflicts") {
    return !edit && step.uses("storage_align") && step.concerns(a.subject);
  }
  if (a.code == "scattered_access") {
    return !edit && step.concerns(a.block) &&
           usesAny(step, {"bind", "vectorize", "reorder", "fuse", "cache_read", "cache_write", "tensorize"});
  }
  if (a.code == "repeated_work" || a.code == "idle_lanes") {
    return !edit && step.concerns(a.block) && usesAny(step, {"bind", "tensorize"});
  }
  const auto number = [&](const char* key) {
    const auto found = a.numbers.find(key);
    return found == a.numbers.end() ? 0 : found->second;
  };
  if (a.code == "one_thread") return step.uses("bind");
  if (a.code == "small_block") return double(step.threads) > number("threads");
  if (a.code == "few_blocks") return double(step.grid) > number("blocks");
  if (a.code == "last_wave") return double(step.grid) != number("blocks");
  if (a.code == "few_warps") return edit;
  if (a.code != "busiest") return false;
  using enum tune::PipelineMove;
  if (!step.moves.empty()) {
    if (a.subject == "copy" || a.subject == "waits") return true;
    if (a.subject == "shared") return step.makes(Swizzle) || step.makes(MmaSync) || step.makes(Fragments);
    return step.makes(MmaSync) || step.isOfWarpgroups() || (a.subject == "issue" && step.makes(Unroll));
  }
  if (a.subject == "copy") return edit || usesAny(step, {"cache_read", "vectorize", "compute_at"});
  if (a.subject == "shared") return edit || usesAny(step, {"cache_read", "vectorize", "storage_align"});
  if (a.subject == "arithmetic") return usesAny(step, {"tensorize", "bind"});
  if (a.subject == "issue") return usesAny(step, {"vectorize", "unroll", "tensorize"});
  return edit || usesAny(step, {"unroll", "bind"});
}

const AdviceTrial* Proposals::against(const model::Advice& advice) const {
  for (const AdviceTrial& help : trials) {
    const model::Advice& a = help.against;
    if (a.code == advice.code && a.subject == advice.subject && a.access == advice.access) return &help;
  }
  return nullptr;
}

int replacedSteps(const document::History& history, int node, const tune::CandidateStep& edit) {
  std::multiset<std::string> again;
  for (std::string& line : script::splitLines(edit.lines)) again.insert(std::move(line));
  int replaced = 0;
  bool follows = false;
  for (const int index : history.path(node)) {
    follows |= index == edit.edited;
    const document::Line* step = history.node(index).step();
    if (!follows || step == nullptr) continue;
    const auto same = again.find(step->source);
    if (same == again.end()) {
      ++replaced;
    } else {
      again.erase(same);
    }
  }
  return std::max(1, replaced);
}

Proposals searchProposals(const ProposalQuery& search, const schedule::Environment& environment,
                          const std::atomic<bool>& stop) {
  return Search(search, environment, stop).run();
}

}  // namespace loom::session
