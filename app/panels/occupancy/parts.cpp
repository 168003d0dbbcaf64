#include "app/panels/occupancy/parts.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/panels/performance/words.h"
#include "app/ui/cells.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/role_text.h"

namespace loom::panels {

namespace words = text::performance;
using session::OccupancyParts;
using window::Look;
using window::Tone;

namespace {

// A part of a block's bar.
struct Segment {
  double amount = 0;
  std::string label, hint;
};

struct Bar {
  std::string head;
  Tone tone;
  std::vector<Segment> segments;
  double all = 0;  // of a multiprocessor
  int blocks = 0;  // that fit
};

void drawBar(const Look& look, const char* id, const Bar& bar, float width) {
  ImGui::BeginGroup();
  drawSecond(look, ellipsized(bar.head, width));
  const float height = look.px(18);
  const pictures::Canvas c = pictures::canvas(id, width, height);
  c.draw->AddRectFilled(c.at, {c.at.x + width, c.at.y + height}, look.paint(bar.tone, 0.12F), look.px(2));
  double taken = 0;
  std::string hint;
  ImGui::PushFont(look.fonts.text, window::kUnitSize);
  for (std::size_t i = 0; i < bar.segments.size(); ++i) {
    const Segment& s = bar.segments[i];
    const float x = float(taken / bar.all) * width, w = float(s.amount / bar.all) * width;
    taken += s.amount;
    const float share = i % 2 == 0 ? 0.34F : 0.2F;  // text is read on both
    pictures::cell(c, look, x, 0, std::max(w, look.px(2)), height, look.paint(bar.tone, share), "",
                   look.paint(Tone::kText));
    if (const float room = w - look.px(6); ImGui::CalcTextSize(s.label.c_str()).x <= room) {
      c.draw->AddText({c.at.x + x + look.px(3), c.at.y + look.px(3)}, look.paint(Tone::kText), s.label.c_str());
    }
    if (c.hovered && c.isOver(x, 0, std::max(w, look.px(4)), height)) hint = s.hint;
  }
  ImGui::PopFont();
  // Where each further block ends.
  for (int block = 1; taken > 0 && block < bar.blocks; ++block) {
    const float x = float(block * taken / bar.all) * width, w = float(taken / bar.all) * width;
    c.draw->AddRect({c.at.x + x, c.at.y}, {c.at.x + x + w, c.at.y + height}, look.paint(bar.tone, 0.8F));
    if (c.hovered && c.isOver(x, 0, w, height)) hint = look.say(words::kPartFurther);
  }
  if (!hint.empty()) showTip(look, hint);
  ImGui::EndGroup();
}

Bar registersOf(const Look& look, const OccupancyParts& parts) {
  Bar bar;
  bar.tone = Tone::kFragment;
  bar.all = parts.registersOfSm;
  bar.blocks = parts.blocks;
  double asked = 0;
  for (const OccupancyParts::Registers& r : parts.registers) {
    const std::string amount =
        say(look, words::kPartOfRole, r.each, numberText(std::int64_t(r.amount) / r.each), numberText(r.amount));
    const std::string role = roleText(look, r.role);
    bar.segments.push_back(
        {r.amount, warpsText(look, r.role.warps) + " · " + std::to_string(r.each), role + "\n" + amount});
    asked += r.amount;
  }
  bar.head = parts.areShort()
                 ? say(look, words::kRegistersShort, numberText(asked), numberText(parts.launched))
                 : say(look, words::kPartRegisters, numberText(parts.launched), numberText(parts.registersOfSm));
  if (parts.haveOwnRegisters())
    for (Segment& s : bar.segments) s.hint += "\n" + say(look, words::kRegistersMove, numberText(parts.launched));
  return bar;
}

std::string namesOf(const OccupancyParts::Shared& part, const char* between) {
  std::string names;
  for (const OccupancyParts::Shared::Buffer& b : part.buffers) names += (names.empty() ? "" : between) + b.name;
  return names;
}

std::string sharingText(const Look& look, const OccupancyParts::Shared& part) {
  return say(look, words::kShareBytes, namesOf(part, ", "), bytesText(part.bytes));
}

Bar sharedOf(const Look& look, const OccupancyParts& parts) {
  using Kind = OccupancyParts::Shared::Kind;
  Bar bar;
  bar.tone = Tone::kShared;
  bar.all = parts.sharedOfSm;
  bar.blocks = parts.blocks;
  double all = 0;
  for (const OccupancyParts::Shared& s : parts.shared) {
    all += s.bytes;
    if (s.kind != Kind::kBuffers) {
      const std::string name = look.say(s.kind == Kind::kMbarriers ? words::kPartMbarriers
                                        : s.kind == Kind::kReserve ? words::kPartReserve
                                                                   : words::kPartRounding);
      const std::string text = named(look, name, bytesText(s.bytes));
      bar.segments.push_back({s.bytes, text, text});
      continue;
    }
    std::string each;
    for (const OccupancyParts::Shared::Buffer& b : s.buffers)
      each += (each.empty() ? "" : "\n") +
              (b.stages > 1 ? say(look, words::kPartStages, b.name, b.stages, bytesText(b.bytes / b.stages))
                            : named(look, b.name, bytesText(b.bytes)));
    if (s.buffers.size() == 1)
      bar.segments.push_back({s.bytes, each, each});
    else
      bar.segments.push_back(
          {s.bytes, named(look, namesOf(s, " / "), bytesText(s.bytes)), sharingText(look, s) + "\n" + each});
  }
  bar.head = say(look, words::kPartShared, bytesText(all), bytesText(parts.sharedOfSm));
  return bar;
}

}  // namespace

void drawOccupancyParts(const Look& look, const OccupancyParts& parts, float width) {
  const bool registers = !parts.registers.empty() && parts.registersOfSm > 0,
             shared = !parts.shared.empty() && parts.sharedOfSm > 0;
  const float gap = look.px(14), each = registers && shared ? (width - gap) / 2 : width;
  if (registers) drawBar(look, "partRegisters", registersOf(look, parts), each);
  if (registers && shared) ImGui::SameLine(0, gap);
  if (shared) drawBar(look, "partShared", sharedOf(look, parts), each);
  for (const OccupancyParts::Shared& s : parts.shared)
    if (shared && s.buffers.size() > 1) drawSecond(look, sharingText(look, s));
}

}  // namespace loom::panels
