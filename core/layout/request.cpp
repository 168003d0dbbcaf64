#include "core/layout/request.h"

#include <algorithm>
#include <bit>

namespace loom::layout {
namespace {

bool isActive(const Request& r, int lane) { return r.active >> lane & 1; }

// Distinct values of address / unit over all bytes of the active lanes.
int distinct(const Request& r, int unit) {
  std::array<std::int64_t, kLanes * 17> seen;
  int n = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!isActive(r, lane)) continue;
    for (std::int64_t at = r.address[lane] / unit; at <= (r.address[lane] + r.width - 1) / unit; ++at) seen[n++] = at;
  }
  std::sort(seen.begin(), seen.begin() + n);
  return int(std::unique(seen.begin(), seen.begin() + n) - seen.begin());
}

// Whether every active lane of the set has the address of its neighbour at distance `step`, or a neighbour that's idle.
bool neighboursShare(const Request& r, std::uint32_t lanes, int step) {
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(lanes >> lane & 1) || !isActive(r, lane) || !isActive(r, lane ^ step)) continue;
    if (r.address[lane] != r.address[lane ^ step]) return false;
  }
  return true;
}

bool goTogether(const Request& r, std::uint32_t lanes) {
  return neighboursShare(r, lanes, 1) || neighboursShare(r, lanes, 2);
}

Phase phaseOf(const Request& r, std::uint32_t lanes) {
  Phase p;
  p.lanes = lanes & r.active;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(p.lanes >> lane & 1)) continue;
    std::int64_t last = (r.address[lane] + r.width - 1) / kBankBytes;
    for (std::int64_t word = r.address[lane] / kBankBytes; word <= last; ++word) {
      auto& own = p.words[std::size_t(word % kBanks)];
      auto at = std::lower_bound(own.begin(), own.end(), word);
      if (at == own.end() || *at != word) own.insert(at, word);
    }
  }
  return p;
}

}  // namespace

int sectors(const Request& r) { return distinct(r, kSectorBytes); }
int lines(const Request& r) { return distinct(r, kLineBytes); }
int distinctBytes(const Request& r) { return distinct(r, 1); }

int Phase::ways() const {
  std::size_t most = 0;
  for (const auto& w : words) most = std::max(most, w.size());
  return int(most);
}

std::vector<Phase> phases(const Request& r) {
  std::vector<Phase> out;
  auto add = [&](std::uint32_t lanes) {
    if (lanes & r.active) out.push_back(phaseOf(r, lanes));
  };
  if (r.width <= 4) {
    add(0xffffffff);
    return out;
  }
  // Groups that may go together, and their halves.
  int group = r.width == 8 ? 32 : 16;
  for (int first = 0; first < kLanes; first += group) {
    std::uint32_t half = (std::uint32_t{1} << (group / 2)) - 1;
    std::uint32_t low = half << first, high = half << (first + group / 2);
    if (!r.store && goTogether(r, low | high)) {
      add(low | high);
    } else {
      add(low);
      add(high);
    }
  }
  return out;
}

std::vector<Phase> ldmatrixPhases(const Request& r) {
  std::vector<Phase> out;
  for (int first = 0; first < kLanes; first += 8) {
    std::uint32_t lanes = std::uint32_t{0xff} << first;
    if (lanes & r.active) out.push_back(phaseOf(r, lanes));
  }
  return out;
}

SharedCost costOf(const std::vector<Phase>& phases) {
  SharedCost c;
  for (const Phase& p : phases) {
    int ways = p.ways();
    c.wavefronts += ways;
    c.ways = std::max(c.ways, ways);
    ++c.phases;
  }
  return c;
}

}  // namespace loom::layout
