#include "app/panels/winner/account_table.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <functional>
#include <set>

#include "app/panels/stalls/words.h"
#include "app/panels/winner/view/account.h"
#include "app/panels/winner/view/causes.h"
#include "app/panels/winner/view/waits.h"
#include "app/panels/winner/words.h"
#include "app/session/state_model.h"
#include "app/ui/column_name.h"
#include "app/ui/markdown.h"
#include "app/ui/number_field.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/decision_text.h"
#include "app/widgets/figure_text.h"

namespace loom::panels {

namespace words = text::winner;
using Kind = session::ComparedFigure::Kind;
using window::Look;
using window::Tone;

namespace {

constexpr float kFirstColumn = 140, kFigureColumn = 84;  // design px, at least

struct Line {
  std::string name;
  std::vector<std::string> values;  // by column
  std::string means = {};           // a sentence below the name
};

std::string trimmed(const std::string& name) { return name.substr(std::min(name.find_first_not_of(' '), name.size())); }

std::vector<Line> decisionLines(const Look& look, const tune::Sketch& sketch,
                                const std::vector<AccountColumn>& columns) {
  std::vector<Line> lines;
  for (int d = 0; d < int(sketch.space.decisions.size()); ++d) {
    const tune::Decision& decision = sketch.space.decisions[std::size_t(d)];
    std::set<std::int64_t> values;
    Line line{look.tell(decision.words), {}};
    for (const AccountColumn& column : columns) {
      const auto value = column.decisions.find(d);
      const bool isKnown = value != column.decisions.end();
      if (isKnown) values.insert(value->second);
      line.values.push_back(isKnown ? decidedText(look, decision.isYesOrNo, value->second) : "–");
    }
    if (values.size() > 1) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<Line> figureLines(const Look& look, const std::vector<AccountColumn>& columns) {
  std::vector<Line> lines;
  if (std::ranges::any_of(columns, [](const AccountColumn& c) { return c.measured.has_value(); })) {
    Line times{look.say(words::kMeasuredTime), {}};
    for (const AccountColumn& c : columns) times.values.push_back(figureValue(Kind::kMeasured, c.measured));
    lines.push_back(std::move(times));
  }
  std::vector<const session::StateModel*> models;
  for (const AccountColumn& c : columns) models.push_back(c.model);
  const auto isOfProgram = [](const session::StateModel* m) { return m != nullptr && !m->isOfMachineCode(); };
  if (std::ranges::any_of(models, isOfProgram)) {
    Line bases{look.say(words::kBasis), {}};
    for (const session::StateModel* m : models)
      bases.values.emplace_back(m == nullptr ? "–" : look.say(isOfProgram(m) ? words::kOfProgram : words::kOfCode));
    lines.push_back(std::move(bases));
  }
  for (const session::AccountRow& row : session::accountOf(models)) {
    Line line{figureName(look, row.kind, row.label), {}};
    for (const auto& value : row.values) line.values.push_back(figureValue(row.kind, value));
    lines.push_back(std::move(line));
  }
  return lines;
}

// Samples don't settle more digits.
std::string percentText(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string waitName(const Look& look, profile::StallReason reason) {
  return reason == profile::StallReason::kSelected ? look.say(words::kIssues) : profile::nameOf(reason);
}

std::string meaningOf(const Look& look, std::optional<profile::StallReason> reason) {
  if (!reason) return look.say(words::kNoWarpMeans);
  const text::stalls::Reason* known = text::stalls::reasonOf(profile::nameOf(*reason));
  return known == nullptr || profile::couldIssue(*reason) ? "" : look.say(known->means);
}

std::vector<Line> shareLines(const Look& look, const std::vector<AccountColumn>& columns) {
  std::vector<const session::SampledWarps*> samples;
  for (const AccountColumn& c : columns) samples.push_back(c.stalls);
  std::vector<Line> lines;
  for (const session::WaitRow& row : session::waitsOf(samples)) {
    Line line{waitName(look, row.reason), {}, meaningOf(look, row.reason)};
    for (const auto& share : row.shares) line.values.push_back(share ? percentText(*share) : "–");
    lines.push_back(std::move(line));
  }
  return lines;
}

// Whether one kernel is slower than another one by more than small parts of times differ anyway, and this row accounts
// for some of it.
bool tellsApart(const session::TimeRow& row, const std::vector<session::TimedSamples>& kernels) {
  constexpr double kClearly = 1.02;
  for (std::size_t n = 0; n < kernels.size(); ++n)
    for (std::size_t m = 0; m < kernels.size(); ++m)
      if (row.microseconds[n] && row.microseconds[m] &&
          *kernels[n].microseconds > kClearly * *kernels[m].microseconds &&
          *row.microseconds[n] > *row.microseconds[m] &&
          session::accountsFor(*row.microseconds[n] - *row.microseconds[m],
                               *kernels[n].microseconds - *kernels[m].microseconds))
        return true;
  return false;
}

// The largest part first; what is small in each column and makes no difference is one row at the end.
std::vector<Line> timeLines(const Look& look, const std::vector<AccountColumn>& columns) {
  constexpr double kLeastShare = 0.04;
  std::vector<session::TimedSamples> kernels;
  for (const AccountColumn& c : columns) kernels.push_back({c.stalls, c.measured});
  std::vector<session::TimeRow> rows = session::timesOf(kernels);
  const auto largestShare = [&](const session::TimeRow& row) {
    double most = 0;
    for (std::size_t n = 0; n < kernels.size(); ++n)
      if (row.microseconds[n]) most = std::max(most, *row.microseconds[n] / *kernels[n].microseconds);
    return most;
  };
  std::ranges::stable_sort(rows, std::greater(), largestShare);
  std::vector<Line> lines;
  const auto add = [&](const std::string& name, const session::TimeRow& row, const std::string& means) {
    Line line{name, {}, means};
    for (const auto& time : row.microseconds) line.values.push_back(time ? timeText(*time) : "–");
    lines.push_back(std::move(line));
  };
  session::TimeRow rest;
  for (const session::TimeRow& row : rows) {
    if (largestShare(row) >= kLeastShare || tellsApart(row, kernels)) {
      add(row.reason ? waitName(look, *row.reason) : look.say(words::kNoWarp), row, meaningOf(look, row.reason));
      continue;
    }
    rest.microseconds.resize(row.microseconds.size());
    for (std::size_t n = 0; n < row.microseconds.size(); ++n)
      if (row.microseconds[n]) rest.microseconds[n] = rest.microseconds[n].value_or(0) + *row.microseconds[n];
  }
  if (!rest.microseconds.empty()) add(look.say(words::kTheRest), rest, "");
  return lines;
}

// What is the same in all columns stands back.
Tone toneOf(const Line& line) {
  return line.values.size() > 1 && std::set(line.values.begin(), line.values.end()).size() == 1 ? Tone::kTextFaint
                                                                                                : Tone::kText;
}

// Lines of one kind, below a head that says which.
struct Section {
  const text::Text* head;
  std::vector<Line> lines;
};

void drawWide(const Look& look, const std::vector<AccountColumn>& columns, const std::vector<Section>& sections) {
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
  const float width = std::min(ImGui::GetContentRegionAvail().x, look.px(kMostTable));
  if (!ImGui::BeginTable("###account", int(columns.size()) + 1, kFlags, {width, 0})) return;
  ImGui::TableSetupColumn("figure", ImGuiTableColumnFlags_WidthStretch);
  for (const AccountColumn& c : columns) ImGui::TableSetupColumn(c.name.c_str());
  const auto head = [&](const char* first, bool names) {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    ImGui::TableNextColumn();
    drawColumnName(first, false);
    for (const AccountColumn& c : columns) {
      ImGui::TableNextColumn();
      if (names) drawColumnName(c.name.c_str(), true);
    }
  };
  const auto rows = [&](const std::vector<Line>& lines) {
    for (const Line& line : lines) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(toneOf(line)));
      drawWrapped(line.name);
      if (!line.means.empty()) drawSecond(look, line.means);
      for (const std::string& value : line.values) drawFigureCell(look, value);
      ImGui::PopStyleColor();
    }
  };
  for (const Section& section : sections) {
    head(look.say(*section.head), &section == &sections.front());
    rows(section.lines);
  }
  ImGui::EndTable();
}

}  // namespace

void drawAccount(const Look& look, const tune::Sketch& sketch, const std::vector<AccountColumn>& columns) {
  std::vector<Line> times = timeLines(look, columns);
  const bool areTimes = !times.empty();
  std::vector<Section> sections = {
      {&words::kDecision, decisionLines(look, sketch, columns)},
      {&words::kFigure, figureLines(look, columns)},
      {areTimes ? &words::kWaitTimes : &words::kWaits, areTimes ? std::move(times) : shareLines(look, columns)}};
  std::erase_if(sections, [](const Section& section) { return section.lines.empty(); });
  if (columns.empty() || sections.empty()) return;
  if (ImGui::GetContentRegionAvail().x > look.px(kFirstColumn) + float(columns.size()) * look.px(kFigureColumn))
    return drawWide(look, columns, sections);
  std::string names;
  for (const AccountColumn& c : columns) names += (names.empty() ? "" : " | ") + c.name;
  drawWrapped(names);
  for (const Section& section : sections) {
    if (&section != &sections.front()) drawWrapped(look.say(*section.head));
    for (const Line& line : section.lines) {
      std::string values;
      for (const std::string& value : line.values) values += (values.empty() ? "" : " | ") + value;
      drawSecond(look, named(look, trimmed(line.name), values));
    }
  }
}

std::string movedWaitsText(const Look& look, const session::SampledWarps* before, const session::SampledWarps* after) {
  std::string text;
  for (const session::WaitRow& row : session::movedWaits(before, after))
    text += fmt::format("{}{} {} → {}", text.empty() ? "" : " · ", waitName(look, row.reason),
                        percentText(*row.shares[0]), percentText(*row.shares[1]));
  return text.empty() ? "" : named(look, look.say(words::kWaits), text);
}

std::string movedText(const Look& look, const session::StateModel* before, const session::StateModel* after,
                      std::optional<double> gain) {
  if (before == nullptr || after == nullptr || before->isOfMachineCode() != after->isOfMachineCode()) return "";
  std::string modelled, counted;
  for (const session::ComparedRow& row : session::whatMoved(*before, *after, gain)) {
    std::string& text = row.kind == Kind::kProducts || row.kind == Kind::kPipe ? modelled : counted;
    text += fmt::format("{}{} {} → {}", text.empty() ? "" : " · ", trimmed(figureName(look, row.kind, row.label)),
                        figureValue(row.kind, row.before), figureValue(row.kind, row.after));
  }
  if (!modelled.empty()) modelled = named(look, look.say(words::kByModel), modelled);
  return modelled + (modelled.empty() || counted.empty() ? "" : "\n") + counted;
}

}  // namespace loom::panels
