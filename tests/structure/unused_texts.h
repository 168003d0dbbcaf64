#pragma once

#include "tests/structure/source_tree.h"

namespace loom::structure {

/// Returns a breach for each text of app/ (`inline constexpr Text kName` in a namespace `loom::text::AREA`) that no
/// line of app/ names: neither `AREA::kName`, nor `ALIAS::kName` where the same file has `namespace ALIAS =
/// text::AREA`, nor `kName` in a file of that namespace. `tree` has all files of app/; others don't count.
std::vector<Breach> unusedTexts(const std::vector<SourceFile>& tree);

}  // namespace loom::structure
