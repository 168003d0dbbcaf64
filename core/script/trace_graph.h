// TVM writes any object as a graph of nodes (`tvm.ir.save_json`); a trace among them.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/ir/result.h"

namespace loom::script {

// Returns whether JSON is a graph of objects, {"root": 1, "nodes": [{"type_key": …}, …]}, whose nodes refer to each
// other by index.
bool isObjectGraph(const nlohmann::ordered_json& json);

// Returns the graph's root as plain JSON: arrays, maps, strings, numbers; null for node 0. Error "ParseError" for other
// kinds of nodes, indices out of range, cycles, and graphs that unfold to over 200,000 values.
Result<nlohmann::ordered_json> unfoldObjectGraph(const nlohmann::ordered_json& json);

}  // namespace loom::script
