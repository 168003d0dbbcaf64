#include "app/widgets/refusal.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/notation/columns.h"
#include "app/session/session.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/widgets/refusal_words.h"
#include "core/schedule/instruction.h"
#include "core/script/step_line.h"

namespace loom::panels {

namespace words = text::refusal;
using window::Tone;

namespace {

const text::Text& whoForbids(Forbids forbids) {
  switch (forbids) {
    case Forbids::Program: return words::kByProgram;
    case Forbids::Hardware: return words::kByHardware;
    case Forbids::Tvm: return words::kByTvm;
    case Forbids::Input: return words::kByInput;
    case Forbids::Environment: return words::kByEnvironment;
  }
  return words::kByProgram;
}

// Does the instruction table have the primitive that a remedy begins with?
bool isOffered(const std::string& remedy) {
  constexpr std::string_view kCall = "sch.";
  if (remedy.compare(0, kCall.size(), kCall) != 0) return true;
  const std::size_t end = remedy.find('(');
  return end != std::string::npos && schedule::findInstruction(remedy.substr(kCall.size(), end - kCall.size()));
}

// What the parser and the compilers say stays in English: before it, a sentence of our own says what happened.
const text::Text* leadOf(const window::Look& look, const Error& error, const std::string& message) {
  if (look.language == text::Language::kEnglish || message != error.message) return nullptr;
  if (std::any_of(message.begin(), message.end(), [](unsigned char c) { return c >= 0xe0; }))
    return nullptr;  // Chinese
  if (error.code == "CompileError") return &words::kCompilerSays;
  if (error.code == "ParseError" || !error.place.text.empty()) return &words::kReaderSays;
  return &words::kSaysInEnglish;
}

}  // namespace

void drawSourceLine(const window::Look& look, const Place& place, float width) {
  if (place.text.empty()) return;
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  const float room = std::max(16 * ImGui::GetFontBaked()->GetCharAdvance('0'), width);
  const auto widthOf = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
  auto column = std::min(static_cast<std::size_t>(std::max(0, place.column - 1)), place.text.size());
  std::string line = place.text;
  // Of a line that has no room, what stands around the place.
  if (widthOf(line) > room) {
    std::size_t cut = 0;
    while (cut < column && widthOf("…" + line.substr(cut, column - cut)) > room / 2)
      cut = notation::characterFrom(line, cut + 1);
    if (cut > 0) line = "…" + line.substr(cut), column = column - cut + std::string("…").size();
    line = ellipsized(line, room);
  }
  const float at = ImGui::GetCursorPosX();
  ImGui::TextUnformatted(line.c_str());
  if (place.column > 1) {  // at the first column a caret would say nothing
    ImGui::SetCursorPosX(at + widthOf(line.substr(0, std::min(column, line.size()))));
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kError));
    ImGui::TextUnformatted("^");
    ImGui::PopStyleColor();
  }
  ImGui::PopFont();
}

bool isStepLine(const std::string& remedy) {
  auto calls = script::parseSchedule(remedy, "");
  return calls && !calls->empty() && !calls->front().primitive().empty();
}

void drawRemedy(const window::Look& look, const Message& remedy) {
  const bool line = isStepLine(remedy);
  ImGui::PushFont(line ? look.fonts.code : look.fonts.text, line ? window::kSecondarySize : window::kTextSize);
  drawWrapped(look.tell(remedy));
  ImGui::PopFont();
}

void drawProposeButton(PanelContext& context, const std::string& lines) {
  if (window::smallButton(window::windowName(context.look.say(words::kFill), "propose").c_str()) &&
      context.consoleProposal != nullptr) {
    *context.consoleProposal = lines;
    ImGui::SetWindowFocus(window::windowName("", "console").c_str());
  }
}

void drawRefusal(PanelContext& context, const Error& error, const std::string& shown, bool here, bool named) {
  const window::Look& look = context.look;
  std::string who = look.say(whoForbids(error.forbids));
  if (!error.parameter.empty()) {
    who += " · " + fmt::format(fmt::runtime(look.say(words::kParameter)), error.parameter);
  }
  float code = 0;
  if (!named) {
    ImGui::PushFont(look.fonts.strong, window::kTextSize);
    code = ImGui::CalcTextSize(error.code.c_str()).x;
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kError));
    drawWrapped(error.code);
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }
  ImGui::PushFont(nullptr, window::kSecondarySize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
  // Beside the name of the error where there is room.
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  if (!named && code + gap + ImGui::CalcTextSize(who.c_str()).x <= ImGui::GetContentRegionAvail().x)
    ImGui::SameLine(0, gap);
  drawWrapped(who);
  ImGui::PopStyleColor();
  ImGui::PopFont();
  const std::string message = look.tellSentence(error.message);
  if (const text::Text* lead = leadOf(look, error, message)) drawWrapped(look.say(*lead));
  drawWrapped(message);
  if (error.place.column > 1 || !shown.ends_with(error.place.text))
    drawSourceLine(look, error.place, ImGui::GetContentRegionAvail().x);
  if (!error.remedy.empty() && isOffered(error.remedy)) {
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
    const bool complete = !error.primitive.empty(), lines = isStepLine(error.remedy);
    ImGui::TextUnformatted(look.say(complete ? words::kThisWorks : words::kRemedy));
    ImGui::PopStyleColor();
    // Before the lines: these may be many.
    if (lines && complete && here) {
      ImGui::SameLine();
      const bool clicked = window::smallButton(window::windowName(look.say(words::kDoIt), "do").c_str());
      if (clicked && context.session != nullptr)
        context.session->edits().apply(error.remedy, {loom::message("What makes {} possible", error.primitive), {}});
    }
    if (lines) {
      ImGui::SameLine();
      drawProposeButton(context, error.remedy);
    }
    drawRemedy(look, error.remedy);
  }
}

}  // namespace loom::panels
