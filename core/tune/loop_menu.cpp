#include "core/tune/loop_menu.h"

#include <algorithm>
#include <chrono>

#include "core/lower/lower.h"
#include "core/schedule/combined_refusal.h"
#include "core/schedule/remedy.h"
#include "core/schedule/warnings.h"
#include "core/tune/loop_chain.h"

namespace loom::tune {

using schedule::Handle;
using schedule::ParameterType;
using schedule::Value;

namespace {

Result<schedule::Arguments> argumentsOf(const schedule::State& state, const StepForm& form) {
  std::vector<std::pair<std::string, Value>> keywords;
  std::vector<Value> positional;
  for (std::size_t i = 0; i < form.values.size(); ++i) {
    if (form.row->parameters[i].variadic) {
      positional = *form.values[i]->as<schedule::List>();
    } else {
      keywords.emplace_back(form.row->parameters[i].name, *form.values[i]);
    }
  }
  return schedule::bindArguments(state, *form.row, std::move(positional), std::move(keywords));
}

// `next`: where it isn't refused, the state that it leads to.
std::optional<Error> refusalOf(const schedule::State& state, const schedule::Environment& environment,
                               const StepForm& form, schedule::State* next = nullptr) {
  const auto arguments = argumentsOf(state, form);
  if (!arguments) return arguments.error();
  auto applied = schedule::apply(state, schedule::kTrialStep, *form.row, *arguments, environment);
  if (!applied) return applied.error();
  if (auto broken = schedule::takesMeaning(state, applied->next)) return broken;
  if (next != nullptr) *next = std::move(applied->next);
  return std::nullopt;
}

void refuseWhereAllAre(MenuEntry& entry) {
  std::vector<Error> refusals;
  for (const MenuEntry& choice : entry.choices)
    if (choice.refusal) refusals.push_back(*choice.refusal);
  if (!refusals.empty() && refusals.size() == entry.choices.size()) entry.refusal = schedule::combinedRefusal(refusals);
}

// Fills in the choices of an entry whose form lacks values. False when there is nothing to choose from.
bool expand(const schedule::State& state, const schedule::Environment& environment, MenuEntry& entry,
            const std::atomic<bool>& stop) {
  const int missing = entry.form.missing();
  const auto given = entry.form.before(missing);
  if (!given) return false;
  for (const schedule::Candidate& candidate : schedule::candidates(state, *entry.form.row, *given, environment)) {
    if (stop) return false;
    MenuEntry choice{candidate.text, entry.form, candidate.refusal, {}};
    choice.form.values[std::size_t(missing)] = candidate.value;
    if (choice.form.missing() >= 0 && !choice.refusal && !expand(state, environment, choice, stop)) continue;
    entry.choices.push_back(std::move(choice));
  }
  refuseWhereAllAre(entry);
  return !entry.choices.empty();
}

std::string namesOf(const schedule::State& state, const std::vector<ir::Id>& ids) {
  std::string names;
  for (ir::Id id : ids) names += (names.empty() ? "" : ", ") + state.tree().loop(id)->var->name;
  return names;
}

MenuEntry ofLoops(const schedule::State& state, const schedule::Environment& environment, const char* primitive,
                  const std::vector<ir::Id>& loops, bool named) {
  MenuEntry entry{named ? namesOf(state, loops) : primitive, formOfLoops(primitive, loops), {}, {}};
  entry.refusal = refusalOf(state, environment, entry.form);
  return entry;
}

// With the loop around it and the one inside it.
MenuEntry fuseOf(const schedule::State& state, const schedule::Environment& environment, ir::Id id) {
  MenuEntry entry{"fuse", formOfLoops("fuse", {id}), {}, {}};
  const std::vector<ir::Id> chain = chainOf(state, id);
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    if (chain[i] != id && chain[i + 1] != id) continue;
    entry.choices.push_back(ofLoops(state, environment, "fuse", {chain[i], chain[i + 1]}, true));
  }
  refuseWhereAllAre(entry);
  return entry;
}

// To every other place in its chain.
MenuEntry reorderOf(const schedule::State& state, const schedule::Environment& environment, ir::Id id) {
  MenuEntry entry{"reorder", formOfLoops("reorder", {id}), {}, {}};
  const std::vector<ir::Id> chain = chainOf(state, id);
  const auto at = std::find(chain.begin(), chain.end(), id);
  for (auto other = chain.begin(); other != chain.end(); ++other) {
    auto step = dropStep(state, id, *other, other < at ? DropEdge::kBefore : DropEdge::kAfter);
    if (!step) continue;
    std::vector<ir::Id> order(other < at ? other : at + 1, other < at ? at : other + 1);
    order.insert(other < at ? order.begin() : order.end(), id);
    MenuEntry choice{namesOf(state, order), *step, refusalOf(state, environment, *step), {}};
    entry.choices.push_back(std::move(choice));
  }
  refuseWhereAllAre(entry);
  return entry;
}

// Fuse or reorder of a loop that has nobody to be fused or reordered with.
MenuEntry alone(const schedule::State& state, const schedule::Instruction& row, ir::Id id) {
  auto refused =
      fail("NoNeighbour", message("No loop stands directly around or inside {}", state.tree().loop(id)->var->name),
           Forbids::Program);
  refused.value().subjects = {id};
  return {std::string(row.name), formOfLoops(row.name.data(), {id}), std::move(refused.value()), {}};
}

// Blocks that `row` can put under the loop.
MenuEntry hereOf(const schedule::State& state, const schedule::Environment& environment,
                 const schedule::Instruction& row, ir::Id loop, const std::atomic<bool>& stop) {
  MenuEntry entry{std::string(row.name), StepForm(row), {}, {}};
  entry.form.values[1] = Value{Handle(schedule::LoopRef{loop})};
  for (const auto& node : state.tree().nodes()) {
    if (!node.isBlock || node.parent == schedule::Tree::kNone || stop) continue;
    MenuEntry choice{state.tree().block(node.id)->name, entry.form, {}, {}};
    choice.form.values[0] = Value{Handle(schedule::BlockRef{node.id})};
    choice.refusal = refusalOf(state, environment, choice.form);
    entry.choices.push_back(std::move(choice));
  }
  refuseWhereAllAre(entry);
  return entry;
}

// Of a primitive that takes the loop or block first; nothing where it doesn't.
std::optional<MenuEntry> entryOf(const schedule::State& state, const schedule::Environment& environment,
                                 const schedule::Instruction& row, ir::Id id, const std::atomic<bool>& stop) {
  if (row.group == "inspect" || row.parameters.empty()) return std::nullopt;
  const bool block = state.tree().isBlock(id);
  if (row.parameters[0].variadic) {
    if (block) return std::nullopt;
    if (chainOf(state, id).size() < 2) return alone(state, row, id);
    return row.name == "fuse" ? fuseOf(state, environment, id) : reorderOf(state, environment, id);
  }
  const ParameterType type = row.parameters[0].type;
  const bool under = row.parameters.size() > 1 && row.parameters[1].type == ParameterType::Loop;
  if (!block && type == ParameterType::Block && under) return hereOf(state, environment, row, id, stop);
  const bool fits = type == ParameterType::BlockOrLoop || (type == ParameterType::Block && block) ||
                    ((type == ParameterType::Loop || type == ParameterType::BlocksOrLoop) && !block);
  if (!fits) return std::nullopt;
  MenuEntry entry{std::string(row.name), StepForm(row), {}, {}};
  entry.form.values[0] = Value{block ? Handle(schedule::BlockRef{id}) : Handle(schedule::LoopRef{id})};
  const auto lacking = std::count(entry.form.values.begin(), entry.form.values.end(), std::nullopt);
  // Values of annotations are free: what is offered of them is the usual ones.
  const bool free = std::ranges::any_of(
      row.parameters, [](const schedule::Parameter& p) { return p.type == ParameterType::Annotation && !p.fallback; });
  if (lacking == 0) {
    entry.refusal = refusalOf(state, environment, entry.form);
  } else if (free || lacking > 2 || !expand(state, environment, entry, stop)) {
    entry.choices.clear();
    entry.refusal.reset();
    entry.toFillIn = true;
  }
  return entry;
}

// Whether a state is a kernel, or as much of one as can be drafted.
bool isKernel(const schedule::State& state) {
  const ir::Function& function = state.module().functions.front();
  const lower::Lowered made = lower::lowerOrDraft(function);
  return made.program || made.draft;
}

// Nothing where a line is refused.
std::optional<schedule::State> stateAfter(schedule::State state, const std::string& lines,
                                          const schedule::Environment& environment) {
  constexpr std::uint32_t kUid = 1U << 30;  // of no step of a history
  const auto calls = script::parseSchedule(lines, "");
  if (!calls) return std::nullopt;
  for (std::size_t i = 0; i < calls->size(); ++i) {
    auto applied = schedule::apply(state, kUid + std::uint32_t(i), (*calls)[i], environment);
    if (!applied) return std::nullopt;
    state = applied->next;
  }
  return state;
}

// How what is refused can be done after all, as far as there is time: a menu that is waited for is none. Of a kernel
// only what leaves it one; what is none yet may be on its way there.
class Remedies {
 public:
  Remedies(const schedule::State& state, const schedule::Environment& environment, const std::atomic<bool>& stop)
      : state_(state), environment_(environment), stop_(stop) {}

