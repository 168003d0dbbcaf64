#pragma once

#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace loom::structure {

/// Returns the paths that a README names and that are not among `paths`. Two kinds of words are paths:
/// - a word that begins with a folder of the root (`core/`, `app/`, `assets/`, `shaders/`, `tests/`), anywhere in the
///   text, names exactly that path;
/// - a word in backticks with the ending of a source or data file, or that begins with `../`, names what is beneath the
///   README's folder or the folder around it.
/// `{h,cpp}` stands for either ending, `*` for any characters within a name, and so does a word in capitals
/// (`cases/FOLDER/NAME.func.py`).
std::vector<Breach> missingPaths(const SourceFile& readme, const std::vector<std::string>& paths);

}  // namespace loom::structure
