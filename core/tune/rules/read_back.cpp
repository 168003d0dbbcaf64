#include "core/tune/rules/read_back.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "core/tune/rules/expression.h"

namespace loom::tune {
namespace {

// What a line of a sketch says that it is: an expression and its value, or that it is not 0.
struct Equation {
  std::string expression;
  std::optional<std::int64_t> value;  // nothing: any but 0
};

// Step lines are written with and without blanks between arguments.
std::string withoutBlanks(const std::string& text) {
  std::string rest;
  for (const char c : text) {
    if (c != ' ') rest += c;
  }
  return rest;
}

// The expression of the place that begins behind a '?' at `at`, which is moved behind the place.
std::string expressionAt(const std::string& line, std::size_t& at) {
  std::size_t begin = at;
  if (begin < line.size() && line[begin] == '{') {
    const std::size_t end = std::min(line.find('}', ++begin), line.size());
    at = std::min(end + 1, line.size());
    return line.substr(begin, end - begin);
  }
  while (at < line.size() && isOfName(line[at])) ++at;
  return line.substr(begin, at - begin);
}

// Whether a step line is this line of a sketch; then what stands in its places is appended.
bool matches(const std::string& sketched, const std::string& step, std::vector<Equation>& equations) {
  std::vector<Equation> found;
  std::size_t of = 0;
  for (std::size_t at = 0; at < sketched.size();) {
    if (sketched[at] != '?') {
      if (of == step.size() || step[of++] != sketched[at++]) return false;
      continue;
    }
    const std::string expression = expressionAt(sketched, ++at);
    std::int64_t value = 0;
    const auto read = std::from_chars(step.data() + of, step.data() + step.size(), value);
    if (read.ec != std::errc()) return false;
    of = static_cast<std::size_t>(read.ptr - step.data());
    found.push_back({expression, value});
  }
  if (of != step.size()) return false;
  equations.insert(equations.end(), found.begin(), found.end());
  return true;
}

// The names in an expression that have no value yet, as far as there are two.
std::vector<std::string> openNames(const std::string& expression, const std::map<std::string, std::int64_t>& known) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < expression.size() && open.size() < 2;) {
    if (std::isalpha(static_cast<unsigned char>(expression[at])) == 0) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < expression.size() && isOfName(expression[at])) ++at;
    const std::string name = expression.substr(begin, at - begin);
    if (known.count(name) == 0 && (open.empty() || open.front() != name)) open.push_back(name);
  }
  return open;
}

// The value that a decision must have; nothing if several of its values fit, or none.
std::optional<std::int64_t> solved(const Equation& equation, const Decision& decision,
                                   const std::map<std::string, std::int64_t>& known) {
  if (equation.value && equation.expression == decision.name) return equation.value;
  std::optional<std::int64_t> only;
  for (const std::int64_t tried : decision.values) {
    const auto value = evaluated(equation.expression, [&](std::string_view name) -> std::optional<std::int64_t> {
      if (name == decision.name) return tried;
      const auto at = known.find(std::string(name));
      return at == known.end() ? std::nullopt : std::optional(at->second);
    });
    if (!value || (equation.value ? *value != *equation.value : *value == 0)) continue;
    if (only) return std::nullopt;
    only = tried;
  }
  return only;
}

}  // namespace

std::map<std::string, std::int64_t> decisionsIn(const Sketch& sketch, const std::vector<std::string>& lines) {
  std::vector<Equation> equations, leftOut;
  std::size_t next = 0;
  for (const SketchLine& sketched : sketch.lines) {
    const std::string text = withoutBlanks(sketched.text);
    std::size_t at = next;
    while (at < lines.size() && !matches(text, withoutBlanks(lines[at]), equations)) ++at;
    if (at < lines.size()) {
      next = at + 1;
      // What was passed over before a line that is there has been left out.
      equations.insert(equations.end(), leftOut.begin(), leftOut.end());
      leftOut.clear();
      if (!sketched.when.empty()) equations.push_back({withoutBlanks(sketched.when), std::nullopt});
    } else if (!sketched.when.empty()) {
      leftOut.push_back({withoutBlanks(sketched.when), 0});
    }
  }
  std::map<std::string, std::int64_t> known;
  for (bool more = true; more;) {
    more = false;
    for (const Equation& equation : equations) {
      const auto open = openNames(equation.expression, known);
      const int d = open.size() == 1 ? decisionNamed(sketch.space, open.front()) : -1;
      if (d < 0) continue;
      if (const auto value = solved(equation, sketch.space.decisions[static_cast<std::size_t>(d)], known)) {
        known[open.front()] = *value;
        more = true;
      }
    }
  }
  return known;
}

std::vector<std::string> linesBetween(const document::History& history, int base, int node) {
  std::vector<std::string> lines;
  const auto add = [&](const std::vector<document::Line>& more) {
    for (const document::Line& line : more) lines.push_back(line.source);
  };
  const std::vector<int> path = history.path(node);
  for (auto at = std::ranges::find(path, base); at != path.end(); ++at) {
    if (*at != base) add(history.node(*at).lines);
    if (*at != node) add(history.node(*at).trailing);
  }
  return lines;
}

std::vector<std::string> stepLines(const document::History& history, int node) {
  return linesBetween(history, 0, node);
}

}  // namespace loom::tune
