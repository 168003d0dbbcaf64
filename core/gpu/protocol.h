// The messages between the worker process and its client, as JSON in the frames of core/process. Requests are
// {"do": "devices"}, {"do": "measure", "device": 0, "job": …} with the cubins in the frame's blob, {"do": "probe", …},
// and those of core/compile.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/gpu/measure.h"

namespace loom::gpu {

nlohmann::json toJson(const Matmul& m);
nlohmann::json toJson(const DeviceInfo& d);
nlohmann::json toJson(const Report& r);
nlohmann::json toJson(const Outcome& o);
nlohmann::json toJson(const VendorOutcome& v);
// Cubins go to the blob. `from…` throw nlohmann::json exceptions on what doesn't fit, times among it that nothing can
// take; callers turn them into "ProtocolError".
nlohmann::json toJson(const Job& job, std::string& blob);
Job jobFromJson(const nlohmann::json& j, const std::string& blob);
Matmul matmulFromJson(const nlohmann::json& j);
DeviceInfo deviceFromJson(const nlohmann::json& j);
Report reportFromJson(const nlohmann::json& j);
Outcome outcomeFromJson(const nlohmann::json& j);
VendorOutcome vendorFromJson(const nlohmann::json& j);

// Returns the progress message with which a worker reports the outcome of a candidate that no round will time, because
// it is too slow or failed. So the outcome isn't lost if a later candidate ends the process.
Message settled(const Outcome& o);
// Returns the outcome in such a progress message; nothing for other messages, and if it can't be read.
std::optional<Outcome> settledOutcome(const Message& progress);

}  // namespace loom::gpu
