#include "app/panels/winner/view/waits.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace loom::session {

namespace {

constexpr double kLeastWaitShare = 0.04, kLeastWaitMove = 0.05;
constexpr std::size_t kMostMovedWaits = 2;

std::optional<profile::StallCount> countOf(const profile::ProfileFile* file) {
  if (file == nullptr) return std::nullopt;
  profile::StallCount all;
  for (const profile::StateProfile& state : file->states)
    for (const profile::StallProfile& kernel : state.kernels) all.add(kernel.total());
  if (all.samples == 0) return std::nullopt;
  return all;
}

double largestShare(const WaitRow& row) {
  double most = 0;
  for (const auto& share : row.shares) most = std::max(most, share.value_or(0));
  return most;
}

double movedShare(const WaitRow& row) { return std::abs(row.shares[1].value_or(0) - row.shares[0].value_or(0)); }

std::vector<WaitRow> allWaits(const std::vector<const profile::ProfileFile*>& samples) {
  std::vector<std::optional<profile::StallCount>> counts;
  for (const profile::ProfileFile* file : samples) counts.push_back(countOf(file));
  std::vector<WaitRow> rows;
  for (const profile::StallReasonRow& reason : profile::stallReasons()) {
    WaitRow row{reason.reason, {}};
    for (const auto& count : counts)
      row.shares.push_back(count ? std::optional(count->share(reason.reason)) : std::nullopt);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<WaitRow> waitsOf(const std::vector<const profile::ProfileFile*>& samples) {
  std::vector<WaitRow> rows = allWaits(samples);
  std::erase_if(rows, [](const WaitRow& row) { return largestShare(row) < kLeastWaitShare; });
  std::ranges::stable_sort(rows, std::greater(), largestShare);
  return rows;
}

std::vector<WaitRow> movedWaits(const profile::ProfileFile* before, const profile::ProfileFile* after) {
  std::vector<WaitRow> rows = allWaits({before, after});
  std::erase_if(
      rows, [](const WaitRow& row) { return !row.shares[0] || !row.shares[1] || movedShare(row) < kLeastWaitMove; });
  std::ranges::stable_sort(rows, std::greater(), movedShare);
  rows.resize(std::min(rows.size(), kMostMovedWaits));
  return rows;
}

}  // namespace loom::session
