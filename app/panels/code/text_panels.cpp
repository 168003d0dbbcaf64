#include "app/panels/code/text_panels.h"

#include <imgui.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/panels/code/code_view.h"
#include "app/panels/code/paired_code.h"
#include "app/panels/code/stall_column.h"
#include "app/panels/code/view/code.h"
#include "app/session/session.h"
#include "app/session/shown_program.h"
#include "app/text/panels.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/lesson_highlight.h"
#include "app/widgets/preview_strip.h"
#include "app/widgets/refusal.h"
#include "app/widgets/stall_text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {
namespace {

namespace words = text::panels;
using window::Tone;

class CodePanel : public Panel {
 public:
  explicit CodePanel(CodeKind kind) : kind_(kind) {}

  void draw(PanelContext& context) override {
    if (!context.hasProgram()) {
      drawNoProgram(context);
      return;
    }
    session::Session& session = *context.session;
    shown_.follow(session);
    const auto& program = shown_.program();
    if (!program) {
      drawEmpty(context, words::kDeriving);
      return;
    }
    if (kind_ == CodeKind::kCuda && program->kernel.problem) {
      if (ImGui::BeginChild("###problem", {0, -std::max(1.0F, previewLineHeight(context))})) {
        drawProblem(context.look, session, *program->kernel.problem);
      }
      ImGui::EndChild();
      drawPreviewLine(context);
      drawn_ = program;
      return;
    }
    const bool fresh = program != drawn_;
    const session::CodeText& texts = session::textsOf(*program);
    if (fresh) {
      drawn_ = program;
      numbers_.resize(texts.cuda.size());
      std::iota(numbers_.begin(), numbers_.end(), 1);
    }
    const bool cuda = kind_ == CodeKind::kCuda;
    const session::CodeMeaning& meaning = cuda ? texts.cudaMeaning : texts.scriptMeaning;
    Code code = cuda ? Code{texts.cuda, texts.cudaDiff, meaning.ids, kind_}
                     : Code{texts.script, texts.scriptDiff, meaning.ids, kind_};
    if (cuda) code.cudaLines = &numbers_;
    code.names = &meaning.names;
    code.foldEnds = &meaning.foldEnds;
    code.nest = &session::nestOf(*program);
    code.unheeded = &meaning.unheeded;
    code.panel = cuda ? "cuda" : "tvmscript";
    // Its marks tell it against the other state as soon as they are made.
    code.compared =
        !context.beside && comparesStates(session) && program != session.programs().of(session.navigation().current());
    code.unwrapped = context.unwrapped;
    if (cuda) addStalls(context, code, texts.cuda.size());
    pointAt(context, code);
    view_.drawHeads(context.look, code);
    view_.draw(context.look, code, session, fresh, previewLineHeight(context));
    drawPreviewLine(context);
  }

  void shareOptions(Panel& other) override {
    auto& twin = dynamic_cast<CodePanel&>(other);
    const bool cuda = kind_ == CodeKind::kCuda;
    if (!drawn_ || !twin.drawn_ || (cuda && (drawn_->kernel.problem || twin.drawn_->kernel.problem))) return;
    if (paired_ == std::pair(drawn_, twin.drawn_)) {
      pair_.follow(view_, twin.view_);
      return;
    }
    paired_ = {drawn_, twin.drawn_};
    const session::CodeText &texts = session::textsOf(*drawn_), &others = session::textsOf(*twin.drawn_);
    pair_.begin(view_, twin.view_, cuda ? texts.cudaDiff : texts.scriptDiff,
                cuda ? others.cuda.size() : others.script.size());
  }

 private:
  // What warps wait for at the lines of the current state, where that is known; a preview has none.
  void addStalls(PanelContext& context, Code& code, std::size_t lines) {
    session::Session& session = *context.session;
    const auto stalls =
        session.preview().step() == nullptr ? session.stalls().of(session.navigation().current()) : nullptr;
    const bool fresh = stalls != stalls_ || language_ != context.look.language || shown_.of() != stalledOf_;
    if (fresh) {
      stalls_ = stalls;
      language_ = context.look.language;
      stalledOf_ = shown_.of();
      column_ = {};
      hover_.clear();
      if (stalls && stalls->view) {
        column_ = stallColumn(lines, *stalls->view);
        for (std::size_t i = 0; i < lines; ++i) hover_.push_back(stallTip(context.look, column_, i));
      }
    }
    if (room_.kept(session, stalls_.get())) code.stalls = &column_;
    if (!hover_.empty()) code.hover = &hover_;
  }

  // A line that the lesson points at.
  void pointAt(PanelContext& context, Code& code) {
    const char* panel = kind_ == CodeKind::kCuda ? "cuda" : "tvmscript";
    const auto* place = context.spotlight ? context.spotlight->in(panel) : nullptr;
    if (place == nullptr || place->line < 0 || place->line >= int(code.lines.size())) return;
    code.spotlight = context.spotlight;
    code.lit = place->line;
    if (!context.spotlight->opened(panel)) return;
    view_.show(place->line, place->ids);
    context.spotlight->shown();
  }

  static void drawProblem(const window::Look& look, session::Session& session, const Error& problem) {
    ImGui::PushFont(look.fonts.strong, window::kTextSize);
    drawWrapped(look.say(words::kNoKernelHere));
    ImGui::PopFont();
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
    drawWrapped(look.tell(problem.message));
    ImGui::PopStyleColor();
    if (!problem.subjects.empty() && ImGui::IsItemClicked()) session.selection().select(problem.subjects);
    if (problem.remedy.empty()) return;
    ImGui::Spacing();
    drawWrapped(look.say(words::kWouldHelp));
    drawRemedy(look, problem.remedy);
  }

  CodeKind kind_;
  CodeView view_;
  session::ShownProgram shown_;
  std::shared_ptr<const session::Program> drawn_;  ///< the last one that was drawn
  PairedCode pair_;
  std::pair<std::shared_ptr<const session::Program>, std::shared_ptr<const session::Program>>
      paired_;                ///< what `pair_` is of
  std::vector<int> numbers_;  // of CUDA lines
  std::shared_ptr<const document::StallResult> stalls_;
  text::Language language_ = text::Language::kEnglish;
  std::pair<std::uint64_t, int> stalledOf_;
  StallColumn column_;  ///< empty until the samples of the state are known
  StallRoom room_;
  std::vector<std::string> hover_;
};

}  // namespace

std::unique_ptr<Panel> makeTvmScript() { return std::make_unique<CodePanel>(CodeKind::kPython); }
std::unique_ptr<Panel> makeCuda() { return std::make_unique<CodePanel>(CodeKind::kCuda); }

}  // namespace loom::panels
