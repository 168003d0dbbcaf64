#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/document/history.h"

namespace loom::tune {

/// The arguments of a step line (a call of a scheduling primitive) that is in the history already, as text, for the
/// form that edits it (panel History). A new step is a StepForm (step_form.h), which has typed values instead.
struct StepArguments {
  struct Argument {
    const schedule::Parameter* parameter = nullptr;  ///< in the static table of primitives; never null
    /// The argument as the line writes it. For a variadic parameter: all further positional arguments, without
    /// brackets.
    std::string text;
    bool isWritten = false;  ///< whether the line has it; otherwise `text` is the parameter's default, "" without one
  };
  const schedule::Instruction* row = nullptr;  ///< the primitive, in the static table; never null
  std::vector<Argument> arguments;             ///< one for each parameter of `row`
};

/// Parses a step line. Returns nothing if the line is no call of a primitive, or if the text alone doesn't say which
/// argument is which (`*loops`).
std::optional<StepArguments> stepArguments(const std::string& line);

/// Returns the line with `text`, in the form of Argument::text, in place of argument `index` (counted as
/// StepArguments::arguments), printed anew from its values. An empty text removes the argument, or writes its default
/// in its place if another positional argument follows. The other arguments stay. Fails with "ParseError" if the text
/// is no value, if `stepArguments` returns nothing for the line, or if there is no such argument, and with "TypeError"
/// if the argument is removed but has no default.
Result<std::string> withArgument(const std::string& line, std::size_t index, const std::string& text);

/// A value that an argument of a step could have instead of its present one.
struct ArgumentOffer {
  std::string text;              ///< the value as `withArgument` takes it
  std::string name;              ///< the printed name, if the value is a loop, a block or a list of these; else empty
  std::optional<Error> refusal;  ///< why the line would be refused with this value; nothing if it would be accepted
};
/// Returns values for argument `index` (counted as StepArguments::arguments) of `line`, a possible text of the step
/// that led to state `node` of a history, the tree of states of one program. Offered are values of the parameter's
/// type, loops and blocks that the schedule has named, and for a split the present list and lists with one factor of
/// two moved from one loop to another (factorsNearby in split_variants.h). Each value is tried on the state before the
/// step. Returns an empty vector if the line can't be parsed or its arguments don't fit the primitive, if it has no
/// argument `index`, or if `node` is the start of the history. Takes up to seconds, so it must run on a background
/// thread, with a history that doesn't change meanwhile.
std::vector<ArgumentOffer> argumentOffers(const document::History& history, int node, const std::string& line,
                                          std::size_t index, const schedule::Environment& environment);

}  // namespace loom::tune
