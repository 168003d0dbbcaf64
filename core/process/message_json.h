// How a message goes over a pipe or into a file: its English as ever, and beside it what says it in other languages.
#pragma once
#include <nlohmann/json.hpp>

#include "core/ir/message.h"

namespace loom::process {

// Returns {"id", "arguments"} of a message with an id, and null for a text without one, of which English is all that
// there is.
nlohmann::json wordsOf(const Message& message);

// Makes a message from its English text and what `wordsOf` gave. If the words are null, or don't make just that English
// text, as another program's might not, the message is the text without an id.
Message messageOf(const std::string& english, const nlohmann::json& words);

// Does the same for an object that may lack the key.
inline Message messageOf(const std::string& english, const nlohmann::json& object, const char* key) {
  return messageOf(english, object.contains(key) ? object[key] : nlohmann::json());
}

}  // namespace loom::process
