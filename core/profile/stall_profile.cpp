#include "core/profile/stall_profile.h"

#include <algorithm>

namespace loom::profile {

void StallCount::add(StallReason reason, std::int64_t more, std::int64_t moreUnissued) {
  samples += more;
  notIssued += moreUnissued;
  all[std::size_t(reason)] += more;
  unissued[std::size_t(reason)] += moreUnissued;
}

void StallCount::add(const StallCount& other) {
  for (const StallReasonRow& row : stallReasons())
    add(row.reason, other.of(row.reason), other.unissued[std::size_t(row.reason)]);
}

std::vector<StallReason> StallCount::ranked() const {
  std::vector<StallReason> reasons;
  for (const StallReasonRow& row : stallReasons())
    if (of(row.reason) > 0) reasons.push_back(row.reason);
  std::stable_sort(reasons.begin(), reasons.end(), [&](StallReason a, StallReason b) { return of(a) > of(b); });
  return reasons;
}

StallReason StallCount::main() const {
  for (StallReason reason : ranked())
    if (!couldIssue(reason)) return reason;
  return StallReason::kSelected;
}

StallCount StallProfile::total() const {
  StallCount sum;
  for (const InstructionStalls& i : instructions) sum.add(i.stalls);
  return sum;
}

}  // namespace loom::profile
