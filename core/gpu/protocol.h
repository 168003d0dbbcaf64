// What the worker and its client say to each other: frames of JSON and bytes over a pair of pipes.
//
//     "TLF1 <bytes of JSON> <bytes of blob>\n" JSON blob
//
// Requests: {"do": "hello"}, {"do": "devices"}, {"do": "measure", "device": 0, "job": …} with the cubins in the blob,
// {"do": "quit"}. Answers: any number of {"progress": "…"}, then one {"result": …} or {"error": {"code", "message"}}.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/gpu/measure.h"

namespace loom::gpu {

inline constexpr int kProtocolVersion = 1;

struct Frame {
  std::string text;  // JSON
  std::string blob;
};

std::string encode(const Frame& frame);
// Reads frames out of a stream of bytes as they arrive.
class FrameReader {
 public:
  void append(const char* data, std::size_t size) { bytes_.append(data, size); }
  // The next whole frame; nothing yet; or Error "ProtocolError" for what can't be one.
  Result<std::optional<Frame>> next();

 private:
  std::string bytes_;
};

nlohmann::json toJson(const Matmul& m);
nlohmann::json toJson(const DeviceInfo& d);
nlohmann::json toJson(const Report& r);
nlohmann::json toJson(const Outcome& o);
nlohmann::json toJson(const VendorOutcome& v);
// Cubins go to the blob. `from…` throw nlohmann::json exceptions on what doesn't fit; callers turn them into
// "ProtocolError".
nlohmann::json toJson(const Job& job, std::string& blob);
Job jobFromJson(const nlohmann::json& j, const std::string& blob);
Matmul matmulFromJson(const nlohmann::json& j);
DeviceInfo deviceFromJson(const nlohmann::json& j);
Report reportFromJson(const nlohmann::json& j);
Outcome outcomeFromJson(const nlohmann::json& j);
VendorOutcome vendorFromJson(const nlohmann::json& j);

}  // namespace loom::gpu
