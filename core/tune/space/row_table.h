#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

namespace loom::tune {

/// A set of rows of whole numbers, all of one width, fewer than 2^31. Each different row is kept once, and has as id
/// its place in the order in which rows were added, from 0. The rows stand side by side in one array; a hash table has
/// a node with the id of each.
template <class Number>
class RowTable {
 public:
  /// Makes an empty table for rows of `width` numbers.
  explicit RowTable(std::size_t width) : width_(width), ids_(16, Hash{this}, Same{this}) {}
  RowTable(const RowTable&) = delete;  // nor movable: the set below points to its table
  RowTable& operator=(const RowTable&) = delete;

  /// Returns the number of different rows.
  std::size_t size() const { return size_; }
  /// Returns the row with this id, less than `size()`. The span is valid until the next call of `idOf`.
  std::span<const Number> row(std::size_t id) const { return {numbers_.data() + id * width_, width_}; }

  struct Found {
    int id = 0;
    bool isNew = false;  ///< whether the row was added by this call
  };
  /// Returns the id of a row of `width` numbers, which is added if the table lacks it. `row` must not be a span into
  /// this table.
  Found idOf(std::span<const Number> row) {
    numbers_.insert(numbers_.end(), row.begin(), row.end());
    const auto [at, isNew] = ids_.insert(static_cast<int>(size_));
    if (isNew) {
      ++size_;
    } else {
      numbers_.resize(size_ * width_);
    }
    return {*at, isNew};
  }

 private:
  struct Hash {
    const RowTable* table;
    std::size_t operator()(int id) const {
      std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
      for (const Number number : table->row(static_cast<std::size_t>(id))) {
        hash = (hash ^ static_cast<std::uint64_t>(number)) * 0xff51afd7ed558ccdULL;
        hash ^= hash >> 32;
      }
      return hash;
    }
  };
  struct Same {
    const RowTable* table;
    bool operator()(int a, int b) const {
      const auto left = table->row(static_cast<std::size_t>(a)), right = table->row(static_cast<std::size_t>(b));
      for (std::size_t i = 0; i < left.size(); ++i) {
        if (left[i] != right[i]) return false;
      }
      return true;
    }
  };

  std::size_t width_;
  std::size_t size_ = 0;
  std::vector<Number> numbers_;
  std::unordered_set<int, Hash, Same> ids_;
};

}  // namespace loom::tune
