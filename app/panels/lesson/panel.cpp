#include "app/panels/lesson/panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "app/notation/time_text.h"
#include "app/panels/lesson/scatter.h"
#include "app/panels/lesson/view/chapter_steps.h"
#include "app/panels/lesson/view/figures.h"
#include "app/panels/lesson/words.h"
#include "app/session/session.h"
#include "app/text/panels.h"
#include "app/ui/labelled_id.h"
#include "app/ui/list_row.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/lesson_highlight.h"
#include "core/document/chapter_order.h"
#include "core/document/figure.h"

namespace loom::panels {
namespace {

namespace words = text::panels;
using window::Tone;

constexpr float kStepsSeen = 64;  // design px of the steps' heading and its first lines

class LessonPanel : public Panel {
 public:
  void draw(PanelContext& context) override {
    const window::Look& look = context.look;
    if (!context.hasProgram()) {
      drawNoProgram(context);
      const bool opening = context.session != nullptr && context.session->documents().isOpening();
      if (!opening) drawEmpty(context, text::lesson::kHowToOpen);
      return;
    }
    session::Session& session = *context.session;
    const document::Target& target = *session.documents().target();
    if (!target.lesson) {
      drawEmpty(context, words::kNoLesson);
      return;
    }
    const auto& chapters = target.lesson->chapters;
    const std::string language = text::codeOf(look.language);
    const int at = std::max(0, session.navigation().chapter());
    times_.follow(session, language, context.wake);
    const document::Chapter& chapter = chapters[std::size_t(at)];
    drawChapterList(look, session, chapters, language, at);
    ImGui::PushFont(look.fonts.strong, window::kHeadingSize);
    drawWrapped(document::in(chapter.title, language));
    ImGui::PopFont();
    const int end = target.chapterNodes[std::size_t(at)];
    if (isChanged(session, at)) {
      drawRemark(look, look.say(words::kLessonChanged));
    } else if (!session.navigation().isOnLessonsWay()) {
      drawRemark(look, say(look, words::kLessonLeft, session.navigation().history().node(end).number));
    }
    if (session.results().areFromAnotherDevice())
      drawRemark(look, say(look, words::kLessonOther, session.modelDevice().status().chosen, timesDevice(session)));
    ImGui::Dummy({1, look.px(1)});
    const bool apart = nextStandsApart(look, session, chapters, language);
    const float buttons = ImGui::GetFrameHeightWithSpacing() * (apart ? 2.0F : 1.0F) + look.px(6);
    const float room = ImGui::GetContentRegionAvail().y - buttons;
    const bool below = text_.stepsAt > 0 && text_.stepsAt + look.px(kStepsSeen) > room;
    if (ImGui::BeginChild("###text", {0, (below ? -ImGui::GetTextLineHeightWithSpacing() : 0) - buttons})) {
      if (shown_ != &chapter || language_ != language) ImGui::SetScrollY(0);
      if (text_.goes) ImGui::SetScrollY(text_.stepsAt);
      shown_ = &chapter;
      language_ = language;
      drawGain(look, session, at, language);
      const PhraseClicks use = drawRichText(look, filled(context, chapter, language, at), true);
      if (use.hovered && context.spotlight) context.spotlight->hover(*use.hovered, session);
      if (use.clicked && context.spotlight) context.spotlight->open(*use.clicked, session);
      scatter_.draw(context, times_);
      text_ = {0, ImGui::GetCursorPosY(), ImGui::GetScrollY()};
      text_.steps = drawSteps(look, session, at, language);
      if (text_.steps == 0) text_.stepsAt = 0;
    }
    ImGui::EndChild();
    if (below) drawStepsLink(look);
    drawButtons(context, chapters, language, at, apart);
  }

 private:
  // Whether a step that led to the chapter's end is no longer the lesson's.
  bool isChanged(const session::Session& session, int chapter) {
    // Only an edit changes steps that are there, and with it the target counts as opened anew.
    if (comparedOf_ != session.opened()) changed_.clear();
    comparedOf_ = session.opened();
    const auto known = changed_.find(chapter);
    if (known != changed_.end()) return known->second;
    return changed_[chapter] = !document::hasLessonsSteps(*session.documents().target(), std::size_t(chapter));
  }

