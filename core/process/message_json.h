// How a message goes over a pipe or into a file: its English as ever, and beside it what says it in other languages.
#pragma once
#include <nlohmann/json.hpp>

#include "core/ir/message.h"

namespace loom::process {

// {"id", "arguments"} of a message with an id; null of a text that others wrote, which needs no more than its English.
nlohmann::json wordsOf(const Message& message);

// The message of its English and what `wordsOf` gave. Words that don't make just that English, as another program's
// might, or that are null, leave it as a text that others wrote.
Message messageOf(const std::string& english, const nlohmann::json& words);

// The same of an object that may lack the key.
inline Message messageOf(const std::string& english, const nlohmann::json& object, const char* key) {
  return messageOf(english, object.contains(key) ? object[key] : nlohmann::json());
}

}  // namespace loom::process
