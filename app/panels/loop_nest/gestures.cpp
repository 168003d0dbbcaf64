#include "app/panels/loop_nest/gestures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/panels/loop_nest/words.h"
#include "app/session/session.h"
#include "app/ui/axis_chip.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::loop_nest;
using tune::DropEdge;
using tune::StepForm;
using window::Look;
using window::Tone;
using session::NestRow;

namespace {

constexpr std::size_t kMostDivisors = 64;

struct Landing {
  const NestBar* bar = nullptr;
  ir::Id loop;
  DropEdge edge = DropEdge::kOnto;
};

// The loop under the mouse and the side of it that is nearer. Of a bar that holds others, the lower edge is that of its
// header: what is dropped there goes inside. Blocks stand for the loop around them.
std::optional<Landing> landingAt(const NestBars& bars, float y) {
  for (auto bar = bars.bars().rbegin(); bar != bars.bars().rend(); ++bar) {
    if (y < bar->top) continue;
    const float share = std::min(1.0F, (y - bar->top) / std::max(1.0F, bar->header));
    int row = bar->line.last;
    const bool below = bars.row(row).kind != NestRow::Kind::kLoop;
    while (row >= 0 && bars.row(row).kind != NestRow::Kind::kLoop) row = bars.row(row).parent;
    if (row < 0) return std::nullopt;
    const DropEdge edge = below || share > 0.7F ? DropEdge::kAfter : share < 0.3F ? DropEdge::kBefore : DropEdge::kOnto;
    for (const NestBar& at : bars.bars()) {
      if (at.line.first <= row && row <= at.line.last) return Landing{&at, bars.row(row).id, edge};
    }
  }
  return std::nullopt;
}

bool areNeighbours(const schedule::State& state, ir::Id a, ir::Id b) {
  const auto& tree = state.tree();
  return tree.contains(a) && tree.contains(b) && (tree.parent(a) == b || tree.parent(b) == a);
}

std::string nameOf(const schedule::State& state, ir::Id id) {
  const auto& tree = state.tree();
  return tree.isLoop(id) ? tree.loop(id)->var->name : tree.isBlock(id) ? tree.block(id)->name : "";
}

// Whether a name is among a message's arguments, or those of its phrases.
bool says(const Message& message, const std::string& name) {
  return std::ranges::any_of(message.arguments(), [&](const MessageArgument& argument) {
    if (const auto* text = std::get_if<std::string>(&argument)) return *text == name;
    const auto* phrase = std::get_if<std::shared_ptr<const Message>>(&argument);
    return phrase != nullptr && says(**phrase, name);
  });
}

// " (j)": the loops and blocks that a refusal is about, where its words name none of them.
std::string culpritsOf(const schedule::State& state, const Error& refusal) {
  std::string names;
  for (const ir::Id id : refusal.subjects) {
    const std::string name = nameOf(state, id);
    if (name.empty() || says(refusal.message, name)) return "";
    names += (names.empty() ? "" : ", ") + name;
  }
  return names.empty() ? "" : " (" + names + ")";
}

}  // namespace

std::vector<std::int64_t> divisorsOf(std::int64_t extent) {
  std::vector<std::int64_t> low, high;
  for (std::int64_t d = 2; d * d <= extent && d < (1 << 16); ++d) {
    if (extent % d != 0) continue;
    low.push_back(d);
    if (d * d != extent) high.push_back(extent / d);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  if (low.size() > kMostDivisors) low.resize(kMostDivisors);
  return low;
}

void NestGestures::pressLoop(ir::Id loop) {
  kind_ = Kind::kMove;
  loop_ = loop;
  dragging_ = false;
}

void NestGestures::pressHandle(ir::Id loop) {
  kind_ = Kind::kSplit;
  loop_ = loop;
  dragging_ = false;
}

ir::Id NestGestures::takeClickedHandle() { return std::exchange(clicked_, {}); }

void NestGestures::draw(PanelContext& context, const NestBars& bars, ImVec2 origin) {
  if (kind_ == Kind::kNone) return;
  session::Session& session = *context.session;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    release(context);
    return;
  }
  if (!dragging_) {
    if (!ImGui::IsMouseDragging(ImGuiMouseButton_Left)) return;
    dragging_ = true;
    node_ = session.navigation().current();
    lines_.clear();
  }
  if (session.navigation().current() != node_ || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
    session.preview().end();
    kind_ = Kind::kNone;
    dragging_ = false;
    return;
  }
  switch (kind_) {
    case Kind::kMove: return drawMove(context, bars, origin);
    case Kind::kStage: return drawStages(context, bars, origin);
    case Kind::kSplit:
    case Kind::kNone: break;
  }
  drawSplit(context, bars, origin);
}

