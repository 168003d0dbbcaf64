#pragma once

#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace loom::structure {

/// Returns the room (the layer of the program) that a file of `app/` belongs to, given its path from the root: "words"
/// for headers of phrases (words.h), "panel contract" for app/panels/panel.h, "view" for files in a folder "view" of a
/// panel, "panel" for a panel's other files, and otherwise the folder below `app/`. Returns "" for files of no room:
/// those outside `app/`, `main.cpp`, and the table of all panels.
std::string appRoomOf(const std::string& path);

/// Returns the includes within `app/` that break the order of its rooms, as "FILE -> TARGET": those of a room that
/// stands later than the file's own in the list text, words, notation, session, view, report, cli, ui, widgets, panel
/// contract, panel, window, pictures; those from one panel's folder to another's (except from Performance to its
/// pages); and those from the session to any other room. Includes by or of files without a room are never returned; a
/// room that the list lacks counts as its last.
std::vector<std::string> upwardIncludes(const SourceFile& file);

}  // namespace loom::structure
