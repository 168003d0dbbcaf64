// Documents on disk: NAME.tileloom, JSON with stable key order and one line per step, so that differences read well.
//
//     {"tileloom": 1, "title": …, "function": TVMScript, "current": …, "lesson": name or null,
//      "intrinsics": [{"name", "text": TVMScript of its description and implementation}, …] where it has its own,
//      "folds": [{"title": English, "words": what says it in other languages, "outer": index of a fold before}, …]
//      where there are some,
//      "nodes": [{"id", "parent", "lines": ["step", …], "uids": […], "trailing": […], "name", "note", "pinned",
//      "deleted", "fold": index}, …], "layout": …}
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "core/document/target.h"

namespace loom::document {

inline constexpr int kDocumentVersion = 1;

// Returns the text of a document.
std::string writeDocument(const Target& target);
// Reads a document and applies all its steps. Ids stay, because steps keep their uids. If a step no longer applies, the
// target has the states before it, Target::refusal says why, and the refused states are kept in Target::refused, to be
// written back. Errors: "ParseError" if the text is no document; "NewerVersion" if a newer program wrote it.
Result<Target> readDocument(const std::string& text, const std::string& file, const schedule::Environment& environment);
Result<Target> openDocument(const std::filesystem::path& file, const schedule::Environment& environment);

// Checks that `writeFile` can write there, for use before long work. Error "CantWrite".
Result<void> canWrite(const std::filesystem::path& file);
// Writes a file: first a temporary one beside it, which is then renamed, so that a full disk or a crash leaves the old
// file intact. Error "CantWrite".
Result<void> writeFile(const std::filesystem::path& file, const std::string& content);

// Writes the files of an export, given by name and content. A single file with an empty name is written as `to` itself;
// others go into the folder `to`, which is made if needed. The folder around `to` must exist, so that a misspelt path
// makes no tree of folders. Error "CantWrite".
Result<void> writeFiles(const std::filesystem::path& to, const std::map<std::string, std::string>& files);

}  // namespace loom::document
