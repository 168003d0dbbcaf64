#include "app/panels/loop_nest/view/stages.h"

#include <algorithm>
#include <span>

#include "core/document/kernel.h"
#include "core/lower/annotations.h"

namespace loom::session {

namespace {

using schedule::Handle;
using schedule::Value;
using tune::MenuEntry;
using tune::StepForm;

// The name of the first block in a row.
std::string nameOf(const LoopNest& nest, int row) {
  for (int i = row; i < nest.rows[std::size_t(row)].end || i == row; ++i)
    if (nest.rows[std::size_t(i)].kind == NestRow::Kind::kBlock) return nest.rows[std::size_t(i)].name;
  return nest.rows[std::size_t(row)].name;
}

StepForm formOf(const char* primitive, const StagedBody& body, const char* key) {
  StepForm form(*schedule::findInstruction(primitive));
  form.values[0] = Value{Handle(schedule::LoopRef{body.loop})};
  form.values[1] = Value{std::string(key)};
  return form;
}

// The first stage is 0, and asynchronous stages are those that have statements. Gaps stay: a copy two stages before its
// readers is two iterations ahead.
void settle(StagedBody& body) {
  const int first = *std::ranges::min_element(body.stage);
  std::erase_if(body.asyncs, [&](int stage) { return !std::ranges::count(body.stage, stage); });
  for (int& stage : body.stage) stage -= first;
  for (int& stage : body.asyncs) stage -= first;
  std::ranges::sort(body.asyncs);
}

}  // namespace

int StagedBody::stages() const { return stage.empty() ? 0 : *std::ranges::max_element(stage) + 1; }

bool StagedBody::isAsync(int of) const { return std::ranges::count(asyncs, of) > 0; }

const StagedBody::Statement* StagedBody::find(const LoopNest& nest, ir::Id id) const {
  const int row = nest.find(id);
  for (const Statement& s : statements)
    if (row >= s.row && (row == s.row || row < nest.rows[std::size_t(s.row)].end)) return &s;
  return nullptr;
}

std::optional<StagedBody> stagedBodyOf(const LoopNest& nest, int row) {
  if (row < 0 || row >= int(nest.rows.size())) return std::nullopt;
  const auto at = [&](int i) -> const NestRow& { return nest.rows[std::size_t(i)]; };
  // A loop in a pipelined loop can be one itself: as a statement it belongs to the loop around it.
  const int loop = !at(row).staged.empty() ? at(row).parent : at(row).stages > 0 ? row : -1;
  if (loop < 0) return std::nullopt;
  StagedBody body;
  body.loop = at(loop).id;
  for (int i = loop + 1; i < at(loop).end; ++i) {
    if (at(i).parent != loop) continue;
    if (at(i).staged.empty()) return std::nullopt;
    body.statements.push_back({i, at(i).id, nameOf(nest, i), body.stage.size(), at(i).staged.size()});
    for (const Staged& s : at(i).staged) {
      body.stage.push_back(s.stage);
      body.order.push_back(s.order);
      if (s.async && !body.isAsync(s.stage)) body.asyncs.push_back(s.stage);
    }
  }
  std::ranges::sort(body.asyncs);
  body.annotatesAsync = at(loop).annotatesAsync;
  if (body.statements.empty()) return std::nullopt;
  return body;
}

std::optional<StagedBody> movedToStage(const StagedBody& body, std::size_t statement, int stage) {
  const StagedBody::Statement& s = body.statements.at(statement);
  const int from = body.stageOf(s);
  if (stage == from || stage < 0) return std::nullopt;
  StagedBody next = body;
  const bool alone = std::ranges::count(body.stage, stage) == 0;
  for (std::size_t i = 0; i < s.count; ++i) next.stage[s.first + i] = std::max(0, next.stage[s.first + i] + stage - from);
  if (alone && body.isAsync(from)) next.asyncs.push_back(stage);
  settle(next);
  if (next.stage == body.stage && next.asyncs == body.asyncs) return std::nullopt;
  return next;
}

std::optional<StagedBody> movedInOrder(const StagedBody& body, std::size_t statement, bool earlier) {
  const StagedBody::Statement& s = body.statements.at(statement);
  // Entries by their place; those of one statement need not stand side by side: the one that moves is the outermost.
  const auto own = std::span(body.order).subspan(s.first, s.count);
  const int place = earlier ? *std::ranges::min_element(own) : *std::ranges::max_element(own);
  const int other = place + (earlier ? -1 : 1);
  if (!std::ranges::count(body.order, other)) return std::nullopt;
  StagedBody next = body;
  for (int& o : next.order) o = o == place ? other : o == other ? place : o;
  return next;
}

std::optional<StagedBody> withAsync(const StagedBody& body, int stage, bool async) {
  if (body.isAsync(stage) == async || stage < 0 || stage >= body.stages()) return std::nullopt;
  StagedBody next = body;
  if (async) {
    next.asyncs.push_back(stage);
    std::ranges::sort(next.asyncs);
  } else {
    std::erase(next.asyncs, stage);
  }
  return next;
}

MenuEntry stageSteps(const StagedBody& from, const StagedBody& to, std::string text) {
  std::vector<StepForm> forms;
  const auto change = [&](const char* key, const std::vector<int>& before, const std::vector<int>& after, bool has) {
    if (before == after) return;
    if (has) forms.push_back(formOf("unannotate", from, key));
    if (after.empty()) return;
    forms.push_back(formOf("annotate", from, key));
    schedule::List list;
    for (const int n : after) list.push_back(Value{std::int64_t(n)});
    forms.back().values[2] = Value{std::move(list)};
  };
  change(lower::kStage, from.stage, to.stage, true);
  change(lower::kOrder, from.order, to.order, true);
  change(lower::kAsyncStages, from.asyncs, to.asyncs, from.annotatesAsync);
  MenuEntry entry;
  entry.text = std::move(text);
  if (forms.empty()) return entry;
  entry.form = std::move(forms.front());
  entry.also.assign(forms.begin() + 1, forms.end());
  return entry;
}

std::optional<Error> stageRefusal(const schedule::State& state, const schedule::Environment& environment,
                                  const MenuEntry& entry) {
  schedule::State tried = state;
  std::vector<StepForm> forms{entry.form};
  forms.insert(forms.end(), entry.also.begin(), entry.also.end());
  for (const StepForm& form : forms) {
    std::vector<std::pair<std::string, Value>> keywords;
    for (std::size_t i = 0; i < form.values.size(); ++i)
      keywords.emplace_back(form.row->parameters[i].name, *form.values[i]);
    const auto arguments = schedule::bindArguments(tried, *form.row, {}, std::move(keywords));
    if (!arguments) return arguments.error();
    auto applied = schedule::apply(tried, schedule::kTrialStep, *form.row, *arguments, environment);
    if (!applied) return applied.error();
    tried = std::move(applied->next);
  }
  if (document::makeKernel(state).problem) return std::nullopt;
  return document::makeKernel(tried).problem;
}

}  // namespace loom::session
