#include "tests/tune/space/spaces.h"

#include <algorithm>

#include "core/tune/space/pinned_counts.h"

namespace loom::tune::spaces {

SpaceMaker& SpaceMaker::decision(const std::string& name, std::vector<std::int64_t> values) {
  space_.decisions.push_back({name, verbatim(name), std::move(values)});
  return *this;
}

Product SpaceMaker::product(const Term& term) const {
  Product made{term.coefficient, {}};
  for (const std::string& name : term.decisions) made.decisions.push_back(decisionNamed(space_, name));
  std::sort(made.decisions.begin(), made.decisions.end());
  return made;
}

SpaceMaker& SpaceMaker::add(Constraint constraint, const std::string& name) {
  constraint.name = name;
  constraint.words = verbatim(name);
  space_.constraints.push_back(std::move(constraint));
  return *this;
}

SpaceMaker& SpaceMaker::equal(const std::string& name, const Term& term, std::int64_t limit) {
  Constraint constraint;
  constraint.kind = Constraint::Kind::Equal;
  constraint.terms = {product(term)};
  constraint.limit = limit;
  return add(std::move(constraint), name);
}

SpaceMaker& SpaceMaker::atMost(const std::string& name, const std::vector<Term>& sum, std::int64_t limit) {
  Constraint constraint;
  constraint.kind = Constraint::Kind::AtMost;
  for (const Term& term : sum) constraint.terms.push_back(product(term));
  constraint.limit = limit;
  return add(std::move(constraint), name);
}

SpaceMaker& SpaceMaker::divides(const std::string& name, const Term& left, const Term& right) {
  Constraint constraint;
  constraint.kind = Constraint::Kind::Divides;
  constraint.terms = {product(left), product(right)};
  return add(std::move(constraint), name);
}

SpaceMaker& SpaceMaker::table(const std::string& name, const std::vector<std::string>& columns,
                              std::vector<std::vector<std::int64_t>> rows) {
  Constraint constraint;
  constraint.kind = Constraint::Kind::Table;
  for (const std::string& column : columns) constraint.columns.push_back(decisionNamed(space_, column));
  constraint.rows = std::move(rows);
  return add(std::move(constraint), name);
}

std::vector<std::int64_t> divisors(std::int64_t number, std::int64_t largest) {
  std::vector<std::int64_t> all;
  for (std::int64_t d = 1; d <= std::min(number, largest); ++d) {
    if (number % d == 0) all.push_back(d);
  }
  return all;
}

Space randomSpace(std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](int bound) { return static_cast<int>(drawnBelow(static_cast<Count>(bound), random)); };
  SpaceMaker decisions;
  const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f"};
  const int n = 4 + below(3);
  Assignment planted;
  for (int d = 0; d < n; ++d) {
    std::vector<std::int64_t> values;
    for (const std::int64_t value : {0, 1, 2, 3, 4, 6, 8, 12}) {
      if (below(value == 0 ? 6 : 2) == 0 && values.size() < 5) values.push_back(value);
    }
    if (values.empty()) values.push_back(2);
    planted.push_back(values[static_cast<std::size_t>(below(static_cast<int>(values.size())))]);
    decisions.decision(names[static_cast<std::size_t>(d)], values);
  }
  const auto term = [&](int lowest) {
    SpaceMaker::Term made{lowest + below(5), {}};
    for (int f = 1 + below(3); f > 0; --f) made.decisions.push_back(names[static_cast<std::size_t>(below(n))]);
    return made;
  };
  const auto constraintOf = [&](int kind) {
    SpaceMaker maker = decisions;
    if (kind == 0)
      maker.equal("equal", {1, term(1).decisions}, std::vector{0, 2, 8, 12, 24}[static_cast<std::size_t>(below(5))]);
    if (kind == 1) maker.atMost("sum", {term(-3), term(-3), term(-1), {below(9) - 4, {}}}, below(60) - 5);
    if (kind == 2) maker.atMost("squares", {{2, {"a", "a"}}, {-1, {"b", "c"}}, term(-2)}, below(60));
    if (kind == 3) maker.divides("divides", term(1), term(2));
    if (kind == 4) {
      std::vector<std::vector<std::int64_t>> rows;
      for (int r = 0; r < 24; ++r) {
        const std::int64_t b = below(7);
        rows.push_back({below(9), b, below(2) == 0 ? b : below(7)});
      }
      maker.table("table", {"d", "b", seed % 3 == 0 ? "b" : "c"}, rows);
    }
    return maker.space().constraints.back();
  };
  // Constraints that one schedule satisfies, so that few spaces are empty.
  Space space = decisions.space();
  for (int kind = 0; kind < 5; ++kind) {
    if (below(3) == 0) continue;
    for (int tries = 0; tries < 20; ++tries) {
      const Constraint constraint = constraintOf(kind);
      if (!holds(constraint, planted) && (seed % 8 != 0 || tries > 0)) continue;
      space.constraints.push_back(constraint);
      break;
    }
  }
  return space;
}

