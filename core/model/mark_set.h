#pragma once
#include <bit>
#include <cstdint>
#include <vector>

namespace loom::model {

/// A set of whole numbers from 0 on, stored as a bit for each number up to the greatest, which computes sums of sets
/// with operations on 64 bits.
class MarkSet {
 public:
  /// Makes an empty set. Its sums are empty, too.
  MarkSet() = default;
  /// Returns the set that contains only 0.
  static MarkSet ofZero() {
    MarkSet made;
    made.words_ = {1};
    return made;
  }

  /// Replaces the set by the set of all sums of a number of the set and one of `offsets`. There must be an offset, the
  /// first one must be 0, the last one the greatest, and none negative; those between may be in any order. The empty
  /// set stays empty.
  void addEach(const std::vector<std::int64_t>& offsets);

  /// Returns how many numbers the set contains.
  std::int64_t count() const;

  /// Calls `use` with each of its numbers, from the least to the greatest.
  template <typename Use>
  void forEach(Use use) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        use(std::int64_t(w * 64) + std::countr_zero(rest));
  }

 private:
  void reach(std::int64_t more);           // makes room for the numbers and `more` beyond the greatest
  void addShifted(std::int64_t distance);  // also holds its numbers plus `distance`, within that room
  std::vector<std::uint64_t> words_;
  std::int64_t greatest_ = 0;
};

/// Returns the values without repetitions, ascending. Where they lie near each other they are marked, which takes less
/// time than sorting.
std::vector<std::int64_t> distinctValues(std::vector<std::int64_t> values);

}  // namespace loom::model
