#include "app/session/workbench.h"

#include <algorithm>

#include "app/session/parts.h"
#include "core/document/open_text.h"

namespace loom::workbench {

namespace {
constexpr double kPlaySeconds = 1.6;
}

void Workbench::Parts::openWith(std::function<Result<document::Target>()> make, bool unsaved) {
  opening = true;
  openProblem.reset();
  const std::uint64_t order = ++orders;
  deriving->submit([this, order, unsaved, make = std::move(make)] {
    Result<document::Target> made = fail("NoAssets", "");
    if (auto problem = ready()) {
      made = Failure(*problem);
    } else {
      made = make();
    }
    finish([this, order, unsaved, made = std::make_shared<Result<document::Target>>(std::move(made))] {
      if (order != orders) return;  // something else was asked for since
      opening = false;
      if (*made) {
        take(std::move(**made));
        modified = unsaved;
      } else {
        openProblem = made->error();
      }
    });
  });
}

void Workbench::Parts::forget() {
  ++opened;
  ++replayOrder;
  replay.reset();
  ++sweepOrder;
  discard(std::exchange(sweep, std::nullopt));
  if (!opening) deriving->drop();
  discard(std::exchange(programs, {}));
  asked.clear();
  underived.clear();
  timed.clear();
  discard(std::exchange(compiled, {}));
  discard(std::exchange(ptx, {}));
  ptxAsked.clear();
  fragments.clear();
  discard(std::exchange(models, {}));
  endProposing();
  discard(std::exchange(proposed, {}));
  discard(std::exchange(stalled, {}));
  modelling->drop();
  untimed.clear();
  givenUp.clear();
  dropChecking();
  checked.clear();
  dropCompiling();
  endCompiling(false);
  compileAsked.clear();
}

void Workbench::Parts::wantAllDerived() {
  for (int i = 0; i < int(target->history.nodes().size()); ++i) wantDerived(i);
}

void Workbench::Parts::replaceHistory(const document::History& by) {
  target->history = by;
  forget();
  wantAllDerived();
}

void Workbench::Parts::take(document::Target made) {
  forget();
  compared.reset();
  discard(std::exchange(target, std::move(made)));
  if (target->own) owned.push_back(target->own);
  environment = document::environmentOf(*target, {&intrinsics});
  lastChild.clear();
  undo.clear();
  redo.clear();
  vendor.reset();
  refusals.clear();
  selected.clear();
  sweepChoice.states.clear();
  playing = false;
  modified = false;
  rememberFileTime();
  chosenChapter = -1;
  chapters.clear();
  const auto& functions = target->history.node(0).state.module().functions;
  matmul = functions.empty()
               ? std::nullopt
               : gpu::recognizeMatmul(document::functionAt(target->history.node(0).state, target->history.sizes()));
  if (target->refusal) {
    refusals.push_back(
        {Problem::Kind::kRefused, target->history.current(), *target->refusal, target->refusal->place.text});
  }
  show(target->history.current());
  wantAllDerived();
}

void Workbench::Parts::show(int node) {
  ++previewOrder;
  preview.reset();
  moment.reset();
  target->history.select(node);
  way.clear();
  const std::vector<int> path = target->history.path(node);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) lastChild[path[i]] = path[i + 1];
  derive(node);
  wantCompiled(node);
  ++revision;
  refreshProblems();
}

void Workbench::Parts::changed() {
  ++replayOrder;
  replay.reset();
  way.clear();
  modified = autosaveDue = true;
  ++revision;
}

void Workbench::Parts::refreshProblems() {
  problems = refusals;
  if (!target) return;
  const int at = target->history.current();
  if (auto d = programs.find(at); d != programs.end() && d->second->kernel.problem) {
    problems.push_back({Problem::Kind::kNotAKernel, at, *d->second->kernel.problem, ""});
  }
  if (auto c = compiled.find(at); c != compiled.end() && !c->second) {
    problems.push_back({Problem::Kind::kFailed, at, c->second.error(), ""});
  }
  for (const auto& [node, t] : timed) {
    if (!t.result || t.measured()) continue;
    if (t.result->outcome.status == gpu::Outcome::Status::Deadline) continue;  // slow, not wrong: Performance has it
    const bool wrong = t.result->outcome.status == gpu::Outcome::Status::Wrong;
    Error e;
    e.code = gpu::statusName(t.result->outcome.status);
    e.message = t.result->outcome.message;
    e.forbids = wrong ? Forbids::Program : Forbids::Environment;
    problems.push_back({wrong ? Problem::Kind::kWrong : Problem::Kind::kFailed, node, e, ""});
  }
  for (const auto& [node, c] : checked) {
    if (!c.isWrong()) continue;
    const exec::Report& report = **c.report;
    Error e;
    e.code = exec::nameOf(report.status);
    e.message = exec::describe(report);
    problems.push_back({Problem::Kind::kWrong, node, e, ""});
  }
  for (int node : target->history.path(at)) {
    auto d = programs.find(node);
    if (d == programs.end()) continue;
    for (const lower::StepRemark& said : d->second->stepRemarks) {
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
      const auto d = programs.find(node);
      if (d == programs.end()) continue;
      for (const lower::StepRemark& step : d->second->stepRemarks)
        if (step.text == said.text) return node;
    }
    return at;
  };
  for (const std::string& text : machineRemarks) remark({text, {}});
  for (const std::string& text : target->remarks) remark({text, {}});
  if (auto d = programs.find(at); d != programs.end()) {
    for (const device::Remark& said : unheededIn(d->second->kernel)) remarkAt(broughtAt(said), said);
  }
}

