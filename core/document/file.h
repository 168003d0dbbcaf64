// Reads and writes documents: files NAME.tileloom, which hold a program and the tree of its states as JSON. A state (a
// node) is the program after some schedule steps, and a Target the opened program with all its states. A state's
// "lines" are the accessor lines, which only look up loops and blocks, and the step that led to it; "trailing" has
// accessor lines that follow it. The uid of a line is part of the ids of the loops, blocks and buffers that it made.
// Keys have a stable order and each state has a line of its own, so that differences between versions are easy to read.
//
//     {"tileloom": 1, "title": …, "lesson": name or null, "function": TVMScript, "current": id of a node,
//      "chapters": [id of the node at the end of each of the lesson's chapters],
//      "sizes": {symbol: [values]} if some are named,
//      "intrinsics": [{"name", "text": TVMScript of its description and implementation}, …] if it registers some,
//      "folds": [{"title": English, "words": the title for other languages, "outer": index of an earlier fold}, …]
//      if there are some (a fold is a group of states under one title),
//      "nodes": [{"id", "parent": id or -1, "lines": ["step", …], "uids": [one for each line], "trailing": [accessor
//      lines], "trailing_uids": […], "name", "note", "pinned", "deleted", "fold": index}, …]}
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "core/document/target.h"

namespace loom::document {

// The value of "tileloom" in documents that this program writes; it reads no higher ones.
inline constexpr int kDocumentVersion = 1;

// Returns the text of a document.
std::string writeDocument(const Target& target);
// Reads a document and applies all its steps. The ids of loops, blocks and buffers are those of the saved program,
// because steps keep their uids. If a step no longer applies, the target has the states before it, and Target::refused
// keeps the states that can't be made, so that saving writes them back; Target::refusal says why, but not for states
// that the user had deleted. `file` is the name for messages. `environment` has the tensor intrinsics that steps may
// name besides the document's own; the target doesn't refer to it. Errors: "ParseError" if the text is no document, or
// its function no TVMScript; "ValueError" if the function can't be scheduled, or if a registered pair of functions
// can't be a tensor intrinsic; "NewerVersion" if a newer program wrote the text.
Result<Target> readDocument(const std::string& text, const std::string& file, const schedule::Environment& environment);
// Reads the file and returns what `readDocument` makes of its text. Errors also those of reading a file ("NoSuchFile",
// "CantRead", "TooLarge").
Result<Target> openDocument(const std::filesystem::path& file, const schedule::Environment& environment);

// Checks that `writeFile` can write this file, for use before long work; leaves nothing behind. Error "CantWrite".
Result<void> canWrite(const std::filesystem::path& file);
// Writes a file: first a temporary one beside it, which is then renamed, so that a full disk or a crash leaves the old
// file intact. Error "CantWrite".
Result<void> writeFile(const std::filesystem::path& file, const std::string& content);

// Writes the files of an export, given by name and content. A single file with an empty name is written as `to` itself;
// others, whose names are no paths, go into the folder `to`, which is made if needed and keeps its other files. The
// folder around `to` must exist, so that a misspelt path makes no tree of folders. Error "CantWrite", after which some
// of the files may have been written.
Result<void> writeFiles(const std::filesystem::path& to, const std::map<std::string, std::string>& files);

}  // namespace loom::document
