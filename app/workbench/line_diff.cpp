#include "app/workbench/line_diff.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace loom::workbench {
namespace {

// Beyond this many cells the middle is taken as replaced as a whole: nobody reads such a difference line by line.
constexpr std::size_t kMostCells = 4'000'000;

std::string_view withoutIndent(const std::string& line) {
  return std::string_view(line).substr(std::min(line.find_first_not_of(' '), line.size()));
}

// A line that is only further in or out than it was is no other line; one that is where it was is likelier the same.
std::uint32_t likeness(const std::string& a, const std::string& b) {
  constexpr std::uint32_t kSame = 3, kMoved = 2;
  return a == b ? kSame : withoutIndent(a) == withoutIndent(b) ? kMoved : 0;
}

// Which lines of `after` stand in a likeliest common subsequence, and with which of `before` they go (-1: with none).
std::vector<int> partners(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  std::vector<int> partner(after.size(), -1);
  std::size_t head = 0;
  while (head < before.size() && head < after.size() && before[head] == after[head]) {
    partner[head] = int(head);
    ++head;
  }
  std::size_t tail = 0;
  while (tail < before.size() - head && tail < after.size() - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    partner[after.size() - 1 - tail] = int(before.size() - 1 - tail);
    ++tail;
  }
  const std::size_t rows = before.size() - head - tail;
  const std::size_t columns = after.size() - head - tail;
  if (rows == 0 || columns == 0 || rows * columns > kMostCells) return partner;
  std::vector<std::uint32_t> length((rows + 1) * (columns + 1), 0);
  auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return length[i * (columns + 1) + j]; };
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;) {
      const std::uint32_t like = likeness(before[head + i], after[head + j]);
      at(i, j) = std::max({at(i + 1, j), at(i, j + 1), like > 0 ? at(i + 1, j + 1) + like : 0});
    }
  }
  for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
    const std::uint32_t like = likeness(before[head + i], after[head + j]);
    if (like > 0 && at(i, j) == at(i + 1, j + 1) + like) {
      partner[head + j++] = int(head + i++);
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      ++i;
    } else {
      ++j;
    }
  }
  return partner;
}

}  // namespace

std::vector<std::string> splitLines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

LineDiff diffLines(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  LineDiff diff;
  diff.marks.assign(after.size(), Mark::kSame);
  const std::vector<int> partner = partners(before, after);
  int next = 0;  // of `before`
  for (std::size_t j = 0; j <= after.size();) {
    std::size_t end = j;
    while (end < after.size() && partner[end] < 0) ++end;
    const int upTo = end < after.size() ? partner[end] : int(before.size());
    const int gone = upTo - next;
    const int come = int(end - j);
    for (int k = 0; k < come; ++k) diff.marks[j + std::size_t(k)] = k < gone ? Mark::kChanged : Mark::kAdded;
    for (int k = next; k < upTo; ++k) diff.gone.push_back({int(j), k, before[std::size_t(k)]});
    diff.changed += std::min(gone, come);
    diff.added += std::max(0, come - gone);
    diff.removed += std::max(0, gone - come);
    if (come > 0 && diff.first < 0) diff.first = int(j);
    next = upTo + 1;
    j = end + 1;
  }
  return diff;
}

std::vector<int> counterparts(const LineDiff& diff) {
  std::vector<int> before;
  int next = 0;  // of the text before
  std::size_t gone = 0;
  for (std::size_t j = 0; j < diff.marks.size(); ++j) {
    const bool same = diff.marks[j] == Mark::kSame;
    while (same && gone < diff.gone.size() && diff.gone[gone].at <= int(j)) next = diff.gone[gone++].line + 1;
    if (diff.marks[j] == Mark::kChanged && gone < diff.gone.size()) {
      before.push_back(diff.gone[gone].line);
      next = diff.gone[gone++].line + 1;
    } else {
      before.push_back(same ? next++ : -1);
    }
  }
  return before;
}

}  // namespace loom::workbench