  // Whose times the text's figures are.
  static std::string timesDevice(const session::Session& session) {
    const session::DeviceStatus& line = session.modelDevice().status();
    return line.here && !line.here->cpu ? line.here->name : line.recorded;
  }

  // What the chapter gained, where its time and that of the chapter that its text compares it with are known.
  static void drawGain(const window::Look& look, const session::Session& session, int at, const std::string& language) {
    const document::Target& target = *session.documents().target();
    const int with = document::comparedChapter(*target.lesson, std::size_t(at));
    const auto timeOf = [&](int chapter) { return session.results().timed(target.chapterNodes[std::size_t(chapter)]); };
    const auto *then = with < 0 ? nullptr : timeOf(with), *here = timeOf(at);
    if (then == nullptr || here == nullptr || then->device != here->device) return;
    const auto *before = then->measured(), *now = here->measured();
    if (before == nullptr || now == nullptr) return;
    const std::string& title = document::in(target.lesson->chapters[std::size_t(with)].title, language);
    drawSecond(look, say(look, text::lesson::kGain, notation::timeText(before->timing.median),
                         notation::timeText(now->timing.median), with + 1, title));
    ImGui::Dummy({1, look.px(2)});
  }

  // Stands below a text that is too long for the panel: what is under it would be missed.
  void drawStepsLink(const window::Look& look) {
    const bool seen = text_.stepsAt - text_.scroll + look.px(kStepsSeen) < ImGui::GetItemRectSize().y;
    ImGui::BeginDisabled(seen);
    ImGui::PushFont(nullptr, window::kSecondarySize);
    const std::string label =
        ellipsized(say(look, text::lesson::kStepsBelow, text_.steps), ImGui::GetContentRegionAvail().x - look.px(16));
    text_.goes = window::smallButton((label + "###stepsbelow").c_str());
    ImGui::PopFont();
    ImGui::EndDisabled();
  }

  // What the chapter does otherwise than the one that its text compares it with, line by line. Returns how many lines.
  int drawSteps(const window::Look& look, const session::Session& session, int at, const std::string& language) {
    if (stepsOf_ != std::pair(session.opened(), at)) {
      stepsOf_ = {session.opened(), at};
      steps_ = session::chapterSteps(*session.documents().target(), std::size_t(at));
    }
    if (steps_.lines.empty()) return 0;
    const auto& chapters = session.documents().target()->lesson->chapters;
    const bool alone =
        std::ranges::all_of(steps_.lines, [](const session::ChapterSteps::Line& line) { return line.isOwn; });
    ImGui::Dummy({1, look.px(6)});
    ImGui::PushFont(look.fonts.strong, window::kSecondarySize);
    drawWrapped(
        alone ? look.say(text::lesson::kOwnSteps)
              : say(look, text::lesson::kOtherSteps, document::in(chapters[std::size_t(steps_.with)].title, language)));
    ImGui::PopFont();
    ImGui::PushFont(look.fonts.code, window::kUnitSize);
    for (const session::ChapterSteps::Line& line : steps_.lines) {
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(line.isOwn ? Tone::kChanged : Tone::kTextFaint));
      ImGui::TextUnformatted(line.isOwn ? "+" : "−");
      ImGui::PopStyleColor();
      ImGui::SameLine(0, look.px(6));
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(line.isOwn ? Tone::kTextSecond : Tone::kTextFaint));
      drawWrapped(abbreviatedStep(line.source));  // whole: what an annotation's key is stands in its middle
      ImGui::PopStyleColor();
      setItemTip(look, line.source);
    }
    ImGui::PopFont();
    return int(steps_.lines.size());
  }

