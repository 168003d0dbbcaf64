#include "core/tune/search/own_schedule.h"

#include <algorithm>
#include <limits>
#include <set>

#include "core/script/line_diff.h"
#include "core/tune/rules/read_back.h"
#include "core/tune/rules/state_reading.h"
#include "core/tune/space/descent.h"

namespace loom::tune {

namespace {

// How many of a person's lines a schedule has, less those that it has beyond them.
int likeness(const Sketch& sketch, const Assignment& assignment, const std::multiset<std::string>& own) {
  const auto lines = linesOf(sketch, assignment);
  if (!lines) return std::numeric_limits<int>::min();
  std::multiset<std::string> left = own;
  int score = 0;
  for (const std::string& line : script::splitLines(*lines)) {
    const auto found = left.find(line);
    score += found != left.end() ? 1 : -1;
    if (found != left.end()) left.erase(found);
  }
  return score;
}

// The lines of `lines` that `others` lack, each as often.
std::vector<std::string> without(const std::vector<std::string>& lines, const std::vector<std::string>& others) {
  std::multiset<std::string> left(others.begin(), others.end());
  std::vector<std::string> only;
  for (const std::string& line : lines) {
    const auto found = left.find(line);
    if (found == left.end()) only.push_back(line);
    if (found != left.end()) left.erase(found);
  }
  return only;
}

// The first of the lines, as text.
std::string listed(const std::vector<std::string>& lines) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t n = 0; n < std::min(lines.size(), kMost); ++n) text += (n == 0 ? "" : "; ") + lines[n];
  return lines.size() > kMost ? text + "; …" : text;
}

// Why a person's lines make another kernel than those of a sketch with the same decisions.
Message otherSteps(const std::string& sketch, const std::vector<std::string>& own,
                   const std::vector<std::string>& itsLines) {
  const auto more = without(own, itsLines), missing = without(itsLines, own);
  if (!more.empty() && !missing.empty())
    return message(
        "with its decisions the sketch {} makes another kernel: lines of the schedule are others ({}): {} where the "
        "sketch has {}",
        sketch, more.size(), listed(more), listed(missing));
  if (!more.empty())
    return message("with its decisions the sketch {} makes another kernel: the schedule has further lines ({}): {}",
                   sketch, more.size(), listed(more));
  if (!missing.empty())
    return message("with its decisions the sketch {} makes another kernel: the schedule lacks lines ({}): {}", sketch,
                   missing.size(), listed(missing));
  return message("with its decisions the sketch {} makes another kernel: the schedule has its lines in another order",
                 sketch);
}

// The schedule that rules have constructed of the sketch, or else its first one; nothing: it has none.
std::optional<Assignment> someOf(const PreparedSearch& prepared, int sketch) {
  for (const Built& built : prepared.built)
    if (built.construction.sketch == sketch) return built.construction.assignment;
  const Space& space = prepared.plan.sketches[std::size_t(sketch)].space;
  auto first = Descent(space, Pins(space)).first();
  return first ? std::move(*first) : std::nullopt;
}

}  // namespace

OwnProgram ownProgramOf(const document::History& history, int node) {
  OwnProgram own{stepLines(history, node), history.node(node).state, nullptr};
  auto kernel = std::make_shared<const document::KernelText>(document::makeKernel(*own.state));
  if (kernel->problem) {
    own.problem = kernel->problem->message;
  } else {
    own.kernel = std::move(kernel);
  }
  return own;
}

Result<Assignment> assignmentOf(PathStates& states, const Assignment& otherwise, const OwnProgram& own) {
  const auto no = [](Message why) { return fail("NotInSketch", std::move(why), Forbids::Program); };
  const Sketch& sketch = states.sketch();
  const Space& space = sketch.space;
  const auto told = decisionsOf(sketch, own.lines, states.start(), *own.state);
  if (told.empty()) return no(message("its steps are not those of the sketch {}", sketch.name));
  Assignment assignment = otherwise;
  std::vector<std::size_t> untold;
  for (std::size_t d = 0; d < space.decisions.size(); ++d) {
    const Decision& decision = space.decisions[d];
    const auto value = told.find(decision.name);
    if (value == told.end()) {
      untold.push_back(d);
    } else if (valueIndexOf(decision, value->second) < 0) {
      return no(message("in the sketch {} this is never {}: {}", sketch.name, value->second, decision.words));
    } else {
      assignment[d] = value->second;
    }
  }
  const std::multiset<std::string> lines(own.lines.begin(), own.lines.end());
  const auto quality = [&](const Assignment& a) {
    const auto broken = std::ranges::count_if(space.constraints, [&](const Constraint& c) { return !holds(c, a); });
    return std::pair(likeness(sketch, a, lines), -broken);
  };
  for (const std::size_t d : untold) {
    Assignment other = assignment;
    for (const std::int64_t value : space.decisions[d].values) {
      other[d] = value;
      if (quality(other) > quality(assignment)) assignment = other;
    }
  }
  if (const Constraint* broken = brokenBy(space, assignment))
    return no(message("it breaks a constraint of the sketch {}: {}", sketch.name, broken->words));
  const auto& state = states.of(assignment);
  if (!state || state->kernel->key != own.kernel->key)
    return no(otherSteps(sketch.name, own.lines, script::splitLines(linesOf(sketch, assignment).value_or(""))));
  return assignment;
}

std::vector<OwnInSketch> ownInSketches(const PreparedSearch& prepared, const schedule::State& start,
                                       const schedule::Environment& environment, const OwnProgram& own) {
  std::vector<OwnInSketch> all;
  for (int n = 0; n < int(prepared.plan.sketches.size()); ++n) {
    const Sketch& sketch = prepared.plan.sketches[std::size_t(n)];
    OwnInSketch in{n, decisionsOf(sketch, own.lines, start, *own.state), {}, {}};
    if (in.values.empty()) {
      in.membership = {{{-1, -1, message("its steps are not those of the sketch {}", sketch.name)}}, false};
    } else {
      in.membership = membershipOf(sketch.space, in.values);
    }
    if (in.membership.isMember && *in.membership.isMember) {
      PathStates states(prepared, start, environment, n);
      const auto some = someOf(prepared, n);
      if (own.kernel == nullptr) {
        in.differs = own.problem.empty() ? message("its steps make no kernel")
                                         : message("its steps make no kernel: {}", own.problem);
      } else if (const auto same = some ? assignmentOf(states, *some, own) : Result<Assignment>(Assignment()); !same) {
        in.differs = same.error().message;
      }
    }
    all.push_back(std::move(in));
  }
  return all;
}

}  // namespace loom::tune
