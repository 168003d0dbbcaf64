#include "app/widgets/loop_tooltip.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/notation/axis.h"
#include "app/panels/loop_nest/view/labels.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/panels/loop_nest/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::loop_nest;
using device::HardwareAxis;
using session::NestRow;
using window::Look;
using window::Tone;

namespace {

// "from k 1024 · split, step 3 → [64] · 16".
std::string ancestryLine(const Look& look, const session::Ancestry& from) {
  std::string line;
  for (const auto& source : from.sources) {
    line += (line.empty() ? "" : " × ") + source.name;
    if (source.extent >= 0) line += fmt::format(" {}", source.extent);
  }
  line += fmt::format("  {}, {} →", from.primitive, fmt::format(fmt::runtime(look.say(words::kStep)), from.step));
  for (std::size_t i = 0; i < from.results.size(); ++i) {
    const std::string extent = from.results[i] < 0 ? "?" : std::to_string(from.results[i]);
    line += (i == 0 ? " " : " · ") + (int(i) == from.mine ? "[" + extent + "]" : extent);
  }
  return line;
}

// "2.15 GFLOP · global 12 MiB · shared 96 MiB", shared out among `parts`.
std::string sumText(const Look& look, const NestRow::Below& below, double parts) {
  std::string text;
  auto add = [&](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  if (below.flops > 0) add(flopsText(below.flops / parts));
  if (below.global > 0) add(std::string(look.say(words::kGlobal)) + " " + bytesText(below.global / parts));
  if (below.shared > 0) add(std::string(look.say(words::kShared)) + " " + bytesText(below.shared / parts));
  return text.empty() ? "0" : text;
}

// Whether every one of `parts` may have the same share: where a condition leaves some out, it is none of whole bytes.
bool isAlike(const NestRow::Below& below, double parts) {
  const auto isWhole = [&](double amount) { return std::fmod(amount, parts) == 0; };
  return isWhole(below.flops) && isWhole(below.global) && isWhole(below.shared);
}

// What the blocks below a loop do, and which bars are outlined with it.
void drawBelow(const Look& look, const NestRow& loop) {
  if (!loop.below.known) {
    ImGui::TextUnformatted(look.say(words::kBelowUnknown));
  } else {
    ImGui::TextUnformatted(say(look, words::kBelow, sumText(look, loop.below, 1)).c_str());
    if (loop.runs > 0)
      ImGui::TextUnformatted(say(look, isAlike(loop.below, loop.runs) ? words::kBelowEach : words::kBelowMean,
                                 numberText(loop.runs), sumText(look, loop.below, loop.runs))
                                 .c_str());
  }
  if (loop.kin.empty()) return;
  const auto siblings = std::ranges::count_if(loop.kin, [](const NestRow::RelatedLoops& kin) { return kin.sibling; });
  ImGui::TextUnformatted(say(look, words::kKin, siblings, std::ptrdiff_t(loop.kin.size()) - siblings).c_str());
}

// Of a loop whose iterations overlap, and of what is right below one.
void drawOverlap(const Look& look, const NestRow& row) {
  if (row.stages > 0) ImGui::TextUnformatted(look.say(words::kOverlap));
  bool ahead = false;
  for (const session::Staged& staged : row.staged) {
    ImGui::TextUnformatted(say(look, words::kStageAndOrder, staged.stage, staged.order + 1).c_str());
    ahead |= staged.async;
  }
  if (ahead) ImGui::TextUnformatted(look.say(words::kStartedAhead));
}

// As a figure of the state compared with reads; empty where it has none.
template <typename Write>
std::string wasOf(double value, Write write) {
  return value < 0 ? "" : write(value);
}
}  // namespace

void drawLoopTooltip(const Look& look, const NestRow& row) {
  ImGui::PushFont(look.fonts.code, window::kTextSize);
  ImGui::TextUnformatted((row.handle.empty() ? row.name : row.name + "  " + row.handle).c_str());
  ImGui::PopFont();
  ImGui::PushFont(nullptr, window::kSecondarySize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
  if (row.kind == NestRow::Kind::kLoop) {
    std::string kind = look.say(wordOf(row.axis));
    if (row.reduction && row.axis != HardwareAxis::kReduction) kind += fmt::format(", {}", look.say(words::kReduction));
    if (row.extent >= 0) kind += " · " + fmt::format(fmt::runtime(look.say(words::kExtent)), row.extent);
    if (row.was && row.was->extent >= 0)
      kind = withPreviousValue(look, kind, row.was->extent == row.extent ? "" : numberText(row.was->extent));
    ImGui::TextUnformatted(kind.c_str());
  }
  const std::string runs =
      row.runs < 0
          ? look.say(words::kUnknownRuns)
          : fmt::format(fmt::runtime(look.say(words::kRunsOf)),
                        withPreviousValue(look, numberText(row.runs), wasOf(row.was ? row.was->runs : -1, numberText)));
  ImGui::TextUnformatted(runs.c_str());
  for (const session::Ancestry& from : row.from) ImGui::TextUnformatted(ancestryLine(look, from).c_str());
  drawOverlap(look, row);
  if (row.kind == NestRow::Kind::kLoop) drawBelow(look, row);
  if (!row.intrinsic.empty())
    ImGui::TextUnformatted(fmt::format(fmt::runtime(look.say(words::kIntrinsic)), row.intrinsic).c_str());
  if (row.flops >= 0)
    ImGui::TextUnformatted(
        withPreviousValue(look, flopsText(row.flops), wasOf(row.was ? row.was->flops : -1, flopsText)).c_str());
  if (row.bytes >= 0 && row.was && row.was->bytes >= 0 && row.was->bytes != row.bytes)
    ImGui::TextUnformatted(withPreviousValue(look, bytesText(row.bytes), bytesText(row.was->bytes)).c_str());
  for (const session::MovedBytes& moved : row.moved) {
    const std::string what = moved.name + (moved.bytes < 0 ? "" : " (" + bytesText(moved.bytes) + ")");
    ImGui::TextUnformatted(fmt::format(fmt::runtime(look.say(moved.write ? words::kWrites : words::kReads)), what,
                                       look.say(wordOf(moved.level)))
                               .c_str());
  }
  if (row.copy) {
    ImGui::TextUnformatted(
        fmt::format("{}: {} → {}", session::routeText(row), look.say(wordOf(row.source)), look.say(wordOf(row.target)))
            .c_str());
  } else if (const std::string route = session::routeText(row); !route.empty()) {
    ImGui::TextUnformatted(fmt::format(fmt::runtime(look.say(words::kComputedRoute)), route).c_str());
  }
  if (!row.moved.empty()) ImGui::TextUnformatted(look.say(words::kAsWritten));
  ImGui::PopStyleColor();
  for (const Message& sentence : row.unheeded)
    ImGui::TextColored(look.colour(Tone::kWarning), "! %s", look.tell(sentence).c_str());
  ImGui::PopFont();
}

}  // namespace loom::panels
