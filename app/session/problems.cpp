#include "app/session/problems.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace loom::session {

const std::vector<Problem>& Problems::all() const {
  if (allOf_ != jobs_.revision()) {
    allOf_ = jobs_.revision();
    all_ = collect();
  }
  return all_;
}

void Problems::add(Problem refusal) {
  refusals_.push_back(std::move(refusal));
  jobs_.touch();
}

void Problems::clearRefusals() {
  refusals_.clear();
  jobs_.touch();
}

void Problems::dropRefusals(const std::vector<Problem>& of) {
  for (const Problem& gone : of) {
    const auto at = std::find_if(refusals_.rbegin(), refusals_.rend(), [&](const Problem& p) {
      return p.node == gone.node && p.line == gone.line && p.error.message == gone.error.message;
    });
    if (at != refusals_.rend()) refusals_.erase(std::next(at).base());
  }
  jobs_.touch();
}

void Problems::addRemarks(std::vector<Message> remarks) {
  if (remarks.empty()) return;
  remarks_ = std::move(remarks);
  jobs_.touch();
}

std::vector<Problem> Problems::collect() const {
  std::vector<Problem> problems = refusals_;
  const document::Target* target = documents_.target();
  if (target == nullptr) return problems;
  const int at = target->history.current();
  const auto now = programs_.known(at);
  if (now && now->kernel.problem) problems.push_back({Problem::Kind::kNotAKernel, at, *now->kernel.problem, ""});
  if (const Result<compile::Binary>* binary = compilations_.of(at); binary != nullptr && !*binary) {
    problems.push_back({Problem::Kind::kFailed, at, binary->error(), ""});
  }
  for (const auto& [node, t] : results_.all()) {
    if (!t.result || t.measured() || target->history.isHidden(node)) continue;
    if (t.result->outcome.status == gpu::Outcome::Status::Deadline) continue;  // slow, not wrong: Performance has it
    const bool wrong = t.result->outcome.status == gpu::Outcome::Status::Wrong;
    Error e;
    e.code = gpu::statusName(t.result->outcome.status);
    e.message = t.result->outcome.message;
    e.forbids = wrong ? Forbids::Program : Forbids::Environment;
    problems.push_back({wrong ? Problem::Kind::kWrong : Problem::Kind::kFailed, node, e, ""});
  }
  for (int node : checks_.failed()) {
    if (target->history.isHidden(node)) continue;
    const exec::Report& report = **checks_.of(node);
    Error e;
    e.code = exec::nameOf(report.status);
    e.message = exec::describe(report);
    problems.push_back({Problem::Kind::kWrong, node, e, ""});
  }
  for (int node : target->history.path(at)) {
    const auto program = programs_.known(node);
    if (!program) continue;
    for (const lower::StepRemark& said : program->stepRemarks) {
      if (said.kind != lower::StepRemark::Kind::kBreaks) continue;
      Error e;
      e.code = said.code;
      e.message = said.text;
      e.subjects = said.subjects;
      e.remedy = said.remedy;
      problems.push_back({Problem::Kind::kWrong, node, e, ""});
    }
  }
  auto remarkAt = [&](int node, const device::Remark& said) {
    Error e;
    e.message = said.text;
    e.subjects = said.subjects;
    problems.push_back({Problem::Kind::kRemark, node, e, ""});
  };
  auto remark = [&](const device::Remark& said) { remarkAt(at, said); };
  // The step that brought it, as far as the states on the way are known.
  auto broughtAt = [&](const device::Remark& said) {
    for (const int node : target->history.path(at)) {
      const auto program = programs_.known(node);
      if (!program) continue;
      for (const lower::StepRemark& step : program->stepRemarks)
        if (step.text == said.text) return node;
    }
    return at;
  };
  for (const Message& text : remarks_) remark({text, {}});
  for (const Message& text : target->remarks) remark({text, {}});
  if (now) {
    for (const device::Remark& said : unheededIn(now->kernel)) remarkAt(broughtAt(said), said);
  }
  return problems;
}

}  // namespace loom::session
