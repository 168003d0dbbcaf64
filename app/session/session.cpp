#include "app/session/session.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "app/session/search_run.h"

namespace loom::session {

// In the order in which they are made: a part refers to those before it.
struct Session::Parts {
  explicit Parts(Options given)
      : options(std::move(given)),
        jobs(options.wake),
        tools(options),
        device(options, jobs, tools),
        documents(options, jobs, tools),
        programs(options, jobs, documents),
        compilations(jobs, tools, device, programs, documents),
        results(jobs, tools, device, programs, documents),
        checks(options, jobs, device, programs, results, documents),
        models(options, jobs, tools, device, programs, compilations, results),
        stalls(options, jobs, tools, device, programs, results, models, documents),
        comparison(options, jobs, programs, documents),
        navigation(jobs, documents, programs, compilations, comparison, log),
        selection(jobs, navigation, documents, comparison),
        problems(jobs, documents, programs, compilations, results, checks),
        preview(options, jobs, tools, device, programs, compilations, models, comparison, navigation, documents),
        proposals(jobs, tools, device, programs, models, comparison, navigation, documents),
        sweep(jobs, tools, device, compilations, results, documents),
        search(jobs, tools, device, models, navigation, documents),
        stepEdit(jobs, tools, device, compilations, models, navigation, documents),
        edits(jobs, documents, programs, compilations, results, checks, models, stalls, comparison, log, navigation,
              problems, preview, proposals, sweep, stepEdit) {}

  const Options options;
  Jobs jobs;
  Tools tools;
  ModelDevice device;
  Documents documents;
  Programs programs;
  Compilations compilations;
  Results results;
  Checks checks;
  Models models;
  StallSamples stalls;
  Comparison comparison;
  UndoLog log;
  Navigation navigation;
  Selection selection;
  Problems problems;
  Preview preview;
  ProposalSearch proposals;
  SweepRun sweep;
  SearchRun search;
  StepEdit stepEdit;
  Edits edits;

