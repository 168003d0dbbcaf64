#include "core/document/target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/document/apply_script.h"
#include "core/document/file.h"
#include "core/document/open_text.h"
#include "core/document/own_intrinsics.h"
#include "core/document/ready_function.h"
#include "core/document/tuner_database.h"
#include "core/schedule/trace.h"
#include "core/script/parser.h"
#include "core/script/saved_program.h"
#include "core/script/step_line.h"

namespace loom::document {
namespace fs = std::filesystem;

bool hasLessonsSteps(const Target& target, std::size_t chapter) {
  std::vector<std::size_t> chain;
  for (int at = int(chapter); at >= 0; at = target.lesson->chapters.at(std::size_t(at)).from)
    chain.push_back(std::size_t(at));
  std::vector<std::string> expected;
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    const Chapter& one = target.lesson->chapters[*at];
    const auto calls = script::parseSchedule(one.before + one.steps, "");
    if (!calls) return false;
    for (const script::StepCall& call : *calls) expected.push_back(call.source);
  }
  auto next = expected.begin();
  auto pass = [&](const std::vector<Line>& lines) {
    for (const Line& line : lines) next += next != expected.end() && line.source == *next;
  };
  for (const int at : target.history.path(target.chapterNodes.at(chapter))) {
    pass(target.history.node(at).lines);
    pass(target.history.node(at).trailing);
  }
  return next == expected.end();
}

Result<Target> openModule(const ir::Module& module, const std::string& title,
                          const std::vector<std::string>& passedOver) {
  auto history = History::create(module);
  if (!history) return Failure(history.error());
  Target target{title, std::move(*history)};
  if (!passedOver.empty()) {
    target.remarks.push_back(message("passed over, since they aren't TIR's: {}", fmt::join(passedOver, ", ")));
  }
  return target;
}

Result<Target> openFunction(const std::string& text, const std::string& file) {
  if (schedule::isTraceJson(text)) {
    auto program = script::readSavedProgram(text, file);
    if (!program) return Failure(program.error());
    return openModule(program->module, fs::path(file).stem().string(), program->passedOver);
  }
  auto module = script::parseModule(text, file);
  if (!module) return Failure(module.error());
  auto history = History::create(*module);
  if (!history) {
    Error e = history.error();
    e.place.file = file;
    return Failure(std::move(e));
  }
  std::string title = fs::path(file).stem().string();
  return Target{title, std::move(*history)};
}

Result<Target> openLesson(const Lesson& lesson, const schedule::Environment& environment) {
  auto target = openFunction(lesson.function, lesson.functionFile);
  if (!target) return target;
  target->title = lesson.name;
  for (const Chapter& chapter : lesson.chapters) {
    int at = chapter.from < 0 ? 0 : target->chapterNodes.at(std::size_t(chapter.from));
    for (const std::string* lines : {&chapter.before, &chapter.steps}) {
      auto applied = target->history.apply(at, *lines, environment, chapter.file);
      if (applied && !applied->refusal) {
        at = applied->node;
        continue;
      }
      Error e = applied ? *applied->refusal : applied.error();
      e.message = message("chapter \"{}\": {}", chapter.id, e.message);
      // Lines of another lesson have no place in a file of this one.
      if (lines == &chapter.before) e.place = {};
      e.place.file = chapter.file;
      return Failure(std::move(e));
    }
    target->chapterNodes.push_back(at);
  }
  target->history.select(0);
  target->lesson = lesson;
  target->lessonName = lesson.name;
  return target;
}

