#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "app/cli/exit_status.h"
#include "core/ir/result.h"

namespace loom::cli {

/// Prints an error on stderr as design §5 has it: `file:line:column: message`, the line and a caret for input that
/// can't be read, `error[Code] line N: message` for a refusal. Gives the exit status that goes with it.
ExitStatus report(const Error& error);

/// `file:line:column: message`, then the line and a caret under the column where they are known; ends with a newline.
/// Of a long line, the part around the column.
std::string describePlace(const Error& error);

/// Prints on stderr. Where that can't be written nobody is there to be told, and the exit status stays what it is.
template <class... Values>
void toStderr(fmt::format_string<Values...> text, Values&&... values) {
  std::fputs(fmt::format(text, std::forward<Values>(values)...).c_str(), stderr);
}

/// Says on stderr what is no error and yet should be known, as one line: `note: …`.
void note(const std::string& text);

/// The same as "warning: …": what was done breaks something.
void warn(const std::string& text);

/// The text, or its first `most` bytes (whole characters) and an ellipsis; control characters as blanks.
std::string shortened(const std::string& text, std::size_t most = 1000);

/// Sends what has been printed on its way. Like fmt::print, it throws std::system_error where stdout takes nothing
/// more: the verb ends there, and `run` says why.
void flushResults();

/// One object as a line of stdout. Bytes that are no UTF-8 are replaced.
void printJson(const nlohmann::ordered_json& object);

}  // namespace loom::cli
