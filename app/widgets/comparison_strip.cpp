#include "app/widgets/comparison_strip.h"

#include <imgui.h>

#include <algorithm>

#include "app/session/session.h"
#include "app/text/comparing.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::comparing;
using window::Tone;

namespace {

constexpr float kHeight = 22;  // design px

// A word that is pressed or not, in the middle of its height. True where it's clicked.
bool drawSwitch(const window::Look& look, const char* id, const char* word, bool on, float height) {
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const ImVec2 from = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(word);
  const ImVec2 to{from.x + size.x + look.px(12), from.y + height};
  const bool clicked = ImGui::InvisibleButton(id, {to.x - from.x, height});
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 upper{from.x, from.y + look.px(3)};
  if (on || hovered) list->AddRectFilled(upper, to, look.paint(Tone::kHovered), look.px(3));
  if (on) list->AddRectFilled({upper.x, to.y - look.px(2)}, to, look.paint(Tone::kChanged));
  list->AddText({from.x + look.px(6), upper.y + (to.y - upper.y - size.y) / 2},
                look.paint(on ? Tone::kText : Tone::kTextSecond), word);
  ImGui::PopFont();
  return clicked;
}

// Two arrows, one each way. True where they are clicked.
bool drawExchange(const window::Look& look, float side) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton("###exchange", {side, side});
  const ImU32 ink = look.paint(ImGui::IsItemHovered() ? Tone::kText : Tone::kTextSecond);
  const ImVec2 middle{from.x + side / 2, from.y + look.px(3) + look.px(kHeight - 3) / 2};
  const float half = look.px(5), apart = look.px(2.5F), barb = look.px(2.5F), thick = look.px(1.25F);
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const float way : {1.0F, -1.0F}) {
    const float y = middle.y - way * apart, tip = middle.x + way * half;
    list->AddLine({middle.x - way * half, y}, {tip, y}, ink, thick);
    list->AddLine({tip, y}, {tip - way * barb, y - barb}, ink, thick);
    list->AddLine({tip, y}, {tip - way * barb, y + barb}, ink, thick);
  }
  return clicked;
}

}  // namespace

float comparisonBannerHeight(const PanelContext& context) {
  const session::Session* session = context.session;
  const bool shown =
      session != nullptr && session->documents().target() != nullptr && session->comparison().node() >= 0;
  return shown ? context.look.px(kHeight) : 0;
}

void drawComparisonBanner(PanelContext& context) {
  session::Session* session = context.session;
  const window::Look& look = context.look;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 to{from.x + ImGui::GetContentRegionAvail().x, from.y + look.px(kHeight)};
  const float cross = look.px(kHeight);
  list->AddRectFilled(from, to, look.paint(Tone::kPanel));
  const char* both = look.say(words::kBothSides);
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const float choice = context.bothSides == nullptr ? 0 : ImGui::CalcTextSize(both).x + look.px(12);
  ImGui::PopFont();
  const float end = to.x - 2 * cross - choice;  // of the text
  ImGui::Dummy({std::max(1.0F, end - from.x), to.y - from.y});
  const std::string otherTime = timeAfterName(*session, session->comparison().node()),
                    ownTime = timeAfterName(*session, session->navigation().current());
  const std::string otherName = stateLabel(look, session->navigation().history(), session->comparison().node());
  const std::string ownName = stateLabel(look, session->navigation().history(), session->navigation().current());
  const std::string whole = say(look, words::kBanner, otherName + otherTime, ownName + ownTime);
  setItemTip(look, whole + "\n" + look.say(words::kBannerHelp));
  ImGui::SetCursorScreenPos({end, from.y});
  const bool swap = drawExchange(look, cross);
  setItemTip(look, look.say(words::kExchange));
  if (context.bothSides != nullptr) {
    ImGui::SetCursorScreenPos({end + cross, from.y});
    if (drawSwitch(look, "###bothsides", both, *context.bothSides, to.y - from.y)) *context.bothSides ^= true;
    setItemTip(look, look.say(words::kBothSidesHelp));
  }
  ImGui::SetCursorScreenPos({to.x - cross, from.y});
  const bool ends = ImGui::InvisibleButton("###endcomparison", {cross, cross});
  const bool hovered = ImGui::IsItemHovered();
  setItemTip(look, look.say(words::kEnd));
  list->AddRectFilled({from.x, from.y + look.px(3)}, {from.x + look.px(3), to.y}, look.paint(Tone::kChanged));
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const float y = from.y + look.px(3) + (look.px(kHeight - 3) - ImGui::GetFontSize()) / 2;
  const std::string text =
      session->comparison().node() == session->navigation().current() ? look.say(words::kSame) : whole;
  const float room = end - from.x - look.px(12);
  std::string shown = text;
  if (ImGui::CalcTextSize(text.c_str()).x > room && text == whole) {  // both names give way
    const float between = ImGui::CalcTextSize(say(look, words::kBanner, "", "").c_str()).x;
    const float times = ImGui::CalcTextSize((otherTime + ownTime).c_str()).x;
    const float each = (room - between - times) / 2;
    shown = say(look, words::kBanner, ellipsized(otherName, each) + otherTime, ellipsized(ownName, each) + ownTime);
  }
  shown = ellipsized(shown, room);
  list->AddText({from.x + look.px(8), y}, look.paint(Tone::kChanged), shown.c_str());
  const float half = look.px(4);
  const ImVec2 middle{to.x - cross / 2, from.y + look.px(3) + look.px(kHeight - 3) / 2};
  const ImU32 ink = look.paint(hovered ? Tone::kText : Tone::kTextSecond);
  list->AddLine({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half}, ink, look.px(1.5F));
  list->AddLine({middle.x - half, middle.y + half}, {middle.x + half, middle.y - half}, ink, look.px(1.5F));
  ImGui::PopFont();
  const int now = session->navigation().current(), then = session->comparison().node();
  if (ends) {
    session->comparison().end();
  } else if (swap && now != then) {
    session->navigation().exchangeCompared();
  }
}

}  // namespace loom::panels
