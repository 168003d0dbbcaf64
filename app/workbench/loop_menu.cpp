#include "app/workbench/loop_menu.h"

#include <algorithm>

namespace loom::workbench {

using schedule::Handle;
using schedule::ParameterType;
using schedule::Value;

namespace {

constexpr std::uint32_t kTrialStep = 0xFFFFFFFF;

std::optional<Error> refusalOf(const schedule::State& state, const schedule::Environment& environment,
                               const StepForm& form) {
  std::vector<std::pair<std::string, Value>> keywords;
  for (std::size_t i = 0; i < form.values.size(); ++i) {
    keywords.emplace_back(form.row->parameters[i].name, *form.values[i]);
  }
  auto arguments = schedule::bindArguments(state, *form.row, {}, std::move(keywords));
  if (!arguments) return arguments.error();
  auto applied = schedule::apply(state, kTrialStep, *form.row, *arguments, environment);
  return applied ? std::nullopt : std::optional(applied.error());
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
  const bool refused = std::all_of(entry.choices.begin(), entry.choices.end(),
                                   [](const MenuEntry& choice) { return choice.refusal.has_value(); });
  if (refused && !entry.choices.empty()) entry.refusal = entry.choices.front().refusal;
  return !entry.choices.empty();
}

}  // namespace

std::vector<MenuEntry> menuOf(const schedule::State& state, const schedule::Environment& environment, ir::Id id,
                              const std::atomic<bool>& stop) {
  std::vector<MenuEntry> menu;
  if (!state.tree().contains(id)) return menu;
  const bool block = state.tree().isBlock(id);
  const Value value{block ? Handle(schedule::BlockRef{id}) : Handle(schedule::LoopRef{id})};
  for (const schedule::Instruction& row : schedule::instructions()) {
    if (stop) return menu;
    if (row.group == "inspect" || row.parameters.empty() || row.parameters[0].variadic) continue;
    const ParameterType type = row.parameters[0].type;
    const bool fits = type == ParameterType::BlockOrLoop || (type == ParameterType::Block && block) ||
                      ((type == ParameterType::Loop || type == ParameterType::BlocksOrLoop) && !block);
    if (!fits) continue;
    MenuEntry entry{std::string(row.name), StepForm(row), {}, {}};
    entry.form.values[0] = value;
    const auto lacking = std::count(entry.form.values.begin(), entry.form.values.end(), std::nullopt);
    if (lacking == 0) {
      entry.refusal = refusalOf(state, environment, entry.form);
    } else if (lacking > 2 || !expand(state, environment, entry, stop)) {
      continue;
    }
    menu.push_back(std::move(entry));
  }
  return menu;
}

}  // namespace loom::workbench
