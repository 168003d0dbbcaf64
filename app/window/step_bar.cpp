#include "app/window/step_bar.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/session/session.h"
#include "app/text/panels.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/change_text.h"
#include "app/widgets/state_hover.h"
#include "app/window/step_bar_words.h"

namespace loom::window {
namespace {

namespace words = text::step_bar;
using panels::say;

enum class Icon { kUndo, kRedo, kBack, kPlay, kPause, kForward };

// Design px.
constexpr float kButton = 24, kGap = 12, kSmallestSlider = 120;
constexpr float kStepText = 300, kOutcome = 110, kShortOutcome = 84;

void drawIcon(const Look& look, ImDrawList& list, ImVec2 centre, Icon icon, ImU32 colour) {
  const float u = look.px(1);
  auto triangle = [&](float x, float direction) {
    const float tip = centre.x + (x + 4 * direction) * u, base = centre.x + (x - 4 * direction) * u;
    list.AddTriangleFilled({tip, centre.y}, {base, centre.y - 5 * u}, {base, centre.y + 5 * u}, colour);
  };
  auto bar = [&](float x) {
    list.AddRectFilled({centre.x + (x - 1) * u, centre.y - 5 * u}, {centre.x + (x + 1) * u, centre.y + 5 * u}, colour);
  };
  switch (icon) {
    case Icon::kPlay: triangle(0.5F, 1); break;
    case Icon::kPause:
      bar(-3);
      bar(3);
      break;
    case Icon::kBack:
      bar(-4.5F);
      triangle(1.5F, -1);
      break;
    case Icon::kForward:
      triangle(-1.5F, 1);
      bar(4.5F);
      break;
    case Icon::kUndo:
    case Icon::kRedo: {
      // Half a turn over the top, its head where it ends.
      const float side = icon == Icon::kUndo ? -1.0F : 1.0F;
      constexpr float kPi = 3.14159265F;
      list.PathArcTo({centre.x, centre.y + 2 * u}, 4.5F * u, kPi, 2 * kPi, 12);
      list.PathStroke(colour, 0, 1.5F * u);
      const float x = centre.x + side * 4.5F * u, y = centre.y + 2 * u;
      list.AddTriangleFilled({x - 3.5F * u, y}, {x + 3.5F * u, y}, {x, y + 4 * u}, colour);
      break;
    }
  }
}

// `name`: what it says while it is hovered, made then.
template <class Name>
bool iconButton(const Look& look, const char* id, Icon icon, Name name, const char* keys, bool enabled) {
  const float height = ImGui::GetWindowHeight();
  ImGui::BeginDisabled(!enabled);
  const bool clicked = ImGui::InvisibleButton(id, {look.px(kButton), height});
  ImGui::EndDisabled();
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (enabled && ImGui::IsItemHovered()) {
    list->AddRectFilled({from.x + 1, from.y + 1}, {to.x - 1, to.y - 1}, look.paint(Tone::kHovered), look.px(3));
  }
  const ImVec2 centre{std::round((from.x + to.x) / 2), std::round((from.y + to.y) / 2)};
  drawIcon(look, *list, centre, icon, look.paint(enabled ? Tone::kText : Tone::kLine));
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip | ImGuiHoveredFlags_AllowWhenDisabled)) {
    ImGui::SetTooltip("%s (%s)", std::string(name()).c_str(), keys);
  }
  return clicked && enabled;
}

void drawButtons(const Look& look, session::Session& session) {
  const auto undo = session.edits().undoable(), redo = session.edits().redoable();
  auto undoes = [&] {
    std::string text = panels::changeText(look, undo, true);
    // Nothing is lost by it: the tree keeps what was applied.
    if (undo && undo->kind == session::UndoLabel::Kind::kApply) text += std::string("\n") + look.say(words::kStays);
    return text;
  };
  auto redoes = [&] { return panels::changeText(look, redo, false); };
  if (iconButton(look, "###undo", Icon::kUndo, undoes, "Ctrl+Z", undo.has_value())) session.edits().undo();
  if (iconButton(look, "###redo", Icon::kRedo, redoes, "Ctrl+Y", redo.has_value())) session.edits().redo();
  auto said = [&](const text::Text& name) { return [&look, &name] { return look.say(name); }; };
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look.px(kGap));
  if (iconButton(look, "###stepback", Icon::kBack, said(words::kBack), "←",
                 session.navigation().current() != session.navigation().path().front())) {
    session.navigation().stepBack();
  }
  const bool more = session.navigation().current() != session.navigation().path().back();
  if (iconButton(look, "###play", session.navigation().isPlaying() ? Icon::kPause : Icon::kPlay,
                 said(session.navigation().isPlaying() ? text::panels::kPause : words::kPlay), "F5",
                 more || session.navigation().isPlaying())) {
    session.navigation().setPlaying(!session.navigation().isPlaying());
  }
  if (iconButton(look, "###stepforward", Icon::kForward, said(words::kForward), "→", more))
    session.navigation().stepForward();
}

