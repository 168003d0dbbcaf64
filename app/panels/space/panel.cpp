#include "app/panels/space/panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <iterator>

#include "app/panels/space/rows.h"
#include "app/panels/space/words.h"
#include "app/session/search_run.h"
#include "app/session/session.h"
#include "app/ui/choice.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/number_field.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/rule_text.h"
#include "core/tune/rules/configured.h"
#include "core/tune/rules/plan.h"
#include "core/tune/rules/read_back.h"

namespace loom::panels {

namespace words = text::space;
using session::SpaceModel;
using window::Look;

namespace {

// The sketch of the configurations that a lesson's chapter compares, if it does, and everything that rules need of the
// program as it was before any step.
SpaceModel::MakeSketches makerOf(const session::Session& session, const document::Chapter* chapter,
                                 const std::string& language) {
  const auto all = chapter != nullptr ? chapter->configurations : std::nullopt;
  return [all, language, state = session.navigation().history().node(0).state, devices = session.modelDevice().cache(),
          device = session::modelledDevice(session.modelDevice().status()),
          environment = session.documents().environment(), choices = session.search().choice().rules,
          folders = tune::ownRuleFolders(session.options().assets)]() -> Result<std::vector<tune::Sketch>> {
    std::vector<tune::Sketch> sketches;
    if (all) {
      auto sketch = tune::sketchOf(*all, language);
      if (!sketch) return Failure(sketch.error());
      sketches.push_back(std::move(*sketch));
    }
    const auto figures = devices->of(device);
    if (!*figures && sketches.empty()) return Failure(figures->error());
    if (!*figures) return sketches;
    auto plan = tune::sketchOf(state, **figures, *environment.intrinsics, tune::readOwnRules(folders).rules, choices);
    if (!plan && sketches.empty()) return Failure(plan.error());
    if (plan) std::ranges::move(plan->sketches, std::back_inserter(sketches));
    return sketches;
  };
}

}  // namespace

void SpacePanel::draw(PanelContext& context) {
  if (!context.hasProgram()) return drawNoProgram(context);
  follow(context);
  if (model_.sketch() == nullptr) {
    if (!model_.problem() || model_.isExploring()) return drawEmpty(context, words::kExploring);
    return drawSecond(context.look, context.look.tell(model_.problem()->message));
  }
  drawHead(context);
  drawSketchChoice(context);
  drawParts(context.look, model_.sketch()->sketch);
  if (chapter_.chapter() != nullptr && model_.chosen() == 0) guess_.draw(context, model_, chapter_);
  drawButtons(context);
  drawMembership(context);
  ImGui::Spacing();
  if (!model_.sketch()->sketch.space.constraints.empty()) drawWaterfall(context, model_, showsWaterfall_);
  drawDecisions(context, model_);
}

void SpacePanel::follow(PanelContext& context) {
  session::Session& session = *context.session;
  model_.poll();
  if (!session.modelDevice().status().known) return;
  const std::string language = text::codeOf(context.look.language);
  chapter_.follow(session, language, context.wake);
  const document::Chapter* chapter = chapter_.chapter();
  const std::string of =
      fmt::format("{} {} {} {}", session.opened(), session::modelledDevice(session.modelDevice().status()),
                  session.modelDevice().cache()->version(),
                  chapter == nullptr ? "" : language + " " + chapter->configurations->name);
  if (of_ != of) {
    of_ = of;
    drawProblem_ = {};
    model_.explore(makerOf(session, chapter, language), context.wake);
  }
  model_.setOwn(tune::stepLines(session.navigation().history(), session.navigation().current()), [&] {
    const document::History& history = session.navigation().history();
    return SpaceModel::Scheduled{history.node(0).state, history.node(session.navigation().current()).state};
  });
}

void SpacePanel::drawHead(const PanelContext& context) {
  const Look& look = context.look;
  const session::SpaceView& view = model_.view();
  const auto& diagram = model_.sketch()->diagram;
  if (!diagram || !view.schedules) return drawHeading(look, look.tell(diagram.error().message));
  const text::Text& phrase = *view.schedules == 1 ? words::kSchedule : words::kSchedules;
  ImGui::PushFont(look.fonts.strong, window::kHeadingSize);
  ImGui::TextUnformatted(say(look, phrase, session::schedulesText(*view.schedules)).c_str());
  ImGui::PopFont();
  drawWrappedTip(look, say(look, *view.schedules == 1 ? words::kExactlyOne : words::kExactly,
                           session::exactText(*view.schedules)));
  if (*view.schedules == diagram->count()) return;
  const double share = static_cast<double>(*view.schedules) / static_cast<double>(diagram->count());
  drawSecond(look, say(look, words::kOfAll, notation::shareText(share), session::schedulesText(diagram->count())));
}

void SpacePanel::drawSketchChoice(PanelContext& context) {
  const Look& look = context.look;
  if (model_.sketches().size() < 2) return;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(look.say(words::kSketch));
  ImGui::SameLine(0, look.px(4));
  ImGui::SetNextItemWidth(std::min(look.px(280), ImGui::GetContentRegionAvail().x));
  if (!window::beginCombo("###sketch", sketchText(look, model_.sketch()->sketch.name))) return;
  int chosen = model_.chosen();
  for (int s = 0; s < static_cast<int>(model_.sketches().size()); ++s) {
    const std::string name = sketchText(look, model_.sketches()[static_cast<std::size_t>(s)]->sketch.name);
    if (ImGui::Selectable(window::windowName(name.c_str(), fmt::format("sketch{}", s).c_str()).c_str(), s == chosen)) {
      chosen = s;
    }
  }
  ImGui::EndCombo();
  if (chosen != model_.chosen()) model_.choose(chosen);
}

void SpacePanel::drawButtons(PanelContext& context) {
  const Look& look = context.look;
  const auto button = [&](const text::Text& label, const char* id) {
    return window::smallButton(window::windowName(look.say(label), id).c_str());
  };
  if (button(words::kDraw, "draw")) drawOne(context);
  drawWrappedTip(look, look.say(words::kDrawTip));
  if (model_.own() != nullptr && !model_.own()->values.empty()) {
    flowOn(look, ImGui::CalcTextSize(look.say(words::kPinToMine)).x + look.px(16));
    if (button(words::kPinToMine, "mine")) model_.pinToOwn();
    drawWrappedTip(look, look.say(words::kPinToMineTip));
  }
  if (!model_.pins().pinned().empty()) {
    flowOn(look, ImGui::CalcTextSize(look.say(words::kRelease)).x + look.px(16));
    if (button(words::kRelease, "release")) model_.releaseAll();
  }
  if (!drawProblem_.empty()) drawSecond(look, look.tell(drawProblem_));
}

void SpacePanel::drawOne(PanelContext& context) {
  drawProblem_ = {};
  const auto drawn = model_.draw();
  if (!drawn) {
    drawProblem_ = drawn.error().message;
    return;
  }
  if (!*drawn) {
    drawProblem_ = message("all schedules that the pins allow have been drawn");
    return;
  }
  const auto lines = tune::linesOf(model_.sketch()->sketch, **drawn);
  if (!lines) {
    drawProblem_ = lines.error().message;
    return;
  }
  session::Session& session = *context.session;
  session.navigation().select(0);
  session.edits().apply(*lines, {message("A schedule drawn from the space"), {}});
}

void SpacePanel::drawMembership(const PanelContext& context) {
  const Look& look = context.look;
  const session::OwnSchedule* own = model_.own();
  if (own == nullptr || own->values.empty()) return;
  const auto& membership = own->membership;
  std::string text, broken;
  if (!membership.isMember) {
    text = say(look, words::kUnknownSide, look.tell(membership.isMember.error().message));
  } else if (*membership.isMember) {
    text = say(look, words::kInside, own->values.size(), model_.sketch()->sketch.space.decisions.size());
  } else {
    constexpr std::size_t kTold = 2;  // of what another schedule breaks; the hover has all
    std::string why;
    const auto& all = membership.exclusions;
    for (std::size_t i = 0; i < all.size(); ++i) {
      broken += "\n" + look.tell(all[i].words);
      if (i < kTold) why += (why.empty() ? "" : "; ") + look.tell(all[i].words);
    }
    text =
        all.size() <= kTold ? say(look, words::kOutside, why) : say(look, words::kOutsideMore, why, all.size() - kTold);
  }
  drawSecond(look, text);
  std::string read, left;
  for (const tune::Decision& decision : model_.sketch()->sketch.space.decisions) {
    const auto value = own->values.find(decision.name);
    if (value != own->values.end()) {
      read += fmt::format("\n{} = {}", decision.name, value->second);
    } else {
      left += (left.empty() ? "" : ", ") + decision.name;
    }
  }
  drawWrappedTip(look, look.say(words::kReadValues) + read +
                           (left.empty() ? "" : "\n" + say(look, words::kNotRead, left)) +
                           (broken.empty() ? "" : "\n" + std::string(look.say(words::kBroken)) + broken));
}

}  // namespace loom::panels
