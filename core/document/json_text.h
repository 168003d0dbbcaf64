// Parses JSON that a person may have written, with errors that say where it is wrong.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/ir/result.h"

namespace loom::document {

// Parses JSON. `file` is the name for messages. Error "ParseError": with line, column (in bytes) and the line's text
// for invalid JSON; with the key if a key stands twice in one object.
Result<nlohmann::ordered_json> parseJson(const std::string& text, const std::string& file);

}  // namespace loom::document
