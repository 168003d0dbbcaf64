#include "app/pictures/tooltips.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cctype>

#include "app/pictures/text_runs.h"

namespace loom::window {
namespace {

// Puts the pointer somewhere in every frame, whatever the display server says of it, and lets hovers come at once.
class Pointer {
 public:
  Pointer() : style_(ImGui::GetStyle()), flags_(ImGui::GetIO().ConfigFlags) {
    ImGuiStyle& style = ImGui::GetStyle();
    style.HoverStationaryDelay = style.HoverDelayShort = style.HoverDelayNormal = 0;
    ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NoMouse;
    ImGuiContextHook hook;
    hook.Type = ImGuiContextHookType_NewFramePre;
    hook.UserData = this;
    hook.Callback = [](ImGuiContext*, ImGuiContextHook* own) {
      const ImVec2 at = static_cast<const Pointer*>(own->UserData)->at_;
      ImGui::GetIO().AddMousePosEvent(at.x, at.y);
    };
    hook_ = ImGui::AddContextHook(ImGui::GetCurrentContext(), &hook);
  }
  ~Pointer() {
    ImGui::RemoveContextHook(ImGui::GetCurrentContext(), hook_);
    ImGuiStyle& style = ImGui::GetStyle();
    style.HoverStationaryDelay = style_.HoverStationaryDelay;
    style.HoverDelayShort = style_.HoverDelayShort;
    style.HoverDelayNormal = style_.HoverDelayNormal;
    ImGui::GetIO().ConfigFlags = flags_;
  }
  Pointer(const Pointer&) = delete;
  Pointer& operator=(const Pointer&) = delete;

  void moveTo(ImVec2 at) { at_ = at; }
  void leave() { at_ = {-FLT_MAX, -FLT_MAX}; }

 private:
  const ImGuiStyle style_;
  const ImGuiConfigFlags flags_;
  ImVec2 at_{-FLT_MAX, -FLT_MAX};
  ImGuiID hook_ = 0;
};

// Without blanks, thin ones included: where lines break doesn't count.
std::string dense(std::string text) {
  for (const char* blank : {" ", "\n", "\u00a0", "\u2009", "\u202f"}) {
    const std::size_t length = std::char_traits<char>::length(blank);
    for (std::size_t at = text.find(blank); at != std::string::npos; at = text.find(blank, at)) text.erase(at, length);
  }
  return text;
}

std::string tooltipText() {
  std::string all;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if ((window->Flags & ImGuiWindowFlags_Tooltip) == 0 || !window->WasActive || window->Hidden) continue;
    for (const TextRun& text : drawnText(window->Name)) all += text.text;
  }
  return dense(all);
}

constexpr std::string_view kDots = "…";

// Whether what is drawn is, or holds, the shortened text; where no face has "…", a question mark stands for it.
bool holds(const std::string& drawn, const panels::EllipsizedText& text) {
  std::string shown = dense(text.shown);
  if (shown == kDots) return dense(drawn) == kDots;
  if (dense(drawn).find(shown) != std::string::npos) return true;
  if (const std::size_t dots = shown.rfind(kDots); dots != std::string::npos) shown.replace(dots, kDots.size(), "?");
  return dense(drawn).find(shown) != std::string::npos;
}

// What "…" stands for.
std::string hiddenPart(const panels::EllipsizedText& text) {
  const std::size_t dots = text.shown.rfind(kDots);
  const std::size_t tail = text.shown.size() - dots - kDots.size();
  return text.whole.substr(dots, text.whole.size() - dots - tail);
}

// Whether the words of the hidden part come in a hover, in their order: it may write a step out, "block=b33" for "b33".
bool tells(const std::string& hover, const std::string& hidden) {
  const auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  std::size_t from = 0;
  for (auto at = hidden.begin(); at != hidden.end();) {
    const auto begin = std::find_if(at, hidden.end(), isWord);
    at = std::find_if_not(begin, hidden.end(), isWord);
    const std::size_t found = hover.find(dense({begin, at}), from);
    if (found == std::string::npos) return false;
    from = found + 1;
  }
  return !hover.empty();
}

}  // namespace

std::vector<RenderingDefect> truncatedWithoutTooltip(const std::function<void()>& frame, const std::string& window,
                                                     const std::vector<panels::EllipsizedText>& shortened) {
  constexpr int kFrames = 12;  // that a hover may take
  const ImGuiWindow* root = ImGui::FindWindowByName(window.c_str());
  if (root == nullptr || shortened.empty()) return {};
  std::vector<RenderingDefect> faults;
  Pointer pointer;
  for (const TextRun& text : drawnText(window)) {
    std::vector<const panels::EllipsizedText*> known;  // of those that look alike any may be the one
    for (const panels::EllipsizedText& one : shortened)
      if (holds(text.text, one)) known.push_back(&one);
    const PanelRect seen = common(text.ink, text.clip);
    if (known.empty() || seen.from.x >= seen.to.x || seen.from.y >= seen.to.y) continue;
    bool told = false;
    pointer.moveTo({(seen.from.x + seen.to.x) / 2, (seen.from.y + seen.to.y) / 2});
    for (int i = 0; i < kFrames && !told; ++i) {
      frame();
      const std::string hover = tooltipText();
      told = std::any_of(known.begin(), known.end(), [&](const auto* one) { return tells(hover, hiddenPart(*one)); });
    }
    if (told) continue;
    faults.push_back({RenderingDefect::Kind::kShortened,
                      text.text,
                      known.front()->whole,
                      {text.ink.from.x - root->Pos.x, text.ink.from.y - root->Pos.y},
                      0});
  }
  pointer.leave();
  for (int i = 0; i < kFrames; ++i) frame();
  return faults;
}

}  // namespace loom::window
