#include "core/schedule/value_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/script/step_line.h"

namespace loom::schedule {
namespace {

bool sameValue(const Value& a, const Value& b) {
  if (a.value.index() != b.value.index()) return false;
  if (const auto* left = a.as<List>()) {
    const auto& right = *b.as<List>();
    return std::equal(left->begin(), left->end(), right.begin(), right.end(), sameValue);
  }
  auto same = [&](auto* left, auto* right) { return left != nullptr && *left == *right; };
  return a.isNone() || same(a.as<bool>(), b.as<bool>()) || same(a.as<std::int64_t>(), b.as<std::int64_t>()) ||
         same(a.as<double>(), b.as<double>()) || same(a.as<std::string>(), b.as<std::string>()) ||
         (a.as<Lambda>() && **a.as<Lambda>() == **b.as<Lambda>());
}

}  // namespace

Result<std::string> valueText(const Value& value, const NameOf& nameOf) {
  if (const auto* handle = value.as<Handle>()) {
    if (const auto* block = std::get_if<BlockRef>(handle)) return nameOf(block->id);
    if (const auto* loop = std::get_if<LoopRef>(handle)) return nameOf(loop->id);
    return fail("ValueError", message("An expression has no name"));
  }
  if (const auto* list = value.as<List>()) {
    std::string text;
    for (const Value& item : *list) {
      auto one = valueText(item, nameOf);
      if (!one) return one;
      text += (text.empty() ? "" : ", ") + *one;
    }
    return "[" + text + "]";
  }
  if (const auto* dict = value.as<Dict>()) {
    std::string text;
    for (const DictEntry& entry : *dict) {
      auto one = valueText(entry.value, nameOf);
      if (!one) return one;
      text += (text.empty() ? "" : ", ") + script::printValue(script::stepString(entry.key)) + ": " + *one;
    }
    return "{" + text + "}";
  }
  if (value.isNone()) return std::string("None");
  if (const bool* flag = value.as<bool>()) return script::printValue(script::stepBool(*flag));
  if (const auto* number = value.as<std::int64_t>()) return script::printValue(script::stepInt(*number));
  if (const auto* real = value.as<double>()) return script::printValue(script::stepFloat(*real));
  if (const auto* text = value.as<std::string>()) return script::printValue(script::stepString(*text));
  if (const auto* lambda = value.as<Lambda>()) return script::printValue(**lambda);
  return fail("ValueError", message("An expression can't be written in a form; use the console"), Forbids::Input);
}

Result<std::string> valueText(const Parameter& parameter, const Value& value, const NameOf& nameOf) {
  auto text = valueText(value, nameOf);
  const bool isPair = parameter.type == ParameterType::Buffer && value.as<List>();
  return text && isPair ? "(" + text->substr(1, text->size() - 2) + ")" : text;
}

Result<std::string> argumentsText(const Instruction& row, const std::vector<Value>& values, const NameOf& nameOf) {
  std::string arguments;
  bool keyword = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = row.parameters[i];
    if (parameter.fallback && sameValue(values[i], *parameter.fallback)) {
      keyword = true;
      continue;
    }
    auto text = valueText(parameter, values[i], nameOf);
    if (!text) return text;
    if (parameter.variadic) {
      *text = text->substr(1, text->size() - 2);  // without the brackets
    } else if (keyword || parameter.fallback) {
      *text = fmt::format("{}={}", parameter.name, *text);
    }
    arguments += (arguments.empty() ? "" : ", ") + *text;
  }
  return arguments;
}

}  // namespace loom::schedule
