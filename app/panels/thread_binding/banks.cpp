#include "app/panels/thread_binding/banks.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "app/panels/playback/words.h"
#include "app/panels/thread_binding/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"

namespace loom::panels::pictures {

namespace words = text::binding;
using window::Look;
using window::Tone;

namespace {

constexpr double kSecondsAWave = 0.5;

std::string runsText(std::uint32_t bits) {
  std::set<int> set;
  for (int i = 0; i < 32; ++i)
    if ((bits >> i & 1) != 0) set.insert(i);
  return panels::runsText(set);
}

// The 32 lanes of the request as one row with its upper left corner at `at`: full those that the wavefront serves.
void drawLaneRow(const Look& look, const session::RequestPicture& request, ImVec2 at, float s, float height, int wave) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  std::uint32_t active = 0;
  for (const layout::Phase& phase : request.phases) active |= phase.lanes;
  const std::uint32_t served = wave < 0 ? 0 : request.wavefronts[std::size_t(wave)].lanes;
  const std::uint32_t together =
      wave < 0 ? active : request.phases[std::size_t(request.wavefronts[std::size_t(wave)].phase)].lanes;
  const float gap = s > 4 ? 1.0F : 0.0F;
  for (int lane = 0; lane < layout::kLanes; ++lane) {
    auto in = [&](std::uint32_t set) { return (set >> lane & 1) != 0; };
    const float x = at.x + float(lane) * s;
    draw.AddRectFilled({x, at.y}, {x + s - gap, at.y + height},
                       !in(active)    ? look.paint(Tone::kHovered)
                       : in(served)   ? look.paint(Tone::kThreadX)
                       : in(together) ? look.paint(Tone::kThreadX, 0.4F)
                                      : look.paint(Tone::kThreadX, 0.18F));
  }
  const float size = look.px(window::kUnitSize - 1);
  draw.AddText(look.fonts.text, size, {at.x + s * layout::kLanes + look.px(3), at.y + (height - size) / 2},
               look.paint(Tone::kTextFaint), look.say(words::kLanesAxis));
}

// A row of ldmatrix as one piece over its four banks, with the lane that gives its address; `at`: the phase's corner.
void drawRows(const Look& look, const session::RequestPicture& request, int phase, ImVec2 at, float s, float height) {
  if (!namesRows(look, request, height)) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float size = std::min(look.px(window::kUnitSize - 1), height - 1);
  for (const session::RequestPicture::Row& row : request.rows) {
    if (row.phase != phase) continue;
    const Tone tone = row.wave == 0 ? Tone::kShared : Tone::kError;
    const ImVec2 from{at.x + float(row.bank) * s, at.y + float(row.wave) * height};
    draw.AddRectFilled(from, {from.x + 4 * s - look.px(1.5F), from.y + height - 1}, look.paint(tone, 0.9F));
    const std::string lane = std::to_string(row.lane);
    const float wide = look.fonts.code->CalcTextSizeA(size, FLT_MAX, 0, lane.c_str()).x;
    draw.AddText(look.fonts.code, size, {from.x + (4 * s - wide) / 2, from.y + (height - 1 - size) / 2},
                 inkOn(look, tone, 0.9F), lane.c_str());
  }
}

// Which wavefronts serve the lane.
std::string servedText(const Look& look, const session::RequestPicture& request, int lane) {
  std::string numbers;
  for (std::size_t w = 0; w < request.wavefronts.size(); ++w)
    if ((request.wavefronts[w].lanes >> lane & 1) != 0)
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(w + 1);
  return numbers.empty() ? say(look, words::kLaneIdle, lane) : say(look, words::kLaneServed, lane, numbers);
}

}  // namespace

float wavefrontHeight(const Look& look, const session::RequestPicture& request) {
  return std::clamp(std::floor(look.px(152) / float(std::max(1, request.shared.wavefronts))), look.px(3), look.px(14));
}

bool namesRows(const Look& look, const session::RequestPicture& request, float height) {
  return !request.rows.empty() && height >= look.px(8.5F);
}

