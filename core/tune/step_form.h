#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/document/history.h"

namespace loom::tune {

/// A step in the making: a row of the instruction table and a value for each of its parameters. Knows nothing of
/// widgets.
struct StepForm {
  const schedule::Instruction* row = nullptr;
  std::vector<std::optional<schedule::Value>> values;  ///< one per parameter; nothing: not chosen yet

  /// The row with its defaults; parameters without one are not chosen.
  explicit StepForm(const schedule::Instruction& instruction);
  StepForm() = default;

  /// Index of the first parameter that must be chosen and is not; -1 when the form is complete.
  int missing() const;
  /// Values of the parameters before `parameter`, for schedule::candidates; nothing when one of them is missing.
  std::optional<std::vector<schedule::Value>> before(int parameter) const;
  /// Chooses what is selected, where the first parameter takes just that: one loop, one block, or several loops.
  /// Whether it did.
  bool take(const schedule::State& state, const std::vector<ir::Id>& selected);
  /// Unchooses loops and blocks that the state no longer has.
  void forgetDead(const schedule::State& state);
};

/// A loop or block as the printed program names it, with where it stands.
struct NamedNode {
  ir::Id id;
  bool isBlock = false;
  int depth = 0;           ///< loops and blocks around it
  std::string name;        ///< "k_0", "Z"
  std::string annotation;  ///< the extent of a loop ("16"), "" for a block
};
std::vector<NamedNode> namedNodes(const schedule::State& state);

/// What a schedule of such lines calls the state's loops and blocks that are alive: the latest name of each, `loops[1]`
/// for one of a list.
std::map<ir::Id, std::string> namesGiven(const schedule::State& state, const std::vector<std::string>& lines);
/// All lines that lead to a state, those that only name things included.
std::vector<std::string> linesTo(const document::History& history, int node);

/// Step lines that do what a complete form says. Lines that give names to loops and blocks which the schedule has not
/// named yet come first: get_block by the printed name where only one block has it, get_loops for all loops of a block.
/// Loops under several blocks take the names of the first. "ValueError" when the form is not complete or a loop can't
/// be reached by name.
Result<std::string> stepLines(const document::History& history, int node, const StepForm& form);

/// The state that several step lines lead to, without a trace in the history. The error of the first that is refused.
Result<schedule::State> previewLines(const document::History& history, int node, const std::string& lines,
                                     const schedule::Environment& environment);

/// A value as a form's text field reads it: `[None, 16]`, `"shared"`, `3`, `True`. Handles are not written this way.
Result<schedule::Value> parseValue(const std::string& text);
/// The same the other way; loops and blocks by their printed names.
std::string printValue(const schedule::State& state, const schedule::Value& value);

}  // namespace loom::tune
