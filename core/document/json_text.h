// JSON that a person may have written: what is wrong with it, and where.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/ir/result.h"

namespace loom::document {

// Parses JSON. Error "ParseError" with line, column (in bytes) and the line's text; if a key stands twice in one
// object, with the key.
Result<nlohmann::ordered_json> parseJson(const std::string& text, const std::string& file);

}  // namespace loom::document
