// The draws of pinned_counts.h that are more than a look-up.
#include "core/tune/space/pinned_counts.h"

namespace loom::tune {

Count drawnBelow(Count bound, Random& random) {
  // Bits beyond those of the bound are cut off, and what is still too large is drawn again: at most every second time.
  int bits = 0;
  for (Count rest = bound - 1; rest != 0; rest >>= 1) ++bits;
  if (bits == 0) return 0;
  for (;;) {
    Count number = random();
    if (bits > 64) number = number << 64 | random();
    number &= kMaxCount >> (128 - bits);
    if (number < bound) return number;
  }
}

WeightedDraws::WeightedDraws(const Diagram& diagram, std::vector<std::vector<double>> weights)
    : diagram_(&diagram), weights_(std::move(weights)), completions_(static_cast<std::size_t>(diagram.nodes()), 0) {
  completions_[0] = 1;
  for (int node = 1; node < diagram.nodes(); ++node) {
    for (const Diagram::Edge edge : diagram.edgesOf(node)) {
      completions_[static_cast<std::size_t>(node)] += weightOf(node, edge);
    }
  }
}

double WeightedDraws::weightOf(int node, Diagram::Edge edge) const {
  const auto& ofValues = weights_[static_cast<std::size_t>(diagram_->decisionOf(node))];
  return ofValues[static_cast<std::size_t>(edge.value)] * completions_[static_cast<std::size_t>(edge.child)];
}

std::optional<Assignment> WeightedDraws::draw(Random& random) const {
  if (diagram_->root() < 0 || completions_[static_cast<std::size_t>(diagram_->root())] <= 0) return std::nullopt;
  std::vector<int> values;
  for (int node = diagram_->root(); node > 0;) {
    // 53 bits make a number in [0, 1) that is the same everywhere; std::uniform_real_distribution need not.
    double left = static_cast<double>(random() >> 11) * 0x1p-53 * completions_[static_cast<std::size_t>(node)];
    Diagram::Edge taken{-1, 0};
    for (const Diagram::Edge edge : diagram_->edgesOf(node)) {
      const double weight = weightOf(node, edge);
      if (weight <= 0) continue;
      taken = edge;  // rounding may leave something over: the last one that weighs takes it
      if (left < weight) break;
      left -= weight;
    }
    values.push_back(taken.value);
    node = taken.child;
  }
  return assignmentOf(diagram_->space(), values);
}

ShuffledSchedules::ShuffledSchedules(const PinnedCounts& counts, std::uint64_t seed) : counts_(&counts) {
  Random random(seed);
  for (std::uint64_t& key : keys_) key = random();
  while (halfBits_ < 64 && (counts.count() >> (2 * halfBits_)) != 0) ++halfBits_;
}

// Four rounds of a Feistel network permute the numbers of 2·halfBits_ bits: each round adds a hash of one half to the
// other, which can be undone, whatever the hash.
Count ShuffledSchedules::shuffled(Count number) const {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - halfBits_);
  auto high = static_cast<std::uint64_t>(number >> halfBits_) & mask, low = static_cast<std::uint64_t>(number) & mask;
  for (const std::uint64_t key : keys_) {
    std::uint64_t hash = (low ^ key) * 0xff51afd7ed558ccdULL;
    hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53ULL;
    const std::uint64_t sum = (high ^ hash >> 29) & mask;
    high = low;
    low = sum;
  }
  return Count{high} << halfBits_ | low;
}

std::optional<Assignment> ShuffledSchedules::next() {
  if (next_ == counts_->count()) return std::nullopt;
  Count number = next_++;
  do {  // walking a cycle of the permutation from a number within range comes back within it
    number = shuffled(number);
  } while (number >= counts_->count());
  return counts_->at(number);
}

}  // namespace loom::tune
