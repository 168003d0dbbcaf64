#include "core/tune/space/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace loom::tune {
namespace {

bool isDecisionName(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; });
}

std::optional<Error> spaceError(Message message) { return fail("SpaceError", std::move(message)).value(); }

std::optional<Error> problemOfDecision(const Decision& decision) {
  if (!isDecisionName(decision.name)) return spaceError(message("\"{}\" is no name of a decision", decision.name));
  const auto& values = decision.values;
  if (values.empty()) return spaceError(message("{} has no values", decision.name));
  if (values.front() < 0) return spaceError(message("{} has a negative value", decision.name));
  if (std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) != values.end()) {
    return spaceError(message("the values of {} do not ascend", decision.name));
  }
  return std::nullopt;
}

std::optional<Error> problemOfConstraint(const Space& space, const Constraint& constraint) {
  using Kind = Constraint::Kind;
  const auto isKnown = [&](int d) { return d >= 0 && d < static_cast<int>(space.decisions.size()); };
  const std::size_t terms = constraint.terms.size();
  const bool fits = constraint.kind == Kind::Equal     ? terms == 1
                    : constraint.kind == Kind::Divides ? terms == 2
                    : constraint.kind == Kind::Table   ? terms == 0 && !constraint.columns.empty()
                                                       : true;
  if (!fits) return spaceError(message("constraint {} has too many or too few terms", constraint.name));
  bool known = std::all_of(constraint.columns.begin(), constraint.columns.end(), isKnown);
  for (const Product& term : constraint.terms) {
    known &= std::all_of(term.decisions.begin(), term.decisions.end(), isKnown);
  }
  if (!known) return spaceError(message("constraint {} names a decision that is not there", constraint.name));
  for (const auto& row : constraint.rows) {
    if (row.size() != constraint.columns.size()) {
      return spaceError(message("a row of constraint {} has {} values for {} columns", constraint.name, row.size(),
                                constraint.columns.size()));
    }
  }
  return std::nullopt;
}

// Nothing if the value does not fit in 64 bits.
std::optional<std::int64_t> valueOfProduct(const Product& product, const Assignment& assignment) {
  std::int64_t value = product.coefficient;
  for (const int d : product.decisions) {
    if (__builtin_mul_overflow(value, assignment[static_cast<std::size_t>(d)], &value)) return std::nullopt;
  }
  return value;
}

std::string productText(const Space& space, const Product& product) {
  std::string text;
  if (product.coefficient != 1 || product.decisions.empty()) text = fmt::format("{}", product.coefficient);
  for (const int d : product.decisions) {
    text += (text.empty() ? "" : "·") + space.decisions[static_cast<std::size_t>(d)].name;
  }
  return text;
}

std::string tableText(const Space& space, const Constraint& constraint) {
  std::string columns, rows;
  for (const int d : constraint.columns) {
    columns += (columns.empty() ? "" : ", ") + space.decisions[static_cast<std::size_t>(d)].name;
  }
  constexpr std::size_t kShown = 6;
  for (std::size_t r = 0; r < std::min(kShown, constraint.rows.size()); ++r) {
    rows += fmt::format("{}({})", r == 0 ? "" : ", ", fmt::join(constraint.rows[r], ", "));
  }
  return fmt::format("({}) ∈ {{{}{}}}", columns, rows, constraint.rows.size() > kShown ? ", …" : "");
}

}  // namespace

std::optional<Error> problemOf(const Space& space) {
  std::set<std::string> names;
  for (const Decision& decision : space.decisions) {
    if (auto problem = problemOfDecision(decision)) return problem;
    if (!names.insert(decision.name).second) return spaceError(message("two decisions are called {}", decision.name));
  }
  names.clear();
  for (const Constraint& constraint : space.constraints) {
    if (auto problem = problemOfConstraint(space, constraint)) return problem;
    if (!names.insert(constraint.name).second) {
      return spaceError(message("two constraints are called {}", constraint.name));
    }
  }
  return std::nullopt;
}

int decisionNamed(const Space& space, std::string_view name) {
  const auto at = std::find_if(space.decisions.begin(), space.decisions.end(),
                               [&](const Decision& decision) { return decision.name == name; });
  return at == space.decisions.end() ? -1 : static_cast<int>(at - space.decisions.begin());
}

int valueIndexOf(const Decision& decision, std::int64_t value) {
  const auto at = std::lower_bound(decision.values.begin(), decision.values.end(), value);
  return at == decision.values.end() || *at != value ? -1 : static_cast<int>(at - decision.values.begin());
}

Assignment assignmentOf(const Space& space, const std::vector<int>& valueIndices) {
  Assignment assignment;
  for (std::size_t d = 0; d < valueIndices.size(); ++d) {
    assignment.push_back(space.decisions[d].values[static_cast<std::size_t>(valueIndices[d])]);
  }
  return assignment;
}

bool holds(const Constraint& constraint, const Assignment& assignment) {
  if (constraint.kind == Constraint::Kind::Table) {
    return std::any_of(constraint.rows.begin(), constraint.rows.end(), [&](const auto& row) {
      for (std::size_t c = 0; c < row.size(); ++c) {
        if (assignment[static_cast<std::size_t>(constraint.columns[c])] != row[c]) return false;
      }
      return true;
    });
  }
  std::vector<std::int64_t> values;
  std::int64_t sum = 0;
  for (const Product& term : constraint.terms) {
    const auto value = valueOfProduct(term, assignment);
    if (!value || __builtin_add_overflow(sum, *value, &sum)) return false;
    values.push_back(*value);
  }
  switch (constraint.kind) {
    case Constraint::Kind::Equal: return values[0] == constraint.limit;
    case Constraint::Kind::AtMost: return sum <= constraint.limit;
    case Constraint::Kind::Divides: return values[0] > 0 && values[1] > 0 && values[1] % values[0] == 0;
    case Constraint::Kind::Table: break;
  }
  return false;
}

const Constraint* brokenBy(const Space& space, const Assignment& assignment) {
  for (const Constraint& c : space.constraints)
    if (!holds(c, assignment)) return &c;
  return nullptr;
}

std::string formulaOf(const Space& space, const Constraint& constraint) {
  using Kind = Constraint::Kind;
  if (constraint.kind == Kind::Table) return tableText(space, constraint);
  if (constraint.kind == Kind::Divides) {
    return productText(space, constraint.terms[0]) + " | " + productText(space, constraint.terms[1]);
  }
  std::string text;
  for (const Product& term : constraint.terms) {
    Product positive = term;
    if (!text.empty()) {
      text += term.coefficient < 0 ? " - " : " + ";
      positive.coefficient = term.coefficient < 0 ? -term.coefficient : term.coefficient;
    }
    text += productText(space, positive);
  }
  return fmt::format("{} {} {}", text.empty() ? "0" : text, constraint.kind == Kind::Equal ? "=" : "≤",
                     constraint.limit);
}

}  // namespace loom::tune
