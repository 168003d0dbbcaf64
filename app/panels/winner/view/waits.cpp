#include "app/panels/winner/view/waits.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace loom::session {

namespace {

constexpr double kLeastWaitShare = 0.04, kLeastWaitMove = 0.05;
constexpr std::size_t kMostMovedWaits = 2;

bool isSampled(const SampledWarps* warps) { return warps != nullptr && warps->stalls.samples > 0; }

double largestShare(const WaitRow& row) {
  double most = 0;
  for (const auto& share : row.shares) most = std::max(most, share.value_or(0));
  return most;
}

double movedShare(const WaitRow& row) { return std::abs(row.shares[1].value_or(0) - row.shares[0].value_or(0)); }

std::vector<WaitRow> allWaits(const std::vector<const SampledWarps*>& samples) {
  std::vector<WaitRow> rows;
  for (const profile::StallReasonRow& reason : profile::stallReasons()) {
    WaitRow row{reason.reason, {}};
    for (const SampledWarps* of : samples)
      row.shares.push_back(isSampled(of) ? std::optional(of->stalls.share(reason.reason)) : std::nullopt);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<WaitRow> waitsOf(const std::vector<const SampledWarps*>& samples) {
  std::vector<WaitRow> rows = allWaits(samples);
  std::erase_if(rows, [](const WaitRow& row) { return largestShare(row) < kLeastWaitShare; });
  std::ranges::stable_sort(rows, std::greater(), largestShare);
  return rows;
}

std::vector<WaitRow> movedWaits(const SampledWarps* before, const SampledWarps* after) {
  std::vector<WaitRow> rows = allWaits({before, after});
  std::erase_if(
      rows, [](const WaitRow& row) { return !row.shares[0] || !row.shares[1] || movedShare(row) < kLeastWaitMove; });
  std::ranges::stable_sort(rows, std::greater(), movedShare);
  rows.resize(std::min(rows.size(), kMostMovedWaits));
  return rows;
}

std::vector<TimeRow> timesOf(const std::vector<TimedSamples>& kernels) {
  std::vector<const SampledWarps*> samples;
  for (const TimedSamples& kernel : kernels) {
    const bool isKnown = isSampled(kernel.samples);
    if (isKnown && (!kernel.microseconds || !kernel.samples->occupied)) return {};
    samples.push_back(isKnown ? kernel.samples : nullptr);
  }
  if (std::ranges::all_of(samples, [](const SampledWarps* one) { return one == nullptr; })) return {};
  std::vector<TimeRow> rows;
  TimeRow without;
  for (std::size_t n = 0; n < kernels.size(); ++n)
    without.microseconds.push_back(samples[n] ? std::optional(*kernels[n].microseconds * (1 - *samples[n]->occupied))
                                              : std::nullopt);
  rows.push_back(std::move(without));
  for (const WaitRow& wait : allWaits(samples)) {
    TimeRow row{wait.reason, {}};
    for (std::size_t n = 0; n < kernels.size(); ++n)
      row.microseconds.push_back(samples[n]
                                     ? std::optional(*wait.shares[n] * *samples[n]->occupied * *kernels[n].microseconds)
                                     : std::nullopt);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace loom::session