Result<Target> openTarget(const std::vector<std::string>& words, const fs::path& assets,
                          const schedule::Environment& environment) {
  if (words.empty() || words.size() > 2)
    return fail("NoSuchTarget", message("a target is one or two words"), Forbids::Input);
  std::error_code error;
  auto isLesson = [&](const std::string& word) {
    return fs::exists(assets / "lessons" / word / "lesson.json", error) && word.find('/') == std::string::npos;
  };
  if (words.size() == 1) {
    const std::string& word = words[0];
    if (isLesson(word)) {
      auto lesson = loadLesson(assets / "lessons" / word);
      if (!lesson) return Failure(lesson.error());
      return openLesson(*lesson, environment);
    }
    if (auto database = openDatabase(word, environment)) return std::move(*database);
    if (!fs::exists(word, error)) {
      if (auto ready = openReadyWord(word, assets, environment)) return std::move(*ready);
      const auto functions = readyFunctions(assets);
      std::vector<std::string> names;
      for (const ReadyFunction& f : functions ? *functions : std::vector<ReadyFunction>()) names.push_back(f.name);
      return fail("NoSuchTarget",
                  message("\"{}\" is neither a file nor a lesson (lessons: {}; functions: {})", word,
                          fmt::join(lessonNames(assets), ", "), fmt::join(names, ", ")),
                  Forbids::Input);
    }
    if (fs::path(word).extension() == ".tileloom") {
      auto target = openDocument(word, environment);
      // The lesson's text comes with the program, its states with the document.
      if (target && !target->lessonName.empty() && target->lessonName.find('/') == std::string::npos) {
        auto lesson = loadLesson(assets / "lessons" / target->lessonName);
        // A lesson grows at its end: a document of before knows its first chapters.
        if (!lesson) {
          target->remarks.push_back(
              message("the text of its lesson {} isn't there: {}", target->lessonName, lesson.error().message));
        } else if (lesson->chapters.size() < target->chapterNodes.size()) {
          target->remarks.push_back(
              message("its lesson {} has fewer chapters here ({}) than the document ({}): without its text",
                      target->lessonName, lesson->chapters.size(), target->chapterNodes.size()));
        } else {
          lesson->chapters.resize(target->chapterNodes.size());
          target->lesson = *lesson;
        }
      }
      return target;
    }
  }
  if (isLesson(words[0])) {
    return fail("NoSuchTarget",
                message("the lesson {} has its own schedule: \"{}\" is one word too many (several values of an option "
                        "are parted by commas: 512,1024)",
                        words[0], words[1]),
                Forbids::Input);
  }
  auto text = readFile(words[0]);
  // Before a schedule, too, a function of the assets stands by its name.
  auto ready = text || text.error().code != "NoSuchFile" ? std::nullopt : openReadyWord(words[0], assets, environment);
  if (!text && !ready) return Failure(text.error());
  // A module that TVM saved is JSON, as a notebook is.
  const bool saved = text && schedule::isTraceJson(*text) && fs::path(words[0]).extension() != ".ipynb";
  auto target = ready   ? std::move(*ready)
                : saved ? openFunction(*text, words[0])
                        : openText(*text, words[0], environment);
  if (!target && !ready && fs::path(words[0]).extension() != ".py") {
    Error e = target.error();
    e.message = message("neither a document (.tileloom) nor a TVMScript function (.py): {}", e.message);
    return Failure(std::move(e));
  }
  if (!target || words.size() == 1) return target;
  auto schedule = readFile(words[1]);
  std::optional<Error> end;  // of a trace: the instruction that there is no primitive for
  if (schedule) schedule = schedule::stepLines(std::move(*schedule), words[1], &end);
  if (!schedule) return Failure(schedule.error());
  std::vector<notebook::RegisteredIntrinsic> registered;
  auto applied = applyScript(target->history, 0, *schedule, words[1], environmentOf(*target, environment),
                             target->remarks, &registered);
  if (!applied) return Failure(applied.error());
  if (!registered.empty()) {
    std::vector<notebook::RegisteredIntrinsic> all =
        target->own ? target->own->registered : std::vector<notebook::RegisteredIntrinsic>();
    for (auto& made : registered) {
      std::erase_if(all, [&](const auto& other) { return other.name == made.name; });
      all.push_back(std::move(made));
    }
    auto own = ownIntrinsics(std::move(all), environment);
    if (!own) return Failure(own.error());
    target->own = std::move(*own);
  }
  target->refusal = applied->refusal ? applied->refusal : end;
  if (target->refusal && target->refusal->place.file.empty()) target->refusal->place.file = words[1];
  return target;
}

}  // namespace loom::document
