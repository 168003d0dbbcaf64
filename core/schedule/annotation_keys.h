// The annotations that lowering follows, a row each: what forms offer for `annotate`. Others can be typed; lowering
// then remarks that they have no effect. A key of a pass (core/lower/pass_table.h) has a row here, which a test holds.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/schedule/instruction.h"

namespace loom::schedule {

// A key of annotations that lowering follows, for forms.
struct AnnotationKey {
  std::string_view key;     // "tileloom.swizzle"
  bool ofLoops = false;     // else of blocks
  std::string_view en, zh;  // what it asks for, one sentence in each language
  // Values that are usual for a loop whose body has so many statements, or for a block; never empty.
  std::vector<Value> (*values)(int statements) = nullptr;
};
// Returns all keys, in the order in which forms offer them.
std::span<const AnnotationKey> annotationKeys();
// Returns the row of a key; null if lowering doesn't follow the key.
const AnnotationKey* findAnnotationKey(std::string_view key);

}  // namespace loom::schedule
