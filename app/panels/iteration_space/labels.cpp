#include "app/panels/iteration_space/labels.h"

#include <fmt/format.h>

#include "app/notation/axis.h"
#include "app/notation/quantity_text.h"
#include "app/panels/iteration_space/words.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::iteration;
using session::IterationSpace;
using window::Look;
using Kind = session::SpaceLevel::Kind;

namespace {

std::string coverText(const Look& look, const session::AxisRange& cover) {
  if (cover.runs <= 1) return std::to_string(cover.size);
  if (!cover.even) return say(look, words::kScattered, cover.size);
  if (cover.run == 1) return say(look, words::kEvery, cover.size, cover.stride);
  return look.language == text::Language::kChinese ? say(look, words::kRuns, cover.size, cover.stride, cover.run)
                                                   : say(look, words::kRuns, cover.size, cover.run, cover.stride);
}

std::string extentsText(const session::Cuboid& bounds) {
  return fmt::format("{} × {} × {}", bounds.to[0] - bounds.from[0], bounds.to[1] - bounds.from[1],
                     bounds.to[2] - bounds.from[2]);
}

std::string pieceText(const Look& look, const session::Partition& cut) {
  if (cut.chosenPart.parts.empty()) return look.say(words::kNothing);
  if (!cut.product) {
    const std::string points = notation::countText(double(cut.points));
    return cut.boundsOnly
               ? say(look, words::kOddMany, points, extentsText(cut.chosenPart.bounds))
               : say(look, words::kOdd, points, cut.chosenPart.parts.size(), extentsText(cut.chosenPart.bounds));
  }
  return fmt::format("{} × {} × {}", coverText(look, cut.cover[0]), coverText(look, cut.cover[1]),
                     coverText(look, cut.cover[2]));
}

const text::Text& nameOf(Kind kind) {
  switch (kind) {
    case Kind::kBlocks: return words::kBlockNames;
    case Kind::kWarps: return words::kWarpNames;
    default: return words::kLaneNames;
  }
}

}  // namespace

window::Tone toneOf(const session::SpaceLevel& level) { return notation::toneOf(level.axis); }

std::string wholeText(const Look& look, const IterationSpace& space) {
  std::string axes;
  for (const session::SpaceAxis& axis : space.axes()) {
    if (axis.name.empty()) continue;
    axes += fmt::format("{}{} {}", axes.empty() ? "" : " × ", axis.name, axis.extent);
  }
  return say(look, words::kWhole, space.block(), axes);
}

std::string cutText(const Look& look, const IterationSpace& space, const session::IterationView& view, int level) {
  const session::SpaceLevel& l = space.levels()[std::size_t(level)];
  const session::Partition& cut = view.partitions[std::size_t(level)];
  const std::string piece = pieceText(look, cut), count = notation::numberText(l.count);
  if (l.kind == Kind::kLoop) return say(look, cut.alike ? words::kLoop : words::kLoopUneven, count, l.name, piece);
  std::string across;
  for (std::int64_t n : cut.across) {
    if (n != 1) across += fmt::format("{}{}", across.empty() ? "" : " × ", n);
  }
  if (!cut.alike) return say(look, words::kUneven, count + " " + look.say(nameOf(l.kind)), across, piece);
  switch (l.kind) {
    case Kind::kBlocks: return say(look, words::kBlocks, count, across, piece);
    case Kind::kWarps: return say(look, words::kWarps, count, across, piece);
    default: return say(look, words::kLanes, count, across, piece);
  }
}

void drawNotes(const Look& look, const IterationSpace& space, const session::IterationView& view, int level) {
  const session::Point& tile = space.tile();
  if (space.tensor()) {
    drawSecond(look, say(look, words::kTile, space.block(), fmt::format("{} × {} × {}", tile[0], tile[1], tile[2])));
  }
  if (!space.hidden().empty()) {
    std::string axes;
    for (const auto& axis : space.hidden())
      axes += fmt::format("{}{} {}", axes.empty() ? "" : ", ", axis.name, axis.extent);
    drawSecond(look, say(look, words::kHidden, axes));
  }
  for (int l = 0; l <= level && l < int(view.partitions.size()); ++l) {
    const session::SpaceLevel& name = space.levels()[std::size_t(l)];
    const session::Partition& cut = view.partitions[std::size_t(l)];
    const std::string who = name.kind == Kind::kLoop ? name.name : look.say(nameOf(name.kind));
    if (cut.merged > 1) drawSecond(look, say(look, words::kMerged, who, cut.merged));
    if (cut.boundsOnly) drawSecond(look, say(look, words::kBounds, who));
  }
  if (space.repeated() > 1)
    drawSecond(look,
               say(look, space.isGuarded() ? words::kGuarded : words::kRepeated, space.repeated(), space.block()));
  drawSecond(look, look.say(words::kHint));
}

}  // namespace loom::panels
