#include "core/intrin/intrinsic.h"

namespace loom::intrin {

const Intrinsic* Library::find(std::string_view name) const {
  auto it = byName_.find(name);
  return it == byName_.end() ? nullptr : it->second.get();
}

std::vector<std::string> Library::names() const {
  std::vector<std::string> out;
  for (const auto& [name, intrinsic] : byName_) out.push_back(name);
  return out;
}

}  // namespace loom::intrin
