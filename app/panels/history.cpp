#include "app/panels/history.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/panels/change_text.h"
#include "app/panels/dot.h"
#include "app/panels/empty.h"
#include "app/panels/short_step.h"
#include "app/panels/state_hover.h"
#include "app/panels/step_editor.h"
#include "app/panels/time_text.h"
#include "app/text/comparing.h"
#include "app/text/history.h"
#include "app/text/panels.h"
#include "app/window/list_row.h"
#include "app/window/look.h"
#include "app/workbench/same_number.h"
#include "app/workbench/workbench.h"

namespace loom::panels {
namespace {

namespace words = text::panels;
using window::Tone;

constexpr double kSlower = 1.05;  // times the time before: less is noise

class HistoryPanel : public Panel {
 public:
  void draw(PanelContext& context) override {
    if (!context.hasProgram()) {
      drawNoProgram(context);
      return;
    }
    workbench::Workbench& bench = *context.workbench;
    const window::Look& look = context.look;
    if (seen_ != bench.revision()) {
      rows_.clear();
      collect(bench.history(), 0, 0);
      findBest(bench);
      seen_ = bench.revision();
    }
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGuiListClipper clipper;
    const float height = look.px(20);
    clipper.Begin(int(rows_.size()), height);
    for (int i = 0; i < int(rows_.size()) && scrolledTo_ != bench.current(); ++i) {
      if (rows_[std::size_t(i)].node != bench.current()) continue;
      const float y = float(i) * height - ImGui::GetScrollY();
      if (y < 0 || y > ImGui::GetWindowHeight() - 3 * height) {
        ImGui::SetScrollY(float(i) * height - ImGui::GetWindowHeight() * 0.4F);
      }
    }
    scrolledTo_ = bench.current();
    modelled_ = bench.modelIsFinal(bench.current());
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        drawRow(look, bench, rows_[std::size_t(i)], height);
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
    takeKeys(bench);
    if (edited_ > 0) editor_.open(bench, std::exchange(edited_, -1));
    editor_.draw(context);
  }

 private:
  struct Row {
    int node = 0;
    int depth = 0;        ///< branches to the left of it
    bool branch = false;  ///< the first state of a branch
  };

  // The first child goes on in its parent's column; the others, before it, are branches one column further.
  void collect(const document::History& history, int from, int depth) {
    bool branch = depth > 0;
    for (int at = from; at >= 0;) {
      rows_.push_back({at, depth, branch});
      branch = false;
      int next = -1;
      std::vector<int> others;
      for (int child : history.node(at).children) {
        if (history.node(child).deleted) continue;
        if (next < 0) {
          next = child;
        } else {
          others.push_back(child);
        }
      }
      for (int other : others) collect(history, other, depth + 1);
      at = next;
    }
  }

  void findBest(const workbench::Workbench& bench) {
    std::vector<double> times;
    for (int i = 0; i < int(bench.history().nodes().size()); ++i) {
      const gpu::Outcome* measured = bench.measured(i);
      times.push_back(measured ? measured->timing.median : -1);
    }
    best_ = workbench::bestPath(bench.history(), times);
    slower_.clear();
    for (int i = 0; i < int(times.size()); ++i) {
      int before = times[std::size_t(i)] > 0 ? bench.history().node(i).parent : -1;
      while (before >= 0 && times[std::size_t(before)] <= 0) before = bench.history().node(before).parent;
      if (before < 0) continue;
      const double ratio = times[std::size_t(i)] / times[std::size_t(before)];
      if (ratio > kSlower) slower_[i] = {ratio, before};
    }
  }
  bool isOnBest(int node) const { return std::binary_search(best_.begin(), best_.end(), node); }

  // Delete hides the current state, F2 edits its step.
  void takeKeys(workbench::Workbench& bench) {
    if (ImGui::GetIO().WantTextInput || bench.current() <= 0) return;
    if (ImGui::Shortcut(ImGuiKey_F2)) edited_ = bench.current();
    if (ImGui::Shortcut(ImGuiKey_Delete)) bench.remove(bench.current());
  }

