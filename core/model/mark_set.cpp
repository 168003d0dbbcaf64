#include "core/model/mark_set.h"

#include <algorithm>

namespace loom::model {
namespace {

// Their distance where each is as far from the one before; 0 where they aren't.
std::int64_t stepOf(const std::vector<std::int64_t>& offsets) {
  const std::int64_t step = offsets[1];
  for (std::size_t i = 2; i < offsets.size(); ++i)
    if (offsets[i] - offsets[i - 1] != step) return 0;
  return step;
}

}  // namespace

void MarkSet::reach(std::int64_t more) {
  greatest_ += more;
  words_.resize(std::size_t(greatest_ / 64 + 1));
}

void MarkSet::addShifted(std::int64_t distance) {
  const std::size_t far = std::size_t(distance / 64);
  const int near = int(distance % 64);
  for (std::size_t w = words_.size(); w-- > far;) {  // downward: what is read was not written yet
    std::uint64_t moved = words_[w - far] << near;
    if (near != 0 && w > far) moved |= words_[w - far - 1] >> (64 - near);
    words_[w] |= moved;
  }
}

void MarkSet::addEach(const std::vector<std::int64_t>& offsets) {
  const auto size = std::int64_t(offsets.size());
  if (size == 1) return;
  if (const std::int64_t step = stepOf(offsets)) {
    // Those of the first offsets, moved, are those of the next ones: each time twice as many.
    reach(offsets.back());
    for (std::int64_t done = 1; done < size; done += std::min(done, size - done))
      addShifted(std::min(done, size - done) * step);
    return;
  }
  const MarkSet before = *this;
  reach(offsets.back());
  before.forEach([&](std::int64_t number) {
    for (const std::int64_t offset : offsets) {
      const auto at = std::uint64_t(number + offset);
      words_[at / 64] |= std::uint64_t(1) << (at % 64);
    }
  });
}

std::int64_t MarkSet::count() const {
  std::int64_t all = 0;
  for (const std::uint64_t word : words_) all += std::popcount(word);
  return all;
}

std::vector<std::int64_t> distinctValues(std::vector<std::int64_t> values) {
  if (values.empty()) return values;
  const auto [least, most] = std::ranges::minmax(values);
  constexpr std::int64_t kWord = 64;
  if ((most - least) / kWord >= std::int64_t(values.size())) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }
  std::vector<std::uint64_t> marks(std::size_t((most - least) / kWord + 1));
  for (const std::int64_t value : values)
    marks[std::size_t((value - least) / kWord)] |= std::uint64_t{1} << (value - least) % kWord;
  values.clear();
  for (std::size_t w = 0; w < marks.size(); ++w)
    for (std::uint64_t rest = marks[w]; rest != 0; rest &= rest - 1)
      values.push_back(least + std::int64_t(w) * kWord + std::countr_zero(rest));
  return values;
}

}  // namespace loom::model
