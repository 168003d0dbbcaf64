#include "app/report/memory_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/notation/memory_place.h"
#include "app/notation/quantity_text.h"
#include "app/panels/memory/words.h"
#include "app/report/svg.h"

namespace loom::report {

namespace words = text::memory;
using device::MemoryLevel;
using session::kMemoryLevels;
using session::MemoryBuffer;
using session::MemoryTraffic;
using session::MemoryView;

namespace {

constexpr double kWidth = 880, kTitle = 120, kGap = 34;
constexpr double kHigh = 40, kLow = 26;  // px: of a level with buffers, and without
constexpr double kDown = 16, kUp = 92;   // px from a column's left: where its arrows stand
constexpr double kHead = 7;              // px: an arrow's head

class Picture {
 public:
  Picture(const MemoryView& view, text::Language language) : view_(view), language_(language) {
    for (const MemoryBuffer& b : view.buffers) columns_ = std::max(columns_, b.column + 1);
    double y = 2;
    for (int level = 0; level < kMemoryLevels; ++level) {
      const bool high = MemoryLevel(level) != MemoryLevel::kL2 && MemoryLevel(level) != MemoryLevel::kTensorCore;
      top_[std::size_t(level)] = y;
      bottom_[std::size_t(level)] = y + (high ? kHigh : kLow);
      y = bottom_[std::size_t(level)] + kGap;
    }
    height_ = y - kGap + 2;
  }

  std::string make(const std::string& label, bool standalone) {
    for (int level = 0; level < kMemoryLevels; ++level) band(level);
    for (const MemoryTraffic& t : view_.traffic) arrow(t);
    for (std::size_t i = 0; i < view_.buffers.size(); ++i) buffer(i);
    return svg_.finish(kWidth, height_, label, standalone);
  }

 private:
  double columnWidth() const { return (kWidth - kTitle) / columns_; }
  double left(int column) const { return kTitle + column * columnWidth(); }

  void band(int level) {
    const notation::LevelLook look = notation::lookOf(MemoryLevel(level));
    const double y = top_[std::size_t(level)], height = bottom_[std::size_t(level)] - y;
    svg_.rect(0, y, kWidth, height, fill(look.tone), 3, 0.13);
    svg_.rect(0, y, 3, height, fill(look.tone));
    svg_.text(12, y + height / 2 + 4, look.name.in(language_), {.size = 12});
  }

  void buffer(std::size_t index) {
    const MemoryBuffer& b = view_.buffers[index];
    int place = 0, sharing = 0;  // of those in one column and level
    for (std::size_t i = 0; i < view_.buffers.size(); ++i) {
      if (view_.buffers[i].level != b.level || view_.buffers[i].column != b.column) continue;
      place += i < index;
      ++sharing;
    }
    const notation::LevelLook look = notation::lookOf(b.level);
    const double each = (columnWidth() - 36) / sharing, x = left(b.column) + place * each;
    const double y = top_[std::size_t(b.level)] + 3;
    svg_.rect(x, y, each - 4, kHigh - 6, fill(look.tone) + " " + stroke(look.tone), 2, 0.28);
    const int room = int((each - 12) / 6.7);
    svg_.text(x + 5, y + 14, cut(b.name, room), {.size = 11, .code = true});
    const double bytes = b.perThread > 0 ? b.perThread : b.bytes;
    std::string size = notation::bytesText(bytes);
    if (b.perThread > 0)
      size = fmt::format(fmt::runtime((b.fragment ? words::kAWarp : words::kAThread).in(language_)), size);
    const bool conflict = b.ways > 1;
    if (conflict) size += " · " + fmt::format(fmt::runtime(words::kWays.in(language_)), b.ways);
    svg_.text(x + 5, y + 28, cut(size, room), {.colour = conflict ? "f-error" : "f-txt2", .size = 11});
  }

  void arrow(const MemoryTraffic& t) {
    const bool down = t.from < t.to;
    const int upper = int(down ? t.from : t.to), lower = int(down ? t.to : t.from);
    const bool ofGrid = upper == int(MemoryLevel::kGlobal);
    const double bytes = ofGrid ? t.bytes : t.perBlock, w = notation::arrowWidth(bytes);
    // What passes a level keeps to its column's edge, free of the buffers there.
    const bool passes = lower - upper > 1;
    const double edge = left(t.column) + columnWidth() - (down ? 26 : 10);
    const double x = passes ? edge : left(t.column) + (down ? kDown : kUp);
    const double y0 = bottom_[std::size_t(upper)] + 1, y1 = top_[std::size_t(lower)] - 1;
    const double tip = down ? y1 : y0, base = down ? y1 - kHead : y0 + kHead, wing = std::max(w / 2 + 3, 5.0);
    const std::string tone = fill(notation::lookOf(t.from).tone);
    svg_.rect(x - w / 2, std::min(base, down ? y0 : y1), w, std::abs(base - (down ? y0 : y1)), tone);
    svg_.triangle(x - wing, base, x + wing, base, x, tip, tone);
    const std::string text = notation::bytesText(bytes);
    const double middle = passes ? (down ? y0 + kGap / 2 : y1 - kGap / 2) : (y0 + y1) / 2;
    svg_.text(passes ? x - w / 2 - 6 : x + wing + 3, middle + 4, text,
              {.size = 11, .anchor = passes ? Svg::Anchor::kEnd : Svg::Anchor::kStart});
  }

  const MemoryView& view_;
  text::Language language_;
  int columns_ = 1;
  double height_ = 0;
  std::array<double, kMemoryLevels> top_{}, bottom_{};
  Svg svg_;
};

}  // namespace

std::string memoryPicture(const MemoryView& view, text::Language language, const std::string& label, bool standalone) {
  return Picture(view, language).make(label, standalone);
}

}  // namespace loom::report
