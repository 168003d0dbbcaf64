// Lessons: a folder with a function, steps in chapters, and text in two languages.
//
//     lesson.json   {"title": {"en", "zh"}, "function": "function.py",
//                    "chapters": [{"id", "title": {"en", "zh"}, "steps": "steps/NAME.sched.py", "from": "id of a
//                    chapter"}]}
//     en.md, zh.md  a section `## id` for each chapter; a phrase may point at something in a panel (pointer.h),
//                  a figure be filled in from what is known of a state (figure.h)
//
// A chapter goes on where the one before it ended, or, as a branch, where `from` ended. The first chapter may have no
// steps.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/ir/result.h"

namespace loom::document {

// "en" or "zh" → text.
using Translated = std::map<std::string, std::string>;
// The text in the language, else in English.
const std::string& in(const Translated& text, const std::string& language);

struct Chapter {
  std::string id;
  Translated title;
  Translated text;    // Markdown
  std::string steps;  // step lines; empty for a chapter that only explains
  std::string file;   // the steps' file, for messages
  int from = -1;      // index of the chapter that it starts at the end of; -1: the unscheduled program
};

struct Lesson {
  std::string name;  // the folder's
  Translated title;
  std::string function;      // TVMScript
  std::string functionFile;  // for messages
  std::vector<Chapter> chapters;
};

// Errors: "NoSuchFile", "ParseError" with the place, "LessonError" for a lesson that contradicts itself, or whose text
// points at what there can't be, with the line.
Result<Lesson> loadLesson(const std::filesystem::path& folder);
// Names of the lessons under `assets`/lessons, sorted.
std::vector<std::string> lessonNames(const std::filesystem::path& assets);

// A whole file. "NoSuchFile" or "CantRead"; at most 64 MiB ("TooLarge").
Result<std::string> readFile(const std::filesystem::path& file);

}  // namespace loom::document
