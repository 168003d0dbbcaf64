#include "core/document/file.h"
#include "tests/fuzz/reader.h"

namespace loom::fuzz {

void document(std::string_view bytes) {
  auto target = document::readDocument(std::string(bytes), "d.tileloom", {});
  if (target) document::writeDocument(*target);
}

}  // namespace loom::fuzz
