#include "core/process/frame.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/gpu/protocol.h"
#include "tests/fuzz/reader.h"

namespace loom::fuzz {
namespace {

// Each structure that frames carry, read from the same JSON: whoever asks decides which it is.
void structures(const nlohmann::json& json, const std::string& blob) {
  const auto read = [](const auto& from) {
    try {
      from();
    } catch (const nlohmann::json::exception&) {
      // The callers make a "ProtocolError" of it.
    }
  };
  read([&] { gpu::jobFromJson(json, blob); });
  read([&] { gpu::matmulFromJson(json); });
  read([&] { gpu::deviceFromJson(json); });
  read([&] { gpu::reportFromJson(json); });
  read([&] { gpu::outcomeFromJson(json); });
  read([&] { gpu::vendorFromJson(json); });
}

}  // namespace

void frames(std::string_view bytes) {
  process::FrameReader reader;
  constexpr std::size_t kPart = 100;  // as a pipe gives it: a part at a time
  for (std::size_t at = 0; at < bytes.size(); at += kPart) {
    reader.append(bytes.data() + at, std::min(kPart, bytes.size() - at));
    for (;;) {
      auto frame = reader.next();
      if (!frame) return;
      if (!*frame) break;
      auto json = nlohmann::json::parse((*frame)->text, nullptr, false);
      if (json.is_discarded()) continue;
      structures(json, (*frame)->blob);
      if (!json.is_object()) continue;
      for (const char* key : {"result", "job"}) {
        if (json.contains(key)) structures(json[key], (*frame)->blob);
      }
    }
  }
}

}  // namespace loom::fuzz
