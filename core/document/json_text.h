// Parses JSON that a person may have written, with errors that say where it is wrong.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/ir/result.h"

namespace loom::document {

// Parses JSON. `file` is the name for messages. Error "ParseError": for invalid JSON with line and column (from 1, in
// bytes) and the line's text; if a key stands twice in one object, with the key and no line.
Result<nlohmann::ordered_json> parseJson(const std::string& text, const std::string& file);

}  // namespace loom::document
