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

// What a worker says of a candidate that no round will time, because it is too slow or failed: so the outcome isn't
// lost with a process that a later candidate takes along.
Message settled(const Outcome& o);
// The outcome that a progress message says; nothing of another message, or where it can't be read.
std::optional<Outcome> settledOutcome(const Message& progress);

}  // namespace loom::gpu
