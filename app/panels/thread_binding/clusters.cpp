#include "app/panels/thread_binding/clusters.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/panels/performance/words.h"
#include "app/panels/thread_binding/words.h"
#include "app/ui/cells.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"

namespace loom::panels::pictures {

namespace words = text::binding;
using model::ClusterCopies;
using model::ClusterPart;
using window::Look;
using window::Tone;

namespace {

// The parts that the block of that rank gets, by where they lie in the tile.
std::vector<const ClusterPart*> partsOf(const ClusterCopies& copies, std::size_t rank) {
  std::vector<const ClusterPart*> parts;
  for (const ClusterPart& p : copies.parts)
    if (p.receivers >> rank & 1) parts.push_back(&p);
  std::ranges::sort(parts, {}, &ClusterPart::row);
  return parts;
}

std::string receiversText(const Look& look, const ClusterCopies& copies, const ClusterPart& part) {
  std::string text;
  for (std::size_t rank = 0; rank < copies.blocks.size(); ++rank)
    if (part.receivers >> rank & 1)
      text += (text.empty() ? "" : look.say(text::performance::kListed)) + std::to_string(copies.blocks[rank]);
  return text;
}

}  // namespace

void clusterTiles(const Look& look, const char* id, const ClusterCopies& copies, std::int64_t chosen, float width) {
  const float gap = look.px(6), line = look.px(window::kSecondarySize + 2), height = look.px(64);
  const auto blocks = float(copies.blocks.size());
  const float each = std::min(look.px(110), (width - gap * (blocks - 1)) / blocks);
  const Canvas c = canvas(id, (each + gap) * blocks - gap, line + height);
  for (std::size_t rank = 0; rank < copies.blocks.size(); ++rank) {
    const float left = float(rank) * (each + gap);
    const std::int64_t block = copies.blocks[rank];
    ImGui::PushFont(look.fonts.text, window::kUnitSize);
    c.draw->AddText({c.at.x + left, c.at.y}, look.paint(block == chosen ? Tone::kText : Tone::kTextSecond),
                    ellipsized(say(look, words::kClusterOf, block), each).c_str());
    ImGui::PopFont();
    const std::vector<const ClusterPart*> parts = partsOf(copies, rank);
    std::int64_t rows = 0, from = 0;
    for (const ClusterPart* p : parts) rows += p->rows;
    for (const ClusterPart* p : parts) {
      const float top = line + height * float(from) / float(rows), h = height * float(p->rows) / float(rows);
      const bool own = p->rank == std::int64_t(rank);
      const std::int64_t by = copies.blocks[std::size_t(p->rank)];
      cell(c, look, left, top, each, h, look.paint(Tone::kShared, own ? 0.75F : 0.3F),
           say(look, copies.slices ? words::kSliceOf : words::kAskedBy, by),
           own ? inkOn(look, Tone::kShared) : look.paint(Tone::kText));
      if (c.hovered && c.isOver(left, top, each, h)) {
        const std::string others = receiversText(look, copies, *p);
        showTip(look, copies.slices ? say(look, words::kClusterSlice, by, others).c_str()
                                    : say(look, words::kClusterPart, from, from + p->rows - 1, by, others));
      }
      from += p->rows;
    }
    if (block == chosen) outline(c, look, left, line, each, height);
  }
}

}  // namespace loom::panels::pictures
