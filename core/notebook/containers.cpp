// Finding values in lists, sets and dictionaries.

#include <algorithm>

#include "core/notebook/interpreter.h"

namespace loom::notebook {

bool Interpreter::same(const Value& a, const Value& b, const Node& at) {
  constexpr std::int64_t kOfOneStep = 16;
  const bool is = equal(a, b, compared_);
  spend(at.line, at.column, std::exchange(compared_, compared_ % kOfOneStep) / kOfOneStep);
  return is;
}

std::vector<Value>::const_iterator Interpreter::find(const std::vector<Value>& items, const Value& sought,
                                                     const Node& at) {
  return std::ranges::find_if(items, [&](const Value& item) { return same(item, sought, at); });
}

std::vector<std::pair<Value, Value>>::const_iterator Interpreter::find(const Dictionary& d, const Value& key,
                                                                       const Node& at) {
  return std::ranges::find_if(d.items, [&](const auto& item) { return same(item.first, key, at); });
}

void Interpreter::put(Dictionary& d, Value key, Value value, const Node& at) {
  const auto found = find(d, key, at);
  if (found != d.items.end()) {
    d.items[std::size_t(found - d.items.begin())].second = std::move(value);
  } else {
    d.items.emplace_back(std::move(key), std::move(value));
  }
}

std::vector<Value> Interpreter::unique(std::vector<Value> values, const Node& at) {
  std::vector<Value> kept;
  for (Value& v : values) {
    if (find(kept, v, at) == kept.end()) kept.push_back(std::move(v));
  }
  return kept;
}

}  // namespace loom::notebook
