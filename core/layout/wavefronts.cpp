#include "core/layout/wavefronts.h"

#include <algorithm>

namespace loom::layout {

std::vector<Wavefront> wavefronts(const Request& request, const std::vector<Phase>& phases) {
  std::vector<Wavefront> all;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    const Phase& phase = phases[p];
    const std::size_t first = all.size();
    for (int n = 0; n < phase.ways(); ++n) {
      all.push_back({int(p), n, 0, 0});
      for (int bank = 0; bank < kBanks; ++bank)
        if (int(phase.words[std::size_t(bank)].size()) > n) all.back().banks |= std::uint32_t{1} << bank;
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      if ((phase.lanes >> lane & 1) == 0) continue;
      const std::int64_t from = request.address[std::size_t(lane)];
      for (std::int64_t word = from / kBankBytes; word <= (from + request.width - 1) / kBankBytes; ++word) {
        const auto& words = phase.words[std::size_t(word % kBanks)];
        const auto at = std::lower_bound(words.begin(), words.end(), word);
        if (at == words.end() || *at != word) continue;
        all[first + std::size_t(at - words.begin())].lanes |= std::uint32_t{1} << lane;
      }
    }
  }
  return all;
}

}  // namespace loom::layout
