#include "core/tune/space/membership.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/tune/space/descent.h"
#include "core/tune/space/reduction.h"

namespace loom::tune {
namespace {

// "8, 16"; of many the first and the last ones, and those around the value that is missing.
std::string valuesText(const std::vector<std::int64_t>& values, std::int64_t missing) {
  constexpr std::size_t kShown = 8;
  if (values.size() <= kShown) return fmt::format("{}", fmt::join(values, ", "));
  const auto at = static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), missing) - values.begin());
  std::string text;
  bool gap = false;
  for (std::size_t v = 0; v < values.size(); ++v) {
    const bool shown = v < 2 || v + 2 >= values.size() || (v + 2 >= at && v <= at + 1);
    if (shown) text += fmt::format("{}{}", text.empty() ? "" : gap ? ", …, " : ", ", values[v]);
    gap = !shown;
  }
  return text;
}

// A value for each decision; nothing for those that are open.
using Known = std::vector<std::optional<std::int64_t>>;

// The product of what has values, with the open decisions by name: "64", "16·k.inner".
std::string valueText(const Space& space, const Product& product, const Known& values) {
  __int128 known = product.coefficient;
  std::string open;
  for (const int d : product.decisions) {
    if (const auto value = values[static_cast<std::size_t>(d)]) {
      known *= *value;
      known = std::clamp<__int128>(known, INT64_MIN, INT64_MAX);
    } else {
      open += "·" + space.decisions[static_cast<std::size_t>(d)].name;
    }
  }
  return fmt::format("{}{}", static_cast<std::int64_t>(known), open);
}

std::string sumText(const Space& space, const Constraint& constraint, const Known& values) {
  __int128 known = 0;
  std::string open;
  for (const Product& term : constraint.terms) {
    const std::string text = valueText(space, term, values);
    std::int64_t number = 0;
    if (text.find("·") == std::string::npos) {
      number = std::stoll(text);
      known = std::clamp<__int128>(known + number, INT64_MIN, INT64_MAX);
    } else {
      open += (open.empty() ? "" : " + ") + text;
    }
  }
  if (open.empty()) return fmt::format("{}", static_cast<std::int64_t>(known));
  return known == 0 ? open : fmt::format("{} + {}", open, static_cast<std::int64_t>(known));
}

// What the constraint says of these values, which break it.
Message wordsOfBreach(const Space& space, const Constraint& constraint, const Known& values) {
  const auto text = [&](std::size_t term) { return valueText(space, constraint.terms[term], values); };
  switch (constraint.kind) {
    case Constraint::Kind::Equal: return message("{}: {} is not {}", constraint.words, text(0), constraint.limit);
    case Constraint::Kind::AtMost:
      return message("{}: {} is more than {}", constraint.words, sumText(space, constraint, values), constraint.limit);
    case Constraint::Kind::Divides: return message("{}: {} does not divide {}", constraint.words, text(0), text(1));
    case Constraint::Kind::Table: break;
  }
  std::string row;
  for (const int d : constraint.columns) {
    const auto value = values[static_cast<std::size_t>(d)];
    row += (row.empty() ? "" : ", ") + (value ? std::to_string(*value) : "?");
  }
  return message("{}: ({}) is not one of {} combinations", constraint.words, row, constraint.rows.size());
}

// The constraint alone, over the decisions that it names, with the values that are known: also with those that the
// domain lacks, of which it may still say that they fit.
Space alone(const Space& space, const Constraint& constraint, const Known& values) {
  Space only = space;
  only.constraints = {constraint};
  const std::vector<int> own = decisionsOf(constraint);
  for (std::size_t d = 0; d < only.decisions.size(); ++d) {
    if (!std::binary_search(own.begin(), own.end(), static_cast<int>(d))) {
      only.decisions[d].values.resize(1);
    } else if (values[d] && *values[d] >= 0) {
      only.decisions[d].values = {*values[d]};
    }
  }
  return only;
}

Result<bool> hasSchedule(const Space& space, const Pins& pins) {
  auto found = Descent(space, pins).first();
  if (!found) return Failure(found.error());
  return found->has_value();
}

}  // namespace

Membership membershipOf(const Space& space, const std::map<std::string, std::int64_t>& values) {
  Membership membership;
  Pins pins(space);
  Known known;
  for (const Decision& decision : space.decisions) {
    known.push_back(decision.values.size() == 1 ? std::optional(decision.values[0]) : std::nullopt);
  }
  for (const auto& [name, value] : values) {
    const int d = decisionNamed(space, name);
    if (d < 0) {
      membership.exclusions.push_back({-1, -1, message("the space has no decision {}", name)});
      continue;
    }
    const Decision& decision = space.decisions[static_cast<std::size_t>(d)];
    known[static_cast<std::size_t>(d)] = value;
    if (valueIndexOf(decision, value) >= 0) {
      pins.limitTo(d, {value});
    } else {
      membership.exclusions.push_back(
          {d, -1, message("{} {} is not in {{{}}}", decision.words, value, valuesText(decision.values, value))});
    }
  }
  for (std::size_t c = 0; c < space.constraints.size(); ++c) {
    const Constraint& constraint = space.constraints[c];
    const Space only = alone(space, constraint, known);
    const auto possible = hasSchedule(only, Pins(only));
    if (possible && !*possible) {
      membership.exclusions.push_back({-1, static_cast<int>(c), wordsOfBreach(space, constraint, known)});
    }
  }
  if (!membership.exclusions.empty()) return membership;
  membership.isMember = hasSchedule(space, pins);
  if (membership.isMember && !*membership.isMember) {
    membership.exclusions.push_back({-1, -1, message("no constraint forbids these values alone, but all together do")});
  }
  return membership;
}

}  // namespace loom::tune
