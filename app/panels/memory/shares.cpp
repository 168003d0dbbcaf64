#include "app/panels/memory/shares.h"

#include <algorithm>

#include "app/ui/look.h"

namespace loom::panels {

using session::MemoryBuffer;

namespace {

constexpr float kMark = 4.5F;          // design px: of a slot, where mbarriers have a box beside a buffer's
constexpr float kLetter = 8;           // design px: of the first letter of their names, before the marks
constexpr float kLeastMbarriers = 60;  // design px: of their box, with room for "full" or "free" and marks
constexpr int kMostMarks = 4;          // in a row

// In the same level and column.
bool areBeside(const MemoryBuffer& a, const MemoryBuffer& b) { return a.level == b.level && a.column == b.column; }

}  // namespace

int marksInARow(int slots) { return std::min(slots, kMostMarks); }

bool hasBox(const session::MemoryView& view, std::size_t buffer) {
  const std::vector<MemoryBuffer>& all = view.buffers;
  return !all[buffer].forSync || std::none_of(all.begin(), all.begin() + std::ptrdiff_t(buffer),
                                              [](const MemoryBuffer& b) { return b.forSync; });
}

BoxShare boxShare(const window::Look& look, const session::MemoryView& view, std::size_t buffer, float column,
                  float gap) {
  const std::vector<MemoryBuffer>& all = view.buffers;
  const MemoryBuffer& b = all[buffer];
  int place = 0, sharing = 0;  // of the boxes in the same level and column
  bool beside = false, after = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!areBeside(all[i], b) || !hasBox(view, i)) continue;
    place += i < buffer;
    ++sharing;
    beside |= all[i].forSync;
    after |= all[i].forSync && i < buffer;
  }
  const bool leaves =
      sharing == 1 || std::ranges::any_of(view.traffic, [&](const session::MemoryTraffic& t) {
        return t.column == b.column && std::min(t.from, t.to) < b.level && b.level < std::max(t.from, t.to);
      });
  const float room = column - (leaves ? gap : look.px(2)), each = room / float(sharing);
  if (sharing == 1 || !beside || each >= look.px(kLeastMbarriers)) return {float(place) * each, each};
  int slots = 1;
  for (const session::MemoryMbarrier& one : view.mbarriers) slots = std::max(slots, one.slots);
  const float plain = look.px(10 + kMark * float(marksInARow(slots))), lettered = plain + look.px(kLetter);
  const float marks = each >= lettered ? lettered : std::min(each, plain), named = (room - marks) / float(sharing - 1);
  return {float(place - int(after)) * named + (after ? marks : 0), b.forSync ? marks : named};
}

}  // namespace loom::panels
