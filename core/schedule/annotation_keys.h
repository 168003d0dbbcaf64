// The table of the annotations that lowering, or a later step, follows. The window's form for the primitive `annotate`
// offers their keys. Other keys can be typed; lowering then remarks that they have no effect. A test checks that each
// key of a pass (core/lower/pass_table.h) has a row here.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/schedule/instruction.h"

namespace loom::schedule {

// A key of annotations that lowering, or a later step, follows, for forms.
struct AnnotationKey {
  std::string_view key;     // "tileloom.swizzle"
  bool ofLoops = false;     // true: the key is for loops; false: for blocks
  std::string_view en, zh;  // the annotation's meaning, a sentence in English and in Chinese
  // Returns usual values of the annotation, at least one; never null in a row of the table. `statements` is the number
  // of statements in the loop's body, and is ignored for keys of blocks.
  std::vector<Value> (*values)(int statements) = nullptr;
};
// Returns all keys, in the order in which forms offer them.
std::span<const AnnotationKey> annotationKeys();
// Returns the row of a key; null if neither lowering nor a step follows the key.
const AnnotationKey* findAnnotationKey(std::string_view key);

}  // namespace loom::schedule
