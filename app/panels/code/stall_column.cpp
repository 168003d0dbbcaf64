#include "app/panels/code/stall_column.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/notation/quantity_text.h"
#include "app/panels/code/code_drawing.h"
#include "app/panels/code/view/listing.h"
#include "app/panels/stalls/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "app/widgets/stall_text.h"

namespace loom::panels {

namespace words = text::stalls;
using notation::Tone;
using profile::StallCount;
using profile::StallReason;
using window::Look;

namespace {

constexpr int kShareDigits = 4, kLetters = 2;  // "22.1 LS"

double shareOf(std::int64_t part, std::int64_t all) { return all > 0 ? double(part) / double(all) : 0; }

void finish(StallColumn& column, const document::StallView& view) {
  column.total = view.total.samples;
  for (const StallCount& line : column.lines) column.most = std::max(column.most, line.samples);
}

}  // namespace

StallColumn stallColumn(const session::MachineText& sass, const document::StallView& view) {
  StallColumn column;
  for (int instruction : sass.instructionOf) {
    const bool known = instruction >= 0 && instruction < int(view.instructions.size());
    column.lines.push_back(known ? view.instructions[std::size_t(instruction)] : StallCount{});
  }
  finish(column, view);
  return column;
}

StallColumn stallColumn(std::size_t lines, const document::StallView& view) {
  StallColumn column;
  column.lines.resize(lines);
  for (const document::StalledLine& line : view.lines) {
    const int number = line.stalls.line;
    if (number > 0 && std::size_t(number) <= lines) column.lines[std::size_t(number - 1)] = line.stalls.stalls;
  }
  finish(column, view);
  return column;
}

float stallColumnWidth(const Look& look) {
  return std::max(float(kShareDigits + 1 + kLetters) * characterWidth(),
                  ImGui::CalcTextSize(look.say(words::kColumnHead)).x) +
         look.px(8);
}

void drawStallLine(const Look& look, const StallColumn& column, std::size_t line, ImVec2 at, float height) {
  if (line >= column.lines.size() || column.lines[line].samples == 0) return;
  const StallCount& stalls = column.lines[line];
  const double share = shareOf(stalls.samples, column.total);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float advance = characterWidth(), room = float(kShareDigits + 1 + kLetters) * advance;
  const float thick = std::max(2.0F, look.px(3));
  const ImU32 colour = look.paint(toneOf(stalls.main()));
  list->AddRectFilled({at.x, at.y + height - thick},
                      {at.x + room * float(stalls.samples) / float(column.most), at.y + height}, colour);
  // Less than half of the last digit isn't written.
  if (share < 0.0005) return;
  list->AddText(at, look.paint(share >= 0.1 ? Tone::kText : Tone::kTextSecond),
                fmt::format("{:{}.1f}", 100 * share, kShareDigits).c_str());
  list->AddText({at.x + float(kShareDigits + 1) * advance, at.y}, inkOf(look, toneOf(stalls.main())),
                profile::lettersOf(stalls.main()));
}

void drawStallHead(const Look& look, ImVec2 at) {
  drawColumnHead(look, at, stallColumnWidth(look), look.say(words::kColumnHead), words::kColumnWhat);
}

std::string stallTip(const Look& look, const StallColumn& column, std::size_t line) {
  if (line >= column.lines.size() || column.lines[line].samples == 0) return "";
  const StallCount& stalls = column.lines[line];
  std::string tip = say(look, words::kTip, notation::shareText(shareOf(stalls.samples, column.total)), stalls.samples);
  constexpr std::size_t kMost = 4;
  const auto ranked = stalls.ranked();
  for (std::size_t n = 0; n < std::min(kMost, ranked.size()); ++n) {
    const words::Reason* reason = words::reasonOf(profile::nameOf(ranked[n]));
    const std::string name = fmt::format("\n    {} {} {}", profile::lettersOf(ranked[n]),
                                         notation::shareText(stalls.share(ranked[n])), profile::nameOf(ranked[n]));
    tip += reason ? named(look, name, look.say(reason->means)) : name;
  }
  return tip;
}

}  // namespace loom::panels
