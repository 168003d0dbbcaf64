#include "app/panels/problems/panel.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/panels/problems/words.h"
#include "app/session/session.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/refusal.h"
#include "core/document/branches.h"

namespace loom::panels {

namespace words = text::problems;
using session::Problem;
using window::Tone;

namespace {

const text::Text& title(Problem::Kind kind) {
  switch (kind) {
    case Problem::Kind::kRefused: return words::kRefused;
    case Problem::Kind::kUnreadable: return words::kUnreadable;
    case Problem::Kind::kNotAKernel: return words::kNotAKernel;
    case Problem::Kind::kWrong: return words::kWrong;
    case Problem::Kind::kFailed: return words::kFailed;
    case Problem::Kind::kRemark: return words::kRemark;
  }
  return words::kFailed;
}

// "at step 3" and a button that shows it, behind the title.
void drawPlace(PanelContext& context, const Problem& problem) {
  const window::Look& look = context.look;
  session::Session& session = *context.session;
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
  const int number = session.navigation().history().node(problem.node).number;
  const int branch = document::firstOfBranch(session.navigation().history(), problem.node);
  const std::string where =
      branch < 0 ? say(look, words::kAtStep, number)
                 : say(look, words::kAtStepOfBranch, number,
                       session.navigation().history().node(session.navigation().history().node(branch).parent).number);
  ImGui::TextUnformatted(where.c_str());
  ImGui::PopStyleColor();
  const std::string show = window::windowName(look.say(words::kShow), "show");
  const float width = ImGui::CalcTextSize(look.say(words::kShow)).x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine(ImGui::GetContentRegionMax().x - width);
  if (window::smallButton(show.c_str())) {
    session.navigation().select(problem.node);
    session.selection().select(problem.error.subjects);
  }
}

void drawProblem(PanelContext& context, const Problem& problem) {
  const window::Look& look = context.look;
  const bool remark = problem.kind == Problem::Kind::kRemark;
  const bool warning = remark || problem.kind == Problem::Kind::kNotAKernel;
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(warning ? Tone::kWarning : Tone::kError));
  ImGui::TextUnformatted(warning ? "!" : "×");
  ImGui::PopStyleColor();
  ImGui::SameLine();
  ImGui::PushFont(look.fonts.strong, window::kTextSize);
  ImGui::TextUnformatted(look.say(title(problem.kind)));
  ImGui::PopFont();
  // What is said of the machine or a document is of no step.
  if (!remark || !problem.error.subjects.empty()) drawPlace(context, problem);
  if (remark) {
    drawWrapped(look.tell(problem.error.message));
    return;
  }
  const bool placed = problem.error.place.column > 1 && !problem.error.place.text.empty();
  if (!problem.line.empty() && !placed) {
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    drawWrapped(problem.line);
    ImGui::PopFont();
  }
  // That it is no kernel is its title.
  drawRefusal(context, problem.error, problem.line, problem.node == context.session->navigation().current(),
              problem.kind == Problem::Kind::kNotAKernel && problem.error.code == "NotAKernel");
}

}  // namespace

void ProblemsPanel::draw(PanelContext& context) {
  if (!context.hasProgram()) {
    drawNoProgram(context);
    return;
  }
  const bool any = !context.session->problems().all().empty();
  if (any) drawProblems(context);
  if (!drawAdvice(context, !any) && !any) drawEmpty(context, words::kNone);
}

void ProblemsPanel::drawProblems(PanelContext& context) const {
  const std::vector<Problem> problems = context.session->problems().all();  // a button may change the list
  const bool refused = std::any_of(problems.begin(), problems.end(), [](const Problem& p) {
    return p.kind == Problem::Kind::kRefused || p.kind == Problem::Kind::kUnreadable;
  });
  if (refused && window::smallButton(window::windowName(context.look.say(words::kClear), "clear").c_str())) {
    context.session->problems().clearRefusals();
  }
  bool first = !refused;
  auto draw = [&](std::size_t i) {
    ImGui::PushID(static_cast<int>(i));
    if (!first) ImGui::Separator();
    first = false;
    drawProblem(context, problems[i]);
    ImGui::PopID();
  };
  // What the person has just done, the newest first; below it what became of the kernels, by step.
  auto ran = [&](std::size_t i) {
    return problems[i].kind == Problem::Kind::kFailed || problems[i].kind == Problem::Kind::kWrong ||
           problems[i].kind == Problem::Kind::kRemark;
  };
  for (std::size_t i = problems.size(); i-- > 0;) {
    if (!ran(i)) draw(i);
  }
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (ran(i)) draw(i);
  }
}

bool ProblemsPanel::drawAdvice(PanelContext& context, bool alone) {
  model_.follow(*context.session, session::ModelBasis::kMachineCode, advice_.previews(context));
  if (!model_.model() || (model_.isFinal() && model_.model()->advice.empty())) {
    advice_.leave(context);
    return false;
  }
  if (!alone) ImGui::Separator();
  // Until the current state's is there, it is the one before's.
  const document::History& history = context.session->navigation().history();
  const int number = history.node(model_.node()).number;
  const int branch = document::firstOfBranch(history, model_.node());
  drawHeading(context.look, branch < 0 ? say(context.look, words::kAdviceOf, number)
                                       : say(context.look, words::kAdviceOnBranch, number,
                                             history.node(history.node(branch).parent).number));
  if (model_.isFinal() && model_.model()->basis == session::ModelBasis::kSource) {
    drawSecond(context.look, context.look.say(words::kAsWritten));
  }
  advice_.draw(context, model_, true);
  return true;
}

}  // namespace loom::panels
