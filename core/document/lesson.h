// Lessons: a folder with a function, schedule steps in chapters, and text in two languages. A state is the function
// after some of the steps.
//
//     lesson.json   {"title": {"en", "zh"}, "function": "function.py",
//                    "chapters": [{"id", "title": {"en", "zh"}, "steps": "steps/NAME.sched.py", "from": "id of a
//                    chapter", "configurations": "configurations/NAME.json", "guess": true}],
//                    "published": {"id": microseconds}}
//     en.md, zh.md  a section `## id` for each chapter, in Markdown, which may have pointers to panels of the window,
//                  `[phrase](look:panel/target)`, and placeholders for figures of a state, `{{predicted}}`
//
// A chapter starts at the state where the previous chapter ends, or where the chapter `from` ends: an earlier chapter,
// or "LESSON/id", a chapter of another lesson of the same function. The first chapter may have no steps. A chapter may
// compare configurations, which are schedules that differ in a few decisions; with `guess` the reader is asked to pick
// one before their times are shown. `published` has times (µs) that others have published for what a chapter does.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/document/configurations.h"
#include "core/ir/result.h"

namespace loom::document {

// Returns the text in the language ("en" or "zh"), or without that in English, as a reference into `text`; "" if there
// is neither.
const std::string& in(const Translated& text, const std::string& language);

// A chapter of a lesson.
struct Chapter {
  std::string id;
  Translated title;
  Translated text;     // Markdown
  std::string before;  // step lines of another lesson that come before `steps`; empty: it starts in this lesson
  std::string steps;   // step lines of the chapter; empty for a chapter that only explains
  std::string file;    // the path of the file of `steps`, that of the lesson's folder included, for messages
  int from = -1;       // index of the chapter at whose end it starts; -1: the unscheduled program, then `before`
  std::optional<Configurations> configurations;  // the schedules that the chapter compares; nothing: it compares none
  bool guess = false;                            // whether the reader guesses among `configurations`
};

// A lesson, as its folder in assets/lessons has it.
struct Lesson {
  std::string name;  // the name of the lesson's folder
  Translated title;
  std::string function;                     // TVMScript
  std::string functionFile;                 // the path of the file of `function`, as Chapter::file
  std::map<std::string, double> published;  // id in texts ({{published ID}}) → time in µs
  std::vector<Chapter> chapters;
};

// Reads a lesson. Its step lines aren't applied; a language whose text file can't be read has no texts. Errors:
// "NoSuchFile", "CantRead" or "TooLarge" for any other file that can't be read; "ParseError" for a file of
// configurations that is no JSON; "LessonError", with the place, if lesson.json is no JSON, the lesson contradicts
// itself or has no chapters, or a pointer in its text is wrong (pointer.h).
Result<Lesson> loadLesson(const std::filesystem::path& folder);
// Returns the names of the lessons in the folder `assets`/lessons, sorted; none if there is no such folder.
std::vector<std::string> lessonNames(const std::filesystem::path& assets);

// Returns the content of a file. Errors: "NoSuchFile", "CantRead", and "TooLarge" for more than 64 MiB.
Result<std::string> readFile(const std::filesystem::path& file);

}  // namespace loom::document
