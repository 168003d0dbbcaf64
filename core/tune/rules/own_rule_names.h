// Names in the expressions and lines of a user's rule (OwnRule), which schedules a block by step lines with open places
// for decisions. Private to the room core/tune/rules.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "core/tune/rules/expression.h"
#include "core/tune/rules/own_rule.h"

namespace loom::tune {

/// The text in a rule's lines that stands for the name of the block that the rule is applied to.
inline constexpr std::string_view kBlockPlace = "{block}";

/// Returns the names in an expression, in order, each as often as it occurs.
inline std::vector<std::string> namesIn(const std::string& expression) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < expression.size();) {
    std::size_t end = at;
    while (end < expression.size() && isOfName(expression[end])) ++end;
    if (end > at && std::isalpha(static_cast<unsigned char>(expression[at])) != 0)
      names.push_back(expression.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return names;
}

/// An open place of a line, `?name` or `?{expression}`, for which a value is put in.
struct OpenPlace {
  std::string expression;  ///< the name or expression; empty: the '?' begins no open place, or the place is `?{}`
  std::size_t end = 0;     ///< index in the line of the first character after the place
};
/// Reads the open place whose '?' has index `at` in the line. A `?{` without `}` is none, and its `end` is the line's.
inline OpenPlace openPlaceAt(const std::string& line, std::size_t at) {
  std::size_t begin = at + 1;
  if (begin < line.size() && line[begin] == '{') {
    const std::size_t end = line.find('}', begin);
    if (end == std::string::npos) return {"", line.size()};
    return {line.substr(begin + 1, end - begin - 1), end + 1};
  }
  std::size_t end = begin;
  while (end < line.size() && isOfName(line[end])) ++end;
  return {line.substr(begin, end - begin), std::max(end, begin)};
}

/// Calls `each` with every expression of a rule and the JSON pointer of the decision, constraint or line that contains
/// it ("/lines/3"). An expression may be empty. Both strings may be gone when `each` has returned.
template <class Each>
void eachExpression(const OwnRule& rule, const Each& each) {
  for (std::size_t d = 0; d < rule.decisions.size(); ++d)
    if (!rule.decisions[d].divided.empty()) each(rule.decisions[d].divided, "/decisions/" + std::to_string(d));
  for (std::size_t c = 0; c < rule.constraints.size(); ++c) {
    const std::string field = "/constraints/" + std::to_string(c);
    each(rule.constraints[c].first, field);
    each(rule.constraints[c].second, field);
    for (const std::string& column : rule.constraints[c].columns) each(column, field);
  }
  for (std::size_t l = 0; l < rule.lines.size(); ++l) {
    const std::string field = "/lines/" + std::to_string(l), &text = rule.lines[l].text;
    each(rule.lines[l].when, field);
    for (std::size_t at = text.find('?'); at != std::string::npos; at = text.find('?', at)) {
      const OpenPlace place = openPlaceAt(text, at);
      each(place.expression, field);
      at = place.end;
    }
  }
}

}  // namespace loom::tune
