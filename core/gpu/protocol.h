// The messages between the worker process, which owns the GPU, and its client, as JSON in the frames of core/process. A
// Job is a list of candidates, compiled kernels to check and time; its Report has an Outcome for each of them and one
// of the vendor's library. core/process/frame.h says how answers, errors and progress are framed. Requests:
//   {"do": "devices"}                                    answered by a list of DeviceInfo
//   {"do": "measure", "device": 0, "job": Job}           with the cubins in the blob; answered by a Report
//   {"do": "probe", "device": 0, "kernel": ProbeKernel}  with its cubin in the blob; answered by
//                                                        {"milliseconds": [1.5, …]}, one for each launch, with what
//                                                        was read back in the blob
//   {"do": "compiler"}, {"do": "compile", …}             answered by compile::CompileServer
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/gpu/measure.h"

namespace loom::gpu {

// Each `toJson` returns a value as the JSON of these messages, and the `…FromJson` below are their inverses; but a
// VendorOutcome that is available without samples is read as one that isn't available.
nlohmann::json toJson(const Matmul& m);
nlohmann::json toJson(const DeviceInfo& d);
nlohmann::json toJson(const Report& r);
nlohmann::json toJson(const Outcome& o);
nlohmann::json toJson(const VendorOutcome& v);
// Returns the job as JSON, which says where in `blob`, the bytes that go with it, the candidates' cubins lie, and
// appends these to `blob`.
nlohmann::json toJson(const Job& job, std::string& blob);
// Read values from JSON. They throw nlohmann::json exceptions for members that are missing, of the wrong type or out of
// range, such as an impossible time or a place beyond the blob; callers turn these into the error "ProtocolError".
Job jobFromJson(const nlohmann::json& j, const std::string& blob);
Matmul matmulFromJson(const nlohmann::json& j);
DeviceInfo deviceFromJson(const nlohmann::json& j);
Report reportFromJson(const nlohmann::json& j);
Outcome outcomeFromJson(const nlohmann::json& j);
VendorOutcome vendorFromJson(const nlohmann::json& j);

// Returns the progress message with which a worker reports the final outcome of a candidate before the whole job is
// done: of a candidate that no timing round will include, because it is too slow or its result is wrong. So the outcome
// isn't lost if a later candidate ends the process.
Message settled(const Outcome& o);
// Returns the outcome in a progress message made by `settled`; nothing for other messages, and if the outcome can't be
// read.
std::optional<Outcome> settledOutcome(const Message& progress);

}  // namespace loom::gpu
