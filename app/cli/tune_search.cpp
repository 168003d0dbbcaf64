#include "app/cli/tune_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/cli/progress.h"
#include "core/compile/toolkit.h"
#include "core/document/naive_kernel.h"
#include "core/gpu/workload.h"
#include "core/tune/search/on_all_cores.h"
#include "core/tune/size_sweep.h"

namespace loom::cli {

namespace {

constexpr std::size_t kRound = 16, kFinalists = 4;

// Runs it and adds the seconds that it took.
template <class Do>
auto timed(double& seconds, Do what) {
  const auto start = std::chrono::steady_clock::now();
  auto result = what();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

class Runner {
 public:
  Runner(tune::Search& search, document::Bench& bench, const model::Device& device, const document::Target& target,
         const SearchLimits& limits, const std::function<void(std::size_t)>& told)
      : search_(search), bench_(bench), device_(device), limits_(limits), told_(told) {
    const document::History& h = target.history;
    product_ = gpu::recognizeMatmul(document::functionAt(h.node(0).state, h.sizes()));
    if (!product_) naive_ = document::naiveKernel(h.node(0).state, {});
  }

  Result<SearchTally> run() {
    while (tally_.measured < std::size_t(std::max(limits_.trials, 0)) && tally_.measuring < limits_.deviceSeconds) {
      const std::size_t left = std::size_t(limits_.trials) - tally_.measured;
      const std::size_t wanted = std::min(left, tally_.measured == 0 ? 2 * kRound : kRound);
      const std::vector<std::size_t> list = timed(tally_.drawing, [&] { return search_.shortlist(wanted * 2); });
      tellDead();
      if (list.empty()) break;
      timed(tally_.compiling, [&] { return compile(list), 0; });
      const auto measured = timed(tally_.measuring, [&] { return measure(search_.round(list, wanted)); });
      if (!measured) return Failure(measured.error());
      if (*measured == 0) break;
    }
    tally_.drawn = search_.candidates().size();
    const auto last = timed(tally_.measuring, [&] { return shootOut(); });
    if (!last) return Failure(last.error());
    if (product_) tally_.vendor = bench_.knownVendor(*product_);
    return tally_;
  }

 private:
  void die(std::size_t i, Error why) {
    search_.died(i, std::move(why));
    told_(i);
  }
  // Those that died before they were kernels.
  void tellDead() {
    for (; looked_ < search_.candidates().size(); ++looked_)
      if (search_.candidates()[looked_].death) told_(looked_);
  }

  void compile(const std::vector<std::size_t>& list) {
    if (bench_.device()->cpu) return;
    std::vector<compile::Text> texts;
    for (std::size_t i : list) texts.emplace_back(search_.candidates()[i].kernel->source);
    const auto binaries = bench_.compileAll(texts, bench_.architecture(), [&](std::size_t, const auto&) {
      progress_(fmt::format("compile {}", ++tally_.compiled));
    });
    // The machine code's model runs some warps of each kernel: a second's work, on all cores but one.
    std::vector<std::optional<double>> times(list.size());
    const auto& toolkit = bench_.toolkit();
    tune::onAllCores(list.size(), [&](std::size_t n) {
      if (!binaries[n]) return;
      tune::SweptState state;
      state.kernel = search_.candidates()[list[n]].kernel;
      Result<std::string> sass = fail("NoSass", Message());
      if (toolkit) sass = compile::disassemble(*toolkit, *binaries[n]);
      tune::predict(state, device_, &*binaries[n], &sass);
      if (state.predicted && state.predicted->asCompiled) times[n] = state.predicted->microseconds;
    });
    for (std::size_t n = 0; n < list.size(); ++n) {
      if (!binaries[n]) {
        die(list[n], binaries[n].error());
      } else if (times[n]) {
        search_.compiled(list[n], *times[n]);
      }
    }
  }

  Result<std::vector<document::KnownTime>> timesOf(const std::vector<std::size_t>& candidates) {
    std::vector<document::Bench::Request> requests;
    for (std::size_t i : candidates) requests.push_back({std::to_string(i), search_.candidates()[i].kernel.get()});
    return bench_.measure(
        requests, product_, [&](const std::string& what) { progress_(what); }, naive_ ? &*naive_ : nullptr);
  }

  // How many were asked for.
  Result<std::size_t> measure(const std::vector<std::size_t>& round) {
    if (round.empty()) return std::size_t(0);
    const auto results = timesOf(round);
    if (!results) return Failure(results.error());
    for (std::size_t n = 0; n < round.size(); ++n) {
      const document::KnownTime& time = (*results)[n];
      if (const gpu::Outcome* o = time.measured()) {
        search_.measured(round[n], o->timing.median);
      } else if (time.result) {
        using Status = gpu::Outcome::Status;
        const Status status = time.result->outcome.status;
        const char* code = status == Status::Wrong      ? "WrongResult"
                           : status == Status::Deadline ? "Deadline"
                           : status == Status::Lost     ? "WorkerLost"
                                                        : "LaunchError";
        search_.died(round[n], fail(code, time.result->outcome.message, Forbids::Hardware).value());
      } else {
        search_.died(round[n], *time.problem);
      }
      told_(round[n]);
    }
    tally_.measured += round.size();
    return round.size();
  }

  // The fastest once more, side by side: what was measured in different runs had different clocks.
  Result<void> shootOut() {
    const std::vector<std::size_t> best = search_.fastest(kFinalists);
    if (best.size() < 2) {
      tally_.finalists = best;
      return {};
    }
    bench_.setAgain(true);
    const auto results = timesOf(best);
    bench_.setAgain(false);
    if (!results) return Failure(results.error());
    std::vector<std::pair<gpu::Timing, std::size_t>> again;
    for (std::size_t n = 0; n < best.size(); ++n) {
      if (const gpu::Outcome* o = (*results)[n].measured()) again.emplace_back(o->timing, best[n]);
    }
    std::ranges::sort(again, {}, [](const auto& a) { return a.first.median; });
    for (const auto& [timing, i] : again) {
      search_.measured(i, timing.median);
      tally_.finalists.push_back(i);
    }
    tally_.tie = again.size() > 1 && again[0].first.high >= again[1].first.median;
    return {};
  }

  tune::Search& search_;
  document::Bench& bench_;
  const model::Device& device_;
  const SearchLimits& limits_;
  const std::function<void(std::size_t)>& told_;
  std::optional<gpu::Matmul> product_;
  std::optional<document::KernelText> naive_;
  SearchTally tally_;
  ProgressLine progress_;
  std::size_t looked_ = 0;  // candidates before it were looked at by tellDead
};

}  // namespace

Result<SearchTally> runSearch(tune::Search& search, document::Bench& bench, const model::Device& device,
                              const document::Target& target, const SearchLimits& limits,
                              const std::function<void(std::size_t)>& told) {
  return Runner(search, bench, device, target, limits, told).run();
}

}  // namespace loom::cli
