// A target is what the command line and the window open: a lesson or a function of the assets, a document, a tuner's
// database, or a function of a file with or without a schedule.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/document/history.h"
#include "core/document/lesson.h"

namespace loom::document {

// A part of a document that can't be restored because a step line in it is refused, for instance because a tensor
// intrinsic isn't known. It isn't shown, but saving the document writes it back as it was read. Either a state (the
// program after some schedule steps) of which the step, or an earlier one, is refused; or, with `trailing`, the
// accessor lines (look-ups of loops and blocks) that a document has after the step of a state, which is itself restored
// and shown.
struct RefusedNode {
  int parent = 0;  // the state that it follows, or whose accessor lines these are, as an index into the history
  bool followsRefused = false;  // whether `parent` is an index into Target::refused instead
  bool trailing = false;        // whether only accessor lines of `parent` are refused
  std::string json;  // JSON of the state as it was read; with `trailing` that of `parent`, its accessor lines included
  std::vector<std::size_t> chapters;  // indices of the lesson's chapters that end with this state
};

struct OwnIntrinsics;  // own_intrinsics.h
struct TunedTime;      // tuner_database.h

// A program that was opened, with its history and its origin.
struct Target {
  std::string title;
  History history;
  // The lesson, also for a document that was made from one; nothing for other targets, and for such a document if its
  // lesson isn't among the assets or has fewer chapters (`remarks` then says so).
  std::optional<Lesson> lesson = {};
  // For each chapter of the lesson, the state at its end, as an index into the history. A deleted state stays here. For
  // an end that a document can't restore (RefusedNode::chapters), 0 stands here, which is the unscheduled program. A
  // document that was made from a lesson has these even if `lesson` is empty; other targets have none.
  std::vector<int> chapterNodes = {};
  std::optional<std::filesystem::path> file = {};  // the document that the target was read from; nothing: none
  // Why a line of the schedule, the tuning record or the document was refused; nothing if none was. Of a schedule or a
  // record, the history has the states before that line; of a document, all states that can be restored, and this is
  // about the first of `refused` that the user hadn't deleted.
  std::optional<Error> refusal = {};
  std::string lessonName = {};            // name of the lesson, also of the one a document was made from; "": none
  std::vector<RefusedNode> refused = {};  // states of the document that can't be restored
  std::vector<Message> remarks = {};      // a sentence for each part of a document or text that is ignored
  // The tensor intrinsics that the target's text registers; null if it registers none.
  std::shared_ptr<const OwnIntrinsics> own = nullptr;
  // The time of the tuning record that the target was opened from; null if it wasn't opened from one.
  std::shared_ptr<const TunedTime> tuned = nullptr;
};

// Returns the environment to apply the target's steps with: `environment` itself, or, if the target has intrinsics of
// its own, a library of both. That library lives as long as the target or a copy of it; the result must not be used any
// longer.
schedule::Environment environmentOf(const Target& target, const schedule::Environment& environment);

// Returns whether the path to the state at the end of a chapter still has all steps of the lesson up to there, in their
// order, so that the chapter's text holds for that state, which may be deleted. If a document can't restore that state,
// this is false, unless the lesson has no steps up to there. `target.lesson` must be set and have the chapter.
bool hasLessonsSteps(const Target& target, std::size_t chapter);

// Opens a text with an unscheduled function, as TVMScript or as JSON that TVM saved. `file` is named in errors. Errors:
// "ParseError" with the place if the text can't be read, "ValueError" if the function can't be scheduled, or other
// errors that the parser finds.
Result<Target> openFunction(const std::string& text, const std::string& file);
// Opens a lesson with the states of all its chapters. Errors: why one of its steps is refused, with the
// chapter's id, and those of `openFunction` for the lesson's function.
Result<Target> openLesson(const Lesson& lesson, const schedule::Environment& environment);

// Opens the target that a user names by one word (a lesson, a document, a database, of which the best record is opened,
// or a function) or by two (a function and the file of a schedule). A function is named by its file, or by its name in
// the assets; only that name may be followed by sizes ("gemv:M=512,K=100"). Error "NoSuchTarget" if a word is none of
// these, or for another number of words; other errors are those of reading the target. A step line of a schedule, a
// record or a document that is refused is no error (Target::refusal); one of a lesson is (`openLesson`).
Result<Target> openTarget(const std::vector<std::string>& words, const std::filesystem::path& assets,
                          const schedule::Environment& environment);

}  // namespace loom::document
