// Reads plain values from the graph of nodes as which TVM saves any object (`tvm.ir.save_json`), such as a trace.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/ir/result.h"

namespace loom::script {

// Returns whether JSON is a graph of objects, {"root": 1, "nodes": [{"type_key": …}, …]}, whose nodes refer to each
// other by index.
bool isObjectGraph(const nlohmann::ordered_json& json);

// Returns the object that is the graph's root as plain JSON: arrays, maps, strings, numbers and bools, with null for
// node 0. `json` must be a graph (`isObjectGraph`). Error "ParseError" for other kinds of nodes, indices out of range,
// nodes nested over 100 deep (as in a cycle), and graphs that unfold to over 200,000 values.
Result<nlohmann::ordered_json> unfoldObjectGraph(const nlohmann::ordered_json& json);

}  // namespace loom::script
