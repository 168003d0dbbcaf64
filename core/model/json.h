// The results of the cost model as JSON: the `model` object of `tileloom steps --json`.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/model/model.h"

namespace loom::model {

// Returns what the cost model predicts of a kernel on a device, as JSON. Nothing in it is measured; "how" says in words
// how a figure was obtained, also if it was counted in a sample.
//
//     {"kernel": name, "draft": true only if the program can't be a kernel,
//      "occupancy": {"blocks", "warps", "of_warps", "limiter", "by_threads", …, "shared_per_block", "how"},
//      "waves": {"blocks", "slots": blocks of a full wave, "full", "last", "efficiency": 0 to 1, "cluster", …, "how"},
//      "accesses": [{"block", "buffer", "memory", "kind": "load" or "store", "bytes": of one thread's access, "loops",
//        "executions", "requests", "lane_bytes", "sectors" or "wavefronts", "conflicts" and "ways", "how", "exact"}],
//      "ncu": {counter: value, as written}, "flops", "tensor_flops",
//      "links": [{"from", "to", "bytes", "bytes_per_block", "how"}], as written,
//      "buffers": [{"buffer", "memory", "bytes", "first", "last", "written", "read", …}],
//      "roofline": {"flops", "intensity", "roofs": [{"name", "tflops" or "gb_per_s", "allows_tflops", …}], "binds"},
//      "compiled": the counts of the machine code with its loops, memory instructions and links,
//      "advice": [{"code", "message", "us": predicted cost in µs, "numbers", "access", "step"}],
//      "estimate": {"us": predicted time in µs, "how", "throughput_clocks", "latency_clocks", "launch_us", "pipes",
//        "phases", …},
//      "block_life": {"how", "as_compiled", "rounds", "resident", …, "step": {"clocks", "busy", "exposed", "waits",
//      …}}}
//
// Occupancy, waves, estimate, block life or the counts of machine code that can't be computed are an object {"unknown":
// why}, and an access whose addresses can't be evaluated has the key "unknown" instead of counts. "compiled" is missing
// if no machine code was given.
nlohmann::ordered_json toJson(const KernelModel& model, const Device& device);
// Returns the description of a device: {"id", "name", "compute_capability": [major, minor], "figures": {name of a
// Quantity: {"value", "source"}}}; its GPCs are left out.
nlohmann::ordered_json toJson(const Device& device);

}  // namespace loom::model
