#include "app/ui/label_spot.h"

#include <algorithm>
#include <limits>

namespace loom::panels {

int hiddenBy(ImVec2 corner, ImVec2 size, float margin, const std::vector<ImVec2>& points) {
  return int(std::count_if(points.begin(), points.end(), [&](ImVec2 p) {
    return p.x > corner.x - margin && p.x < corner.x + size.x + margin && p.y > corner.y - margin &&
           p.y < corner.y + size.y + margin;
  }));
}

ImVec2 placeLabel(ImVec2 anchor, ImVec2 size, float gap, ImVec2 low, ImVec2 high, const std::vector<ImVec2>& points) {
  ImVec2 best{anchor.x + gap, anchor.y - size.y - gap};
  int fewest = std::numeric_limits<int>::max();
  for (float far : {1.0F, 2.0F, 3.5F, 5.0F, 7.0F}) {
    const float reach = far * gap;
    const ImVec2 left{anchor.x - reach - size.x, anchor.y}, right{anchor.x + reach, anchor.y};
    const float above = anchor.y - reach - size.y, below = anchor.y + reach, middle = anchor.y - size.y / 2;
    for (ImVec2 at : {ImVec2{right.x, above}, ImVec2{left.x, above}, ImVec2{right.x, below}, ImVec2{left.x, below},
                      ImVec2{right.x, middle}, ImVec2{left.x, middle}, ImVec2{anchor.x - size.x / 2, above},
                      ImVec2{anchor.x - size.x / 2, below}}) {
      at.x = std::clamp(at.x, low.x, std::max(low.x, high.x - size.x));
      at.y = std::clamp(at.y, low.y, std::max(low.y, high.y - size.y));
      const int hidden = hiddenBy(at, size, gap / 2, points);
      if (hidden < fewest) fewest = hidden, best = at;
    }
  }
  return best;
}

}  // namespace loom::panels
