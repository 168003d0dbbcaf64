#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/document/history.h"

namespace loom::tune {

/// A new step while a person fills it in (panel Step): a scheduling primitive, as a row of the instruction table, and
/// typed values for its parameters. `stepLines` makes text of it. To change the arguments of a line that is there
/// already, see step_arguments.h. A state is a program after some steps, a history the tree of states of one program.
struct StepForm {
  const schedule::Instruction* row = nullptr;  ///< in the static table of primitives; null: no primitive is chosen
  /// One value for each parameter of `row`, a list for a variadic one; nothing: not chosen yet.
  std::vector<std::optional<schedule::Value>> values;

  /// Makes the form of a primitive. Parameters get their default values; those without one are not chosen yet.
  explicit StepForm(const schedule::Instruction& instruction);
  StepForm() = default;

  /// Returns the index of the first parameter that has no value; -1 if the form is complete or no primitive is chosen
  /// (`row` is null).
  int missing() const;
  /// Returns the values of the parameters before `parameter`, at most their number, as schedule::candidates takes them.
  /// Returns nothing if one of them has no value.
  std::optional<std::vector<schedule::Value>> before(int parameter) const;
  /// Sets the first parameter to the selected loops and blocks if it has no value yet and takes exactly these: one
  /// loop, one block, or several loops. Returns whether the parameter was set.
  bool take(const schedule::State& state, const std::vector<ir::Id>& selected);
  /// Clears values that refer to loops and blocks which are no longer in `state`.
  void forgetDead(const schedule::State& state);
};

/// A loop or block under the name that the printed program gives it.
struct NamedNode {
  ir::Id id;
  bool isBlock = false;
  int depth = 0;           ///< loops and blocks around it
  std::string name;        ///< "k_0", "Z"
  std::string annotation;  ///< the extent of a loop ("16"; "?": not constant), "" for a block
};
/// Returns all loops and blocks of the state in program order.
std::vector<NamedNode> namedNodes(const schedule::State& state);

/// Returns the Python expression by which further lines can refer to each loop and block that is still in the state:
/// the variable that it was last assigned to, or `loops[1]` for an element of a list. `lines` are those that led to the
/// state (linesTo); loops and blocks that none of them named are missing.
std::map<ir::Id, std::string> namesGiven(const schedule::State& state, const std::vector<std::string>& lines);
/// Returns all lines that lead from the start to a state, also those that only look up loops and blocks.
std::vector<std::string> linesTo(const document::History& history, int node);

/// Returns the step lines of a complete form, one line of text each, for state `node`. The last line is the step. Lines
/// before it look up the loops and blocks that the schedule hasn't named yet: get_block for a block, get_loops for the
/// loops around a block. A loop above several blocks is looked up through the first that has a name, or else the first.
/// The form's loops and blocks must be in the state (forgetDead). Fails with "ValueError" if no primitive is chosen or
/// the form isn't complete, if the printed name of a block to be looked up isn't unique in its function, or if no block
/// is under a loop to be looked up.
Result<std::string> stepLines(const document::History& history, int node, const StepForm& form);

/// Returns the state that `lines`, one step line on each, lead to when they are applied at state `node`; the history
/// doesn't change. Fails with the error of the first line that is refused or can't be read.
Result<schedule::State> previewLines(const document::History& history, int node, const std::string& lines,
                                     const schedule::Environment& environment);

/// Reads a value that a person typed into a form's field, in Python's notation: `[None, 16]`, `"shared"`, `3`, `True`,
/// `lambda i, j: (j, i)`. Fails with "ParseError" if the text is no Python, and with "ValueError" if it is more than
/// one value or no value of a form: names, and so loops and blocks, can't be typed.
Result<schedule::Value> parseValue(const std::string& text);
/// Returns a value in Python's notation, as `parseValue` reads it. A loop or block is given by its printed name, or "?"
/// if it is no longer in the state.
std::string printValue(const schedule::State& state, const schedule::Value& value);

}  // namespace loom::tune
