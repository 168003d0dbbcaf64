// Checks the form of a document's JSON before it is read: which keys it has, and of which types their values are.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/ir/result.h"

namespace loom::document {

// Checks that a JSON value has the form of a document of version kDocumentVersion (the number of its own version isn't
// compared): that every required key is there, that values have their types, that there is a node (a state of the
// history), and that every node's id, if given, is its index and its parent stands before it. After that its values can
// be read without further checks, but for the numbers of states in "current" and "chapters". Returns remarks, a
// sentence each, on what a reader passes over: keys that the version doesn't have, and states that "current" and
// "chapters" name but the document lacks. Error: "ParseError", whose message has the place as a JSON pointer
// (/nodes/3/parent).
Result<std::vector<Message>> checkDocumentForm(const nlohmann::ordered_json& document);

}  // namespace loom::document
