#include "app/widgets/lesson_highlight.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/session/session.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"

namespace loom::panels {
namespace {

constexpr double kOutlined = 1.6;  // s
constexpr double kPulse = 0.8;     // s
// A panel comes to the front with one frame and opens its page with the next ones, however long these take.
constexpr int kLeastFrames = 4;

}  // namespace

void LessonHighlight::begin(double now) {
  now_ = now;
  if (frames_ > 0) --frames_;
  if (!hovered_ && now_ > until_ && frames_ == 0) place_.reset(), opening_ = false;
  hovered_ = marked_ = false;
}

void LessonHighlight::light(const document::Pointer& pointer, const session::Session& session) {
  const auto program = session.preview().shown();
  auto place = program ? session::placeOf(pointer, *program) : fail("NoSuchPlace", Message());
  // Off the lesson's path a state may lack it: then the panel is all that can be shown.
  session::PointerTarget panel;
  panel.panel = pointer.panel;
  place_ = place ? *place : panel;
}

void LessonHighlight::hover(const document::Pointer& pointer, const session::Session& session) {
  const bool opened = now_ <= until_;
  if (!opened || !place_ || place_->panel != pointer.panel) light(pointer, session);
  hovered_ = true;
}

void LessonHighlight::open(const document::Pointer& pointer, session::Session& session) {
  light(pointer, session);
  if (!place_->ids.empty()) session.selection().select(place_->ids);
  opening_ = front_ = true;
  until_ = now_ + kOutlined;
  frames_ = kLeastFrames;
}

const session::PointerTarget* LessonHighlight::in(std::string_view panel) const {
  return place_ && place_->panel == panel ? &*place_ : nullptr;
}

void LessonHighlight::mark(ImVec2 from, ImVec2 to) {
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
  from = {std::max(from.x, low.x), std::max(from.y, low.y)};
  to = {std::min(to.x, high.x), std::min(to.y, high.y)};
  if (from.x >= to.x || from.y >= to.y) return;  // scrolled away
  from_ = marked_ ? ImVec2{std::min(from_.x, from.x), std::min(from_.y, from.y)} : from;
  to_ = marked_ ? ImVec2{std::max(to_.x, to.x), std::max(to_.y, to.y)} : to;
  marked_ = true;
}

std::optional<std::string> LessonHighlight::takePanel() {
  if (!front_ || !place_) return std::nullopt;
  front_ = false;
  return place_->panel;
}

bool LessonHighlight::draw(const window::Look& look) {
  if (!place_) return false;
  const bool opened = now_ <= until_ || frames_ > 0;
  if (!opened && !hovered_) return false;
  const ImGuiWindow* window = ImGui::FindWindowByName(window::windowName("", place_->panel.c_str()).c_str());
  if (window == nullptr || !window->WasActive) return opened;  // closed
  if (!marked_) {
    const bool inFront = !window->DockIsActive || window->DockTabIsVisible;
    const ImRect rect = inFront ? window->Rect() : window->DC.DockTabItemRect;
    from_ = rect.Min, to_ = rect.Max;
  }
  const double phase = (until_ - now_) / kPulse;
  const bool pulses = opened && !look.reducedMotion;
  const float alpha = pulses ? float(0.55 + 0.45 * std::cos(phase * 2 * 3.14159265)) : 1.0F;
  const float pad = look.px(2);
  ImGui::GetForegroundDrawList()->AddRect({from_.x - pad, from_.y - pad}, {to_.x + pad, to_.y + pad},
                                          look.paint(window::Tone::kSelected, alpha), look.px(3), 0, look.px(2));
  return opened;
}

}  // namespace loom::panels
