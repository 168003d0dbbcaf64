#include "core/notebook/passed_over.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::notebook {
namespace {

// "3, 5–9"; at most six of them, then how many lines more.
std::string ranges(const std::set<int>& lines) {
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
  return left ? fmt::format("{} and {} more", text, left) : text;
}

}  // namespace

void PassedOver::add(const std::string& why, int first, int last) {
  if (std::find(order_.begin(), order_.end(), why) == order_.end()) order_.push_back(why);
  auto& lines = lines_[why];
  lines.insert(first);
  for (int line = first; line <= std::min(last, first + 100000); ++line) lines.insert(line);
}

std::vector<Message> PassedOver::sentences() const {
  std::string text;
  for (const std::string& why : order_) {
    const std::set<int>& lines = lines_.at(why);
    text += fmt::format("{}{} (line{} {})", text.empty() ? "" : "; ", why, lines.size() == 1 ? "" : "s", ranges(lines));
  }
  if (text.empty()) return {};
  return {message("passed over, since it makes no step: {}", text)};
}

}  // namespace loom::notebook