void NestGestures::release(PanelContext& context) {
  session::Session& session = *context.session;
  const Kind kind = std::exchange(kind_, Kind::kNone);
  if (!std::exchange(dragging_, false)) {
    if (kind == Kind::kSplit) clicked_ = loop_;
    return;
  }
  const session::PreviewedStep* preview = session.preview().step();
  if (preview == nullptr || lines_.empty() || preview->lines != lines_) return;
  if (preview->refusal || (kind == Kind::kStage && stageProblem(context))) {
    session.preview().end();  // the reason was to be seen all the while
  } else {
    session.edits().applyPreview();
  }
}

void NestGestures::propose(PanelContext& context, const std::optional<StepForm>& step) {
  session::Session& session = *context.session;
  auto lines = step ? tune::stepLines(session.navigation().history(), node_, *step) : Result<std::string>("");
  lines_ = lines ? *lines : "";
  if (lines_.empty()) {
    session.preview().end();
  } else {
    session.preview().show(lines_);
  }
}

bool NestGestures::isGhostShown(const PanelContext& context) {
  const session::PreviewedStep* preview = context.session->preview().step();
  return preview != nullptr && preview->program;
}

void NestGestures::drawMove(PanelContext& context, const NestBars& bars, ImVec2 origin) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  const schedule::State& state = session.navigation().node().state;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float right = origin.x + bars.right(look);
  for (const NestBar& bar : bars.bars()) {
    if (isGhostShown(context)) break;  // it says by itself what becomes of the loop
    if (bars.first(bar).id != loop_ || bars.first(bar).kind == NestRow::Kind::kInit) continue;
    drawDashed(look, {origin.x + bars.left(look, bar), origin.y + bar.top}, {right, origin.y + bar.top + bar.header},
               look.paint(Tone::kSelected));
  }
  // Let go outside the panel, the loop stays where it is.
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const bool inside = ImGui::IsMouseHoveringRect(corner, {corner.x + size.x, corner.y + size.y}, false);
  auto landing = inside ? landingAt(bars, ImGui::GetIO().MousePos.y - origin.y) : std::nullopt;
  if (landing && landing->edge == DropEdge::kOnto && !areNeighbours(state, loop_, landing->loop)) {
    const float middle = landing->bar->top + landing->bar->header / 2;
    landing->edge = ImGui::GetIO().MousePos.y - origin.y < middle ? DropEdge::kBefore : DropEdge::kAfter;
  }
  propose(context, landing ? tune::dropStep(state, loop_, landing->loop, landing->edge) : std::nullopt);
  std::string refusal;
  if (!lines_.empty() && landing) {
    const text::Text& rule = landing->edge == DropEdge::kOnto     ? words::kCantFuse
                             : landing->edge == DropEdge::kBefore ? words::kCantOutside
                                                                  : words::kCantInside;
    refusal = say(look, rule, nameOf(state, loop_), nameOf(state, landing->loop), "{}");
  }
  if (!lines_.empty() && !isGhostShown(context)) {
    const session::PreviewedStep* preview = session.preview().step();
    const bool refused = preview != nullptr && preview->refusal;
    const ImU32 colour = look.paint(refused ? Tone::kError : Tone::kSelected);
    const float left = origin.x + bars.left(look, *landing->bar);
    const float top = origin.y + landing->bar->top, under = top + landing->bar->header;
    if (landing->edge == DropEdge::kOnto) {
      draw->AddRect({left, top}, {right, under}, colour, look.px(2), 0, look.px(2.5F));
    } else {
      const float y = landing->edge == DropEdge::kBefore ? top : under;
      draw->AddRectFilled({left, y - look.px(1.5F)}, {right, y + look.px(1.5F)}, colour);
      draw->AddTriangleFilled({left - look.px(6), y - look.px(5)}, {left - look.px(6), y + look.px(5)}, {left, y},
                              colour);
    }
  }
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  drawReason(context, "", refusal);
}

