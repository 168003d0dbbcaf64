#include "core/model/separated_index.h"

#include <algorithm>
#include <numeric>

#include "core/device/lane_program.h"
#include "core/ir/visit.h"
#include "core/model/enumerate.h"

namespace loom::model {
namespace {

constexpr std::int64_t kMostValues = 1 << 22;  // of one variable: each is evaluated
constexpr std::int64_t kMostJoined = 1 << 16;  // combinations of variables that a term joins

Failure notSeparable(const Access& a, const Message& why) {
  return fail("NotSeparable", message("the index of {} {}", a.buffer->name, why), Forbids::Program);
}

struct NamedVariable {
  const ir::VarNode* var = nullptr;
  IndexVariable variable;
};

// A term of an index, and its variables in the order in which it names them.
struct NamedTerm {
  Term term;
  std::vector<NamedVariable> variables;
};

Result<NamedTerm> namedTerm(const KernelAccesses& kernel, const Access& a, Term term) {
  NamedTerm out{std::move(term), {}};
  std::vector<const ir::VarNode*> vars;
  bool reads = false;
  ir::forEachExpr(out.term.atom, [&](const ir::Expr& e) {
    reads |= e->kind == ir::ExprKind::Load;
    const ir::VarNode* var = ir::asVar(e);
    if (var != nullptr && std::ranges::find(vars, var) == vars.end()) vars.push_back(var);
  });
  if (reads) return notSeparable(a, message("reads memory"));
  for (const ir::VarNode* var : vars) {
    const auto variable = variableOf(kernel, a, var);
    if (!variable) return notSeparable(a, message("depends on {}, which is no loop", var->name));
    if (variable->extent > kMostValues)
      return fail("TooMany", message("{} takes {} values", var->name, variable->extent), Forbids::Program);
    out.variables.push_back({var, *variable});
  }
  return out;
}

Failure joinsVariables(const Access& a) {
  return notSeparable(a, message("takes two variables together in one term, as a quotient of their sum does"));
}

// The one value that `chosen` fixes for the variable, or nothing. Error "InvalidArgument" where it has no such value.
Result<std::optional<std::int64_t>> fixed(const IndexVariable& v, const Chosen& c) {
  const auto& map = v.axis == Axis::Block ? c.block : v.axis == Axis::Thread ? c.thread : c.loops;
  const auto at = map.find(v.number);
  if (at == map.end()) return std::optional<std::int64_t>();
  if (at->second < 0 || at->second >= v.extent)
    return fail("InvalidArgument", message("{} lies outside 0 … {}", at->second, v.extent - 1), Forbids::Input);
  return std::optional(at->second);
}

std::int64_t combinations(const std::vector<NamedVariable>& variables) {
  std::int64_t count = 1;
  for (const NamedVariable& n : variables)
    count = n.variable.extent > kMostValues / count ? kMostValues + 1 : count * n.variable.extent;
  return count;
}

using FixedVariable = std::pair<const ir::VarNode*, std::int64_t>;

// Adds what the term adds for each combination of the open variables, the last one's values following each other.
// Returns whether the term is arithmetic on integers.
bool addValues(const Term& term, const std::vector<NamedVariable>& open, const std::vector<FixedVariable>& fixed,
               std::vector<std::int64_t>& adds) {
  const auto count = std::int64_t(adds.size());
  if (open.size() == 1 && ir::asVar(term.atom) == open.front().var) {
    for (std::int64_t v = 0; v < count; ++v) adds[std::size_t(v)] += term.coefficient * v;
    return true;
  }
  device::LaneProgram program;
  const int atom = program.add(term.atom);
  for (const auto& [var, value] : fixed) program.set(var, value);
  for (std::int64_t done = 0; done < count; done += layout::kLanes) {
    std::int64_t step = 1;
    for (std::size_t i = open.size(); i-- > 0;) {
      program.set(open[i].var, device::digitsFrom(done, count, step, open[i].variable.extent));
      step *= open[i].variable.extent;
    }
    const device::LaneValues* made = program.value(atom);
    if (made == nullptr) return false;
    for (std::int64_t v = done; v < std::min(done + layout::kLanes, count); ++v)
      adds[std::size_t(v)] += term.coefficient * (*made)[int(v - done)];
  }
  return true;
}

// Variables that terms join, directly or through others, with those terms.
struct TermGroup {
  std::vector<NamedVariable> variables;
  std::vector<Term> terms;
};

void insertGroup(std::vector<TermGroup>& groups, TermGroup group) {
  for (auto it = groups.begin(); it != groups.end();) {
    const bool meets = std::ranges::any_of(it->variables, [&](const NamedVariable& n) {
      return std::ranges::find(group.variables, n.var, &NamedVariable::var) != group.variables.end();
    });
    if (!meets) {
      ++it;
      continue;
    }
    for (const NamedVariable& n : group.variables)
      if (std::ranges::find(it->variables, n.var, &NamedVariable::var) == it->variables.end())
        it->variables.push_back(n);
    group.variables = std::move(it->variables);
    group.terms.insert(group.terms.begin(), it->terms.begin(), it->terms.end());
    it = groups.erase(it);
  }
  groups.push_back(std::move(group));
}

// The terms grouped by variables that they join, where they may.
Result<JoinedIndex> joinedParts(const KernelAccesses& kernel, const Access& a, const Chosen& chosen, bool mayJoin) {
  JoinedIndex s;
  std::vector<TermGroup> groups;
  std::vector<FixedVariable> known;
  for (const Term& t : termsOf(a.index)) {
    if (!t.atom) {
      s.constant += t.coefficient;
      continue;
    }
    auto term = namedTerm(kernel, a, t);
    if (!term) return Failure(term.error());
    if (term->variables.size() > 1 && !mayJoin) return joinsVariables(a);
    std::vector<NamedVariable> open;
    for (const NamedVariable& n : term->variables) {
      const auto value = fixed(n.variable, chosen);
      if (!value) return Failure(value.error());
      if (*value) {
        known.emplace_back(n.var, **value);
      } else {
        open.push_back(n);
      }
    }
    insertGroup(groups, {std::move(open), {std::move(term->term)}});
  }
  for (TermGroup& group : groups) {
    std::ranges::sort(group.variables, {},
                      [](const NamedVariable& n) { return std::pair(n.variable.axis, n.variable.number); });
    const std::int64_t count = combinations(group.variables);
    if (group.variables.size() > 1 && count > kMostJoined) return joinsVariables(a);
    JoinedPart part{{}, std::vector<std::int64_t>(std::size_t(count))};
    for (const NamedVariable& n : group.variables) part.variables.push_back(n.variable);
    for (const Term& term : group.terms)
      if (!addValues(term, group.variables, known, part.adds))
        return notSeparable(a, message("has a term that isn't arithmetic on integers"));
    if (part.variables.empty()) {
      s.constant += part.adds.front();
    } else {
      s.parts.push_back(std::move(part));
    }
  }
  return s;
}

}  // namespace

bool JoinedIndex::dependsOn(Axis axis, int number) const {
  return std::ranges::any_of(parts, [&](const JoinedPart& p) {
    return std::ranges::any_of(p.variables,
                               [&](const IndexVariable& v) { return v.axis == axis && v.number == number; });
  });
}

std::optional<IndexVariable> variableOf(const KernelAccesses& k, const Access& a, const ir::VarNode* var) {
  for (int i = 0; i < 3; ++i) {
    if (k.kernel->blockIdx[std::size_t(i)].get() == var)
      return IndexVariable{Axis::Block, i, k.kernel->grid[std::size_t(i)]};
    if (k.kernel->threadIdx[std::size_t(i)].get() == var)
      return IndexVariable{Axis::Thread, i, k.kernel->block[std::size_t(i)]};
  }
  for (int l : a.loops)
    if (k.loops[std::size_t(l)].var.get() == var) return IndexVariable{Axis::Loop, l, k.loops[std::size_t(l)].extent};
  return std::nullopt;
}

Result<SeparatedIndex> separate(const KernelAccesses& kernel, const Access& a, const Chosen& chosen) {
  auto index = joinedParts(kernel, a, chosen, false);
  if (!index) return Failure(index.error());
  SeparatedIndex s{index->constant, {}};
  for (JoinedPart& p : index->parts)
    s.parts.push_back({p.variables.front().axis, p.variables.front().number, std::move(p.adds)});
  return s;
}

Result<JoinedIndex> separateJoined(const KernelAccesses& kernel, const Access& access, const Chosen& chosen) {
  return joinedParts(kernel, access, chosen, true);
}

}  // namespace loom::model
