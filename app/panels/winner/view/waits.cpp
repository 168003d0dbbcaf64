#include "app/panels/winner/view/waits.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace loom::session {

namespace {

constexpr double kLeastWaitShare = 0.04, kLeastWaitMove = 0.05;
constexpr std::size_t kMostMovedWaits = 2;

double largestShare(const WaitRow& row) {
  double most = 0;
  for (const auto& share : row.shares) most = std::max(most, share.value_or(0));
  return most;
}

double movedShare(const WaitRow& row) { return std::abs(row.shares[1].value_or(0) - row.shares[0].value_or(0)); }

std::vector<WaitRow> allWaits(const std::vector<const profile::StallCount*>& samples) {
  std::vector<WaitRow> rows;
  for (const profile::StallReasonRow& reason : profile::stallReasons()) {
    WaitRow row{reason.reason, {}};
    for (const profile::StallCount* of : samples)
      row.shares.push_back(of && of->samples > 0 ? std::optional(of->share(reason.reason)) : std::nullopt);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<WaitRow> waitsOf(const std::vector<const profile::StallCount*>& samples) {
  std::vector<WaitRow> rows = allWaits(samples);
  std::erase_if(rows, [](const WaitRow& row) { return largestShare(row) < kLeastWaitShare; });
  std::ranges::stable_sort(rows, std::greater(), largestShare);
  return rows;
}

std::vector<WaitRow> movedWaits(const profile::StallCount* before, const profile::StallCount* after) {
  std::vector<WaitRow> rows = allWaits({before, after});
  std::erase_if(
      rows, [](const WaitRow& row) { return !row.shares[0] || !row.shares[1] || movedShare(row) < kLeastWaitMove; });
  std::ranges::stable_sort(rows, std::greater(), movedShare);
  rows.resize(std::min(rows.size(), kMostMovedWaits));
  return rows;
}

}  // namespace loom::session