  BackgroundStatus activity;
  bool deviceKnown = false;
};

Session::Session(Options options) : parts_(std::make_unique<Parts>(std::move(options))) {}

Session::~Session() {
  Parts& p = *parts_;
  p.sweep.end();
  p.search.end();
  p.stalls.cancel();
  if (p.device.status().known) p.tools.bench->cancel();
  p.compilations.cancel();
  p.checks.cancel();
  p.proposals.end();
  p.jobs.silence();
  p.documents.endAutosave();
  p.jobs.end();
}

const Options& Session::options() const { return parts_->options; }
std::uint64_t Session::revision() const { return parts_->jobs.revision(); }
std::uint64_t Session::opened() const { return parts_->jobs.target(); }
const BackgroundStatus& Session::activity() const { return parts_->activity; }

Documents& Session::documents() const { return parts_->documents; }
ModelDevice& Session::modelDevice() const { return parts_->device; }
Programs& Session::programs() const { return parts_->programs; }
Compilations& Session::compilations() const { return parts_->compilations; }
Results& Session::results() const { return parts_->results; }
Checks& Session::checks() const { return parts_->checks; }
Models& Session::models() const { return parts_->models; }
StallSamples& Session::stalls() const { return parts_->stalls; }
Comparison& Session::comparison() const { return parts_->comparison; }
Navigation& Session::navigation() const { return parts_->navigation; }
Selection& Session::selection() const { return parts_->selection; }
Problems& Session::problems() const { return parts_->problems; }
Preview& Session::preview() const { return parts_->preview; }
ProposalSearch& Session::proposals() const { return parts_->proposals; }
SweepRun& Session::sweep() const { return parts_->sweep; }
SearchRun& Session::search() const { return parts_->search; }
StepEdit& Session::stepEdit() const { return parts_->stepEdit; }
Edits& Session::edits() const { return parts_->edits; }

void Session::adopt(Documents::Opened opened) {
  Parts& p = *parts_;
  p.edits.forget();
  p.search.reset();
  p.comparison.reset();
  p.documents.adopt(std::move(opened));
  p.navigation.reset();
  p.problems.reset();
  p.selection.reset();
  p.sweep.forgetStates();
  p.results.recognize();
  const document::Target& target = *p.documents.target();
  if (target.refusal) {
    p.problems.add({Problem::Kind::kRefused, target.history.current(), *target.refusal, target.refusal->place.text});
  }
  p.navigation.show(target.history.current());
  p.programs.wantAll();
}

void Session::followDevice() {
  Parts& p = *parts_;
  p.device.beginGeneration();
  p.models.reset();
  p.stalls.followDevice();
  p.compilations.restart();
  p.jobs.touch();
}

void Session::chooseDevice(const std::string& name) {
  Parts& p = *parts_;
  if (!p.device.choose(name)) return;
  p.sweep.end();
  p.sweep.reset();
  p.search.reset();
  followDevice();
  p.preview.restart();
}

void Session::cancel() {
  Parts& p = *parts_;
  p.preview.end();
  p.stepEdit.end();
  p.sweep.end();
  p.search.end();
  p.programs.cancel();
  p.comparison.cancel();
  p.documents.cancelOpening();
  p.stalls.cancel();
  if (p.device.status().known) p.tools.bench->cancel();  // before, its thread is still making it
  p.proposals.cancel();
  p.compilations.cancel();
  p.checks.cancel();
}

bool Session::poll() {
  Parts& p = *parts_;
  const bool finished = p.jobs.takeFinished();
  if (auto opened = p.documents.takeOpened()) adopt(std::move(*opened));
  if (p.device.takeMeasured()) followDevice();
  p.problems.addRemarks(p.device.takeRemarks());
  const bool isOpen = p.documents.target() != nullptr;
  // Without a target there is no state to tell them at: they wait.
  if (isOpen) {
    std::vector<Error> failures = p.jobs.takeFailures();
    std::ranges::move(takeBackgroundFailures(), std::back_inserter(failures));
    for (Error& error : failures)
      p.problems.add({Problem::Kind::kFailed, p.navigation.history().current(), std::move(error), ""});
  }
  const bool measures = p.options.measureAll && p.device.status().here;
  if (!p.deviceKnown && p.device.status().known) {
    p.deviceKnown = true;
    if (measures && isOpen) p.programs.renew();
  }
  const std::vector<Programs::Fresh> fresh = p.programs.takeFresh();
  if (isOpen && finished && measures && !fresh.empty()) {
    std::vector<int> nodes;
    for (const Programs::Fresh& one : fresh) nodes.push_back(one.node);
    p.results.measure(std::move(nodes));
  }
  p.programs.makeSome();
  p.results.lookUp(fresh);
  for (const Programs::Fresh& one : fresh) {
    if (!one.isGivenUp) p.compilations.want(one.node);
  }
  p.comparison.mark();
  p.compilations.compileSome();
  p.checks.checkCurrent([&p] { return p.navigation.isOnLessonsWay(); });
  p.proposals.follow();
  p.preview.follow();
  p.stepEdit.follow();
  p.documents.autosave();
  const BackgroundStatus before = p.activity;
  updateActivity();
  if (finished) p.jobs.touch();
  return finished || p.activity.text != before.text || p.activity.kind != before.kind;
}

void Session::updateActivity() {
  Parts& p = *parts_;
  const Compilations::Progress compiled = p.compilations.progress();
  const tune::Sweep* sweep = p.sweep.result();
  const int sizes = sweep != nullptr && sweep->running ? int(sweep->sizes.size()) : 0;
  int swept = 0;
  for (int i = 0; i < sizes; ++i) swept += sweep->sizes[std::size_t(i)].jobs == 0;
  using Kind = BackgroundStatus::Kind;
  BackgroundStatus now;
  now.kind = p.documents.isOpening() ? Kind::kOpening
             : p.search.isRunning()  ? Kind::kSearching
             : p.jobs.measuring > 0  ? Kind::kMeasuring
             : swept < sizes         ? Kind::kSweeping
             : compiled.of > 0       ? Kind::kCompiling
                                     : Kind::kNone;
  now.busy = now.kind != Kind::kNone;
  now.cancellable = now.busy;
  if (now.kind == Kind::kSearching) now.text = p.search.progress();
  if (now.kind == Kind::kMeasuring) now.text = p.jobs.progress();
  if (now.kind == Kind::kSweeping) now.text = message("size {} of {}", swept + 1, sizes);
  if (now.kind == Kind::kCompiling)
    now.text = message("state {} of {}", std::min(compiled.done + 1, compiled.of), compiled.of);
  p.activity = std::move(now);
}

}  // namespace loom::session
