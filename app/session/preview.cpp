#include "app/session/preview.h"

#include "app/session/described_device.h"
#include "app/session/predicted_time.h"
#include "app/session/state_model.h"
#include "core/document/branches.h"
#include "core/schedule/remedy.h"

namespace loom::session {

std::string PreviewedStep::step() const {
  if (!edit.empty()) return edit;
  const std::size_t end = lines.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const std::size_t start = lines.rfind('\n', end);
  return lines.substr(start == std::string::npos ? 0 : start + 1,
                      end - (start == std::string::npos ? 0 : start + 1) + 1);
}

Result<ProgramInput> previewInput(ProgramInput input, std::uint32_t nextUid, const std::string& lines,
                                  const schedule::Environment& environment,
                                  const std::vector<document::Line>& instead) {
  auto calls = script::parseSchedule(lines, "");
  if (!calls) return Failure(calls.error());
  if (calls->empty()) return fail("ParseError", message("no step"), Forbids::Input);
  const bool alike = instead.size() == calls->size();
  schedule::State state = input.states.path.back();
  std::vector<document::Line> applied;
  for (const script::StepCall& call : *calls) {
    const std::uint32_t uid = alike ? instead[applied.size()].uid : nextUid++;
    auto next = schedule::apply(state, uid, call, environment);
    if (!next) return Failure(schedule::withRemedy(next.error(), state, call, environment));
    state = std::move(next->next);
    applied.push_back({uid, call.source, 0});
  }
  input.parentScript = input.states.script;
  input.states.script = std::make_shared<script::Script>(script::print(state.module()));
  const int number = int(input.states.path.size());
  for (const document::Line& line : applied) input.numbers.try_emplace(line.uid, number);
  input.states.path.push_back(std::move(state));
  input.states.lines.push_back(std::move(applied));
  return input;
}

void Preview::show(const std::string& lines) { start(lines, navigation_.current(), ""); }

void Preview::show(const tune::CandidateStep& step) {
  const bool edits = step.edited >= 0;
  start(step.lines, edits ? step.at : navigation_.current(), edits ? step.step : "");
}

void Preview::start(const std::string& lines, int at, const std::string& edit) {
  if (documents_.target() == nullptr || comparison_.isOtherSide()) return;
  const document::History& history = documents_.history();
  const int node = history.current();
  follow();
  if (step_ && step_->lines == lines && step_->node == node && step_->at == at) return;
  const std::uint64_t order = ++order_;
  step_.emplace();
  step_->lines = lines;
  step_->node = node;
  step_->at = at;
  step_->edit = edit;
  shows_ = navigation_.shows();
  jobs_.touch();
  jobs_[Queue::kPredictions].drop();
  // What the lines stand in place of, where they are applied to an earlier state.
  std::vector<document::Line> instead;
  for (const int passed : history.path(node)) {
    if (passed == at || !document::leadsTo(history, at, passed)) continue;
    const auto& made = history.node(passed).lines;
    instead.insert(instead.end(), made.begin(), made.end());
  }
  jobs_[Queue::kPrograms].submitFirst([this, order, target = jobs_.target(), lines, instead, at, node,
                                       device = modelledDevice(device_.status()), uid = history.nextUid(),
                                       environment = documents_.environment(), from = programInput(history, at),
                                       now = programInput(history, node)] {
    if (order_ != order) return;  // another was asked for since
    ProgramInput input = from;
    input.numbers.insert(now.numbers.begin(), now.numbers.end());  // what follows an edit keeps its numbers
    auto next = previewInput(std::move(input), uid, lines, environment, instead);
    if (!next) {
      finish(target, order, [error = next.error()](PreviewedStep& step) { step.refusal = error; });
      return;
    }
    auto made = programOf(*next, options_.views);
    if (at != node) made = markedAgainst(made, programOf(now, options_.views), options_.views);
    const schedule::State before = now.states.path.back();
    auto state = std::make_shared<const schedule::State>(next->states.path.back());
    finish(target, order, [made, state, changes = schedule::changes(before, *state)](PreviewedStep& step) {
      step.program = made;
      step.state = state;
      step.changes = changes;
    });
    jobs_[Queue::kPredictions].submit([=, this] { predict(target, order, node, before, made, device); });
  });
}

void Preview::finish(std::uint64_t target, std::uint64_t order, std::function<void(PreviewedStep&)> take) {
  jobs_.finishFor(target, [this, order, take = std::move(take)] {
    if (order_ == order && step_ && shows_ == navigation_.shows()) take(*step_);
  });
}

// What the model says of both; for the predictions' thread, some 100 ms.
void Preview::predict(std::uint64_t target, std::uint64_t order, int node, const schedule::State& before,
                      const std::shared_ptr<const Program>& after, const std::string& deviceName) {
  if (order_ != order) return;
  const auto device = tools_.devices->of(deviceName);
  const auto made = modelOn(*device, kernelOf(after));
  if (options_.views.ofModel) options_.views.ofModel(*made);
  finish(target, order, [this, target, order, made, after, deviceName](PreviewedStep& step) {
    step.model = made;
    compile(target, order, after, deviceName);
  });
  if (order_ != order || !*device) return;
  // The time before is worked out once for a state.
  const std::string figures = deviceName + "#" + std::to_string(tools_.devices->version());
  if (predictedFor_ != target || predictedOn_ != figures) predicted_.clear();
  predictedFor_ = target;
  predictedOn_ = figures;
  auto known = predicted_.find(node);
  if (known == predicted_.end()) {
    known = predicted_.emplace(node, predictedTime(document::makeKernelAt(before, after->kernel.size), **device)).first;
  }
  if (!known->second || order_ != order) return;
  auto time = predictedTime(after->kernel, **device, made.get());
  if (!time) return;
  finish(target, order,
         [effect = PredictedEffect{deviceName, *known->second, *time}](PreviewedStep& step) { step.effect = effect; });
}

// UI thread.
void Preview::compile(std::uint64_t target, std::uint64_t order, const std::shared_ptr<const Program>& program,
                      const std::string& deviceName) {
  if (compilations_.hasNoCompiler() || !device_.status().known || program->kernel.problem) return;
  step_->compiling = true;
  jobs_[Queue::kCompilations].submitFirst([=, this, here = device_.architecture()] {
    if (order_ != order) return;
    const auto binary = tools_.compiler->compile(program->kernel.source, compilations_.architectureFor(here));
    if (!binary) {
      finish(target, order, [](PreviewedStep& step) { step.compiling = false; });
      return;
    }
    jobs_[Queue::kModels].submitFirst([=, this, binary = *binary] {
      if (order_ != order) return;
      const auto made =
          models_.modelOfBinary(*tools_.devices->of(deviceName), kernelOf(program), binary, ModelBasis::kMachineCode);
      if (options_.views.ofModel) options_.views.ofModel(*made);
      finish(target, order, [made](PreviewedStep& step) {
        step.compiling = false;
        step.model = made;
      });
    });
  });
}

std::optional<PredictedEffect> Preview::effect() {
  if (step() == nullptr) return std::nullopt;
  const PreviewedStep& ghost = *step();
  const int current = navigation_.current();
  const auto now = programs_.of(current);
  if (!now || !ghost.program || !isOneKernel(*now) || !isOneKernel(*ghost.program)) return ghost.effect;
  // What the program as written promises may turn round once its machine code is there, which is on its way.
  if (ghost.compiling || !models_.isFinal(current, false)) return std::nullopt;
  const auto before = models_.of(current, ModelBasis::kMachineCode);
  auto timeOf = [](const std::shared_ptr<const StateModel>& model) {
    const bool deep = model && model->isOfMachineCode();
    return deep && model->estimate() ? model->estimate()->microseconds : 0;
  };
  if (timeOf(before) <= 0 || timeOf(ghost.model) <= 0) return ghost.effect;
  return PredictedEffect{ghost.model->device->name, timeOf(before), timeOf(ghost.model), ModelBasis::kMachineCode};
}

const PreviewedStep* Preview::step() const {
  return step_ && shows_ == navigation_.shows() && !comparison_.isOtherSide() ? &*step_ : nullptr;
}

void Preview::end() {
  if (!step_ || comparison_.isOtherSide()) return;
  ++order_;
  step_.reset();
  jobs_.touch();
}

void Preview::follow() {
  if (!step_ || shows_ == navigation_.shows()) return;
  ++order_;
  step_.reset();
}

void Preview::restart() {
  follow();
  if (!step_) return;
  const PreviewedStep before = *step_;
  end();
  start(before.lines, before.at, before.edit);
}

std::shared_ptr<const Program> Preview::shown() {
  if (const PreviewedStep* ghost = step(); ghost != nullptr && ghost->program) return ghost->program;
  return comparison_.shown();
}

std::shared_ptr<const StateModel> Preview::shownModel(ModelBasis basis) {
  if (const PreviewedStep* ghost = step(); ghost != nullptr && ghost->program) return ghost->model;
  return models_.of(navigation_.current(), basis);
}

bool Preview::shownIsFinal() {
  if (const PreviewedStep* ghost = step(); ghost != nullptr && ghost->program)
    return ghost->model != nullptr && !ghost->compiling;
  return models_.isFinal(navigation_.current());
}

std::shared_ptr<const Program> Preview::shownProgram(const std::shared_ptr<const Program>& before) {
  const PreviewedStep* ghost = step();
  if (ghost == nullptr) return programs_.of(navigation_.current());
  if (ghost->program) return ghost->program;
  return before && !ghost->refusal ? before : programs_.of(navigation_.current());
}

}  // namespace loom::session
