#pragma once

#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace loom::structure {

/// Returns a breach for each place where a README names a path that is not among `paths`, all files and folders of the
/// repository (pathsOfTree). Words of three kinds count as paths:
/// - a word that begins with a folder of the root (`core/`, `app/`, `assets/`, `shaders/`, `tests/`), anywhere in the
///   text, names exactly that path, but for a `/` at its end;
/// - a word in backticks that begins with `../` names a path from the folder around the README's;
/// - another word in backticks with the ending of a source or data file must be the end of a path at any depth below
///   the folder around the README's.
/// `{h,cpp}` stands for either ending, `*` for any characters within a name, and so does a word in capitals other than
/// README and LICENSE (`cases/FOLDER/NAME.func.py`).
std::vector<Breach> missingPaths(const SourceFile& readme, const std::vector<std::string>& paths);

}  // namespace loom::structure
