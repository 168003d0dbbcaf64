#include "core/script/line_diff.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <string_view>

namespace loom::script {
namespace {

// Beyond this many cells the middle is taken as replaced as a whole: nobody reads such a difference line by line; and
// beyond the second number only lines that are the same are looked for: words take longer to compare.
constexpr std::size_t kMostCells = 4'000'000, kMostWordCells = 250'000;

// A line and what of it is compared.
struct Line {
  std::string_view whole, text;    // text: without its indent
  std::vector<std::size_t> words;  // hashes of its names and numbers, sorted
};

Line lineOf(const std::string& whole) {
  Line line{whole, std::string_view(whole).substr(std::min(whole.find_first_not_of(' '), whole.size())), {}};
  auto inWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t i = 0; i < line.text.size();) {
    std::size_t end = i;
    while (end < line.text.size() && inWord(line.text[end])) ++end;
    if (end > i) line.words.push_back(std::hash<std::string_view>{}(line.text.substr(i, end - i)));
    i = std::max(end, i + 1);
  }
  std::sort(line.words.begin(), line.words.end());
  return line;
}

std::vector<Line> linesOf(const std::vector<std::string>& texts) {
  std::vector<Line> lines;
  for (const std::string& text : texts) lines.push_back(lineOf(text));
  return lines;
}

// The share of words that two lines have in common.
double commonWords(const Line& a, const Line& b) {
  std::size_t common = 0;
  for (auto x = a.words.begin(), y = b.words.begin(); x != a.words.end() && y != b.words.end();) {
    if (*x == *y)
      ++common, ++x, ++y;
    else if (*x < *y)
      ++x;
    else
      ++y;
  }
  const std::size_t most = std::max(a.words.size(), b.words.size());
  return most > 0 ? double(common) / double(most) : 0;
}

// How much speaks for two lines being one. A line that is only further in or out is no other line; one that is where it
// was is likelier the same; one with most of its words is that line changed. A brace says little: it goes with
// whichever brace is left over.
std::uint32_t likeness(const Line& a, const Line& b, bool words) {
  constexpr std::uint32_t kMoved = 1000, kMovedBrace = 50, kAlike = 400;
  if (a.text == b.text) return (a.words.empty() ? kMovedBrace : kMoved) + (a.whole == b.whole ? 1 : 0);
  constexpr double kMostWords = 0.5;
  const double common = words ? commonWords(a, b) : 0;
  return common > kMostWords ? std::uint32_t(kAlike * common) : 0;
}

// With which line of `before` each of `after` goes in the likeliest order-keeping pairing (-1: with none).
std::vector<int> partners(const std::vector<Line>& before, const std::vector<Line>& after, bool byWords) {
  std::vector<int> partner(after.size(), -1);
  std::size_t head = 0;
  while (head < before.size() && head < after.size() && before[head].whole == after[head].whole) {
    partner[head] = int(head);
    ++head;
  }
  const std::size_t rows = before.size() - head, columns = after.size() - head;
  if (rows == 0 || columns == 0 || rows * columns > kMostCells) return partner;
  const bool words = byWords && rows * columns <= kMostWordCells;
  std::vector<std::uint32_t> likely((rows + 1) * (columns + 1), 0);  // of the pairing of what follows
  auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return likely[i * (columns + 1) + j]; };
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;) {
      const std::uint32_t like = likeness(before[head + i], after[head + j], words);
      at(i, j) = std::max({at(i + 1, j), at(i, j + 1), like > 0 ? at(i + 1, j + 1) + like : 0});
    }
  }
  for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
    const std::uint32_t like = likeness(before[head + i], after[head + j], words);
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

LineDiff diffLines(const std::vector<std::string>& before, const std::vector<std::string>& after, bool byWords) {
  LineDiff diff;
  diff.marks.assign(after.size(), Mark::kSame);
  diff.before.assign(after.size(), -1);
  const std::vector<Line> then = linesOf(before), now = linesOf(after);
  const std::vector<int> partner = partners(then, now, byWords);
  auto goes = [&](std::size_t j, int line) { diff.gone.push_back({int(j), line, before[std::size_t(line)]}); };
  int next = 0;  // of `before`
  for (std::size_t j = 0; j <= after.size();) {
    std::size_t end = j;
    while (end < after.size() && partner[end] < 0) ++end;
    const int upTo = end < after.size() ? partner[end] : int(before.size());
    const int gone = upTo - next;
    const int come = int(end - j);
    for (int k = 0; k < come; ++k) {
      diff.marks[j + std::size_t(k)] = k < gone ? Mark::kChanged : Mark::kAdded;
      if (k < gone) diff.before[j + std::size_t(k)] = next + k;
    }
    for (int k = next; k < upTo; ++k) goes(j, k);
    diff.changed += std::min(gone, come);
    diff.added += std::max(0, come - gone);
    diff.removed += std::max(0, gone - come);
    if (come > 0 && diff.first < 0) diff.first = int(j);
    if (end < after.size()) {
      diff.before[end] = upTo;
      if (then[std::size_t(upTo)].text != now[end].text) {
        diff.marks[end] = Mark::kChanged;
        ++diff.changed;
        goes(end, upTo);
        if (diff.first < 0) diff.first = int(end);
      }
    }
    next = upTo + 1;
    j = end + 1;
  }
  return diff;
}

}  // namespace loom::script
