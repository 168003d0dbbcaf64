#include "core/document/lesson.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "core/document/figure.h"
#include "core/document/json_text.h"
#include "core/document/pointer.h"

namespace loom::document {
namespace fs = std::filesystem;
using json = nlohmann::ordered_json;
namespace {

Failure broken(const fs::path& file, Message what) {
  auto failure = fail("LessonError", std::move(what), Forbids::Input);
  failure.value().place.file = file.string();
  return failure;
}

// Sections of a Markdown file by their `## id` headings.
std::map<std::string, std::string> sections(const std::string& text) {
  std::map<std::string, std::string> found;
  std::string* current = nullptr;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("## ")) {
      current = &found[line.substr(3)];
    } else if (current && !(current->empty() && line.empty())) {
      *current += line + "\n";
    }
  }
  for (auto& [id, body] : found) {
    while (!body.empty() && body.back() == '\n') body.pop_back();
  }
  return found;
}

// The step lines from the unscheduled program to the end of a chapter.
std::string linesTo(const Lesson& lesson, int chapter) {
  std::string lines;
  for (int at = chapter; at >= 0; at = lesson.chapters[std::size_t(at)].from) {
    const Chapter& one = lesson.chapters[std::size_t(at)];
    lines = one.before + one.steps + lines;
  }
  return lines;
}

Result<Lesson> loadLesson(const fs::path& folder, int depth);

// What the chapter "LESSON/id" of another lesson of the same function ends with. Where there is no such thing, a
// message says why.
Result<std::string> linesOfOther(const fs::path& folder, const std::string& from, const std::string& function,
                                 int depth) {
  const std::size_t slash = from.find('/');
  const std::string name = from.substr(0, slash), id = from.substr(slash + 1);
  const auto none = [](Message what) { return fail("LessonError", std::move(what), Forbids::Input); };
  if (name.empty() || name.starts_with('.') || depth > 2)
    return none(message("lesson \"{}\" can't be gone on with", name));
  const auto other = loadLesson(folder.parent_path() / name, depth + 1);
  if (!other) return Failure(other.error());
  if (other->function != function) return none(message("lesson \"{}\" is of another function", name));
  const auto at = std::ranges::find(other->chapters, id, &Chapter::id);
  if (at == other->chapters.end()) return none(message("lesson \"{}\" has no chapter \"{}\"", name, id));
  return linesTo(*other, int(at - other->chapters.begin()));
}

}  // namespace

const std::string& in(const Translated& text, const std::string& language) {
  static const std::string kNone;
  if (auto found = text.find(language); found != text.end()) return found->second;
  auto english = text.find("en");
  return english == text.end() ? kNone : english->second;
}

Result<std::string> readFile(const fs::path& file) {
  constexpr std::size_t kMost = std::size_t(64) << 20;
  auto failed = [&](const char* code, Message what) {
    auto failure = fail(code, std::move(what), Forbids::Input);
    failure.value().place.file = file.string();
    return failure;
  };
  std::error_code error;
  if (!fs::exists(file, error)) return failed("NoSuchFile", message("there is no such file"));
  if (fs::is_directory(file, error)) return failed("CantRead", message("it is a folder"));
  std::ifstream in(file, std::ios::binary);
  if (!in) return failed("CantRead", message("it can't be read"));
  // By parts: a pipe or a device has no size that could be asked for, and may have no end.
  std::string text, part(1 << 16, 0);
  while (in.read(part.data(), std::streamsize(part.size())) || in.gcount() > 0) {
    text.append(part.data(), std::size_t(in.gcount()));
    if (text.size() > kMost) return failed("TooLarge", message("it is larger than 64 MiB"));
  }
  if (in.bad()) return failed("CantRead", message("it can't be read"));
  return text;
}