  // What the text doesn't know.
  static void drawRemark(const window::Look& look, const std::string& words) {
    ImGui::PushFont(nullptr, window::kSecondarySize);
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kChanged));
    drawWrapped(words);
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }

  // Is the row too narrow for all three buttons, with any chapter's name? The same for all of a lesson: what one clicks
  // again and again keeps its place.
  static bool nextStandsApart(const window::Look& look, const session::Session& session,
                              const std::vector<document::Chapter>& chapters, const std::string& language) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const text::Text& play = session.navigation().isPlaying() ? words::kPause : words::kPlay;
    float name = ImGui::CalcTextSize(look.say(words::kNext)).x;
    for (const document::Chapter& chapter : chapters)
      name = std::max(name, ImGui::CalcTextSize(("→ " + document::in(chapter.title, language)).c_str()).x);
    float width = 6 * style.FramePadding.x + 2 * style.ItemSpacing.x + look.px(8) + name;
    for (const text::Text* word : {&words::kBack, &play}) width += ImGui::CalcTextSize(look.say(*word)).x;
    return width > ImGui::GetContentRegionAvail().x;
  }

  void drawChapterList(const window::Look& look, session::Session& session,
                       const std::vector<document::Chapter>& chapters, const std::string& language, int at) {
    ImGui::SetNextItemWidth(-1);
    const std::string where = fmt::format(fmt::runtime(look.say(words::kChapterOf)), at + 1, chapters.size());
    if (ImGui::BeginCombo("###chapters", where.c_str(), ImGuiComboFlags_HeightLarge)) {
      for (int i = 0; i < int(chapters.size()); ++i) {
        const std::string label =
            fmt::format("{}  {}###chapter{}", i + 1, document::in(chapters[std::size_t(i)].title, language), i);
        const bool broken =
            session.navigation().history().isBroken(session.documents().target()->chapterNodes[std::size_t(i)]);
        ImGui::BeginDisabled(broken);
        if (ImGui::Selectable(label.c_str(), i == at)) session.navigation().goToChapter(i);
        ImGui::EndDisabled();
        if (broken) setItemTip(look, look.say(words::kLessonBroken));
        if (i == at) ImGui::SetItemDefaultFocus();
      }
      ImGui::EndCombo();
    }
  }

  void drawButtons(PanelContext& context, const std::vector<document::Chapter>& chapters, const std::string& language,
                   int at, bool apart) {
    const window::Look& look = context.look;
    session::Session& session = *context.session;
    const int next = session.navigation().chapterAfter();
    ImGui::BeginDisabled(session.navigation().chapterBefore() < 0);
    if (ImGui::Button((std::string(look.say(words::kBack)) + "###back").c_str()))
      session.navigation().previousChapter();
    ImGui::EndDisabled();
    ImGui::SameLine();
    const text::Text& play = session.navigation().isPlaying() ? words::kPause : words::kPlay;
    if (ImGui::Button((std::string(look.say(play)) + "###play").c_str()))
      session.navigation().setPlaying(!session.navigation().isPlaying());
    if (!apart) ImGui::SameLine();
    const bool last = next < 0;
    ImGui::PushStyleColor(ImGuiCol_Button, look.paint(Tone::kText));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, look.paint(Tone::kTextSecond));
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kPanel));
    std::string label = look.say(last ? words::kWhatNext : words::kNext);
    std::string full;
    if (last) {
      full = label;
      label = ellipsized(full, ImGui::GetContentRegionAvail().x);
    } else {
      // In the midst of a chapter, or from before its steps, its own end comes first.
      const bool own = next == at;
      full = own ? look.say(words::kToChapterEnd)
                 : fmt::format(fmt::runtime(look.say(words::kNextIs)),
                               document::in(chapters[std::size_t(next)].title, language));
      const float room = ImGui::GetContentRegionAvail().x - look.px(8);
      std::string shown = ellipsized(full, room);
      if (shown != full && !own)
        shown = ellipsized("→ " + document::in(chapters[std::size_t(next)].title, language), room);
      if (room > ImGui::CalcTextSize(label.c_str()).x + look.px(60)) label = shown;
    }
    // A narrow column gives up the padding before the word.
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const float spare = (ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(label.c_str()).x) / 2;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {std::clamp(spare, 0.0F, padding.x), padding.y});
    const bool clicked = ImGui::Button((label + "###next").c_str(), {ImGui::GetContentRegionAvail().x, 0});
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(3);
    if (!full.empty() && label != full) setItemTip(look, full);
    if (clicked && !last) session.navigation().nextChapter();
    if (clicked && last) ImGui::OpenPopup("###after");
    drawAfter(context, ImGui::GetItemRectMin());
  }

  // Where one can go from the end of the lesson. The list stands on `corner`, a button's: below there is no room.
  static void drawAfter(PanelContext& context, ImVec2 corner) {
    if (!ImGui::IsPopupOpen("###after")) return;
    const window::Look& look = context.look;
    session::Session& session = *context.session;
    ImGui::SetNextWindowPos({corner.x, corner.y - look.px(2)}, ImGuiCond_Always, {0, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(8), look.px(8)});
    ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, look.px(window::kRowGap));
    if (ImGui::BeginPopup("###after")) {
      auto item = [&](const std::string& label, const std::string& id) {
        return ImGui::MenuItem(window::windowName(label.c_str(), id.c_str()).c_str());
      };
      auto ask = [&](const std::string& command) {
        if (context.command != nullptr) *context.command = command;
      };
      for (const std::string& name : session.documents().lessonNames()) {
        if (name == session.documents().target()->lessonName) continue;
        const std::string title = document::in(session.documents().lessonTitle(name), text::codeOf(look.language));
        if (item(fmt::format(fmt::runtime(look.say(words::kNextLesson)), title), name)) ask(name);
      }
      if (item(look.say(words::kNextFreely), "freely")) ImGui::SetWindowFocus(window::windowName("", "step").c_str());
      const auto program = session.programs().of(session.navigation().current());
      const bool kernel = program && !program->kernel.problem;
      if (kernel && item(look.say(words::kNextExport), "export")) ask("cuda");
      if (item(look.say(words::kNextReport), "report")) ask("lesson_report");
      ImGui::EndPopup();
    }
    ImGui::PopStyleVar(2);
  }

  // The chapter's text with its figures, and "…" for those that are still being worked out.
  const std::string& filled(PanelContext& context, const document::Chapter& chapter, const std::string& language,
                            int at) {
    session::Session& session = *context.session;
    const std::string& text = document::in(chapter.text, language);
    if (filledOf_ == &text && filledAt_ == session.revision()) return filled_;
    filledOf_ = &text;
    filledAt_ = session.revision();
    const document::Target& target = *session.documents().target();
    // What the other panels show comes first.
    const bool first =
        session.programs().of(session.navigation().current()) && session.models().of(session.navigation().current());
    std::set<std::string> told;
    filled_ = document::withFigures(text, [&](const document::Figure& figure) -> std::string {
      if (figure.name == "published") return notation::timeText(target.lesson->published.at(figure.chapter));
      const int node = document::figureNode(target, figure, at);
      const bool there = first && session.programs().of(node);
      // A figure that changes when the machine code comes would contradict the text beside it.
      const bool final = there && session.models().isFinal(node);
      const auto model = final ? session.models().of(node, session::ModelBasis::kMachineCode) : nullptr;
      std::string value =
          notation::lessonFigure(figure.name, model.get(), session.results().timed(node), context.look.language, told);
      return value.empty() ? "…" : value;
    });
    return filled_;
  }

  session::ChapterTimes times_;
  Scatter scatter_;
  const document::Chapter* shown_ = nullptr;
  const std::string* filledOf_ = nullptr;
  std::uint64_t filledAt_ = 0;
  std::string filled_;
  std::string language_;
  std::uint64_t comparedOf_ = 0;  ///< opened target
  std::map<int, bool> changed_;   ///< by chapter
  // Of the text, as it was drawn last.
  struct {
    int steps = 0;      // lines
    float stepsAt = 0;  // px from the text's beginning to its steps; 0: it has none
    float scroll = 0;
    bool goes = false;  // whether the steps are to be scrolled to
  } text_;
  session::ChapterSteps steps_;
  std::pair<std::uint64_t, int> stepsOf_{0, -1};  ///< the opened target and the chapter that `steps_` are of
};

}  // namespace

std::unique_ptr<Panel> makeLesson() { return std::make_unique<LessonPanel>(); }

}  // namespace loom::panels
