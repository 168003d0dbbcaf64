#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/document/history.h"

namespace loom::tune {

/// A step's line taken apart by the parameters of its primitive, for a form that changes it.
struct StepArguments {
  struct Argument {
    const schedule::Parameter* parameter = nullptr;
    std::string text;        ///< as a line writes it; without brackets where it is all further positional arguments
    bool isWritten = false;  ///< otherwise the line leaves it out, and the text is the parameter's fallback
  };
  const schedule::Instruction* row = nullptr;
  std::vector<Argument> arguments;  ///< one per parameter
};

/// Nothing for what is no call of a primitive, and where an argument can't be told from the text (`*loops`).
std::optional<StepArguments> stepArguments(const std::string& line);

/// The line with that text for one of its arguments; empty: left out. The rest as it was. "ParseError" where the text
/// is no value, "TypeError" where the argument is needed.
Result<std::string> withArgument(const std::string& line, std::size_t index, const std::string& text);

/// What an argument could be instead.
struct ArgumentOffer {
  std::string text;              ///< for `withArgument`
  std::string name;              ///< of a loop or block: as the program prints it
  std::optional<Error> refusal;  ///< why the line would be refused with it
};
/// Found by trying, for the step of `node` if it were `line`: what is of the parameter's type, loops and blocks that
/// the schedule has named, lists of a split's factors that are near to its own. Up to seconds: for another thread.
std::vector<ArgumentOffer> argumentOffers(const document::History& history, int node, const std::string& line,
                                          std::size_t index, const schedule::Environment& environment);

}  // namespace loom::tune