  void add(std::vector<MenuEntry>& entries) {
    for (MenuEntry& entry : entries) {
      add(entry.choices);
      if (entry.refusal && entry.choices.empty()) addTo(entry);
      for (const MenuEntry& choice : entry.choices) {
        const bool helps = entry.refusal && entry.refusal->remedy.empty() && !choice.refusal->remedy.empty();
        if (helps) entry.refusal->remedy = choice.refusal->remedy;
      }
    }
  }

 private:
  void addTo(MenuEntry& entry) {
    constexpr std::chrono::milliseconds kAtMost{100};
    if (stop_ || entry.form.missing() >= 0 || std::chrono::steady_clock::now() - start_ > kAtMost) return;
    const auto arguments = argumentsOf(state_, entry.form);
    if (!arguments) return;
    std::string fix = schedule::suggestedFix(state_, *entry.form.row, *arguments, environment_);
    if (fix.empty() || !leavesKernel(fix)) return;
    entry.refusal->remedy = verbatim(std::move(fix));
  }

  bool leavesKernel(const std::string& fix) {
    if (!wasKernel_) wasKernel_ = isKernel(state_);
    if (!*wasKernel_) return true;
    const auto after = stateAfter(state_, fix, environment_);
    return after && isKernel(*after);
  }

  const schedule::State& state_;
  const schedule::Environment& environment_;
  const std::atomic<bool>& stop_;
  std::optional<bool> wasKernel_;  // nothing: not lowered yet
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// unroll, say: nothing but a loop.
bool takesOneLoop(const schedule::Instruction& row) {
  return row.group != "inspect" && row.parameters.size() == 1 && row.parameters[0].type == ParameterType::Loop &&
         !row.parameters[0].variadic;
}

// One step for each of the loops; refused where one of them is, after those before it.
MenuEntry ofEach(const schedule::State& state, const schedule::Environment& environment,
                 const schedule::Instruction& row, const std::vector<ir::Id>& loops) {
  MenuEntry entry{std::string(row.name), StepForm(row), {}, {}};
  schedule::State tried = state;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    StepForm form(row);
    form.values[0] = Value{Handle(schedule::LoopRef{loops[i]})};
    if (!entry.refusal) entry.refusal = refusalOf(tried, environment, form, &tried);
    if (i == 0) {
      entry.form = std::move(form);
    } else {
      entry.also.push_back(std::move(form));
    }
  }
  return entry;
}

std::vector<MenuEntry> entriesOf(const schedule::State& state, const schedule::Environment& environment,
                                 const std::vector<ir::Id>& ids, const std::atomic<bool>& stop) {
  std::vector<MenuEntry> menu;
  const auto known = [&](ir::Id id) { return state.tree().contains(id); };
  if (ids.empty() || !std::all_of(ids.begin(), ids.end(), known)) return menu;
  if (ids.size() > 1) {
    const bool loops = std::all_of(ids.begin(), ids.end(), [&](ir::Id id) { return state.tree().isLoop(id); });
    if (!loops || stop) return menu;
    std::vector<ir::Id> outermostFirst = ids;
    std::sort(outermostFirst.begin(), outermostFirst.end(),
              [&](ir::Id a, ir::Id b) { return state.tree().find(a) < state.tree().find(b); });
    menu.push_back(ofLoops(state, environment, "fuse", outermostFirst, false));
    MenuEntry reorder{"reorder", formOfLoops("reorder", ids), {}, {}};
    if (ids != outermostFirst) reorder.choices.push_back(ofLoops(state, environment, "reorder", ids, true));
    const std::vector<ir::Id> reversed(outermostFirst.rbegin(), outermostFirst.rend());
    if (ids != reversed) reorder.choices.push_back(ofLoops(state, environment, "reorder", reversed, true));
    refuseWhereAllAre(reorder);
    menu.push_back(std::move(reorder));
    for (const schedule::Instruction& row : schedule::instructions())
      if (!stop && takesOneLoop(row)) menu.push_back(ofEach(state, environment, row, outermostFirst));
    return menu;
  }
  for (const schedule::Instruction& row : schedule::instructions()) {
    if (stop) break;
    if (auto entry = entryOf(state, environment, row, ids[0], stop)) menu.push_back(std::move(*entry));
  }
  return menu;
}

void addOffers(const std::vector<MenuEntry>& entries, std::vector<StepForm>& offers) {
  for (const MenuEntry& entry : entries) {
    addOffers(entry.choices, offers);
    const bool complete = entry.form.row != nullptr && entry.form.missing() < 0;
    if (entry.choices.empty() && complete && !entry.refusal && !entry.toFillIn) offers.push_back(entry.form);
  }
}

}  // namespace

