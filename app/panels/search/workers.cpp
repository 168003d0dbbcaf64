#include "app/panels/search/workers.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/panels/search/words.h"
#include "app/ui/column_name.h"
#include "app/ui/markdown.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::search;
using process::WorkerStatus;
using process::WorkerTally;
using window::Look;
using window::Tone;

namespace {

using State = WorkerStatus::State;

constexpr float kLeastTable = 420;  // design px: with less, the last end would wrap after every word

Tone toneOf(State state) {
  switch (state) {
    case State::Busy: return Tone::kOk;
    case State::Idle: return Tone::kText;
    case State::Out: return Tone::kError;
    case State::Ending: return Tone::kWarning;
    case State::Down:
    case State::Starting: break;
  }
  return Tone::kTextSecond;
}

std::string stateText(const Look& look, const WorkerStatus& w) {
  const auto seconds = [](double s) { return fmt::format("{:.0f}", s); };
  switch (w.state) {
    case State::Busy:
      return say(look, w.again ? words::kHoldsAgain : words::kHolds, w.job + 1, fmt::format("{:.1f}", w.held));
    case State::Idle: return look.say(words::kIdleWorker);
    case State::Starting: return look.say(words::kStarting);
    case State::Down: return say(look, words::kStartsIn, seconds(w.left));
    case State::Ending: return look.say(words::kEnding);
    case State::Out: break;
  }
  return look.say(words::kOut);
}

bool isLeased(const session::SearchWorkers& all, const WorkerStatus& w) {
  return !all.isOver && (w.state == State::Busy || w.state == State::Starting);
}

void drawState(const Look& look, const session::SearchWorkers& all, std::size_t n) {
  const WorkerStatus& w = all.workers[n];
  // What a process did when the search ended says nothing, but for one that was taken out.
  const bool isKnown = !all.isOver || w.state == State::Out;
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(isKnown ? toneOf(w.state) : Tone::kTextSecond));
  drawWrapped(isKnown ? stateText(look, w) : look.say(words::kOver));
  ImGui::PopStyleColor();
  drawWrappedTip(look, all.commands[n]);
}

// Why its process ended last; empty: it did not.
std::string whyText(const Look& look, const WorkerTally& tally) {
  const Message& why = tally.out.empty() ? tally.last : tally.out;
  return why.empty() ? "" : look.tell(why);
}

void drawRow(const Look& look, const session::SearchWorkers& all, std::size_t n) {
  const WorkerStatus& w = all.workers[n];
  const WorkerTally& tally = all.tallies[n];
  ImGui::TableNextRow();
  drawFigureCell(look, std::to_string(n + 1));
  drawWrappedTip(look, all.commands[n]);
  ImGui::TableNextColumn();
  drawState(look, all, n);
  drawFigureCell(look, isLeased(all, w) ? fmt::format("{:.0f} s", w.left) : "–");
  drawFigureCell(look, numberText(tally.answered));
  drawFigureCell(look, numberText(tally.lost));
  ImGui::TableNextColumn();
  if (const std::string why = whyText(look, tally); !why.empty()) drawSecond(look, why);
}

// Where columns would be a few characters wide: what each does in a line, its figures and its last end below.
void drawAsList(const Look& look, const session::SearchWorkers& all) {
  for (std::size_t n = 0; n < all.workers.size(); ++n) {
    const WorkerStatus& w = all.workers[n];
    const WorkerTally& tally = all.tallies[n];
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(std::to_string(n + 1).c_str());
    ImGui::PopFont();
    ImGui::SameLine(look.px(24));
    ImGui::BeginGroup();
    drawState(look, all, n);
    std::string figures = say(look, words::kFigures, tally.answered, tally.lost);
    if (isLeased(all, w)) figures += " · " + say(look, words::kLeaseLeft, fmt::format("{:.0f}", w.left));
    drawSecond(look, figures);
    if (const std::string why = whyText(look, tally); !why.empty()) drawSecond(look, say(look, words::kEndedLast, why));
    ImGui::EndGroup();
  }
}

}  // namespace

void drawWorkers(const Look& look, const session::SearchWorkers& workers) {
  drawHeading(look, look.say(words::kWorkers));
  const process::QueueStatus& queue = workers.queue;
  if (queue.jobs > 0 && !workers.isOver)
    drawSecond(look, say(look, words::kQueue, queue.settled, queue.jobs, queue.waiting, queue.lost));
  if (ImGui::GetContentRegionAvail().x < look.px(kLeastTable)) return drawAsList(look, workers);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
  const std::pair<const text::Text*, const text::Text*> heads[] = {{&words::kWorkerNumber, &words::kWorkerNumberTip},
                                                                   {&words::kDoes, &words::kDoesTip},
                                                                   {&words::kLease, &words::kLeaseTip},
                                                                   {&words::kDone, &words::kDoneTip},
                                                                   {&words::kLost, &words::kLostTip},
                                                                   {&words::kLastEnd, &words::kLastEndTip}};
  if (!ImGui::BeginTable("###workers", int(std::size(heads)), kFlags)) return;
  for (const auto& [head, tip] : heads)
    ImGui::TableSetupColumn(look.say(*head), head == &words::kDoes || head == &words::kLastEnd
                                                 ? ImGuiTableColumnFlags_WidthStretch
                                                 : ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  int column = 0;
  for (const auto& [head, tip] : heads) {
    ImGui::TableSetColumnIndex(column);
    drawColumnName(look.say(*head), column != 1 && column != 5);
    drawWrappedTip(look, tip == &words::kLeaseTip ? say(look, *tip, fmt::format("{:g}", workers.limits.jobSeconds))
                                                  : std::string(look.say(*tip)));
    ++column;
  }
  for (std::size_t n = 0; n < workers.workers.size(); ++n) drawRow(look, workers, n);
  ImGui::EndTable();
}

}  // namespace loom::panels
