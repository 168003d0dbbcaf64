#include "core/document/figure.h"

#include <algorithm>
#include <array>

namespace loom::document {

namespace {

constexpr std::array<std::string_view, 20> kNames = {"predicted",    "measured",     "blocks",        "multiprocessors",
                                                     "idle",         "shared",       "ways",          "conflicts",
                                                     "l2",           "fit",          "memory_clocks", "tensor_clocks",
                                                     "published",    "memory_alone", "issue_alone",   "barrier_alone",
                                                     "tensor_alone", "l2_alone",     "fp32_alone",    "products"};

}  // namespace

std::span<const std::string_view> figureNames() { return kNames; }

std::optional<Figure> figureAt(std::string_view text) {
  if (!text.starts_with("{{")) return std::nullopt;
  const std::size_t end = text.find("}}");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(2, end - 2);
  if (inside.find('\n') != std::string_view::npos) return std::nullopt;
  const std::size_t blank = inside.find(' ');
  Figure figure{std::string(inside.substr(0, blank)), "", end + 2};
  if (blank != std::string_view::npos) figure.chapter = inside.substr(blank + 1);
  return figure;
}

std::string withFigures(std::string_view text, const std::function<std::string(const Figure&)>& value) {
  std::string filled;
  while (!text.empty()) {
    const auto figure = figureAt(text);
    filled += figure ? value(*figure) : std::string(text.substr(0, 1));
    text.remove_prefix(figure ? figure->length : 1);
  }
  return filled;
}

std::optional<Error> figureProblem(std::string_view text, const std::set<std::string>& chapters,
                                   const std::map<std::string, double>& published) {
  for (std::size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at + 2)) {
    const auto figure = figureAt(text.substr(at));
    Message what;
    if (!figure) {
      what = message("a figure is written {{{{name}}}} or {{{{name chapter}}}}, on one line");
    } else if (std::find(kNames.begin(), kNames.end(), figure->name) == kNames.end()) {
      what = message("there is no figure \"{}\"", figure->name);
    } else if (figure->name == "published") {
      if (published.contains(figure->chapter)) continue;
      what = message("no published time of \"{}\" is known", figure->chapter);
    } else if (!figure->chapter.empty() && chapters.count(figure->chapter) == 0) {
      what = message("there is no chapter \"{}\" that a figure could be of", figure->chapter);
    } else {
      continue;
    }
    Error error = fail("LessonError", std::move(what), Forbids::Input).value();
    const std::string_view before = text.substr(0, at);
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    error.place.line = int(std::count(before.begin(), before.end(), '\n')) + 1;
    error.place.column = int(before.size() - start) + 1;
    error.place.text = text.substr(start, text.find('\n', start) - start);
    return error;
  }
  return std::nullopt;
}

}  // namespace loom::document
