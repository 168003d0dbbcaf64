#include "core/schedule/trace.h"
#include "core/schedule/sampled.h"
#include "core/script/step_line.h"
#include "tests/fuzz/reader.h"

namespace loom::fuzz {

void trace(std::string_view bytes) {
  std::optional<Error> end;
  auto lines = schedule::stepLines(std::string(bytes), "t.json", &end);
  if (lines) script::parseSchedule(schedule::withSamplesDrawn(std::move(*lines)), "t.json");
}

}  // namespace loom::fuzz
