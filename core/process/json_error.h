// What nlohmann::json says of a text, without the name of its exception.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace loom::process {

// Of "[json.exception.type_error.302] type must be number, but is string" what follows the bracket.
inline std::string reasonOf(const nlohmann::json::exception& error) {
  const std::string what = error.what();
  const std::size_t end = what.find("] ");
  return what.starts_with("[json") && end != std::string::npos ? what.substr(end + 2) : what;
}

}  // namespace loom::process
