#include "app/panels/lesson/view/chapter_steps.h"

#include <algorithm>

#include "core/document/chapter_order.h"
#include "core/script/line_diff.h"

namespace loom::session {
namespace {

// Lines that only look up loops and blocks aren't among them.
std::vector<std::string> stepsTo(const document::History& history, int node) {
  std::vector<std::string> steps;
  for (const int at : history.path(node))
    if (const document::Line* step = history.node(at).step()) steps.push_back(step->source);
  return steps;
}

// A line that both have was moved only.
void dropMoved(std::vector<ChapterSteps::Line>& lines) {
  for (std::size_t i = 0; i < lines.size();) {
    const auto other = std::find_if(lines.begin() + std::ptrdiff_t(i) + 1, lines.end(), [&](const auto& line) {
      return line.source == lines[i].source && line.isOwn != lines[i].isOwn;
    });
    if (other == lines.end()) {
      ++i;
      continue;
    }
    lines.erase(other);
    lines.erase(lines.begin() + std::ptrdiff_t(i));
  }
}

}  // namespace

ChapterSteps chapterSteps(const document::Target& target, std::size_t chapter) {
  ChapterSteps steps;
  steps.with = document::comparedChapter(*target.lesson, chapter);
  const int before = steps.with < 0 ? 0 : target.chapterNodes[std::size_t(steps.with)];
  const std::vector<std::string> own = stepsTo(target.history, target.chapterNodes[chapter]);
  const script::LineDiff diff = script::diffLines(stepsTo(target.history, before), own);
  auto gone = diff.gone.begin();
  for (std::size_t i = 0; i <= own.size(); ++i) {
    for (; gone != diff.gone.end() && gone->at == int(i); ++gone) steps.lines.push_back({false, gone->text});
    if (i < own.size() && i < diff.marks.size() && diff.marks[i] != script::Mark::kSame)
      steps.lines.push_back({true, own[i]});
  }
  dropMoved(steps.lines);
  return steps;
}

}  // namespace loom::session