  void drawRow(const window::Look& look, workbench::Workbench& bench, const Row& row, float height) {
    const document::Node& node = bench.history().node(row.node);
    const bool current = row.node == bench.current();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(row.node);
    if (ImGui::InvisibleButton("###row", {std::max(1.0F, width), height})) bench.select(row.node);
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 spacing{look.px(8), look.px(4)};
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, spacing);
    drawContextMenu(look, bench, row.node);
    ImGui::PopStyleVar();
    ImGui::PopID();
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (current || hovered) {
      list->AddRectFilled(at, {at.x + width, at.y + height}, look.paint(current ? Tone::kHovered : Tone::kStrip));
    }
    if (current) list->AddRectFilled(at, {at.x + look.px(3), at.y + height}, look.paint(Tone::kSelected));
    const float x = at.x + look.px(11) + float(row.depth) * look.px(14);
    const float middle = at.y + height / 2;
    const ImU32 line = look.paint(Tone::kLine);
    for (int d = 0; d <= row.depth; ++d) {
      const float column = at.x + look.px(11) + float(d) * look.px(14);
      list->AddLine({column, d == row.depth && row.branch ? middle : at.y}, {column, at.y + height}, line);
    }
    if (row.branch) list->AddLine({x - look.px(14), middle}, {x, middle}, line);
    const bool onBest = isOnBest(row.node);
    if (onBest) {
      const float from = row.node == best_.front() ? middle : at.y,
                  to = row.node == best_.back() ? middle : at.y + height;
      list->AddLine({x, from}, {x, to}, look.paint(Tone::kText), look.px(2));
    }
    const gpu::Outcome* measured = bench.measured(row.node);
    // A state without a time is a ring; the line of the tree doesn't run through it.
    if (!measured) drawDot(look, *list, {x, middle}, look.px(4), look.paint(Tone::kPanel));
    drawDot(look, *list, {x, middle}, look.px(4), look.paint(current ? Tone::kSelected : Tone::kTextSecond), measured);
    const std::string number = fmt::format("{:2}", node.number);
    const float y = middle - ImGui::GetFontSize() / 2;
    list->AddText({x + look.px(9), y}, look.paint(Tone::kTextFaint), number.c_str());
    // Until it is measured, what the model says; the state that one looks at comes first.
    const auto predicted = measured ? std::nullopt : bench.prediction(row.node, modelled_);
    const std::string time = measured ? timeText(measured->timing.median) : predicted ? predictedText(*predicted) : "";
    const float timeWidth = time.empty() ? 0 : ImGui::CalcTextSize(time.c_str()).x + look.px(10);
    const std::string what = !node.name.empty() ? node.name
                             : node.step()      ? shortStep(node.step()->source)
                                                : look.say(words::kStart);
    const float left = x + look.px(12) + ImGui::CalcTextSize(number.c_str()).x + look.px(4);
    float right = at.x + width - timeWidth;
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
      right -= look.px(6);
    }
    if (row.node == (best_.empty() ? -1 : best_.back())) tag(look.say(text::history::kBest), Tone::kText);
    if (row.node == bench.comparedWith()) tag(look.say(text::comparing::kOther), Tone::kChanged);
    const std::string label = fittedAround((node.pinned ? "* " : "") + what, right - left);
    const bool anything = label.find_first_not_of("…") != std::string::npos;
    if (anything) list->AddText({left, y}, look.paint(current ? Tone::kText : Tone::kTextSecond), label.c_str());
    if (!time.empty()) {
      list->AddText({at.x + width - timeWidth + look.px(6), y},
                    look.paint(slower != slower_.end() ? Tone::kWarning
                               : predicted             ? Tone::kTextSecond
                                                       : Tone::kText),
                    time.c_str());
    }
    if (!hovered) return;
    std::string remark;
    if (slower != slower_.end()) {
      remark = fmt::format(fmt::runtime(look.say(text::history::kSlower)), slower->second.ratio,
                           bench.history().node(slower->second.than).number);
    }
    std::string repeated;
    if (const int others = workbench::othersOfSameNumber(bench.history(), row.node); others > 0)
      repeated = fmt::format(fmt::runtime(look.say(text::history::kNumber)), node.number, others);
    drawHover(look, bench, row.node, repeated, remark);
  }