Workbench::Workbench(Options options) : parts_(std::make_unique<Parts>(std::move(options))) {
  Parts& p = *parts_;
  p.bench = std::make_unique<document::Bench>(document::BenchOptions{});
  auto queue = [&p] {
    return std::make_unique<JobQueue>([&p](const std::string& what) {
      p.finish([&p, error = fail("InternalError", "A mistake in Tileloom itself: " + what).value()] {
        if (p.target) p.refusals.push_back({Problem::Kind::kFailed, p.target->history.current(), error, ""});
        ++p.revision;
      });
    });
  };
  p.deriving = queue();
  p.benching = queue();
  p.compilingQueue = queue();
  p.predicting = queue();
  p.modelling = queue();
  p.checking = queue();
  p.proposingQueue = queue();
  document::BenchOptions compiling = p.options.bench;
  compiling.device = "none";
  compiling.workerCommand.clear();
  compiling.database.clear();
  compiling.architecture.clear();
  p.compiler = std::make_unique<document::Bench>(compiling);
  p.benching->submit([parts = &p] {
    parts->bench = std::make_unique<document::Bench>(parts->options.bench);
    DeviceStatus line;
    line.known = true;
    if (const auto& here = parts->bench->device()) {
      line.here = *here;
    } else {
      line.problem = here.error();
    }
    if (const auto& recordings = parts->bench->recordings(); !recordings.empty()) {
      line.recorded = recordings.front().device.name;
      line.recordedDate = recordings.front().date;
    }
    document::DeviceSources sources = parts->described->sources();
    sources.here = line.here;
    // What is wrong with the assets' files the models say.
    document::KnownDevices devices = document::knownDevices(sources).value_or(document::KnownDevices{});
    std::vector<std::string> remarks = parts->bench->remarks();
    remarks.insert(remarks.end(), devices.remarks.begin(), devices.remarks.end());
    parts->finish([parts, line, sources, devices, remarks, date = Parts::measuredOn(sources)] {
      parts->device = line;
      parts->described->renew(sources);
      parts->describedDevices = devices.all;
      parts->ceilings.measured = date;
      if (auto found = model::findDevice(devices.all, parts->options.model)) {
        parts->device.chosen = found->name;
        parts->chosenArchitecture = found->architecture();
      }
      parts->machineRemarks = remarks;
      parts->refreshProblems();
      if (parts->options.measureAll && line.here && parts->target) {
        for (const auto& [node, d] : parts->programs) parts->untimed.push_back(node);
      }
    });
  });
  p.deriving->submit([parts = &p, data = p.options.dataFolder] {
    std::map<std::string, document::Translated> titles;
    for (const std::string& name : document::lessonNames(parts->options.assets)) {
      if (auto lesson = document::loadLesson(parts->options.assets / "lessons" / name)) titles[name] = lesson->title;
    }
    parts->finish([parts, titles] { parts->lessons = titles; });
  });
  findRecovery();
}

Workbench::~Workbench() {
  Parts& p = *parts_;
  ++p.sweepOrder;
  p.sampling.request_stop();
  if (p.device.known) p.bench->cancel();
  p.dropCompiling();
  p.dropChecking();
  p.endProposing();
  p.options.wake = nullptr;
  endAutosave();
  p.proposingQueue.reset();  // waits for those that compile and model
  p.checking.reset();
  p.compilingQueue.reset();  // gives work to modelling
  p.modelling.reset();
  p.benching.reset();
  p.deriving.reset();  // gives work to predicting
  p.predicting.reset();
}

std::uint64_t Workbench::revision() const { return parts_->revision; }
std::uint64_t Workbench::opened() const { return parts_->opened; }

void Workbench::open(const std::string& word) {
  parts_->openWith([parts = parts_.get(), word] {
    return document::openTarget({word}, parts->options.assets, {&parts->intrinsics});
  });
}

void Workbench::openFunction(const std::string& text, const std::string& name) {
  parts_->openWith([parts = parts_.get(), text, name] { return document::openText(text, name, {&parts->intrinsics}); });
}

void Workbench::openMatmul(const document::MatmulRequest& request) {
  auto text = document::matmulFunction(request);
  if (!text) {
    parts_->openProblem = text.error();
    return;
  }
  parts_->openWith([text = *text, sizes = document::matmulSizes(request)]() -> Result<document::Target> {
    auto made = document::openFunction(text, "matmul.py");
    auto named = document::Sizes::read(sizes);
    if (!made || !named) return made ? Failure(named.error()) : made;
    made->history.setSizes(std::move(*named));
    return made;
  });
}

