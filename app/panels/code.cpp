#include "app/panels/code.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/panels/code_view.h"
#include "app/panels/empty.h"
#include "app/panels/preview_line.h"
#include "app/panels/refusal.h"
#include "app/panels/rich_text.h"
#include "app/text/panels.h"
#include "app/window/look.h"
#include "app/workbench/workbench.h"

namespace loom::panels {
namespace {

namespace words = text::panels;
using window::Tone;

// What each line of a script names: loops and blocks in their headers, buffers where they are used.
std::vector<std::vector<ir::Id>> idsOfScript(const script::Script& script, std::size_t lines) {
  using What = script::Span::What;
  std::vector<std::vector<ir::Id>> ids(lines);
  for (const script::Span& span : script.spans) {
    const bool whole = span.what == What::Function || span.what == What::LoopBody || span.what == What::BlockBody;
    if (whole || !span.id) continue;
    for (int line = span.line0; line <= span.line1 && line < int(lines); ++line) {
      auto& here = ids[std::size_t(line)];
      if (std::find(here.begin(), here.end(), span.id) == here.end()) here.push_back(span.id);
    }
  }
  return ids;
}

class CodePanel : public Panel {
 public:
  explicit CodePanel(CodeKind kind) : kind_(kind) {}

  void draw(PanelContext& context) override {
    if (context.workbench == nullptr || context.workbench->target() == nullptr) {
      drawEmpty(context, words::kLoading);
      return;
    }
    workbench::Workbench& bench = *context.workbench;
    // While a preview is being worked out, what was there stays: nothing flickers.
    const workbench::Preview* preview = bench.preview();
    const bool waits = preview != nullptr && !preview->derived && !preview->refusal && shown_ && of_ == opened(bench);
    const auto derived = waits ? shown_ : bench.shown();
    of_ = opened(bench);
    if (!derived) {
      drawEmpty(context, words::kDeriving);
      return;
    }
    if (kind_ == CodeKind::kCuda && derived->kernel.problem) {
      if (ImGui::BeginChild("###problem", {0, -std::max(1.0F, previewLineHeight(context))})) {
        drawProblem(context.look, bench, *derived->kernel.problem);
      }
      ImGui::EndChild();
      drawPreviewLine(context);
      shown_ = derived;
      return;
    }
    const bool fresh = derived != shown_;
    if (fresh) {
      shown_ = derived;
      collectIds(*derived);
    }
    Code code = kind_ == CodeKind::kCuda ? Code{derived->cuda, derived->cudaDiff, ids_, kind_}
                                         : Code{derived->script, derived->scriptDiff, ids_, kind_};
    if (kind_ == CodeKind::kCuda) code.cudaLines = &numbers_;
    view_.draw(context.look, code, bench, fresh, previewLineHeight(context));
    drawPreviewLine(context);
  }

 private:
  static std::pair<std::uint64_t, int> opened(const workbench::Workbench& bench) {
    return {bench.opened(), bench.current()};
  }

  void collectIds(const workbench::Derived& derived) {
    if (kind_ == CodeKind::kPython) {
      ids_ = idsOfScript(*derived.code, derived.script.size());
      return;
    }
    ids_.clear();
    numbers_.clear();
    for (int line = 1; line <= int(derived.cuda.size()); ++line) {
      ids_.push_back(idsOfCudaLine(derived, line));
      numbers_.push_back(line);
    }
  }

  static void drawProblem(const window::Look& look, workbench::Workbench& bench, const Error& problem) {
    ImGui::PushFont(look.fonts.strong, window::kTextSize);
    drawWrapped(look.say(words::kNoKernelHere));
    ImGui::PopFont();
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
    drawWrapped(look.tell(problem.message));
    ImGui::PopStyleColor();
    if (!problem.subjects.empty() && ImGui::IsItemClicked()) bench.selectIds(problem.subjects);
    if (problem.remedy.empty()) return;
    ImGui::Spacing();
    drawWrapped(look.say(words::kWouldHelp));
    drawRemedy(look, problem.remedy);
  }

  CodeKind kind_;
  CodeView view_;
  std::shared_ptr<const workbench::Derived> shown_;
  std::pair<std::uint64_t, int> of_;  ///< target and state that it follows from
  std::vector<std::vector<ir::Id>> ids_;
  std::vector<int> numbers_;  // of CUDA lines
};

}  // namespace

std::vector<ir::Id> idsOfCudaLine(const workbench::Derived& derived, int line) {
  std::vector<ir::Id> ids;
  const auto& origins = derived.kernel.source.lines;
  if (line < 1 || line > int(origins.size())) return ids;
  const codegen::LineOrigin& origin = origins[std::size_t(line - 1)];
  // The innermost loop is what a line is about; the loops around it would light up everything.
  if (!origin.ids.empty()) ids.push_back(origin.ids.back());
  if (origin.block && (ids.empty() || ids.back() != origin.block)) ids.push_back(origin.block);
  return ids;
}

std::unique_ptr<Panel> makeTvmScript() { return std::make_unique<CodePanel>(CodeKind::kPython); }
std::unique_ptr<Panel> makeCuda() { return std::make_unique<CodePanel>(CodeKind::kCuda); }

}  // namespace loom::panels