std::vector<Assignment> enumerated(const Space& space, const Pins& pins) {
  std::vector<Assignment> all;
  std::vector<int> values(space.decisions.size(), 0);
  for (;;) {
    const Assignment assignment = assignmentOf(space, values);
    bool fits = std::all_of(space.constraints.begin(), space.constraints.end(),
                            [&](const Constraint& constraint) { return holds(constraint, assignment); });
    for (std::size_t d = 0; d < values.size(); ++d) fits &= pins.allows(static_cast<int>(d), values[d]);
    if (fits) all.push_back(assignment);
    std::size_t d = values.size();
    while (d > 0 && values[d - 1] + 1 == static_cast<int>(space.decisions[d - 1].values.size())) values[--d] = 0;
    if (d == 0) return all;
    ++values[d - 1];
  }
}

std::vector<Assignment> enumerated(const Space& space) { return enumerated(space, Pins(space)); }

Space productSpace(std::int64_t m, std::int64_t n, std::int64_t k) {
  constexpr std::int64_t kWarps = 32, kFragments = 26, kSharedBytes = 232448;
  SpaceMaker maker;
  maker.decision("wmma", {0, 1, 2}).decision("m", {8, 16, 32}).decision("n", {8, 16, 32});
  maker.decision("i.warp", divisors(m, kWarps)).decision("j.warp", divisors(n, kWarps));
  maker.decision("i.frag", divisors(m, kFragments)).decision("i.inner", divisors(m, kFragments));
  maker.decision("i.block", divisors(m));
  maker.decision("j.frag", divisors(n, kFragments)).decision("j.inner", divisors(n, kFragments));
  maker.decision("j.block", divisors(n));
  maker.decision("k.inner", divisors(k / 16))
      .decision("k.outer", divisors(k / 16))
      .decision("k.block", divisors(k / 16));
  maker.decision("stages", {1, 2, 3, 4}).decision("C.shared", {0, 1});
  maker.decision("A.pad", {0, 8, 16, 24}).decision("B.pad", {0, 8, 16, 24});
  maker.decision("A.vec", {1, 2, 4, 8}).decision("B.vec", {1, 2, 4, 8}).decision("unroll", {0, 16, 64, 512});
  maker.table("tensor shape", {"wmma", "m", "n"}, {{0, 16, 16}, {1, 32, 8}, {2, 8, 32}});
  maker.equal("i", {1, {"m", "i.warp", "i.frag", "i.inner", "i.block"}}, m);
  maker.equal("j", {1, {"n", "j.warp", "j.frag", "j.inner", "j.block"}}, n);
  maker.equal("k", {1, {"k.inner", "k.outer", "k.block"}}, k / 16);
  maker.atMost("threads", {{32, {"i.warp", "j.warp"}}}, 1024);
  maker.atMost("registers a thread",
               {{32, {"i.frag", "i.inner", "j.frag", "j.inner"}},
                {1, {"i.frag", "i.inner", "k.inner", "m"}},
                {1, {"j.frag", "j.inner", "k.inner", "n"}}},
               4 * 215);
  maker.atMost("registers a block",
               {{1024, {"i.frag", "i.inner", "j.frag", "j.inner", "i.warp", "j.warp"}},
                {32, {"i.frag", "i.inner", "k.inner", "m", "i.warp", "j.warp"}},
                {32, {"j.frag", "j.inner", "k.inner", "n", "i.warp", "j.warp"}},
                {5120, {"i.warp", "j.warp"}}},
               4 * 65536);
  maker.atMost("shared memory",
               {{32, {"stages", "m", "i.warp", "i.frag", "i.inner", "k.inner", "k.outer"}},
                {2, {"stages", "m", "i.warp", "i.frag", "i.inner", "A.pad"}},
                {32, {"stages", "n", "j.warp", "j.frag", "j.inner", "k.inner", "k.outer"}},
                {32, {"stages", "k.inner", "k.outer", "B.pad"}},
                {4, {"C.shared", "m", "i.warp", "i.frag", "i.inner", "n", "j.warp", "j.frag", "j.inner"}}},
               kSharedBytes);
  maker.divides("A copy", {32, {"i.warp", "j.warp", "A.vec"}},
                {16, {"m", "i.warp", "i.frag", "i.inner", "k.inner", "k.outer"}});
  maker.divides("A row", {1, {"A.vec"}}, {16, {"k.inner", "k.outer"}});
  maker.divides("B copy", {32, {"i.warp", "j.warp", "B.vec"}},
                {16, {"n", "j.warp", "j.frag", "j.inner", "k.inner", "k.outer"}});
  maker.divides("B row", {1, {"B.vec"}}, {1, {"n", "j.warp", "j.frag", "j.inner"}});
  return maker.space();
}

}  // namespace loom::tune::spaces