std::vector<document::SizeChoice> Workbench::sizeChoices() const {
  if (!parts_->target) return {document::SizeChoice{}};
  const document::History& history = parts_->target->history;
  return document::choicesOf(history.sizes(), *history.node(0).state.module().functions.front());
}

Result<void> Workbench::nameSizes(const std::string& text) {
  Parts& p = *parts_;
  if (!p.target) return {};
  auto sizes = document::Sizes::read(text);
  if (!sizes) return Failure(sizes.error());
  const schedule::State& start = p.target->history.node(0).state;
  if (auto fine = sizes->check(*start.module().functions.front()); !fine) return fine;
  if (*sizes == p.target->history.sizes()) return {};
  document::History history = p.target->history;
  history.setSizes(std::move(*sizes));
  p.matmul = gpu::recognizeMatmul(document::functionAt(start, history.sizes()));
  p.vendor.reset();
  p.modified = true;
  p.replaceHistory(history);
  p.show(p.target->history.current());
  return {};
}

bool Workbench::opening() const { return parts_->opening; }
const std::optional<Error>& Workbench::openProblem() const { return parts_->openProblem; }
void Workbench::dismissOpenProblem() { parts_->openProblem.reset(); }
const document::Target* Workbench::target() const { return parts_->target ? &*parts_->target : nullptr; }

std::vector<std::string> Workbench::lessonNames() const {
  std::vector<std::string> names;
  for (const auto& [name, title] : parts_->lessons) names.push_back(name);
  return names;
}

document::Translated Workbench::lessonTitle(const std::string& name) const {
  auto found = parts_->lessons.find(name);
  return found == parts_->lessons.end() ? document::Translated{} : found->second;
}

const document::History& Workbench::history() const { return parts_->target.value().history; }
int Workbench::current() const { return parts_->otherSide ? parts_->compared->node : history().current(); }
const document::Node& Workbench::node() const { return history().node(current()); }
const schedule::Environment& Workbench::environment() const { return parts_->environment; }

bool Workbench::playing() const { return parts_->playing; }
void Workbench::setPlaying(bool playing) {
  parts_->playing = playing;
  parts_->played = 0;
}

bool Workbench::advance(double seconds) {
  Parts& p = *parts_;
  if (!p.playing || !p.target) return false;
  p.played += std::min(seconds, kPlaySeconds);
  if (p.played < kPlaySeconds) return false;
  p.played = 0;
  if (!stepForward()) p.playing = false;
  return true;
}

std::shared_ptr<const Program> Workbench::program(int node) const {
  auto found = parts_->programs.find(node);
  if (found != parts_->programs.end()) return found->second;
  parts_->derive(node);
  return nullptr;
}

const document::KnownTime* Workbench::timed(int node) const {
  auto found = parts_->timed.find(node);
  return found == parts_->timed.end() ? nullptr : &found->second;
}

const gpu::Outcome* Workbench::measured(int node) const {
  const document::KnownTime* known = timed(node);
  return known ? known->measured() : nullptr;
}

const Result<compile::Binary>* Workbench::compiled(int node) const {
  auto found = parts_->compiled.find(node);
  return found == parts_->compiled.end() ? nullptr : &found->second;
}

const std::optional<document::VendorLine>& Workbench::vendor() const { return parts_->vendor; }
const std::optional<gpu::Matmul>& Workbench::matmul() const { return parts_->matmul; }
const Options& Workbench::options() const { return parts_->options; }
const DeviceStatus& Workbench::device() const { return parts_->device; }
const BackgroundStatus& Workbench::activity() const { return parts_->activity; }
const std::vector<Problem>& Workbench::problems() const { return parts_->problems; }

void Workbench::clearProblems() {
  parts_->refusals.clear();
  ++parts_->revision;
  parts_->refreshProblems();
}

const std::vector<ir::Id>& Workbench::selected() const { return parts_->selected; }
const Workbench::ThreadChoice& Workbench::chosenThread() const { return parts_->chosenThread; }

void Workbench::chooseThread(const ThreadChoice& choice) {
  if (choice == parts_->chosenThread) return;
  parts_->chosenThread = choice;
  ++parts_->revision;
}

void Workbench::selectIds(std::vector<ir::Id> ids) {
  parts_->selected = std::move(ids);
  parts_->selectedLine = 0;
  ++parts_->revision;
}
void Workbench::selectCudaLine(int line, std::vector<ir::Id> ids) {
  selectIds(std::move(ids));
  parts_->selectedLine = line;
  parts_->selectedLineNode = current();
}
int Workbench::selectedCudaLine() const {
  return parts_->target && parts_->selectedLineNode == current() ? parts_->selectedLine : 0;
}
const model::TimelinePosition* Workbench::moment() const {
  return parts_->target && parts_->moment && parts_->moment->node == current() ? &*parts_->moment : nullptr;
}
void Workbench::showMoment(model::TimelinePosition moment) { parts_->moment = std::move(moment); }
void Workbench::endMoment() {
  if (!parts_->otherSide || moment() != nullptr) parts_->moment.reset();
}
bool Workbench::isSelected(ir::Id id) const {
  return std::find(parts_->selected.begin(), parts_->selected.end(), id) != parts_->selected.end();
}

}  // namespace loom::workbench
