#include "core/notebook/passed_over.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace loom::notebook {
namespace {

// "3, 5–9"; at most six of them, then how many lines more.
Message ranges(const std::set<int>& lines) {
  std::string text;
  int shown = 0, left = 0;
  for (auto at = lines.begin(); at != lines.end();) {
    const int first = *at;
    int last = first;
    while (++at != lines.end() && *at == last + 1) last = *at;
    if (shown == 6) {
      left += last - first + 1;
      continue;
    }
    ++shown;
    text += (text.empty() ? "" : ", ") + (first == last ? fmt::format("{}", first) : fmt::format("{}–{}", first, last));
  }
  return left ? message("{} and {} more", text, left) : verbatim(text);
}

// One after another, in halves, so that phrases of many reasons don't stand deep in each other.
Message joined(std::span<const Message> all) {
  if (all.size() == 1) return all.front();
  return message("{}; {}", joined(all.first(all.size() / 2)), joined(all.subspan(all.size() / 2)));
}

}  // namespace

void PassedOver::add(const Message& why, int first, int last) {
  if (std::find(order_.begin(), order_.end(), why) == order_.end()) order_.push_back(why);
  auto& lines = lines_[why.english()];
  lines.insert(first);
  for (int line = first; line <= std::min(last, first + 100000); ++line) lines.insert(line);
}

std::vector<Message> PassedOver::sentences() const {
  if (order_.empty()) return {};
  std::vector<Message> each;
  for (const Message& why : order_) {
    const std::set<int>& lines = lines_.at(why.english());
    each.push_back(lines.size() == 1 ? message("{} (line {})", why, ranges(lines))
                                     : message("{} (lines {})", why, ranges(lines)));
  }
  return {message("passed over, since it makes no step: {}", joined(each))};
}

}  // namespace loom::notebook
