#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/fuzz/product.h"
#include "tests/fuzz/reader.h"

namespace loom::fuzz {

void replay(std::string_view bytes) {
  static const schedule::State kStart = schedule::State::create(script::parseModule(kProduct, "f.py").value()).value();
  auto calls = script::parseSchedule(bytes, "s.py");
  if (calls) schedule::replay(kStart, *calls, {});
}

}  // namespace loom::fuzz
