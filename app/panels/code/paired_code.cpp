#include "app/panels/code/paired_code.h"

#include <algorithm>

namespace loom::panels {
namespace {

int at(const std::vector<int>& lines, int line) {
  if (lines.empty()) return 0;
  return lines[std::size_t(std::clamp(line, 0, int(lines.size()) - 1))];
}

// What has no counterpart takes that of the line above.
void fillGaps(std::vector<int>& lines) {
  int last = 0;
  for (int& line : lines) last = line = line < 0 ? last : line;
}

}  // namespace

void PairedCode::begin(CodeView& own, CodeView& other, const script::LineDiff& diff, std::size_t otherLines) {
  constexpr int kAbove = 3;  // lines in sight over the first change
  toOther_ = diff.before;
  toOwn_.assign(otherLines, -1);
  for (std::size_t i = 0; i < toOther_.size(); ++i) {
    const int there = toOther_[i];
    if (there >= 0 && there < int(otherLines)) toOwn_[std::size_t(there)] = int(i);
  }
  fillGaps(toOther_);
  fillGaps(toOwn_);
  const int first = std::max(0, diff.first - kAbove);
  own.placeTop(first);
  other.placeTop(at(toOther_, first));
}

void PairedCode::follow(CodeView& own, CodeView& other) {
  const bool here = own.takeScrolled(), there = other.takeScrolled();
  if (here) {
    other.placeTop(at(toOther_, own.top()));
  } else if (there) {
    own.placeTop(at(toOwn_, other.top()));
  }
}

}  // namespace loom::panels
