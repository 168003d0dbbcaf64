// Which keys a document has and what their values are.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/ir/result.h"

namespace loom::document {

// Whether the object has the form of a document of version kDocumentVersion, so that its values can be read without
// another look: keys, types, and of every node a parent that stands before it. "ParseError" says where, as a JSON
// pointer (/nodes/3/parent). What is only passed over, keys that the version doesn't have, and states that "current"
// and "chapters" name but the document lacks, is told in what comes back.
Result<std::vector<Message>> checkDocumentForm(const nlohmann::ordered_json& document);

}  // namespace loom::document
