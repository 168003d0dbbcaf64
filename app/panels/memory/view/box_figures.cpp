#include "app/panels/memory/view/box_figures.h"

#include <algorithm>
#include <optional>

namespace loom::session {
namespace {

using Widths = std::function<float(const std::string&)>;

// The first text that fits with its blanks; else the first that does without.
std::optional<std::string> oneLine(const std::vector<std::string>& texts, float room, const Widths& widthOf) {
  for (const std::string& text : texts) {
    if (widthOf(text) <= room) return text;
  }
  for (const std::string& text : texts) {
    std::string close = text;
    std::erase(close, ' ');
    if (widthOf(close) <= room) return close;
  }
  return std::nullopt;
}

// The text on several lines, broken at blanks and before "/"; none where a piece is too wide.
std::vector<BoxFigure> broken(const std::string& text, float room, const Widths& widthOf) {
  std::vector<BoxFigure> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" /", from + 1), text.size());
    std::string piece = text.substr(from, end - from);
    from = end;
    if (!lines.empty() && widthOf(lines.back().text + piece) <= room) {
      lines.back().text += piece;
      continue;
    }
    if (piece.front() == ' ') piece.erase(0, 1);
    if (widthOf(piece) > room) return {};
    lines.push_back({piece, ""});
  }
  return lines;
}

}  // namespace

std::vector<BoxFigure> boxFigures(const std::vector<std::string>& texts, const std::string& conflict, float room,
                                  float between, int most, const Widths& widthOf) {
  const float taken = conflict.empty() ? 0 : widthOf(conflict) + between;
  if (const auto text = oneLine(texts, room - taken, widthOf); text && most > 0) return {{*text, conflict}};
  const bool conflictFits = !conflict.empty() && widthOf(conflict) <= room;
  if (const auto text = oneLine(texts, room, widthOf); text && most > 1 && conflictFits)
    return {{*text, ""}, {"", conflict}};
  std::vector<BoxFigure> best;
  for (const std::string& text : texts) {
    std::vector<BoxFigure> lines = broken(text, room, widthOf);
    if (lines.empty()) continue;
    if (conflictFits) {
      if (widthOf(lines.back().text) + taken <= room) {
        lines.back().conflict = conflict;
      } else {
        lines.push_back({"", conflict});
      }
    }
    if (int(lines.size()) <= most && (best.empty() || lines.size() < best.size())) best = std::move(lines);
  }
  if (best.empty() && conflictFits && most > 0) best.push_back({"", conflict});
  return best;
}

}  // namespace loom::session
