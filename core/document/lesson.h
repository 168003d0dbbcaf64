// Lessons: a folder with a function, steps in chapters, and text in two languages.
//
//     lesson.json   {"title": {"en", "zh"}, "function": "function.py",
//                    "chapters": [{"id", "title": {"en", "zh"}, "steps": "steps/NAME.sched.py", "from": "id of a
//                    chapter", "configurations": "configurations/NAME.json", "guess": true}],
//                    "published": {"id": microseconds}}
//     en.md, zh.md  a section `## id` for each chapter; a phrase may point at something in a panel (pointer.h),
//                  a figure be filled in from what is known of a state (figure.h)
//
// A chapter goes on where the one before it ended, or, as a branch, where `from` ended: a chapter before it, or
// "LESSON/id", one of another lesson of the same function. The first chapter may have no steps. A chapter may compare
// configurations (configurations.h); with `guess` the reader is asked to pick one before their times are shown.
// `published` are times that others have measured of what chapters do; the text says who.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/document/configurations.h"
#include "core/ir/result.h"

namespace loom::document {

// Returns the text in the language, or in English if there is none.
const std::string& in(const Translated& text, const std::string& language);

// A chapter of a lesson.
struct Chapter {
  std::string id;
  Translated title;
  Translated text;     // Markdown
  std::string before;  // step lines of another lesson that it starts at the end of; empty: it starts in this one
  std::string steps;   // step lines; empty for a chapter that only explains
  std::string file;    // the steps' file, for messages
  int from = -1;       // index of the chapter that it starts at the end of; -1: the unscheduled program
  std::optional<Configurations> configurations;
  bool guess = false;  // whether the reader guesses among `configurations`
};

// A lesson, as its folder in assets/lessons has it.
struct Lesson {
  std::string name;  // the folder's
  Translated title;
  std::string function;                     // TVMScript
  std::string functionFile;                 // for messages
  std::map<std::string, double> published;  // microseconds
  std::vector<Chapter> chapters;
};

// Reads a lesson. Errors: "NoSuchFile"; "ParseError" with the place; "LessonError", with the line, if the lesson
// contradicts itself or its text points at something that can't exist.
Result<Lesson> loadLesson(const std::filesystem::path& folder);
// Returns the names of the lessons in the folder `assets`/lessons, sorted.
std::vector<std::string> lessonNames(const std::filesystem::path& assets);

// Returns the content of a file. Errors: "NoSuchFile", "CantRead", and "TooLarge" for more than 64 MiB.
Result<std::string> readFile(const std::filesystem::path& file);

}  // namespace loom::document