void NestGestures::drawSplit(PanelContext& context, const NestBars& bars, ImVec2 origin) {
  const Look& look = context.look;
  const NestBar* bar = nullptr;  // which other loops may share
  std::int64_t extent = 0;
  for (const NestBar& at : bars.bars()) {
    for (int i = at.line.first; i <= at.line.last; ++i) {
      if (bars.row(i).id != loop_ || bars.row(i).kind != NestRow::Kind::kLoop) continue;
      bar = &at;
      extent = bars.row(i).extent;
    }
  }
  if (bar == nullptr) return;
  // The inner factor grows with the way from the handle, on a scale by powers.
  const float left = origin.x + bars.left(look, *bar), right = origin.x + bars.right(look);
  const float top = origin.y + bar->top, under = top + bar->header;
  auto at = [&](std::int64_t factor) {
    return right - (right - left) * float(std::log(double(factor)) / std::log(double(extent)));
  };
  std::int64_t inner = 1;  // at the handle: no split
  const float mouse = ImGui::GetIO().MousePos.x;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const std::vector<std::int64_t> divisors = divisorsOf(extent);
  for (std::int64_t factor : divisors) {
    draw->AddLine({at(factor), under - look.px(6)}, {at(factor), under}, look.paint(Tone::kTextSecond), look.px(1));
    if (std::abs(at(factor) - mouse) < std::abs(at(inner) - mouse)) inner = factor;
  }
  std::optional<StepForm> step;
  if (inner > 1) {
    step.emplace(*schedule::findInstruction("split"));
    step->values[0] = schedule::Value{schedule::Handle(schedule::LoopRef{loop_})};
    step->values[1] = schedule::Value{schedule::List{schedule::Value{}, schedule::Value{inner}}};
    draw->AddRectFilled({at(inner) - look.px(1.5F), top}, {at(inner) + look.px(1.5F), under},
                        look.paint(Tone::kSelected));
  }
  propose(context, step);
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  const std::string factors = fmt::format("{} \u00d7 {}", extent / inner, inner);
  drawReason(context,
             inner > 1          ? factors
             : divisors.empty() ? say(look, words::kNoDivisor, extent)
                                : "",
             say(look, words::kCantSplit, nameOf(context.session->navigation().node().state, loop_), factors, "{}"));
}

// Beside the mouse: the extents that it would give, the step, and why it is refused.
void NestGestures::drawReason(PanelContext& context, const std::string& said, const std::string& refused) const {
  const Look& look = context.look;
  const session::PreviewedStep* preview = context.session->preview().step();
  if (!ImGui::BeginTooltip()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look.px(8), look.px(3)});
  if (lines_.empty() || preview == nullptr) {
    const bool none = kind_ == Kind::kSplit && !said.empty();
    ImGui::TextUnformatted(none                   ? said.c_str()
                           : kind_ == Kind::kMove ? look.say(words::kDropHelp)
                                                  : look.say(words::kSplitHelp));
  } else {
    if (!said.empty()) {
      ImGui::PushFont(look.fonts.strong, window::kTextSize);
      ImGui::TextUnformatted(said.c_str());
      ImGui::PopFont();
    }
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    ImGui::TextUnformatted(abbreviatedStep(preview->step()).c_str());
    ImGui::PopFont();
    if (preview->refusal) {
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kError));
      ImGui::PushTextWrapPos(look.px(360));
      const std::string rule = look.tell(preview->refusal->message) +
                               culpritsOf(context.session->navigation().node().state, *preview->refusal);
      const std::size_t place = refused.rfind("{}");
      ImGui::TextUnformatted(
          (place == std::string::npos ? rule : refused.substr(0, place) + rule + refused.substr(place + 2)).c_str());
      ImGui::PopTextWrapPos();
      ImGui::PopStyleColor();
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndTooltip();
}

}  // namespace loom::panels
