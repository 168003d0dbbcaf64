#include "core/model/device.h"
#include "core/model/probed.h"
#include "tests/fuzz/reader.h"

namespace loom::fuzz {

void device(std::string_view bytes) {
  const std::string text(bytes);
  if (auto described = model::parseDevice(text, "d.json")) described->architecture();
  if (auto probed = model::parseProbeResults(text, "p.json")) probed->text();
}

}  // namespace loom::fuzz
