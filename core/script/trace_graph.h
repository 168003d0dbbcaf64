// Reads plain values from the graph of nodes as which TVM saves any object (`tvm.ir.save_json`), such as a trace.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/ir/result.h"

namespace loom::script {

// Returns whether JSON has the form of a graph of objects, {"root": INDEX, "nodes": […]}, or "root_index" instead of
// "root". The nodes, {"type_key": …}, refer to each other by index; they aren't looked at.
bool isObjectGraph(const nlohmann::ordered_json& json);

// Returns the object that is the graph's root as plain JSON: arrays, maps, strings, numbers and bools, with null for
// node 0. `json` must be a graph (`isObjectGraph`). Error "ParseError" for other kinds of nodes, keys of maps that
// aren't strings, indices out of range, nodes nested over 100 deep (as in a cycle), and graphs that unfold to over
// 200,000 values.
Result<nlohmann::ordered_json> unfoldObjectGraph(const nlohmann::ordered_json& json);

}  // namespace loom::script