Result<std::string> linesOf(const document::History& history, int node, const MenuEntry& entry) {
  auto lines = stepLines(history, node, entry.form);
  for (const StepForm& form : entry.also) {
    if (!lines) return lines;
    auto more = stepLines(history, node, form);
    if (!more) return more;
    *lines += (lines->empty() || lines->back() == '\n' ? "" : "\n") + *more;
  }
  return lines;
}

std::vector<MenuEntry> menuOf(const schedule::State& state, const schedule::Environment& environment,
                              const std::vector<ir::Id>& ids, const std::atomic<bool>& stop) {
  std::vector<MenuEntry> menu = entriesOf(state, environment, ids, stop);
  Remedies(state, environment, stop).add(menu);
  return menu;
}

std::vector<MenuEntry> choicesOf(const schedule::State& state, const schedule::Environment& environment, ir::Id id,
                                 const std::string& primitive, const std::atomic<bool>& stop) {
  const schedule::Instruction* row = schedule::findInstruction(primitive);
  if (row == nullptr || !state.tree().contains(id)) return {};
  auto entry = entryOf(state, environment, *row, id, stop);
  if (!entry) return {};
  Remedies(state, environment, stop).add(entry->choices);
  return std::move(entry->choices);
}

std::vector<StepForm> offersOf(const schedule::State& state, const schedule::Environment& environment, ir::Id id,
                               const std::atomic<bool>& stop) {
  std::vector<StepForm> offers;
  addOffers(entriesOf(state, environment, {id}, stop), offers);
  return offers;
}

}  // namespace loom::tune
