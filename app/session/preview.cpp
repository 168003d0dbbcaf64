#include "app/session/preview.h"

#include "app/session/parts.h"
#include "app/session/predicted_time.h"
#include "app/session/state_model.h"
#include "core/document/same_number.h"
#include "core/model/model.h"
#include "core/schedule/remedy.h"

namespace loom::workbench {

std::optional<double> predictedTime(const document::KernelText& text, const model::Device& device,
                                    const StateModel* known) {
  if (!text.program || text.program->kernels.empty()) return std::nullopt;
  double time = 0;
  for (const device::Kernel& kernel : text.program->kernels) {
    if (known && &kernel == &largestKernel(*text.program)) {
      if (!known->estimate()) return std::nullopt;
      time += known->estimate()->microseconds;
      continue;
    }
    const auto modelled = model::modelOf(kernel, device);
    if (!modelled.estimate) return std::nullopt;
    time += modelled.estimate->microseconds;
  }
  return time;
}

std::string Preview::step() const {
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
  if (calls->empty()) return fail("ParseError", "no step", Forbids::Input);
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

void Workbench::preview(const std::string& lines) { parts_->startPreview(lines, current(), ""); }

void Workbench::preview(const tune::CandidateStep& step) {
  const bool edits = step.edited >= 0;
  parts_->startPreview(step.lines, edits ? step.at : current(), edits ? step.step : "");
}

void Workbench::Parts::startPreview(const std::string& lines, int at, const std::string& edit) {
  if (!target || otherSide) return;
  const document::History& history = target->history;
  const int node = history.current();
  if (preview && preview->lines == lines && preview->node == node && preview->at == at) return;
  const std::uint64_t order = ++previewOrder;
  preview.emplace();
  preview->lines = lines;
  preview->node = node;
  preview->at = at;
  preview->edit = edit;
  ++revision;
  predicting->drop();
  // What the lines stand in place of, where they are applied to an earlier state.
  std::vector<document::Line> instead;
  for (const int passed : history.path(node)) {
    if (passed == at || !document::leadsTo(history, at, passed)) continue;
    const auto& made = history.node(passed).lines;
    instead.insert(instead.end(), made.begin(), made.end());
  }
  deriving->submitFirst([this, order, tag = opened, lines, instead, at, node, device = modelledDevice(device),
                         uid = history.nextUid(), environment = environment, from = programInput(history, at),
                         now = programInput(history, node)] {
    if (previewOrder != order) return;  // another was asked for since
    ProgramInput input = from;
    input.numbers.insert(now.numbers.begin(), now.numbers.end());  // what follows an edit keeps its numbers
    auto next = previewInput(std::move(input), uid, lines, environment, instead);
    if (!next) {
      finishPreview(tag, order, [error = next.error()](Preview& ghost) { ghost.refusal = error; });
      return;
    }
    auto made = programOf(*next, options.views);
    if (at != node) made = markedAgainst(made, programOf(now, options.views), options.views);
    const schedule::State before = now.states.path.back();
    auto state = std::make_shared<const schedule::State>(next->states.path.back());
    finishPreview(tag, order, [made, state, changes = schedule::changes(before, *state)](Preview& ghost) {
      ghost.program = made;
      ghost.state = state;
      ghost.changes = changes;
    });
    predicting->submit([=, this] { predict(tag, order, node, before, made, device); });
  });
}

void Workbench::Parts::finishPreview(std::uint64_t tag, std::uint64_t order, std::function<void(Preview&)> take) {
  finishFor(tag, [this, order, take = std::move(take)] {
    if (previewOrder == order && preview) take(*preview);
  });
}

void Workbench::Parts::predict(std::uint64_t tag, std::uint64_t order, int node, const schedule::State& before,
                               const std::shared_ptr<const Program>& after, const std::string& deviceName) {
  if (previewOrder != order) return;
  const auto device = described->of(deviceName);
  const auto made = modelOn(*device, kernelOf(after));
  if (options.views.ofModel) options.views.ofModel(*made);
  finishPreview(tag, order, [this, tag, order, made, after, deviceName](Preview& preview) {
    preview.model = made;
    compilePreview(tag, order, after, deviceName);
  });
  if (previewOrder != order || !*device) return;
  // The time before is worked out once for a state.
  const std::string figures = deviceName + "#" + std::to_string(described->version());
  if (predictedFor != tag || predictedOn != figures) predicted.clear();
  predictedFor = tag;
  predictedOn = figures;
  auto known = predicted.find(node);
  if (known == predicted.end()) {
    known = predicted.emplace(node, predictedTime(document::makeKernelAt(before, after->kernel.size), **device)).first;
  }
  if (!known->second || previewOrder != order) return;
  auto time = predictedTime(after->kernel, **device, made.get());
  if (!time) return;
  finishPreview(tag, order, [effect = PredictedEffect{deviceName, *known->second, *time}](Preview& preview) {
    preview.effect = effect;
  });
}

void Workbench::Parts::compilePreview(std::uint64_t tag, std::uint64_t order,
                                      const std::shared_ptr<const Program>& program, const std::string& deviceName) {
  if (noCompiler || !device.known || program->kernel.problem) return;
  preview->compiling = true;
  compilingQueue->submitFirst([=, this, here = architecture()] {
    if (previewOrder != order) return;
    const auto binary = compiler->compile(program->kernel.source.text, compiledFor(here));
    if (!binary) {
      finishPreview(tag, order, [](Preview& ghost) { ghost.compiling = false; });
      return;
    }
    modelling->submitFirst([=, this, binary = *binary] {
      if (previewOrder != order) return;
      const auto made = modelOfBinary(*described->of(deviceName), kernelOf(program), binary, ModelBasis::kMachineCode);
      if (options.views.ofModel) options.views.ofModel(*made);
      finishPreview(tag, order, [made](Preview& ghost) {
        ghost.compiling = false;
        ghost.model = made;
      });
    });
  });
}

std::optional<PredictedEffect> Workbench::predictedEffect() const {
  if (preview() == nullptr) return std::nullopt;
  const Preview& ghost = *preview();
  const auto now = program(current());
  if (!now || !ghost.program || !Parts::isOneKernel(*now) || !Parts::isOneKernel(*ghost.program)) return ghost.effect;
  // What the program as written promises may turn round once its machine code is there, which is on its way.
  if (ghost.compiling || !modelIsFinal(current(), false)) return std::nullopt;
  const auto before = stateModel(current(), ModelBasis::kMachineCode);
  auto timeOf = [](const std::shared_ptr<const StateModel>& model) {
    const bool deep = model && model->depth == ModelBasis::kMachineCode && !model->sassProblem;
    return deep && model->estimate() ? model->estimate()->microseconds : 0;
  };
  if (timeOf(before) <= 0 || timeOf(ghost.model) <= 0) return ghost.effect;
  return PredictedEffect{ghost.model->device->name, timeOf(before), timeOf(ghost.model), ModelBasis::kMachineCode};
}

const Preview* Workbench::preview() const {
  return parts_->preview && !parts_->otherSide ? &*parts_->preview : nullptr;
}

ApplyOutcome Workbench::applyPreview() {
  if (preview() == nullptr) return {current(), 0, std::nullopt};
  const Preview chosen = *preview();
  endPreview();
  return chosen.at == current() ? apply(chosen.lines) : parts_->applyAt(chosen.at, chosen.lines);
}

void Workbench::endPreview() {
  Parts& p = *parts_;
  if (!p.preview || p.otherSide) return;
  ++p.previewOrder;
  p.preview.reset();
  ++p.revision;
}

std::shared_ptr<const Program> Workbench::shown() const {
  const Parts& p = *parts_;
  if (const Preview* ghost = preview(); ghost != nullptr && ghost->program) return ghost->program;
  auto now = program(current());
  if (!p.compared) return now;
  if (p.otherSide) return p.compared->against == now && p.compared->markedOther ? p.compared->markedOther : now;
  return p.compared->from == now && p.compared->marked ? p.compared->marked : now;
}

std::shared_ptr<const StateModel> Workbench::shownModel(ModelBasis depth) const {
  if (const Preview* ghost = preview(); ghost != nullptr && ghost->program) return ghost->model;
  return stateModel(current(), depth);
}

bool Workbench::shownIsFinal() const {
  if (const Preview* ghost = preview(); ghost != nullptr && ghost->program)
    return ghost->model != nullptr && !ghost->compiling;
  return modelIsFinal(current());
}

std::shared_ptr<const Program> Workbench::shownProgram(const std::shared_ptr<const Program>& before) const {
  const Preview* ghost = preview();
  if (ghost == nullptr) return program(current());
  if (ghost->program) return ghost->program;
  return before && !ghost->refusal ? before : program(current());
}

}  // namespace loom::workbench
