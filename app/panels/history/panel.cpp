#include "app/panels/history/panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "app/panels/history/row_text.h"
#include "app/panels/history/state_menu.h"
#include "app/panels/history/step_editor.h"
#include "app/panels/history/target_sizes.h"
#include "app/panels/history/tree_lines.h"
#include "app/panels/history/words.h"
#include "app/session/session.h"
#include "app/text/comparing.h"
#include "app/text/panels.h"
#include "app/ui/dot.h"
#include "app/ui/list_row.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/change_text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/state_hover.h"
#include "app/widgets/state_text.h"
#include "app/window/step_bar_words.h"
#include "core/document/branches.h"
#include "core/schedule/step_kind.h"

namespace loom::panels {
namespace {

namespace words = text::panels;
using window::Tone;

constexpr std::uint64_t kFoldedByHand = ~std::uint64_t{0};  // of no revision
constexpr double kSlower = 1.05;                            // times the time before: less is noise

class HistoryPanel : public Panel {
 public:
  void draw(PanelContext& context) override {
    if (!context.hasProgram()) {
      drawNoProgram(context);
      return;
    }
    session::Session& session = *context.session;
    const window::Look& look = context.look;
    if (seen_ != session.revision()) {
      const bool folded = seen_ == kFoldedByHand;
      collect(session);
      findBest(session);
      seen_ = session.revision();
      if (!folded) row_ = rowOf(session.navigation().current());
    }
    sizes_.draw(context);
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGuiListClipper clipper;
    const float height = look.px(20);
    clipper.Begin(int(rows_.size()), height);
    // A new scale or layout puts the rows elsewhere, and so does what makes rows above: the current one stays in view.
    const Place place{session.navigation().current(), row_, height, ImGui::GetWindowHeight()};
    for (int i = 0; i < int(rows_.size()) && scrolledTo_ != place; ++i) {
      if (!showsState(rows_[std::size_t(i)], session.navigation().current())) continue;
      const float y = float(i) * height - ImGui::GetScrollY();
      if (y < 0 || y > ImGui::GetWindowHeight() - 3 * height) {
        ImGui::SetScrollY(std::floor(float(i) - ImGui::GetWindowHeight() * 0.4F / height) * height);  // whole rows
      }
    }
    scrolledTo_ = place;
    modelled_ = session.models().isFinal(session.navigation().current());
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        drawRow(look, session, rows_[std::size_t(i)], height);
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
    takeKeys(session);
    if (context.editStep != nullptr && std::exchange(*context.editStep, false) && session.navigation().current() > 0)
      edited_ = session.navigation().current();
    if (edited_ > 0) editor_.open(session, std::exchange(edited_, -1));
    editor_.draw(context);
  }

 private:
  using Row = document::HistoryRow;
  TargetSizes sizes_;

  // The branches and folds that one goes into unfold, and stay so until they are folded by hand: nothing moves while
  // one steps to and fro.
  void collect(const session::Session& session) {
    if (opened_ != session.opened()) {
      opened_ = session.opened();
      open_ = {};
      entered_ = -1;
    }
    if (entered_ != session.navigation().current()) {
      entered_ = session.navigation().current();
      document::openAround(open_, session.navigation().history(), entered_);
    }
    const document::History& history = session.navigation().history();
    rows_ = document::historyRows(history, open_, entered_);
    kinds_.clear();
    for (const Row& row : rows_) {
      const document::Line* step = history.node(row.node).step();
      const bool isState = row.fold < 0;
      if (!isState || !step) continue;
      const schedule::StepKind kind = schedule::stepKind(step->source);
      if (kind != schedule::StepKind::Exact) kinds_[row.node] = kind;
    }
  }

  // Whether it is the row of a state: its own, or that of a fold that is shut.
  static bool showsState(const Row& row, int node) {
    return row.fold < 0 ? row.node == node : row.holdsShown || (!row.open && row.node == node);
  }

  int rowOf(int node) const {
    const auto at = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return showsState(row, node); });
    return int(at - rows_.begin());
  }

  void findBest(const session::Session& session) {
    times_ = session::measuredTimes(session.navigation().history(), session.results());
    const std::vector<double>& times = times_;
    best_ = session::bestPath(session.navigation().history(), times);
    slower_.clear();
    for (int i = 0; i < int(times.size()); ++i) {
      int before = times[std::size_t(i)] > 0 ? session.navigation().history().node(i).parent : -1;
      while (before >= 0 && times[std::size_t(before)] <= 0)
        before = session.navigation().history().node(before).parent;
      if (before < 0) continue;
      const double ratio = times[std::size_t(i)] / times[std::size_t(before)];
      if (ratio > kSlower) slower_[i] = {ratio, before};
    }
  }
  int best() const { return best_.empty() ? -1 : best_.back(); }
  bool holdsBest(int node) const { return std::binary_search(best_.begin(), best_.end(), node); }

