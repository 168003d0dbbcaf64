#pragma once

#include <string>

namespace loom::compile {

// The file name of every source that is passed to the compiler. No such file exists.
inline constexpr char kSourceName[] = "kernel.cu";

// Returns a text of PTX or SASS in which line marks name the source by kSourceName alone. The compiler writes the
// working directory of the process before the name.
inline std::string withSourceAlone(std::string text) {
  const std::string end = std::string("/") + kSourceName + "\"";
  for (std::size_t at = text.find(end); at != std::string::npos; at = text.find(end, at)) {
    const std::size_t quote = text.rfind('"', at);
    if (quote == std::string::npos) break;
    text.erase(quote + 1, at - quote);
    at = quote + 1;
  }
  return text;
}

}  // namespace loom::compile
