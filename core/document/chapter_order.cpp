#include "core/document/chapter_order.h"

#include <algorithm>
#include <string_view>

namespace loom::document {

int comparedChapter(const Lesson& lesson, std::size_t chapter) {
  const auto earlier = [&](const std::string& id) {
    const auto end = lesson.chapters.begin() + std::ptrdiff_t(chapter);
    const auto found = std::find_if(lesson.chapters.begin(), end, [&](const Chapter& c) { return c.id == id; });
    return found == end ? -1 : int(found - lesson.chapters.begin());
  };
  // Both languages quote the same figures; a language without a text has none.
  for (const auto& [language, text] : lesson.chapters.at(chapter).text) {
    for (std::size_t at = text.find("{{"); at != std::string::npos; at = text.find("{{", at + 2)) {
      const auto figure = figureAt(std::string_view(text).substr(at));
      if (!figure || figure->name != "measured") continue;
      if (const int named = earlier(figure->chapter); named >= 0) return named;
    }
  }
  return int(chapter) - 1;
}

int figureNode(const Target& target, const Figure& figure, int chapter) {
  const std::vector<Chapter>& chapters = target.lesson->chapters;
  const auto named = std::ranges::find(chapters, figure.chapter, &Chapter::id);
  const auto of = named == chapters.end() ? std::size_t(chapter) : std::size_t(named - chapters.begin());
  return target.chapterNodes[of];
}

int chapterEndingAt(const Target& target, int node) {
  if (!target.lesson) return -1;
  const auto found = std::find(target.chapterNodes.begin(), target.chapterNodes.end(), node);
  return found == target.chapterNodes.end() ? -1 : int(found - target.chapterNodes.begin());
}

int comparedEnd(const Target& target, int node) {
  for (int chapter = chapterEndingAt(target, node); chapter >= 0;) {
    chapter = comparedChapter(*target.lesson, std::size_t(chapter));
    const int end = chapter < 0 ? -1 : target.chapterNodes[std::size_t(chapter)];
    if (end >= 0 && end != node && !target.history.isHidden(end)) return end;
  }
  return -1;
}

}  // namespace loom::document
