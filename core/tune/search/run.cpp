#include "core/tune/search/run.h"

#include <algorithm>
#include <chrono>

namespace loom::tune {

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
  Runner(Search& search, Measurer& measurer, const SearchObserver& observer)
      : search_(search), measurer_(measurer), observer_(observer) {
    progress_ = [this](const Message& what) {
      if (observer_.progress) observer_.progress(what);
    };
  }

  Result<SearchTally> run(const std::function<SearchLimits()>& limits, const std::stop_token& stop) {
    search_.endWith(stop);
    const bool measures = measurer_.hasDevice();
    std::size_t ranked = 0;  // that were measured; without a device, as many as one would have been asked for
    while (!stop.stop_requested()) {
      const SearchLimits now = limits();
      const auto trials = std::size_t(std::max(now.trials, 0));
      if (ranked >= trials || tally_.measuring >= now.deviceSeconds) break;
      const std::size_t wanted = std::min(trials - ranked, ranked == 0 ? 2 * kRound : kRound);
      progress_(message("schedules are drawn and ranked"));
      std::vector<std::size_t> list = timed(tally_.drawing, [&] { return search_.shortlist(wanted * 2); });
      tally_.drawn = search_.candidates().size();
      tally_.enumerated = search_.enumerated();
      if (tally_.enumerated > 0) tally_.schedules = search_.schedules();
      tellDead();
      if (list.empty() || stop.stop_requested()) break;
      timed(tally_.compiling, [&] { return compile(list), 0; });
      std::size_t done = wanted;
      if (measures) {
        // Fewer than wanted where some died while they were compiled: the next round has others in their place.
        const auto measured = measure(search_.round(list, wanted));
        if (!measured) return Failure(measured.error());
        if (*measured == 0) break;
        done = *measured;
      }
      ranked += done;
      roundDone();
    }
    if (measures && !stop.stop_requested()) {
      if (const auto last = shootOut(); !last) return Failure(last.error());
    } else {
      tally_.finalists = search_.fastest(kFinalists);
    }
    roundDone();
    return tally_;
  }

 private:
  void roundDone() {
    tally_.vendor = measurer_.vendor();
    if (observer_.roundDone) observer_.roundDone(tally_);
  }
  void looked(std::size_t i) {
    if (observer_.looked) observer_.looked(i);
  }
  void die(std::size_t i, const Error& why) {
    search_.died(i, why);
    looked(i);
  }
  // Those that died before they were kernels.
  void tellDead() {
    for (; looked_ < search_.candidates().size(); ++looked_)
      if (search_.candidates()[looked_].death) looked(looked_);
  }

  Measurer::Kernels kernelsOf(const std::vector<std::size_t>& candidates) const {
    Measurer::Kernels kernels;
    for (std::size_t i : candidates) kernels.push_back(search_.candidates()[i].kernel);
    return kernels;
  }

  // Those of the list that aren't compiled yet.
  void compile(std::vector<std::size_t> list) {
    std::erase_if(list, [&](std::size_t i) { return search_.candidates()[i].asCompiled; });
    const auto results = measurer_.compile(kernelsOf(list), progress_);
    for (std::size_t n = 0; n < list.size(); ++n) {
      if (results[n].death) {
        die(list[n], *results[n].death);
      } else if (results[n].predicted) {
        search_.compiled(list[n], *results[n].predicted);
      }
      tally_.compiled += results[n].death || results[n].predicted;
    }
  }

  // How many were asked for.
  Result<std::size_t> measure(const std::vector<std::size_t>& round) {
    if (round.empty()) return std::size_t(0);
    const auto batch = measurer_.measure(kernelsOf(round), false, progress_);
    if (!batch) return Failure(batch.error());
    for (std::size_t n = 0; n < round.size(); ++n) {
      const MeasuredKernel& result = batch->kernels[n];
      // Each took its share of the round.
      const double at = tally_.measuring + batch->deviceSeconds * double(n + 1) / double(round.size());
      if (result.timing) {
        search_.measured(round[n], result.timing->median, at);
        looked(round[n]);
      } else {
        die(round[n], *result.death);
      }
    }
    tally_.measured += round.size();
    tally_.measuring += batch->deviceSeconds;
    return round.size();
  }

  // The fastest once more, side by side: what was measured in different runs had different clocks.
  Result<void> shootOut() {
    const std::vector<std::size_t> best = search_.fastest(kFinalists);
    if (best.size() < 2) {
      tally_.finalists = best;
      return {};
    }
    const auto batch = measurer_.measure(kernelsOf(best), true, progress_);
    if (!batch) return Failure(batch.error());
    tally_.measuring += batch->deviceSeconds;
    std::vector<std::pair<gpu::Timing, std::size_t>> again;
    for (std::size_t n = 0; n < best.size(); ++n)
      if (batch->kernels[n].timing) again.emplace_back(*batch->kernels[n].timing, best[n]);
    std::ranges::sort(again, {}, [](const auto& a) { return a.first.median; });
    for (const auto& [timing, i] : again) {
      search_.measured(i, timing.median, search_.candidates()[i].deviceSeconds);
      tally_.finalists.push_back(i);
    }
    tally_.tie = again.size() > 1 && again[0].first.high >= again[1].first.median;
    return {};
  }

  Search& search_;
  Measurer& measurer_;
  const SearchObserver& observer_;
  gpu::Progress progress_;
  SearchTally tally_;
  std::size_t looked_ = 0;  // candidates before it were looked at by tellDead
};

}  // namespace

Result<SearchTally> runSearch(Search& search, Measurer& measurer, const std::function<SearchLimits()>& limits,
                              const SearchObserver& observer, const std::stop_token& stop) {
  return Runner(search, measurer, observer).run(limits, stop);
}

}  // namespace loom::tune
