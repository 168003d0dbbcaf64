// What the command line and the window open: the name of a lesson or of a function of the assets, a document, a
// function with or without a schedule.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/document/history.h"
#include "core/document/lesson.h"

namespace loom::document {

// A state of a document that can't be restored here because its step, or one before it, is refused, for instance for
// want of an intrinsic. It isn't shown, but saving the document writes it back as it was read, so that nothing is lost.
struct RefusedNode {
  int parent = 0;                     // the state that it follows, as an index into the history
  bool followsRefused = false;        // whether `parent` is an index into Target::refused instead
  bool trailing = false;              // whether only the accessor lines at the state `parent` are refused
  std::string json;                   // as it was read
  std::vector<std::size_t> chapters;  // chapters of the lesson that end with it
};

struct OwnIntrinsics;
struct TunedTime;

// What was opened: a program with its history, and where it came from.
struct Target {
  std::string title;
  History history;
  std::optional<Lesson> lesson = {};
  std::vector<int> chapterNodes = {};                  // of the lesson: the state at each chapter's end
  std::optional<std::filesystem::path> file = {};      // the document it was read from
  std::optional<Error> refusal = {};                   // of a schedule's line; the states before it are there
  std::string lessonName = {};                         // of a document that was made from a lesson
  std::vector<RefusedNode> refused = {};               // of a document
  std::vector<Message> remarks = {};                   // what of a document or text is passed over, a sentence each
  std::shared_ptr<const OwnIntrinsics> own = nullptr;  // intrinsics that it registers; null: none (own_intrinsics.h)
  std::shared_ptr<const TunedTime> tuned = nullptr;    // of a tuner's record; null: it is none (tuner_database.h)
};

// Returns the environment to apply the target's steps with: `environment`, and the target's own intrinsics if it has
// some. The result refers to memory that the target and its copies share, and is valid as long as one of these lives.
schedule::Environment environmentOf(const Target& target, const schedule::Environment& environment);

// Returns whether the path to the end of a chapter still has all steps of the lesson up to there, in their order, so
// that the chapter's text is true of it. The target must have a lesson.
bool hasLessonsSteps(const Target& target, std::size_t chapter);

// Opens a text with an unscheduled function. `file` is named in errors. Errors as those of the parser.
Result<Target> openFunction(const std::string& text, const std::string& file);
// Opens a lesson with the states of all its chapters. Error "LessonError" if one of its steps is refused.
Result<Target> openLesson(const Lesson& lesson, const schedule::Environment& environment);

// Opens what a person named: one word for a lesson, a document or a function, two for a function and a schedule's file.
// A function is a file, or one of the assets by its name, perhaps with sizes ("gemv:M=512", ready_function.h). Error
// "NoSuchTarget" if a word is none of these; otherwise those of the functions above.
Result<Target> openTarget(const std::vector<std::string>& words, const std::filesystem::path& assets,
                          const schedule::Environment& environment);

}  // namespace loom::document
