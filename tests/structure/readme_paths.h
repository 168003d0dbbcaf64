#pragma once

#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace loom::structure {

/// Returns a breach for each path that a README names and that is not among `paths`, all paths of the repository. Words
/// of two kinds count as paths:
/// - a word that begins with a folder of the root (`core/`, `app/`, `assets/`, `shaders/`, `tests/`), anywhere in the
///   text, names exactly that path;
/// - a word in backticks with the ending of a source or data file, or that begins with `../`, must be the end of a
///   path in the README's folder or in the folder around it.
/// `{h,cpp}` stands for either ending, `*` for any characters within a name, and so does a word in capitals
/// (`cases/FOLDER/NAME.func.py`).
std::vector<Breach> missingPaths(const SourceFile& readme, const std::vector<std::string>& paths);

}  // namespace loom::structure
