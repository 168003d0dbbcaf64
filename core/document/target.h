// What the command line and the window open: a lesson's name, a document, a function with or without a schedule.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/document/history.h"
#include "core/document/lesson.h"

namespace loom::document {

// A node of a document whose step is refused here, or that follows such a node: it can't be shown, and is written back
// as it was, so that nothing is lost where, say, an intrinsic is missing.
struct RefusedNode {
  int parent = 0;                     // index of the state it follows; of a refused node where `followsRefused`
  bool followsRefused = false;        // `parent` counts in Target::refused
  bool trailing = false;              // only the accessor lines at the state `parent`
  std::string json;                   // as it was read
  std::vector<std::size_t> chapters;  // whose end it is
};

struct OwnIntrinsics;
struct TunedTime;

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

// What the target's steps are applied with: `environment`, or, where it has intrinsics of its own, those beside the
// others. Refers to what the target shares: valid as long as it, or a copy of it, lives.
schedule::Environment environmentOf(const Target& target, const schedule::Environment& environment);

// Whether every step of the lesson up to the end of a chapter still stands, in its order, on the way to that chapter's
// end: what the chapter's text speaks of. Requires the lesson.
bool hasLessonsSteps(const Target& target, std::size_t chapter);

// The unscheduled function of a text.
Result<Target> openFunction(const std::string& text, const std::string& file);
// Applies all chapters. "LessonError" when a step is refused: lessons are tested.
Result<Target> openLesson(const Lesson& lesson, const schedule::Environment& environment);

// `words`: one (lesson, document or function) or two (function, schedule). Errors as those of the parts; "NoSuchTarget"
// for a word that is neither a lesson nor a file.
Result<Target> openTarget(const std::vector<std::string>& words, const std::filesystem::path& assets,
                          const schedule::Environment& environment);

}  // namespace loom::document
