// Documents on disk: NAME.tileloom, JSON with stable key order and one line per step, so that differences read well.
//
//     {"tileloom": 1, "title": …, "function": TVMScript, "current": …, "lesson": name or null,
//      "intrinsics": [{"name", "text": TVMScript of its description and implementation}, …] where it has its own,
//      "nodes": [{"id", "parent", "lines": ["step", …], "uids": […], "trailing": […], "name", "note", "pinned",
//      "deleted"}, …], "layout": …}
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "core/document/target.h"

namespace loom::document {

inline constexpr int kDocumentVersion = 1;

std::string writeDocument(const Target& target);
// Every step is applied again; ids stay, because steps keep their uids. "ParseError" (no document), "NewerVersion"
// (made by a newer program), or a refusal, as `Target::refusal`, for steps that no longer apply: the states before them
// are there, and the refused ones are kept, `Target::refused`, and written back.
Result<Target> readDocument(const std::string& text, const std::string& file, const schedule::Environment& environment);
Result<Target> openDocument(const std::filesystem::path& file, const schedule::Environment& environment);

// Whether `writeFile` would find a place: asked before what takes long. "CantWrite".
Result<void> canWrite(const std::filesystem::path& file);
// To a temporary file beside it, then renamed: a full disk or a crash leaves the old one whole. "CantWrite".
Result<void> writeFile(const std::filesystem::path& file, const std::string& content);

// An export: content by file name. A single file of the empty name is `to` itself; others go into the folder `to`,
// which is made where it isn't there. The folder around `to` must be there: a word misspelt would make a tree of
// folders. "CantWrite".
Result<void> writeFiles(const std::filesystem::path& to, const std::map<std::string, std::string>& files);

}  // namespace loom::document
