// The results of the cost model as JSON: the `model` object of `tileloom steps --json`.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/model/model.h"

namespace loom::model {

// Returns what the cost model says of a kernel on a device, as JSON: {"kernel", "occupancy", "waves", "accesses":
// [...], "ncu": {counter: value}, "links":
// [...], "buffers": [...], "roofline", "compiled", "advice", "estimate"}. What isn't known is an object {"unknown":
// why}. Counts that were sampled say so in their "how".
nlohmann::ordered_json toJson(const KernelModel& model, const Device& device);
// Returns the description of a device as JSON.
nlohmann::ordered_json toJson(const Device& device);

}  // namespace loom::model
