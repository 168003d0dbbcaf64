#include "core/script/parser.h"
#include "core/script/printer.h"
#include "tests/fuzz/reader.h"

namespace loom::fuzz {

void tvmscript(std::string_view bytes) {
  script::parseFunctions(bytes, "f.py");
  if (auto module = script::parseModule(bytes, "f.py")) {
    script::print(*module);
    script::print(*module, script::Dialect::STir);
  }
}

}  // namespace loom::fuzz
