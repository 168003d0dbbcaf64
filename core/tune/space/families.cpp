#include "core/tune/space/families.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "core/tune/space/row_table.h"

namespace loom::tune {

// Follows the diagram from its root, one decision after the other. What arrives at one node with the same quantities is
// one arrival; the last layer, after which no quantity changes, is sorted into families.
class FamilyFinder {
 public:
  FamilyFinder(const Diagram& diagram, const Pins& pins, std::vector<Product> quantities, const CountLimits& limits)
      : diagram_(diagram),
        pins_(pins),
        quantities_(std::move(quantities)),
        watch_(limits),
        found_(PinnedCounts(diagram, pins)) {
    for (const Product& quantity : quantities_) {
      for (const int d : quantity.decisions) depth_ = std::max(depth_, d + 1);
    }
  }

  Result<Families> find() {
    if (found_.counts_.count() == 0) return std::move(found_);
    // A layer's arrivals are numbered in the order of the rows of its table: the node, then the quantities.
    Layer layer(quantities_.size() + 1);
    std::vector<std::int64_t> row = {diagram_.root()};
    for (const Product& quantity : quantities_) row.push_back(quantity.coefficient);
    layer.rows->idOf(row);
    found_.arrivals_.push_back({diagram_.root(), 1, -1});
    for (int depth = 0; depth < depth_; ++depth) {
      Layer below(quantities_.size() + 1);
      below.first = found_.arrivals_.size();
      if (auto problem = follow(depth, layer, below)) return Failure(std::move(*problem));
      layer = std::move(below);
    }
    gather(layer);
    return std::move(found_);
  }

 private:
  struct Layer {
    explicit Layer(std::size_t width) : rows(std::make_unique<RowTable<std::int64_t>>(width)) {}
    std::unique_ptr<RowTable<std::int64_t>> rows;
    std::size_t first = 0;  // index of its first arrival
  };

  std::optional<Error> follow(int depth, const Layer& layer, Layer& below) {
    const auto& values = diagram_.space().decisions[static_cast<std::size_t>(depth)].values;
    std::vector<std::int64_t> row;
    for (std::size_t r = 0; r < layer.rows->size(); ++r) {
      const auto before = layer.rows->row(r);
      for (const auto [value, child] : diagram_.edgesOf(static_cast<int>(before[0]))) {
        if (!pins_.allows(depth, value) || found_.counts_.completions_[static_cast<std::size_t>(child)] == 0) continue;
        row.assign(before.begin(), before.end());
        row[0] = child;
        if (!multiply(row, depth, values[static_cast<std::size_t>(value)])) return countOverflow().value();
        arrive(below, row, static_cast<int>(layer.first + r), value);
      }
      if (r % 256 == 0) {
        if (auto limit = watch_.reached(found_.arrivals_.size())) return limit;
      }
    }
    return std::nullopt;
  }
  // Returns false where a quantity does not fit in 64 bits.
  bool multiply(std::vector<std::int64_t>& row, int decision, std::int64_t value) const {
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
      for (const int d : quantities_[q].decisions) {
        if (d == decision && __builtin_mul_overflow(row[q + 1], value, &row[q + 1])) return false;
      }
    }
    return true;
  }
  void arrive(Layer& layer, const std::vector<std::int64_t>& row, int from, int value) {
    const auto [id, isNew] = layer.rows->idOf(row);
    if (isNew) found_.arrivals_.push_back({static_cast<int>(row[0]), 0, -1});
    Families::Arrival& arrival = found_.arrivals_[layer.first + static_cast<std::size_t>(id)];
    arrival.ways += found_.arrivals_[static_cast<std::size_t>(from)].ways;
    found_.steps_.push_back({from, value, arrival.firstStep});
    arrival.firstStep = static_cast<int>(found_.steps_.size()) - 1;
  }

  void gather(const Layer& layer) {
    std::map<std::vector<std::int64_t>, std::size_t> known;
    for (std::size_t r = 0; r < layer.rows->size(); ++r) {
      const auto row = layer.rows->row(r);
      known.emplace(std::vector<std::int64_t>(row.begin() + 1, row.end()), 0);
    }
    for (auto& [values, index] : known) {
      index = found_.families_.size();
      found_.families_.push_back({values, 0});
    }
    found_.ends_.resize(known.size());
    for (std::size_t r = 0; r < layer.rows->size(); ++r) {
      const auto row = layer.rows->row(r);
      const std::size_t family = known.at(std::vector<std::int64_t>(row.begin() + 1, row.end()));
      const Families::Arrival& arrival = found_.arrivals_[layer.first + r];
      found_.families_[family].schedules +=
          arrival.ways * found_.counts_.completions_[static_cast<std::size_t>(arrival.node)];
      found_.ends_[family].push_back(static_cast<int>(layer.first + r));
    }
  }

  const Diagram& diagram_;
  const Pins& pins_;
  const std::vector<Product> quantities_;
  const LimitWatch watch_;
  Families found_;
  int depth_ = 0;  // how many decisions make the quantities
};

Result<Families> Families::of(const Diagram& diagram, const Pins& pins, std::vector<Product> quantities,
                              const CountLimits& limits) {
  return FamilyFinder(diagram, pins, std::move(quantities), limits).find();
}

Assignment Families::draw(std::size_t family, Random& random) const {
  return at(family, drawnBelow(families_[family].schedules, random));
}

Assignment Families::at(std::size_t family, Count index) const {
  Count left = index;
  int at = -1;
  for (const int end : ends_[family]) {
    at = end;
    const Arrival& arrival = arrivals_[static_cast<std::size_t>(end)];
    const Count schedules = arrival.ways * counts_.completions_[static_cast<std::size_t>(arrival.node)];
    if (left < schedules) break;
    left -= schedules;
  }
  // Which of the ways that arrive there, from the last decision back, and which of those that go on.
  const Arrival& end = arrivals_[static_cast<std::size_t>(at)];
  const Count completions = counts_.completions_[static_cast<std::size_t>(end.node)];
  Count way = left / completions;
  std::vector<int> values;
  while (arrivals_[static_cast<std::size_t>(at)].firstStep >= 0) {
    int s = arrivals_[static_cast<std::size_t>(at)].firstStep;
    for (;; s = steps_[static_cast<std::size_t>(s)].next) {
      const Count ways = arrivals_[static_cast<std::size_t>(steps_[static_cast<std::size_t>(s)].from)].ways;
      if (way < ways) break;
      way -= ways;
    }
    values.push_back(steps_[static_cast<std::size_t>(s)].value);
    at = steps_[static_cast<std::size_t>(s)].from;
  }
  std::reverse(values.begin(), values.end());
  Assignment assignment = assignmentOf(counts_.diagram_->space(), values);
  const Assignment rest = counts_.from(end.node, left % completions);
  assignment.insert(assignment.end(), rest.begin(), rest.end());
  return assignment;
}

std::optional<Assignment> Families::draw(Random& random) const {
  if (families_.empty()) return std::nullopt;
  return draw(static_cast<std::size_t>(drawnBelow(families_.size(), random)), random);
}

}  // namespace loom::tune
