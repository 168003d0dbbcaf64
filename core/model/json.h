// The results of the cost model as JSON: the `model` object of `tileloom steps --json`.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/model/model.h"

namespace loom::model {

// Returns what the cost model predicts of a kernel, as JSON; `device` must be the one that the model was made for.
// Nothing in it is measured. "how" says in words how a figure was obtained, for instance that a sample was counted.
// Sums are over the whole grid. "…" stands for further keys, which json.cpp writes.
//
//     {"kernel": name, "draft": true if the program can't be a kernel, else missing,
//      "occupancy": {"blocks", "warps", "of_warps", "limiter", "by_threads", …, "shared_per_block", "how"},
//      "waves": {"blocks", "slots": blocks of a full wave, "full", "last", "efficiency": 0 to 1, "cluster", …, "how"},
//      "accesses": [{"block", "buffer", "memory", "kind": "load" or "store", "bytes": of one thread's access, "loops":
//        names of variables, "executions": of the statement by warps, "requests": warps' instructions, "lane_bytes":
//        sum of the bytes that lanes request, "sectors": {"total", …} or "wavefronts", "conflicts" and "ways", "how",
//        "exact"}],
//      "ncu": {counter: value, as written}, "flops", "tensor_flops",
//      "links": [{"from", "to", "bytes", "bytes_per_block", "how"}], as written,
//      "buffers": [{"buffer", "memory", "bytes": size, "first", "last": names of the blocks that access it first and
//        last, "first_access", "last_access": indices into "accesses", "written", "read": sums of bytes, …}],
//      "roofline": {"flops", "intensity", "roofs": [{"name", "tflops" or "gb_per_s", "allows_tflops", …}], "binds"},
//      "compiled": {"instructions", "executed": {pipe: instructions}, "opcodes", "loops": [{"line", "iterations", …}],
//        "hot_loop", "memory": [{"address", "opcode", "requests", "sectors", …}], "ncu", "links", …},
//      "advice": [{"code", "message", "us": predicted cost in µs, "numbers", "access": index into "accesses", "step": a
//        step line that would help; the last two may be missing}],
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
