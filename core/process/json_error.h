// Messages that say why a JSON text is rejected: those of nlohmann::json, and our own for values out of range.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/ir/message.h"

namespace loom::process {

// Thrown for a JSON value of the right type that is out of range. It derives from nlohmann's exception, so that whoever
// reads a JSON text catches one type for all that may be wrong with it.
class Misfit : public nlohmann::json::exception {
 public:
  // 601 is an id that nlohmann::json leaves unused.
  explicit Misfit(Message why) : exception(601, why.english().c_str()), why_(std::move(why)) {}
  const Message& why() const { return why_; }

 private:
  Message why_;
};

// Returns the message of an error: a Misfit's own, or else nlohmann's without the name of its exception. From
// "[json.exception.type_error.302] type must be number, but is string" this is what follows the bracket, as a message
// that stays English (verbatim).
inline Message reasonOf(const nlohmann::json::exception& error) {
  if (const auto* misfit = dynamic_cast<const Misfit*>(&error)) return misfit->why();
  const std::string what = error.what();
  const std::size_t end = what.find("] ");
  return verbatim(what.starts_with("[json") && end != std::string::npos ? what.substr(end + 2) : what);
}

}  // namespace loom::process