// The lesson's chapter that ends at a state; -1: none.
int chapterEndingAt(const document::Target& target, int node) {
  const auto& ends = target.chapterNodes;
  const auto found = std::find(ends.begin(), ends.end(), node);
  return target.lesson && found != ends.end() ? int(found - ends.begin()) : -1;
}

void drawTicks(const Look& look, const session::Session& session, ImDrawList& list, float left, float spacing,
               float middle) {
  constexpr float kClosest = 3;  // design px: closer ones would be a band
  const std::vector<int>& way = session.navigation().path();
  const ImU32 colour = look.paint(Tone::kTextFaint);
  auto tick = [&](std::size_t i, float half) {
    const float x = std::round(left + float(i) * spacing);
    list.AddRectFilled({x, middle - look.px(half)},
                       {x + std::max(1.0F, std::floor(look.scale)), middle + look.px(half)}, colour);
  };
  if (spacing >= look.px(kClosest)) {
    for (std::size_t i = 0; i < way.size(); ++i) tick(i, 2.5F);
  }
  for (int end : session.documents().target()->chapterNodes) {
    const auto number = std::size_t(session.navigation().history().node(end).number);
    if (number < way.size() && way[number] == end) tick(number, 6);
  }
}

void drawHover(const Look& look, const session::Session& session, int node) {
  if (!ImGui::BeginTooltip()) return;
  ImGui::TextUnformatted(say(look, words::kStep, session.navigation().history().node(node).number).c_str());
  panels::drawStateHover(look, session, node);
  const document::Target& target = *session.documents().target();
  if (const int chapter = chapterEndingAt(target, node); chapter >= 0) {
    const auto& title = document::in(target.lesson->chapters[std::size_t(chapter)].title, text::codeOf(look.language));
    ImGui::TextColored(look.colour(Tone::kTextSecond), "%s", say(look, words::kChapterEnd, title).c_str());
  }
  if (node == session.comparison().node()) {
    ImGui::TextColored(look.colour(Tone::kChanged), "%s", look.say(words::kCompared));
  }
  ImGui::EndTooltip();
}

void drawSlider(const Look& look, session::Session& session, float width) {
  const float height = ImGui::GetWindowHeight();
  ImGui::InvisibleButton("###steps", {width, height});
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  const float inset = look.px(6), left = from.x + inset, right = to.x - inset;
  const float middle = std::round((from.y + to.y) / 2);
  const auto last = int(session.navigation().path().size()) - 1;
  const float spacing = last > 0 ? (right - left) / float(last) : 0;
  const float mouse = ImGui::GetIO().MousePos.x;
  const int pointed = spacing > 0 ? std::clamp(int((mouse - left) / spacing + 0.5F), 0, last) : 0;
  if (active) session.navigation().dragTo(session.navigation().path()[std::size_t(pointed)], ImGui::IsItemActivated());
  const std::vector<int>& way = session.navigation().path();
  const float at = left + float(session.navigation().node().number) * spacing;
  ImDrawList* list = ImGui::GetWindowDrawList();
  auto line = [&](float a, float b, Tone tone, float half) {
    list->AddRectFilled({a, middle - half}, {b, middle + half}, look.paint(tone));
  };
  line(left, right, Tone::kLine, look.px(1));
  line(left, at, Tone::kTextSecond, look.px(1));
  drawTicks(look, session, *list, left, spacing, middle);
  if (const int other = session.comparison().node(); other >= 0) {
    const auto number = std::size_t(session.navigation().history().node(other).number);
    if (number < way.size() && way[number] == other) {
      const float x = left + float(number) * spacing, half = look.px(4);
      list->AddQuadFilled({x, middle - half}, {x + half, middle}, {x, middle + half}, {x - half, middle},
                          look.paint(Tone::kChanged));
    }
  }
  if (hovered && !active) {
    const float x = left + float(pointed) * spacing;
    list->AddRectFilled({x - look.px(1), middle - look.px(7)}, {x + look.px(1), middle + look.px(7)},
                        look.paint(Tone::kText));
  }
  const float half = look.px(4), tall = look.px(8);
  list->AddRectFilled({at - half, middle - tall}, {at + half, middle + tall}, look.paint(Tone::kText), look.px(2));
  if (hovered || active) drawHover(look, session, way[std::size_t(pointed)]);
}

// A cell of `width` with text that is cut to it. True while it is hovered.
bool drawCell(const Look& look, const std::string& text, float width, Tone tone, bool right = false) {
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  const std::string shown = panels::fittedAround(text, width);
  ImVec2 at = ImGui::GetItemRectMin();
  if (right) at.x += width - ImGui::CalcTextSize(shown.c_str()).x;
  at.y = ImGui::GetWindowPos().y + std::round((ImGui::GetWindowHeight() - ImGui::GetTextLineHeight()) / 2);
  ImGui::GetWindowDrawList()->AddText(at, look.paint(tone), shown.c_str());
  return ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip);
}

