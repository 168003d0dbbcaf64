#include "core/schedule/trace.h"
#include "core/script/step_line.h"
#include "tests/fuzz/reader.h"

namespace loom::fuzz {

void trace(std::string_view bytes) {
  std::optional<Error> end;
  auto lines = schedule::stepLines(std::string(bytes), "t.json", &end);
  if (lines) script::parseSchedule(*lines, "t.json");
}

}  // namespace loom::fuzz