void banks(const Look& look, const char* id, const session::RequestPicture& request, float width, float height,
           BankReplay* replay) {
  const float beside = look.px(26), head = look.px(13), between = look.px(2);
  const float s = std::clamp(std::floor((width - beside) / layout::kBanks), look.px(4), look.px(20));
  const float all = s * layout::kBanks, size = look.px(window::kUnitSize - 1);
  float down = head;
  for (const layout::Phase& phase : request.phases) down += height * float(std::max(1, phase.ways())) + between;
  const float lanesTop = down + look.px(3), lanesHeight = look.px(11);
  if (replay != nullptr && replay->wave >= int(request.wavefronts.size())) *replay = {};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, {all + beside, replay != nullptr ? lanesTop + lanesHeight : down});
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 mouse = ImGui::GetMousePos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float gap = s > 4 ? 1.0F : 0.0F, under = height > look.px(4) ? 1.0F : 0.0F;
  for (int bank : {0, 8, 16, 24, layout::kBanks - 1}) {
    const std::string label = std::to_string(bank);
    const float extent = look.fonts.code->CalcTextSizeA(size, FLT_MAX, 0, label.c_str()).x;
    const float x = at.x + (float(bank) + 0.5F) * s - extent / 2;
    draw.AddText(look.fonts.code, size, {std::max(at.x, x), at.y}, look.paint(Tone::kTextFaint), label.c_str());
  }
  float y = at.y + head;
  int first = 0;  // wavefront of the phase
  for (std::size_t p = 0; p < request.phases.size(); ++p) {
    const layout::Phase& phase = request.phases[p];
    const int ways = std::max(1, phase.ways());
    const float end = y + height * float(ways);
    draw.AddRectFilled({at.x, y}, {at.x + all - gap, end - under}, look.paint(Tone::kStrip));
    for (int bank = 0; bank < layout::kBanks; ++bank) {
      const int count = int(phase.words[std::size_t(bank)].size());
      for (int wave = 0; wave < count; ++wave) {
        const float x = at.x + float(bank) * s, top = y + float(wave) * height;
        draw.AddRectFilled({x, top}, {x + s - gap, top + height - under},
                           look.paint(wave == 0 ? Tone::kShared : Tone::kError, 0.9F));
      }
    }
    drawRows(look, request, int(p), {at.x, y}, s, height);
    if (ways > 1) {
      const std::string label = fmt::format("{}×", ways);
      draw.AddText(look.fonts.code, look.px(window::kUnitSize),
                   {at.x + all + look.px(4), (y + end) / 2 - look.px(window::kUnitSize) / 2}, look.paint(Tone::kError),
                   label.c_str());
    }
    if (replay != nullptr && replay->wave >= first && replay->wave < first + ways) {
      const float top = y + float(replay->wave - first) * height;
      draw.AddRect({at.x - 1, top - 1}, {at.x + all, top + height}, look.paint(Tone::kSelected), 0, 0,
                   std::max(1.0F, look.px(1.5F)));
    }
    if (hovered && mouse.y >= y && mouse.y < end + between && mouse.x < at.x + all) {
      const int wave = std::clamp(int((mouse.y - y) / height), 0, ways - 1);
      const int bank = std::clamp(int((mouse.x - at.x) / s), 0, layout::kBanks - 1);
      draw.AddRect({at.x - 1, y + float(wave) * height - 1}, {at.x + all, y + float(wave + 1) * height},
                   look.paint(Tone::kSelected));
      const int busy = int(std::count_if(phase.words.begin(), phase.words.end(),
                                         [&](const auto& words) { return int(words.size()) > wave; }));
      showTip(look, say(look, words::kWavefrontHint, runsText(phase.lanes), wave + 1, ways, busy, bank,
                        phase.words[std::size_t(bank)].size()));
      if (clicked && replay != nullptr) *replay = {first + wave};
    }
    y = end + between;
    first += ways;
  }
  if (replay == nullptr) return;
  drawLaneRow(look, request, {at.x, at.y + lanesTop}, s, lanesHeight, replay->wave);
  const int lane = int((mouse.x - at.x) / s);
  if (hovered && mouse.y >= at.y + lanesTop && lane >= 0 && lane < layout::kLanes)
    showTip(look, servedText(look, request, lane));
}

bool drawReplay(const Look& look, const session::RequestPicture& request, float width, BankReplay& replay) {
  const int count = int(request.wavefronts.size());
  auto button = [&](const char* name, const char* id, const char* hint) {
    const bool pressed = window::smallButton(window::windowName(name, id).c_str());
    setItemTip(look, std::string(hint) + "\n" + look.say(words::kWaveOrder));
    ImGui::SameLine(0, look.px(4));
    return pressed;
  };
  if (button("<", "waveback", look.say(words::kWaveBack))) replay = {std::max(0, replay.wave - 1)};
  // As wide whichever word it has.
  const char *play = look.say(text::playback::kPlay), *pause = look.say(text::playback::kPause);
  const float wide = std::max(ImGui::CalcTextSize(play).x, ImGui::CalcTextSize(pause).x);
  const float from = ImGui::GetCursorPosX();
  if (button(replay.playing ? pause : play, "waveplay", look.say(words::kWaveForward))) {
    replay.playing = !replay.playing;
    replay.waited = 0;
    if (replay.playing && replay.wave + 1 >= count) replay.wave = -1;
    if (replay.playing) ++replay.wave;
  }
  ImGui::SameLine();
  ImGui::SetCursorPosX(from + wide + 2 * ImGui::GetStyle().FramePadding.x + look.px(4));
  if (button(">", "waveforward", look.say(words::kWaveForward))) replay = {std::min(count - 1, replay.wave + 1)};
  ImGui::NewLine();
  const bool plays = replay.playing;
  if (plays) {
    replay.waited += std::min(0.1, double(ImGui::GetIO().DeltaTime));
    if (replay.waited >= kSecondsAWave) {
      replay.waited = 0;
      if (replay.wave + 1 < count) ++replay.wave;
      replay.playing = replay.wave + 1 < count;
    }
  }
  std::string text = count == 1 ? std::string(look.say(words::kOneWavefront)) : say(look, words::kReplayHint, count);
  if (replay.wave >= 0) {
    const layout::Wavefront& wave = request.wavefronts[std::size_t(replay.wave)];
    text = say(look, request.ldmatrix ? words::kWavefrontRows : words::kWavefrontNow, replay.wave + 1, count,
               runsText(wave.lanes), runsText(wave.banks));
  }
  ImGui::PushFont(nullptr, window::kSecondarySize);
  fittedText(text, width);
  ImGui::PopFont();
  return plays;
}

}  // namespace loom::panels::pictures
