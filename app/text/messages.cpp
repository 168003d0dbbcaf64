#include "app/text/messages.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace loom::text {
namespace {

// What stands for the placeholders of `pattern` in `message`; nothing where it does not fit. Each placeholder takes as
// little as it can.
std::optional<std::vector<std::string_view>> fitting(std::string_view pattern, std::string_view message) {
  std::vector<std::string_view> found;
  while (true) {
    const std::size_t hole = pattern.find("{}");
    const std::string_view before = pattern.substr(0, hole);
    if (found.empty() && message.substr(0, before.size()) != before) return std::nullopt;
    if (found.empty()) message.remove_prefix(before.size());
    if (hole == std::string_view::npos) {
      return message.empty() || !found.empty() ? std::optional(found) : std::nullopt;
    }
    pattern.remove_prefix(hole + 2);
    const std::string_view after = pattern.substr(0, pattern.find("{}"));
    const bool last = pattern.find("{}") == std::string_view::npos;
    std::size_t end = 0;
    if (last) {
      if (message.size() < after.size() || message.substr(message.size() - after.size()) != after) return std::nullopt;
      end = message.size() - after.size();
    } else {
      end = message.find(after);
      if (after.empty() || end == std::string_view::npos) return std::nullopt;
    }
    found.push_back(message.substr(0, end));
    message.remove_prefix(end + after.size());
    pattern.remove_prefix(after.size());
    if (last) return found;
  }
}

std::string filled(std::string_view pattern, const std::vector<std::string_view>& values, Language language) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '{') {
      text += pattern[i];
      continue;
    }
    const bool numbered = pattern[i + 1] != '}';
    const std::size_t index = numbered ? std::size_t(pattern[i + 1] - '0') : next++;
    i += numbered ? 2 : 1;
    if (index >= values.size()) continue;
    // A part that is a phrase is said in the language too; a single word is a name of the program's.
    const bool phrase = values[index].find(' ') != std::string_view::npos;
    text += phrase ? messageIn(language, std::string(values[index])) : std::string(values[index]);
  }
  return text;
}

}  // namespace

std::string messageIn(Language language, const std::string& message) {
  if (language == Language::kEnglish || message.empty()) return message;
  // Of all that fit, the one with the most words of its own: "block {}" fits every sentence that begins so.
  const Message* best = nullptr;
  std::vector<std::string_view> values;
  std::size_t most = 0;
  for (const Message& known : messages()) {
    auto found = fitting(known.english, message);
    if (!found) continue;
    std::size_t own = message.size();
    for (std::string_view value : *found) own -= value.size();
    if (best != nullptr && own <= most) continue;
    best = &known;
    values = std::move(*found);
    most = own;
  }
  // Sentences one below the other, each of which is one by itself: a blank of the first must not take in the others.
  const std::size_t end = message.find('\n');
  auto fitsFirst = [&](const Message& known) { return fitting(known.english, message.substr(0, end)).has_value(); };
  const bool spread = std::ranges::any_of(values, [](auto value) { return value.find('\n') != value.npos; });
  if (end != std::string::npos && (best == nullptr || (spread && std::ranges::any_of(messages(), fitsFirst)))) {
    return messageIn(language, message.substr(0, end)) + "\n" + messageIn(language, message.substr(end + 1));
  }
  return best == nullptr ? message : filled(best->chinese, values, language);
}

}  // namespace loom::text