  // Delete hides the current state.
  void takeKeys(session::Session& session) {
    if (ImGui::GetIO().WantTextInput || session.navigation().current() <= 0) return;
    if (ImGui::Shortcut(ImGuiKey_Delete)) session.edits().remove(session.navigation().current());
  }

  void drawRow(const window::Look& look, session::Session& session, const Row& row, float height) {
    const document::Node& node = session.navigation().history().node(row.node);
    const bool isTitle = row.fold >= 0;
    const bool current = showsState(row, session.navigation().current());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    isTitle ? ImGui::PushID(fmt::format("fold{}", row.fold).c_str()) : ImGui::PushID(row.node);
    ImGui::SetNextItemAllowOverlap();
    if (ImGui::InvisibleButton("###row", {std::max(1.0F, width), height})) click(session, row);
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 spacing{look.px(8), look.px(4)};
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, spacing);
    menu_.draw(look, session, row, edited_);
    ImGui::PopStyleVar();
    const bool asked = ImGui::IsPopupOpen("###menu");  // what the menu is of
    ImGui::PopID();
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (asked) list->AddRect(at, {at.x + width, at.y + height}, look.paint(Tone::kTextSecond));
    if (current || hovered) {
      list->AddRectFilled(at, {at.x + width, at.y + height}, look.paint(current ? Tone::kHovered : Tone::kStrip));
    }
    if (current) list->AddRectFilled(at, {at.x + look.px(3), at.y + height}, look.paint(Tone::kSelected));
    const float x = treeColumn(look, at.x, row.depth);
    const float middle = at.y + height / 2;
    drawTreeLines(look, row, at, height);
    drawWay(look, row, at, height, current);
    const float indent = look.px(10) * float(row.level);
    if (row.open) return drawOpenTitle(look, session, row, {x, middle}, at.x + width, hovered);
    const gpu::Outcome* measured = session.results().measured(row.node);
    // A state without a time is a ring; the line of the tree doesn't run through it.
    if (!measured) drawDot(look, *list, {x, middle}, look.px(4), look.paint(Tone::kPanel));
    // The path to the fastest state is marked at its states: the line is that to the state on show.
    const bool onBest = holdsBest(row.node);
    const Tone dot = current ? Tone::kSelected : onBest ? Tone::kOk : Tone::kTextSecond;
    drawDot(look, *list, {x, middle}, look.px(4), look.paint(dot), measured);
    if (onBest) {
      const float reach = look.px(6.5F);
      list->AddLine({x + look.px(4), middle}, {x + reach, middle}, look.paint(Tone::kOk), look.px(2));
    }
    if (row.states > 1) drawFold(look, row, {x - look.px(8), middle});
    const std::string number = fmt::format("{:2}", node.number);
    const float y = middle - ImGui::GetFontSize() / 2;
    list->AddText({x + look.px(9), y}, look.paint(Tone::kTextFaint), number.c_str());
    // Until it is measured, what the model says; the state that one looks at comes first.
    const auto predicted = measured ? std::nullopt : session.models().prediction(row.node, modelled_);
    const bool wrong = session.checks().isWrong(row.node);
    const std::string time = measured    ? timeText(measured->timing.median)
                             : wrong     ? look.say(text::step_bar::kWrong)
                             : predicted ? predictedText(*predicted)
                                         : "";
    const float timeWidth = time.empty() ? 0 : ImGui::CalcTextSize(time.c_str()).x + look.px(10);
    const std::string what = isTitle              ? titleText(look, session, row)
                             : !node.name.empty() ? node.name
                             : node.step()        ? abbreviatedStep(node.step()->source)
                                                  : look.say(words::kStart);
    const float triangle = x + look.px(12) + ImGui::CalcTextSize(number.c_str()).x + indent + look.px(7);
    const float left = isTitle ? triangle + look.px(8) : triangle - look.px(3);
    float right = at.x + width - timeWidth;
    // In a narrow panel the step comes before the tags: each keeps its first letter, and the hover says the word.
    constexpr float kLeastStep = 84;
    const float step = std::min(ImGui::CalcTextSize(what.c_str()).x, look.px(kLeastStep));
    auto fits = [&](const char* word) { return right - left - ImGui::CalcTextSize(word).x - look.px(12) >= step; };
    auto tag = [&](const char* word, Tone tone) {
      const ImVec2 size = ImGui::CalcTextSize(word);
      right -= size.x + look.px(12);
      list->AddRect({right + look.px(4), middle - size.y / 2 - look.px(1)},
                    {right + look.px(10) + size.x, middle + size.y / 2 + look.px(1)}, look.paint(tone), look.px(2));
      list->AddText({right + look.px(7), y}, look.paint(tone), word);
    };
    // Slower than what it was made from: the time is marked.
    const auto slower = slower_.find(row.node);
    if (slower != slower_.end()) {
      right -= look.px(6);
      const ImU32 colour = look.paint(Tone::kWarning);
      const float tip = right - look.px(1), half = look.px(4);
      list->AddTriangleFilled({tip, middle - half}, {tip - half, middle + half * 0.75F},
                              {tip + half, middle + half * 0.75F}, colour);
      right -= look.px(10);  // a gap between it and the step
    }
    // What its step broke, or says and the kernel doesn't do: the step is marked.
    const auto program = session.programs().of(row.node);
    const bool unheeded = program && !program->stepRemarks.empty();
    if (unheeded) {
      const float wide = ImGui::CalcTextSize("!").x;
      right -= wide + look.px(6);
      const auto breaks = [](const auto& r) { return r.kind == lower::StepRemark::Kind::kBreaks; };
      const bool broken = std::any_of(program->stepRemarks.begin(), program->stepRemarks.end(), breaks);
      list->AddText({right + look.px(3), y}, look.paint(broken ? Tone::kError : Tone::kWarning), "!");
    }
    if (row.folded) tag(fmt::format("+{}", row.states - 1).c_str(), Tone::kTextSecond);
    // The fastest state, or the folded branch that it is in.
    const bool isBest = row.node == best(), inBest = row.folded && !isBest && holdsBest(row.node);
    // The star says it, too.
    if (const char* word = look.say(text::history::kBest); isBest && fits(word)) tag(word, Tone::kText);
    if (isBest || inBest) {
      right -= look.px(12);
      drawStar(*list, {right + look.px(7), middle}, look.px(5), look.paint(isBest ? Tone::kText : Tone::kTextSecond));
    }
    const auto kind = kinds_.find(row.node);
    const bool isForeign = kind != kinds_.end() && kind->second == schedule::StepKind::Foreign;
    if (kind != kinds_.end()) {
      const std::string word = look.say(isForeign ? text::history::kForeign : text::history::kAnnotated);
      tag(fits(word.c_str()) ? word.c_str() : firstCharacter(word).c_str(), Tone::kTextSecond);
    }
    if (row.node == session.comparison().node()) tag(look.say(text::comparing::kOther), Tone::kChanged);
    // The title itself comes before how many steps it stands for.
    constexpr float kLeastTitle = 60;
    const std::string steps = isTitle && !row.folded ? say(look, text::history::kSteps, row.steps) : "";
    if (!steps.empty() && right - left - ImGui::CalcTextSize(steps.c_str()).x > look.px(kLeastTitle + 12))
      tag(steps.c_str(), Tone::kTextSecond);
    if (isTitle) {
      toggleTitle(look, row, {triangle, middle});
      ImGui::PushFont(look.fonts.text, window::kSecondarySize);
    }
    const std::string marked = (node.pinned ? "* " : "") + what;
    const std::string label = isTitle ? ellipsized(marked, right - left) : fittedAround(marked, right - left);
    const bool anything = label.find_first_not_of("…") != std::string::npos;
    if (anything) list->AddText({left, y}, look.paint(current ? Tone::kText : Tone::kTextSecond), label.c_str());
    if (isTitle) ImGui::PopFont();
    if (!time.empty()) {
      list->AddText({at.x + width - timeWidth + look.px(6), y},
                    look.paint(wrong                     ? Tone::kError
                               : slower != slower_.end() ? Tone::kWarning
                               : predicted               ? Tone::kTextSecond
                                                         : Tone::kText),
                    time.c_str());
    }
    if (!hovered) return;
    std::string remark;
    if (slower != slower_.end()) {
      remark = fmt::format(fmt::runtime(look.say(text::history::kSlower)), slower->second.ratio,
                           session.navigation().history().node(slower->second.than).number);
    }
    if (unheeded) {
      for (const lower::StepRemark& r : program->stepRemarks)
        remark += (remark.empty() ? "! " : "\n! ") + look.tell(r.text);
    }
    std::string repeated;
    if (const int others = document::othersOfSameNumber(session.navigation().history(), row.node); others > 0)
      repeated = fmt::format(fmt::runtime(look.say(text::history::kNumber)), node.number, others);
    if (kind != kinds_.end())
      repeated += (repeated.empty() ? "" : "\n") +
                  std::string(look.say(isForeign ? text::history::kForeignHelp : text::history::kAnnotatedHelp));
    if (isBest) repeated += (repeated.empty() ? "" : "\n") + std::string(look.say(text::history::kBestOf));
    if (predicted) {
      if (const std::string base = predictedBase(look, session, row.node); !base.empty())
        repeated += (repeated.empty() ? "" : "\n") + base;
    }
    if (row.folded)
      repeated += (repeated.empty() ? "" : "\n") + foldedText(look, session.navigation().history(), row, times_);
    drawRowHover(look, session, row, repeated, remark);
  }

  // A click goes to a state. A fold's title is its last state; of that state already, the title opens, and shuts again.
  void click(session::Session& session, const Row& row) {
    const bool isThere = row.open || row.node == session.navigation().current();
    if (row.fold >= 0 && !row.folded && isThere) return toggle(row);
    session.navigation().select(row.node);
  }

  void toggle(const Row& row) {
    if (!open_.folds.insert(row.fold).second) open_.folds.erase(row.fold);
    seen_ = kFoldedByHand;  // the rows are another list from the next frame on
  }

  // The triangle of a fold's title. A branch that is folded opens first.
  void toggleTitle(const window::Look& look, const Row& row, ImVec2 centre) {
    if (row.folded) return;
    const text::Text& tip = row.open ? text::history::kHideSteps : text::history::kShowSteps;
    if (drawTriangle(look, fmt::format("###steps{}", row.fold), !row.open, centre, tip)) toggle(row);
  }

  // The title over the rows of its states: it is no state itself.
  void drawOpenTitle(const window::Look& look, const session::Session& session, const Row& row, ImVec2 at, float right,
                     bool hovered) {
    const float y = at.y - ImGui::GetFontSize() / 2;
    const float triangle = at.x + look.px(19) + ImGui::CalcTextSize("00").x + look.px(10) * float(row.level);
    toggleTitle(look, row, {triangle, at.y});
    if (row.states > 1) drawFold(look, row, {at.x - look.px(8), at.y});
    ImGui::PushFont(look.fonts.text, window::kSecondarySize);
    const std::string title = titleText(look, session, row);
    const float left = triangle + look.px(8);
    ImGui::GetWindowDrawList()->AddText({left, y}, look.paint(Tone::kTextSecond),
                                        ellipsized(title, right - left - look.px(4)).c_str());
    ImGui::PopFont();
    if (hovered && ImGui::BeginTooltip()) {
      drawTitleHover(look, session, row);
      ImGui::EndTooltip();
    }
  }

  // The triangle that folds a branch, where its line leaves the column beside it.
  void drawFold(const window::Look& look, const Row& row, ImVec2 centre) {
    const text::Text& tip = row.folded ? text::history::kUnfold : text::history::kFold;
    if (!drawTriangle(look, fmt::format("###fold{}", row.first), row.folded, centre, tip)) return;
    if (row.folded) {
      open_.branches.insert(row.first);
    } else {
      open_.branches.erase(row.first);
    }
    seen_ = kFoldedByHand;  // the rows are another list from the next frame on
  }

  std::vector<Row> rows_;
  std::map<int, schedule::StepKind> kinds_;  // by node of a row, where its step isn't one of TVM's alone
  document::OpenRows open_;
  std::uint64_t opened_ = 0;
  int entered_ = -1;  ///< whose branches have been unfolded
  std::uint64_t seen_ = 0;
  struct Place {
    int node = -1, row = -1;       // which it is of the rows
    float height = 0, window = 0;  // of a row and of all, px
    friend bool operator==(const Place&, const Place&) = default;
  };
  Place scrolledTo_;
  int row_ = -1;           ///< of the current state, as it was before branches were folded by hand
  bool modelled_ = false;  ///< of the current state: others may be asked for
  struct Slower {
    double ratio = 1;  ///< times the time of the state `than`, the closest measured one on the way here
    int than = 0;
  };
  std::vector<double> times_;     ///< by node, as session::measuredTimes
  std::map<int, Slower> slower_;  ///< by node
  std::vector<int> best_;         ///< from the start to the fastest state
  int edited_ = -1;               ///< whose step is to be edited
  StepEditor editor_;
  StateMenu menu_;
};

}  // namespace

std::unique_ptr<Panel> makeHistory() { return std::make_unique<HistoryPanel>(); }

}  // namespace loom::panels
