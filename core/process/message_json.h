// How a message is written as JSON, for a pipe or a file: as its English text, and beside it the id and the arguments
// by which the message can be made in other languages.
#pragma once
#include <nlohmann/json.hpp>

#include "core/ir/message.h"

namespace loom::process {

// Returns {"id", "arguments"} for a message with an id, where "arguments" is a list of numbers, texts and, for a
// message within the message, such an object, or its text if it has no id; null for a message without an id, which
// exists in English alone.
nlohmann::json wordsOf(const Message& message);

// Makes a message from its English text and what `wordsOf` gave. If the words are null, or don't make just that English
// text (they may be damaged, or another version's), the message is the text without an id.
Message messageOf(const std::string& english, const nlohmann::json& words);

// Makes a message from its English text and the words that `object` has under `key`; they are null if it has none.
inline Message messageOf(const std::string& english, const nlohmann::json& object, const char* key) {
  return messageOf(english, object.contains(key) ? object[key] : nlohmann::json());
}

}  // namespace loom::process
