#include "app/panels/memory/panel.h"

#include <imgui.h>

#include "app/panels/memory/arrows.h"
#include "app/panels/memory/bands.h"
#include "app/panels/memory/buffers.h"
#include "app/panels/memory/figures.h"
#include "app/panels/memory/view/compiled_traffic.h"
#include "app/panels/memory/view/memory.h"
#include "app/panels/memory/words.h"
#include "app/session/session.h"
#include "app/text/counts.h"
#include "app/ui/choice.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/kernel_note.h"
#include "app/widgets/preview_strip.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::memory;
using window::Look;

namespace {

constexpr float kRoomForFigures = 760;  // design px: the figures stand beside the levels

}  // namespace

void MemoryHierarchyPanel::draw(PanelContext& context) {
  if (!context.hasProgram()) {
    drawNoProgram(context);
    return;
  }
  session::Session& session = *context.session;
  const Look& look = context.look;
  shown_.follow(session);
  if (!shown_.model()) {
    drawEmpty(context, words::kWorking);
    return;
  }
  // A preview is told against the state that it starts from. What stays on show meanwhile keeps its marks.
  const session::PreviewedStep* preview = session.preview().step();
  const bool previewed = preview != nullptr && preview->program != nullptr;
  if (shown_.model() == session.preview().shownModel()) {
    const int with = previewed ? session.navigation().current() : session.comparison().reference();
    const auto before = with >= 0 ? session.models().of(with) : shown_.model();
    ghost_ = previewed;
    if (model_ != shown_.model() || before_ != before) {
      model_ = shown_.model();
      before_ = before;
      mark();
    }
  }
  if (marked_ != showsCompiled()) mark();
  drawTrafficChoice(look);
  drawKernelNote(look, *shown_.model());
  const session::MemoryView* other = comparesStates(session) && before_ ? &session::memoryOf(*before_) : nullptr;
  const float room = ImGui::GetContentRegionAvail().x;
  const bool wide = room >= look.px(kRoomForFigures);
  // A strip for what the advice previews would move its button away from the mouse.
  const float strip = advice_.previews(context) ? 0 : previewLineHeight(context);
  if (ImGui::BeginChild("levels", {wide ? room * 0.68F : 0, -strip})) {
    // As wide with a scroll bar as without: levels keep their place.
    drawLevels(context, ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize, wide);
    if (!wide) drawMemoryFigures(context, shown_, advice_, other);
  }
  ImGui::EndChild();
  if (wide) {
    ImGui::SameLine();
    if (ImGui::BeginChild("figures", {0, -strip})) drawMemoryFigures(context, shown_, advice_, other);
    ImGui::EndChild();
  }
  if (strip > 0) drawPreviewLine(context);
}

void MemoryHierarchyPanel::shareOptions(Panel& other) {
  auto& twin = dynamic_cast<MemoryHierarchyPanel&>(other);
  if (const auto grid = sharedGrid_.settle(wholeGrid_, twin.wholeGrid_)) wholeGrid_ = twin.wholeGrid_ = *grid;
  if (const auto compiled = sharedCompiled_.settle(compiled_, twin.compiled_)) compiled_ = twin.compiled_ = *compiled;
}

bool MemoryHierarchyPanel::showsCompiled() const {
  return compiled_ && !session::memoryOf(*model_).compiledTraffic.empty();
}

// What is shown, and how it differs from the state before.
void MemoryHierarchyPanel::mark() {
  marked_ = showsCompiled();
  if (marked_) compiledView_ = session::withCompiledTraffic(session::memoryOf(*model_));
  view_ = marked_ ? &compiledView_ : &session::memoryOf(*model_);
  // Arrows of two kinds aren't held against each other.
  const session::StateModel& before = before_ ? *before_ : *model_;
  const bool alike = !marked_ || !session::memoryOf(before).compiledTraffic.empty();
  change_ = !marked_ ? session::memoryChange(session::memoryOf(before), *view_)
            : alike  ? session::memoryChange(session::withCompiledTraffic(session::memoryOf(before)), *view_)
                     : session::memoryChange(*view_, *view_);
}

// Both choices are there in every state: the levels keep their place.
void MemoryHierarchyPanel::drawTrafficChoice(const Look& look) {
  ImGui::BeginDisabled(!view_->kernel);
  if (window::radioButton(look, look.say(words::kPerBlock), !wholeGrid_)) wholeGrid_ = false;
  ImGui::SameLine();
  if (window::radioButton(look, look.say(words::kWholeGrid), wholeGrid_)) wholeGrid_ = true;
  ImGui::EndDisabled();
  const char* written = look.say(text::counts::kWritten);
  const char* compiled = look.say(text::counts::kCompiled);
  const float needed = ImGui::CalcTextSize(written).x + ImGui::CalcTextSize(compiled).x +
                       2 * (ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().ItemSpacing.x);
  ImGui::SameLine(0, look.px(16));
  if (ImGui::GetContentRegionAvail().x < needed) ImGui::NewLine();
  ImGui::BeginDisabled(session::memoryOf(*model_).compiledTraffic.empty());
  if (window::radioButton(look, written, !showsCompiled())) compiled_ = false;
  ImGui::SameLine();
  if (window::radioButton(look, compiled, showsCompiled())) compiled_ = true;
  ImGui::EndDisabled();
  if (session::memoryOf(*model_).compiledTraffic.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    showTip(look, look.say(words::kNotCompiledHint));
}

void MemoryHierarchyPanel::drawLevels(PanelContext& context, float width, bool wide) {
  const Look& look = context.look;
  const session::MemoryView& v = *view_;
  const MemoryBands bands(look, v, ImGui::GetCursorScreenPos(), width, wide);
  const ShownMemory shown{*model_, v,       change_,    before_ ? &session::memoryOf(*before_) : nullptr,
                          ghost_,  marked_, wholeGrid_, context.session->selection().position()};
  const MemoryArrows arrows(context, shown, bands);
  const MemoryBuffers buffers(context, shown, bands);
  bands.draw(context, v);
  arrows.draw();
  buffers.draw();
  if (v.kernel) arrows.drawIntensities();
  ImGui::SetCursorScreenPos({bands.origin().x, bands.bottom(session::kMemoryLevels - 1) + look.px(6)});
  ImGui::Dummy({0, 0});
  if (v.draft) drawSecond(look, say(look, words::kDraft, look.tell(v.problem)));
  std::string note = v.kernel ? say(look, marked_ ? words::kScaleCompiled : words::kScale,
                                    look.say(marked_ ? text::counts::kCompiled : text::counts::kWritten),
                                    look.say(text::counts::kDistinct))
                              : say(look, v.allocated ? words::kNoKernel : words::kOnlyDeclared, look.tell(v.problem));
  if (const std::string letters = buffers.lettersNote(); !letters.empty()) note += " " + letters;
  if (buffers.haveLives()) note += std::string(" ") + look.say(words::kLifeNote);
  if (std::ranges::any_of(v.buffers, [](const session::MemoryBuffer& b) { return b.ways > 1; }))
    note += std::string(" ") + look.say(words::kWaysNote);
  if (const std::string carried = v.kernel ? arrows.carriedNote() : ""; !carried.empty()) note += " " + carried;
  if (v.mostTurns > v.leastTurns && !wholeGrid_) note += " " + say(look, words::kMeanNote, v.leastTurns, v.mostTurns);
  drawSecond(look, note);
}

}  // namespace loom::panels
