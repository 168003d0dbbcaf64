#include "core/model/cluster_network.h"

#include <algorithm>
#include <bit>

#include "core/model/cluster_copies.h"

namespace loom::model {

using device::Token;

double shareOfOthers(const KernelAccesses& k, const Access& access) {
  if (!access.inBlock) return 0;
  const auto copies = clusterCopies(k, access, 0);
  if (!copies) return 0;
  double all = 0, own = 0;  // pairs of a slice and a block that reads it
  for (const ClusterPart& p : copies->parts) {
    all += std::popcount(p.receivers);
    own += double(p.receivers >> p.rank & 1);
  }
  return all > 0 ? 1 - own / all : 0;
}

double meetingClocks(const device::Kernel& kernel, const device::SyncNode& sync, const ClusterNetwork& n) {
  if (sync.does != device::SyncDoes::Wait) return 0;
  if (sync.token == Token::ClusterExchange) return n.meeting + n.release;
  // The last meeting, once in a kernel: no block ends before the others have read its slice.
  const bool slices = std::ranges::any_of(
      kernel.allocations, [](const device::Allocation& a) { return a.buffer->scope == device::kSharedCluster; });
  return slices && sync.token == Token::ClusterBarrier ? n.launchAndMeeting : 0;
}

double meetingClocks(const KernelAccesses& k, const ClusterNetwork& n) {
  double clocks = 0;
  for (const BarrierInfo& barrier : k.barriers)
    clocks += barrier.perBlock * meetingClocks(*k.kernel, *barrier.statement, n);
  return clocks > 0 ? clocks + n.launchAndMeeting : 0;  // the last meeting hands nothing on: it isn't among these
}

}  // namespace loom::model
