#include "app/report/nest_picture.h"

#include <algorithm>
#include <vector>

#include "app/notation/axis.h"
#include "app/notation/quantity_text.h"
#include "app/panels/loop_nest/view/labels.h"
#include "app/panels/loop_nest/view/nest_frames.h"
#include "app/panels/loop_nest/view/repetition_text.h"
#include "app/panels/loop_nest/words.h"
#include "app/report/svg.h"

namespace loom::report {

namespace words = text::loop_nest;
using device::HardwareAxis;
using notation::Tone;
using session::NestChange;
using session::NestRow;

namespace {

constexpr double kWidth = 880, kRuns = 620, kWork = 730, kMoved = 868;
constexpr double kTop = 24, kHeader = 24, kWarning = 16, kIndent = 14, kGutter = 14, kClosing = 3;
constexpr double kColumn = 7.3;  // px of a column of code at 12 px

struct Bar : session::NestFrame {
  std::string warning;
};

// A chip in the form of its axis; gives the x behind it.
double chip(Svg& svg, const NestRow& loop, double x, double middle) {
  const Tone tone = notation::toneOf(loop.axis);
  const std::string letters = session::lettersOf(loop);
  const double width = std::max(18.0, columnsOf(letters) * 6.8 + 9), top = middle - 7;
  std::string inked = ink(tone);
  switch (loop.axis) {
    case HardwareAxis::kThreadX:
    case HardwareAxis::kThreadY:
    case HardwareAxis::kThreadZ: svg.rect(x, top, width, 14, fill(tone), 7); break;
    case HardwareAxis::kVirtualThread:
      svg.rect(x, top, width, 14, fill(tone) + " " + stroke(tone) + " dashed", 7, 0.25);
      inked = "f-txt";
      break;
    case HardwareAxis::kSerial:
    case HardwareAxis::kReduction:
      svg.rect(x, top, width, 14, fill(tone) + " " + stroke(tone), 2, 0.2);
      inked = "f-txt";
      break;
    default: svg.rect(x, top, width, 14, fill(tone), 1); break;
  }
  if (loop.axis == HardwareAxis::kVectorized) {
    for (int i = 0; i < 4; ++i) svg.rect(x + (i + 0.5) * width / 4 - 0.5, top + 12, 1, 2, inked);
  }
  if (loop.axis == HardwareAxis::kUnrolled) svg.rect(x + width + 1, top, 1.5, 14, fill(tone));
  svg.text(x + width / 2, middle + (loop.axis == HardwareAxis::kVectorized ? 2.5 : 4), letters,
           {.colour = inked, .size = 11, .code = true, .strong = true, .anchor = Svg::Anchor::kMiddle});
  return x + width + (loop.axis == HardwareAxis::kUnrolled ? 3 : 0);
}

// Bars and where they stand, in the order of the program.
std::vector<Bar> barsOf(const session::LoopNest& nest, text::Language language, double& total) {
  const std::vector<session::NestLine> lines = session::nestLines(nest, nest.rows.size() > 14, {});
  std::vector<session::NestFrame> frames = session::nestFrames(nest, lines);
  std::vector<Bar> bars;
  for (session::NestFrame& frame : frames) {
    Bar bar;
    bar.warning = notation::repetitionText(nest.rows[std::size_t(frame.line.last)], language);
    frame.header = float(kHeader + (bar.warning.empty() ? 0 : kWarning));
    bars.push_back(std::move(bar));
  }
  total = session::stackFrames(frames, float(kTop), float(kClosing), 1) + 4;
  for (std::size_t i = 0; i < frames.size(); ++i) static_cast<session::NestFrame&>(bars[i]) = frames[i];
  return bars;
}

void frame(Svg& svg, const Bar& bar, const NestRow& row, double left, double right) {
  const double under = bar.top + bar.header;
  if (row.kind != NestRow::Kind::kLoop) {
    svg.rect(left, bar.top + 1, right - left, bar.header - 2, "f-bg2 s-line", 2);
    return;
  }
  const std::string colour = fill(notation::toneOf(row.axis));
  svg.rect(left, bar.top, right - left, bar.header, colour, 0, 0.09);
  if (bar.bottom > under) {
    svg.rect(left, under, kIndent, bar.bottom - under, colour, 0, 0.09);
    svg.rect(left + kIndent, bar.bottom - kClosing, right - left - kIndent, kClosing, colour, 0, 0.09);
  }
  svg.rect(left, bar.top, 3, bar.bottom - bar.top, colour);
}

// Chips, extents, names; what does not fit before the first column of numbers is cut.
void names(Svg& svg, const session::LoopNest& nest, const Bar& bar, double left, text::Language language) {
  const double middle = bar.top + kHeader / 2, base = middle + 4.5, limit = kRuns - 96;
  double x = left + 10;
  const bool single = bar.line.first == bar.line.last;
  auto say = [&](const std::string& text, const std::string& colour, bool code, bool strong) {
    const int room = int((limit - x) / kColumn);
    if (room < 2 || text.empty()) return;
    const std::string shown = cut(text, room);
    svg.text(x, base, shown, {.colour = colour, .size = 12, .code = code, .strong = strong});
    x += columnsOf(shown) * kColumn + 7;
  };
  for (int i = bar.line.first; i <= bar.line.last; ++i) {
    const NestRow& row = nest.rows[std::size_t(i)];
    if (row.kind == NestRow::Kind::kLoop) {
      if (x > limit - 30) continue;
      x = chip(svg, row, x, middle) + 5;
      say(row.extent >= 0 ? std::to_string(row.extent) : "?", "f-txt", true, true);
      if (single) say(row.name, "f-txt2", true, false);
      if (single && row.sameThreads) say(words::kSameThreads.in(language), "f-txt3", false, false);
    } else {
      svg.rect(x, middle - 4.5, 9, 9, "none s-txt");
      x += 15;
      say(row.name, "f-txt", true, true);
      if (row.kind == NestRow::Kind::kInit) say(words::kInit.in(language), "f-txt3", false, false);
    }
  }
}

void numbers(Svg& svg, const NestRow& row, double base) {
  const Svg::TextStyle style{.colour = "f-txt2", .size = 11.5, .code = true, .anchor = Svg::Anchor::kEnd};
  if (row.runs >= 0) svg.text(kRuns, base, notation::numberText(row.runs), style);
  if (row.flops >= 0) svg.text(kWork, base, notation::flopsText(row.flops), style);
  if (row.bytes < 0) return;
  std::string moved = notation::bytesText(row.bytes);
  if (const std::string route = session::routeText(row); !route.empty()) moved += " " + route;
  svg.text(kMoved, base, moved, style);
}

}  // namespace

std::string nestPicture(const session::LoopNest& nest, text::Language language, const std::string& label,
                        bool standalone) {
  Svg svg;
  double total = 0;
  const std::vector<Bar> bars = barsOf(nest, language, total);
  const Svg::TextStyle title{.colour = "f-txt3", .size = 11}, right{title.colour, 11, false, false, Svg::Anchor::kEnd};
  svg.text(kGutter, 14, words::kLoops.in(language), title);
  svg.text(kRuns, 14, words::kRuns.in(language), right);
  svg.text(kWork, 14, words::kWork.in(language), right);
  svg.text(kMoved, 14, words::kMoved.in(language), right);
  for (const Bar& bar : bars) {
    const NestRow& first = nest.rows[std::size_t(bar.line.first)];
    const NestRow& last = nest.rows[std::size_t(bar.line.last)];
    const double left = kGutter + bar.depth * kIndent, edge = kWidth - 2;
    frame(svg, bar, first, left, edge);
    NestChange change = NestChange::kNone;
    for (int i = bar.line.first; i <= bar.line.last; ++i) change = std::max(change, nest.rows[std::size_t(i)].change);
    if (change != NestChange::kNone) {
      svg.rect(left + 1, bar.top + 1, edge - left - 2, bar.header - 2, "none s-changed thick", 2);
      svg.text(2, bar.top + 16, change == NestChange::kNew ? "+" : "~",
               {.colour = "f-changed", .size = 12, .code = true, .strong = true});
    }
    names(svg, nest, bar, left, language);
    numbers(svg, last, bar.top + kHeader / 2 + 4.5);
    if (!bar.warning.empty()) {
      svg.text(left + 10, bar.top + kHeader + 9, cut("! " + bar.warning, int((kWidth - left - 20) / 6.6)),
               {.colour = "f-warning", .size = 11});
    }
  }
  return svg.finish(kWidth, total, label, standalone);
}

}  // namespace loom::report