std::vector<std::string> lessonNames(const fs::path& assets) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(assets / "lessons", error), end; !error && it != end; it.increment(error)) {
    if (fs::exists(it->path() / "lesson.json", error)) names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

// `depth`: how many lessons have been gone through to this one.
Result<Lesson> loadLesson(const fs::path& folder, int depth) {
  fs::path file = folder / "lesson.json";
  auto text = readFile(file);
  if (!text) return Failure(text.error());
  auto parsed = parseJson(*text, file.string());
  if (!parsed) {
    parsed.error().code = "LessonError";
    return Failure(parsed.error());
  }
  const json& j = *parsed;
  if (!j.is_object() || !j.contains("chapters") || !j["chapters"].is_array()) {
    return broken(file, message("is no JSON object with \"chapters\""));
  }
  Lesson lesson;
  lesson.name = folder.filename().string();
  lesson.title = translatedText(j.value("title", json()));
  if (j.contains("function") && !j["function"].is_string())
    return broken(file, message("\"function\" is no file name"));
  fs::path functionFile = folder / j.value("function", "function.py");
  auto function = readFile(functionFile);
  if (!function) return Failure(function.error());
  lesson.function = *function;
  lesson.functionFile = functionFile.string();
  std::set<std::string> ids;
  for (const json& c : j["chapters"]) {
    if (c.is_object() && c.contains("id") && c["id"].is_string()) ids.insert(c["id"].get<std::string>());
  }
  const json published = j.value("published", json::object());
  for (const auto& [id, microseconds] : published.items()) {
    if (!microseconds.is_number()) return broken(file, message("\"published\" has no time of \"{}\"", id));
    lesson.published[id] = microseconds.get<double>();
  }
  std::map<std::string, std::map<std::string, std::string>> texts;
  for (const char* language : {"en", "zh"}) {
    const fs::path text = folder / (std::string(language) + ".md");
    auto body = readFile(text);
    if (!body) continue;
    auto problem = pointerProblem(*body);
    if (!problem) problem = figureProblem(*body, ids, lesson.published);
    if (problem) {
      problem->place.file = text.string();
      return Failure(*problem);
    }
    texts[language] = sections(*body);
  }
  for (const json& c : j["chapters"]) {
    if (!c.is_object() || !c.contains("id") || !c["id"].is_string())
      return broken(file, message("a chapter has no \"id\""));
    Chapter chapter;
    chapter.id = c["id"].get<std::string>();
    for (const Chapter& other : lesson.chapters) {
      if (other.id == chapter.id) return broken(file, message("there are two chapters \"{}\"", chapter.id));
    }
    for (const char* key : {"from", "steps", "configurations"}) {
      if (c.contains(key) && !c[key].is_string()) {
        return broken(file, message("\"{}\" of chapter \"{}\" is no text", key, chapter.id));
      }
    }
    chapter.title = translatedText(c.value("title", json()));
    chapter.from = int(lesson.chapters.size()) - 1;
    const std::string from = c.value("from", "");
    if (from.find('/') != std::string::npos) {
      auto before = linesOfOther(folder, from, lesson.function, depth);
      if (!before && !before.error().place.file.empty()) return Failure(before.error());
      if (!before) return broken(file, message("chapter \"{}\": {}", chapter.id, before.error().message));
      chapter.before = std::move(*before);
      chapter.from = -1;
    } else if (c.contains("from")) {
      const auto at = std::ranges::find(lesson.chapters, from, &Chapter::id);
      if (at == lesson.chapters.end()) {
        return broken(file, message("chapter \"{}\" starts from \"{}\", which isn't before it", chapter.id, from));
      }
      chapter.from = int(at - lesson.chapters.begin());
    }
    if (c.contains("steps")) {
      fs::path steps = folder / c["steps"].get<std::string>();
      auto body = readFile(steps);
      if (!body) return Failure(body.error());
      chapter.steps = *body;
      if (!chapter.steps.empty() && !chapter.steps.ends_with('\n'))
        chapter.steps += '\n';  // the next file's lines follow
      chapter.file = steps.string();
    }
    if (c.contains("configurations")) {
      auto all = readConfigurations(folder, c["configurations"].get<std::string>());
      if (!all) return Failure(all.error());
      chapter.configurations = std::move(*all);
    }
    chapter.guess = chapter.configurations && c.value("guess", json()) == true;
    for (const auto& [language, parts] : texts) {
      auto part = parts.find(chapter.id);
      if (part != parts.end()) chapter.text[language] = part->second;
    }
    lesson.chapters.push_back(std::move(chapter));
  }
  if (lesson.chapters.empty()) return broken(file, message("has no chapters"));
  return lesson;
}

}  // namespace

Result<Lesson> loadLesson(const fs::path& folder) { return loadLesson(folder, 0); }

}  // namespace loom::document
