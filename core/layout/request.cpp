#include "core/layout/request.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace loom::layout {
namespace {

bool isActive(const Request& r, int lane) { return r.active >> lane & 1; }

// Distinct values of address / kUnit over all bytes of the active lanes.
template <int kUnit>
int distinct(const Request& r) {
  std::array<std::int64_t, kLanes * 17> seen;
  int n = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::min(), least = -(last + 1);
  bool ascends = true;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!isActive(r, lane)) continue;
    const std::int64_t first = r.address[lane] / kUnit, end = (r.address[lane] + r.width - 1) / kUnit;
    for (std::int64_t at = first; at <= end; ++at) {
      if (at == last) continue;
      ascends &= at > last;
      least = std::min(least, at);
      seen[n++] = last = at;
    }
  }
  if (ascends) return n;
  // What lies near each other is marked.
  std::array<std::uint64_t, 8> marks{};
  for (int i = 0; i < n; ++i) {
    const auto place = std::uint64_t(seen[i] - least);
    if (place >= marks.size() * 64) {
      std::sort(seen.begin(), seen.begin() + n);
      return int(std::unique(seen.begin(), seen.begin() + n) - seen.begin());
    }
    marks[place / 64] |= std::uint64_t{1} << place % 64;
  }
  int all = 0;
  for (const std::uint64_t m : marks) all += std::popcount(m);
  return all;
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

// Lanes that go together, of which some are active.
template <class Visit>
void forEachGroup(const Request& r, const Visit& visit) {
  const auto some = [&](std::uint32_t lanes) {
    if (lanes & r.active) visit(lanes);
  };
  if (r.width <= 4) return some(0xffffffff);
  // Groups that may go together, and their halves.
  int group = r.width == 8 ? 32 : 16;
  for (int first = 0; first < kLanes; first += group) {
    std::uint32_t half = (std::uint32_t{1} << (group / 2)) - 1;
    std::uint32_t low = half << first, high = half << (first + group / 2);
    if (!r.store && goTogether(r, low | high)) {
      some(low | high);
    } else {
      some(low);
      some(high);
    }
  }
}

template <class Visit>
void forEachMatrix(const Request& r, const Visit& visit) {
  for (int first = 0; first < kLanes; first += 8) {
    std::uint32_t lanes = std::uint32_t{0xff} << first;
    if (lanes & r.active) visit(lanes);
  }
}

// The most distinct words of a bank that these lanes touch.
int waysOf(const Request& r, std::uint32_t lanes) {
  std::array<std::int64_t, kBanks> first;  // words, by bank
  std::array<int, kBanks> count{};
  std::array<std::int64_t, kLanes * 5> further;
  int n = 0, most = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(lanes & r.active & std::uint32_t{1} << lane)) continue;
    const std::int64_t last = (r.address[lane] + r.width - 1) / kBankBytes;
    for (std::int64_t word = r.address[lane] / kBankBytes; word <= last; ++word) {
      const auto bank = std::size_t(word % kBanks);
      if (count[bank] == 0) {
        first[bank] = word;
      } else if (first[bank] == word || std::find(further.begin(), further.begin() + n, word) != further.begin() + n) {
        continue;
      } else {
        further[n++] = word;
      }
      most = std::max(most, ++count[bank]);
    }
  }
  return most;
}

void addTo(SharedCost& cost, int ways) {
  cost.wavefronts += ways;
  cost.ways = std::max(cost.ways, ways);
  ++cost.phases;
}

}  // namespace

int sectors(const Request& r) { return distinct<kSectorBytes>(r); }
int lines(const Request& r) { return distinct<kLineBytes>(r); }
int distinctBytes(const Request& r) { return distinct<1>(r); }

int Phase::ways() const {
  std::size_t most = 0;
  for (const auto& w : words) most = std::max(most, w.size());
  return int(most);
}

std::vector<Phase> phases(const Request& r) {
  std::vector<Phase> out;
  forEachGroup(r, [&](std::uint32_t lanes) { out.push_back(phaseOf(r, lanes)); });
  return out;
}

std::vector<Phase> ldmatrixPhases(const Request& r) {
  std::vector<Phase> out;
  forEachMatrix(r, [&](std::uint32_t lanes) { out.push_back(phaseOf(r, lanes)); });
  return out;
}

SharedCost costOf(const std::vector<Phase>& phases) {
  SharedCost c;
  for (const Phase& p : phases) addTo(c, p.ways());
  return c;
}

SharedCost sharedCost(const Request& r) {
  SharedCost c;
  forEachGroup(r, [&](std::uint32_t lanes) { addTo(c, waysOf(r, lanes)); });
  return c;
}

SharedCost ldmatrixCost(const Request& r) {
  SharedCost c;
  forEachMatrix(r, [&](std::uint32_t lanes) { addTo(c, waysOf(r, lanes)); });
  return c;
}

}  // namespace loom::layout
