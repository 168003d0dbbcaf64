#pragma once

#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace loom::structure {

/// The room of a file of `app/`: its folder, of a panel's folder "view" or "panel", for headers of phrases "words";
/// empty for files of no room (`main.cpp`, the table of all panels).
std::string appRoomOf(const std::string& path);

/// Includes within `app/` that point upward, or from one panel's painting to another's, as "FILE -> TARGET".
std::vector<std::string> upwardIncludes(const SourceFile& file);

}  // namespace loom::structure
