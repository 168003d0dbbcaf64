#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/document/history.h"

namespace loom::tune {

/// The arguments of a step line that is in the history already, as text, for the form that edits it (panel History). A
/// new step is a StepForm (step_form.h), which has typed values instead.
struct StepArguments {
  struct Argument {
    const schedule::Parameter* parameter = nullptr;  ///< never null
    /// As the line writes it. The argument of a variadic parameter has all further positional arguments, without
    /// brackets.
    std::string text;
    bool isWritten = false;  ///< whether the line has the argument; otherwise `text` is the parameter's default
  };
  const schedule::Instruction* row = nullptr;  ///< the primitive; never null
  std::vector<Argument> arguments;             ///< one for each parameter of `row`
};

/// Takes a line apart. Returns nothing if the line is no call of a primitive, or if an argument can't be told from the
/// text alone (`*loops`).
std::optional<StepArguments> stepArguments(const std::string& line);

/// Returns the line with `text` in place of argument `index` (counted as StepArguments::arguments); an empty text
/// removes the argument. Everything else stays. Errors: "ParseError" if the text is no value or the line no call of a
/// primitive, "TypeError" if the argument is removed but has no default.
Result<std::string> withArgument(const std::string& line, std::size_t index, const std::string& text);

/// A value that an argument could have instead.
struct ArgumentOffer {
  std::string text;              ///< for `withArgument`
  std::string name;              ///< the printed name, if the value is a loop, a block or a list of these; else empty
  std::optional<Error> refusal;  ///< why the line would be refused with this value; nothing if it would be accepted
};
/// Returns values for argument `index` of `line`, a possible text of the step that led to `node`. Offered are values of
/// the parameter's type, loops and blocks that the schedule has named, and for a split the lists of factorsNearby. Each
/// value is tried on the state before the step. Takes up to seconds, so it must run on a background thread.
std::vector<ArgumentOffer> argumentOffers(const document::History& history, int node, const std::string& line,
                                          std::size_t index, const schedule::Environment& environment);

}  // namespace loom::tune
