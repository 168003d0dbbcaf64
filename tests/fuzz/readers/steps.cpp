#include "core/script/step_line.h"
#include "tests/fuzz/reader.h"

namespace loom::fuzz {

void steps(std::string_view bytes) {
  auto calls = script::parseSchedule(bytes, "s.py");
  if (!calls) return;
  for (const script::StepCall& call : *calls) {
    if (call.call()) script::printValue(*call.call());
  }
}

}  // namespace loom::fuzz
