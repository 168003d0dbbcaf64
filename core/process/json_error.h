// What is wrong with a JSON text, in words of ours or of nlohmann::json.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/ir/message.h"

namespace loom::process {

// Thrown of a value that has the right type and can't be: caught as whatever else is wrong with a JSON text.
class Misfit : public nlohmann::json::exception {
 public:
  explicit Misfit(Message why) : exception(601, why.english().c_str()), why_(std::move(why)) {}
  const Message& why() const { return why_; }

 private:
  Message why_;
};

// A misfit's words, else nlohmann::json's without the name of its exception: of "[json.exception.type_error.302] type
// must be number, but is string" what follows the bracket.
inline Message reasonOf(const nlohmann::json::exception& error) {
  if (const auto* misfit = dynamic_cast<const Misfit*>(&error)) return misfit->why();
  const std::string what = error.what();
  const std::size_t end = what.find("] ");
  return verbatim(what.starts_with("[json") && end != std::string::npos ? what.substr(end + 2) : what);
}

}  // namespace loom::process
