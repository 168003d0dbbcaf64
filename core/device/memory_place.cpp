#include "core/device/memory_place.h"

#include "core/layout/fragment_scope.h"

namespace loom::device {

std::optional<Memory> memoryOf(std::string_view scope) {
  if (scope == "shared") return Memory::Shared;
  if (scope == "shared.dyn" || scope == kSharedCluster) return Memory::SharedDynamic;
  if (scope == "local") return Memory::Local;
  if (scope == "global") return Memory::Global;
  if (scope == "warp" || layout::isFragmentScope(scope)) return Memory::Fragment;
  return std::nullopt;
}

const char* nameOf(Memory memory) {
  static constexpr const char* kNames[] = {"global", "shared", "shared.dyn", "local", "fragment"};
  return kNames[int(memory)];
}

}  // namespace loom::device
