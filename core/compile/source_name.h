#pragma once

#include <string>

namespace loom::compile {

// What the compiler is told that the source is called; no such file exists.
inline constexpr char kSourceName[] = "kernel.cu";

// Returns PTX or SASS whose line marks have the file name alone. The compiler puts the folder before it in which the
// process was started.
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
