#include "app/cli/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

namespace loom::cli {

Result<std::string> readTextFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in || in.bad() || text.fail()) {
    std::string why = errno ? std::generic_category().message(errno) : "cannot be read";
    auto failure = fail("NoSuchFile", why, Forbids::Input);
    failure.value().place.file = path;
    return failure;
  }
  return std::move(text).str();
}

std::string describePlace(const Error& error) {
  const Place& place = error.place;
  std::string text = place.file;
  if (place.line > 0) text += fmt::format(":{}", place.line);
  if (place.line > 0 && place.column > 0) text += fmt::format(":{}", place.column);
  text += fmt::format("{}{}\n", text.empty() ? "" : ": ", error.message);
  if (!place.text.empty()) {
    text += fmt::format("    {}\n", place.text);
    if (place.column > 0) text += fmt::format("    {:>{}}\n", "^", place.column);
  }
  return text;
}

}  // namespace loom::cli
