#include "core/notebook/notebook.h"
#include "core/script/parser.h"
#include "tests/fuzz/product.h"
#include "tests/fuzz/reader.h"

namespace loom::fuzz {

void script(std::string_view bytes) {
  static const schedule::State kStart =
      schedule::State::create(loom::script::parseModule(kProduct, "f.py").value()).value();
  (void)notebook::readText(bytes, "page.py", {});
  (void)notebook::readSchedule(bytes, "s.py", kStart, {});
}

}  // namespace loom::fuzz
