#include "app/panels/occupancy/clusters.h"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/panels/performance/words.h"
#include "app/text/terms.h"
#include "app/ui/cells.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::performance;
using model::ActiveClusters;
using window::Look;
using window::Tone;

namespace {

std::string activeText(const Look& look, const model::Waves& waves) {
  const ActiveClusters& c = waves.clusters;
  const std::int64_t without = c.wavesWithout(waves.blocks);
  std::string text = say(look, words::kClustersActive, c.size, c.clusters, c.blocks(), c.places());
  text += " · " + say(look, words::kClustersWaves, waves.blocks, waves.count());
  if (waves.count() > without) text += " (" + say(look, words::kClustersMore, without) + ")";
  if (c.gpcs.empty()) return text + " · " + look.say(words::kClustersUnknown);
  return c.areLimitedByGpcs() ? text + " · " + look.say(words::kClustersByGpcs) : text;
}

}  // namespace

void drawActiveClusters(const Look& look, const model::Waves& waves, float width) {
  const ActiveClusters& active = waves.clusters;
  if (active.size < 2) return;
  drawSecond(look, activeText(look, waves));
  setItemTip(look, look.say(words::kHowClusters));
  if (active.gpcs.empty() || active.places() < 1) return;
  const float gap = look.px(4), height = look.px(14);
  const float place = (width - gap * float(active.gpcs.size() - 1)) / float(active.places());
  const pictures::Canvas c = pictures::canvas("gpcs", width, height);
  float x = 0;
  for (const model::GpcClusters& gpc : active.gpcs) {
    const std::int64_t places = gpc.multiprocessors * active.perMultiprocessor;
    const float all = place * float(places), each = place * float(active.size);
    pictures::cell(c, look, x, 0, all, height, look.paint(Tone::kBlock, 0.12F), "", look.paint(Tone::kText));
    for (std::int64_t n = 0; n < gpc.clusters; ++n)
      pictures::cell(c, look, x + float(n) * each, 0, std::max(1.0F, each - look.px(1)), height,
                     look.paint(Tone::kBlock, 0.5F), "", look.paint(Tone::kText));
    if (c.hovered && c.isOver(x, 0, all + gap, height))
      showTip(look, say(look, words::kGpc, gpc.multiprocessors, gpc.clusters, places - gpc.clusters * active.size) +
                        "\n" + look.say(text::terms::kGpc.meaning));
    x += all + gap;
  }
}

}  // namespace loom::panels