struct Verdict {
  std::string text, why;  ///< `why`: more than the hover of a state says
  Tone tone = Tone::kTextSecond;
  bool checked = false;  ///< the mark for it stands after the text
};

Verdict verdictOn(const Look& look, const session::Session& session) {
  using Status = gpu::Outcome::Status;
  const document::KnownTime* timed = session.results().timed(session.navigation().current());
  if (timed != nullptr && timed->result) {
    const gpu::Outcome& outcome = timed->result->outcome;
    if (outcome.status == Status::Wrong) return {look.say(words::kWrong), look.tell(outcome.message), Tone::kError};
    if (outcome.status != Status::Measured) return {look.say(words::kFailed), look.tell(outcome.message), Tone::kError};
    const std::string time = panels::timeText(outcome.timing.median);
    if (outcome.error < 0) return {time, look.say(words::kNotChecked), Tone::kText};
    return {time, say(look, words::kChecked, outcome.error, outcome.tolerance), Tone::kText, true};
  }
  const Result<exec::Report>* executed = session.checks().of(session.navigation().current());
  std::string how = executed == nullptr ? ""
                    : *executed         ? say(look, words::kExecuted, look.tell(exec::describe(**executed)))
                                        : say(look, words::kNotExecuted, look.tell(executed->error().message));
  const bool ran = executed != nullptr && *executed;
  if (ran && (*executed)->status == exec::Report::Status::Partly) how += "\n" + std::string(look.say(words::kRestRuns));
  if (session.checks().isWrong(session.navigation().current())) return {look.say(words::kWrong), how, Tone::kError};
  const bool right = ran && (*executed)->status == exec::Report::Status::Verified;
  if (const auto program = session.programs().of(session.navigation().current()); program && program->kernel.problem) {
    const std::string why = look.tell(program->kernel.problem->message);
    return {look.say(words::kNoKernel), how.empty() ? why : why + "\n" + how, Tone::kTextSecond};
  }
  if (const std::optional<double> predicted = session.models().prediction(session.navigation().current())) {
    return {panels::predictedText(*predicted), how, Tone::kTextSecond, right};
  }
  return {look.say(text::panels::kNotMeasured), how, Tone::kTextSecond, right};
}

}  // namespace

void drawStepBar(const Look& look, session::Session& session) {
  ImGui::PushStyleVarX(ImGuiStyleVar_ItemSpacing, 0);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look.px(2 * kGap));
  drawButtons(look, session);
  // Digits differ in width: the count has room for the widest.
  float count = 0;
  const std::size_t last = session.navigation().path().size() - 1;
  for (char digit = '0'; digit <= '9'; ++digit) {
    const std::string digits(std::to_string(last).size(), digit);
    count = std::max(count, std::ceil(ImGui::CalcTextSize(say(look, words::kOf, digits, last).c_str()).x) + 1);
  }
  const float gap = look.px(kGap);
  float rest = ImGui::GetWindowWidth() - ImGui::GetCursorPosX() - 3 * gap - count;
  // What there is no room for is said by Lesson and History, too.
  auto take = [&](float most, float least) {
    const float width = std::min(look.px(most), rest - look.px(kSmallestSlider) - gap);
    if (width < look.px(least)) return 0.0F;
    rest -= width + gap;
    return width;
  };
  const float outcome = take(rest > look.px(500) ? kOutcome : kShortOutcome, kShortOutcome);
  const float step = take(kStepText, 140);
  if (rest < look.px(kSmallestSlider) / 2) {
    ImGui::PopStyleVar();
    return;
  }
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gap);
  drawSlider(look, session, rest);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gap);
  drawCell(look, say(look, words::kOf, session.navigation().node().number, session.navigation().path().size() - 1),
           count, Tone::kTextSecond, true);
  const document::Line* line = session.navigation().node().step();
  const std::string what = line != nullptr ? panels::abbreviatedStep(line->source) : look.say(text::panels::kStart);
  bool hovered = false;
  if (step > 0) {
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gap);
    ImGui::PushFont(look.fonts.code, 0);
    hovered = drawCell(look, what, step, Tone::kText);
    ImGui::PopFont();
  }
  const Verdict verdict = verdictOn(look, session);
  if (outcome > 0) {
    const char* mark = entryOf(Tone::kOk).letter;
    const float room = ImGui::CalcTextSize(mark).x + look.px(4);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gap);
    hovered |= drawCell(look, verdict.text, outcome - (verdict.checked ? room : 0), verdict.tone, true);
    if (verdict.checked) hovered |= drawCell(look, mark, room, Tone::kOk, true);
  }
  if (hovered && ImGui::BeginTooltip()) {
    panels::drawStateHover(look, session, session.navigation().current());
    if (!verdict.why.empty()) {
      ImGui::PushTextWrapPos(ImGui::GetFontSize() * 30);
      ImGui::TextColored(look.colour(Tone::kTextSecond), "%s", verdict.why.c_str());
      ImGui::PopTextWrapPos();
    }
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar();
}

}  // namespace loom::window