  static void drawHover(const window::Look& look, const workbench::Workbench& bench, int node,
                        const std::string& number, const std::string& remark) {
    if (!ImGui::BeginTooltip()) return;
    drawStateHover(look, bench, node);
    if (!number.empty()) ImGui::TextColored(look.colour(Tone::kTextSecond), "%s", number.c_str());
    if (!remark.empty()) ImGui::TextColored(look.colour(Tone::kWarning), "%s", remark.c_str());
    ImGui::EndTooltip();
  }

  void drawContextMenu(const window::Look& look, workbench::Workbench& bench, int node) {
    if (!ImGui::BeginPopupContextItem("###menu")) return;
    if (ImGui::IsWindowAppearing()) {
      name_ = bench.history().node(node).name;
      note_ = bench.history().node(node).note;
    }
    auto label = [&](const text::Text& words, const char* id) { return std::string(look.say(words)) + "###" + id; };
    ImGui::PushFont(look.fonts.text, 0);  // the rows' own face is the code's
    ImGui::PushStyleColor(ImGuiCol_FrameBg, look.paint(Tone::kPanel));
    ImGui::SetNextItemWidth(look.px(200));
    if (ImGui::InputText(label(words::kRename, "name").c_str(), &name_)) bench.rename(node, name_);
    ImGui::SetNextItemWidth(look.px(200));
    if (ImGui::InputText(label(words::kNote, "note").c_str(), &note_)) bench.annotate(node, note_);
    ImGui::PopStyleColor();
    ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, look.px(window::kRowGap));
    bool pinned = bench.history().node(node).pinned;
    if (ImGui::MenuItem(label(text::history::kEdit, "editstep").c_str(), "F2", false, node > 0)) edited_ = node;
    const bool compared = bench.comparedWith() == node;
    if (ImGui::MenuItem(label(text::comparing::kCompareWith, "compare").c_str(), nullptr, compared)) {
      compared ? bench.endComparison() : bench.compareWith(node);
    }
    if (ImGui::MenuItem(label(words::kPin, "pin").c_str(), nullptr, &pinned)) bench.pin(node, pinned);
    if (ImGui::MenuItem(label(words::kDelete, "delete").c_str(), "Del", false, node > 0)) bench.remove(node);
    const auto undo = bench.undoable();
    const std::string undoes = changeText(look, undo, true) + "###undo";
    if (ImGui::MenuItem(undoes.c_str(), "Ctrl+Z", false, undo.has_value())) bench.undo();
    ImGui::PopStyleVar();
    ImGui::PopFont();
    ImGui::EndPopup();
  }

  std::vector<Row> rows_;
  std::uint64_t seen_ = 0;
  int scrolledTo_ = -1;
  bool modelled_ = false;  ///< of the current state: others may be asked for
  struct Slower {
    double ratio = 1;  ///< times the time of the state `than`, the closest measured one on the way here
    int than = 0;
  };
  std::map<int, Slower> slower_;  ///< by node
  std::vector<int> best_;         ///< from the start to the fastest state
  int edited_ = -1;               ///< whose step is to be edited
  StepEditor editor_;
  std::string name_, note_;
};

}  // namespace

std::unique_ptr<Panel> makeHistory() { return std::make_unique<HistoryPanel>(); }

}  // namespace loom::panels
