#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "app/cli/exit_status.h"
#include "core/ir/result.h"

namespace loom::cli {

/// Prints an error on stderr and returns the exit status that belongs to its code (exit_status.h); kRefused for codes
/// without a status of their own. Errors of input files (codes with the status kUnreadable) are printed as
/// `describePlace` has them, with "tileloom: " before them if they name no file; any other error as
/// `error[Code] line N: message`, and its remedy if there is one. Without a line number, " line N" is left out, and the
/// source line, if it is known, follows on a line of its own.
ExitStatus report(const Error& error);

/// Returns `file:line:column: message`, with lines and columns (characters) counted from 1, without those parts that
/// aren't known; followed by the source line, and a caret under the column, if these are known. Of a long source line
/// only the part around the column is shown. The text ends with a newline.
std::string describePlace(const Error& error);

/// Prints formatted text on stderr. A failure to write is ignored, and doesn't change the exit status.
template <class... Values>
void toStderr(fmt::format_string<Values...> text, Values&&... values) {
  std::fputs(fmt::format(text, std::forward<Values>(values)...).c_str(), stderr);
}

/// Prints one line on stderr, `note: …`, about something that is no error. Line breaks in the text become blanks, and
/// it is cut after 1000 bytes; so for `warn`.
void note(const std::string& text);

/// Prints one line on stderr, `warning: …`, about a step that was applied although it breaks the program.
void warn(const std::string& text);

/// Returns the text with control characters other than line breaks replaced by blanks. A text longer than `most` bytes
/// is cut after them, at the end of a UTF-8 character, and an ellipsis is added.
std::string shortened(const std::string& text, std::size_t most = 1000);

/// Flushes stdout. Like fmt::print, throws std::system_error if stdout can't be written; main catches it and ends the
/// program.
void flushResults();

/// Prints the object as one line of JSON on stdout. Bytes that aren't valid UTF-8 are replaced. Throws as
/// `flushResults`.
void printJson(const nlohmann::ordered_json& object);

}  // namespace loom::cli
