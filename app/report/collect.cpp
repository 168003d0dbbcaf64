#include <algorithm>
#include <set>

#include "app/notation/time_text.h"
#include "app/panels/lesson/view/figures.h"
#include "app/report/report.h"
#include "app/session/described_device.h"
#include "app/session/model_device.h"
#include "core/document/chapter_order.h"
#include "core/document/export.h"
#include "core/document/figure.h"
#include "core/document/kernel.h"
#include "core/document/pointer.h"
#include "core/document/time_rows.h"

namespace loom::report {
namespace {

using document::History;

// What is known of a state, worked out when it is first asked for.
class States {
 public:
  struct State {
    std::shared_ptr<const document::KernelText> kernel;
    std::optional<compile::Binary> binary;
    std::shared_ptr<const session::StateModel> model;
    document::KnownTime timed;
  };
  // `of` states will be asked for, as progress tells.
  States(const document::Target& target, int of, document::Bench& bench, const Progress& progress)
      : target_(target), bench_(bench), described_(bench.deviceSources()), progress_(progress), of_(of) {}

  const State& of(int node) {
    auto [at, isNew] = states_.emplace(node, State{});
    if (isNew && progress_ && !progress_(int(states_.size()) - 1, of_)) throw Stopped();
    if (isNew) make(node, at->second);
    return at->second;
  }

 private:
  // As the window has it: of the machine code, where there is a compiler.
  void make(int node, State& state) {
    const History& h = target_.history;
    state.kernel = std::make_shared<const document::KernelText>(document::makeKernel(
        h.node(node).state, [&](ir::Id id) { return h.describe(node, id); }, 0, h.sizes()));
    const document::KernelText& kernel = *state.kernel;
    session::DeviceStatus line;
    if (bench_.device()) line.here = *bench_.device();
    if (!bench_.recordings().empty()) line.recorded = bench_.recordings().front().device.name;
    const auto device = described_.of(session::modelledDevice(line));
    session::Known known;
    std::optional<Result<std::string>> sass;
    if (bench_.compiler() && !kernel.problem) {
      auto compiled = bench_.compileAll({kernel.source}, bench_.architecture());
      if (!compiled.empty() && compiled.front()) state.binary = std::move(*compiled.front());
    }
    if (state.binary) {
      known.binary = &*state.binary;
      if (bench_.toolkit()) sass = compile::disassemble(*bench_.toolkit(), *known.binary);
      if (sass) known.sass = &*sass;
    }
    state.model = session::modelOn(*device, state.kernel, known);
    if (!kernel.problem) state.timed = bench_.known(kernel);
  }

  const document::Target& target_;
  document::Bench& bench_;
  session::DeviceCache described_;
  const Progress& progress_;
  int of_ = 0;  // states
  std::map<int, State> states_;
};

bool isPublished(const document::Figure& figure) { return figure.name == "published"; }

// Puts what is known of a lesson's states into the text of a chapter; "–" where nothing is.
std::string filled(const document::Target& target, States& states, text::Language language, const std::string& text,
                   int chapter) {
  std::set<std::string> told;
  return document::withFigures(text, [&](const document::Figure& figure) {
    if (isPublished(figure)) return notation::timeText(target.lesson->published.at(figure.chapter));
    const States::State& state = states.of(document::figureNode(target, figure, chapter));
    const bool kernel = !state.kernel->problem;
    const std::string value =
        notation::lessonFigure(figure.name, kernel ? state.model.get() : nullptr, &state.timed, language, told);
    return value.empty() ? "–" : value;
  });
}

// A chapter whose text has no figures yet, and its number in the lesson; −1: it is of no lesson.
struct Unfilled {
  Chapter chapter;
  int number = -1;
};

// The states that a report asks for: those of its rows, and the ends of chapters that its texts have figures of.
std::set<int> askedStates(const document::Target& target, const std::vector<int>& nodes,
                          const std::vector<Unfilled>& chapters) {
  std::set<int> all(nodes.begin(), nodes.end());
  for (const Unfilled& of : chapters) {
    if (of.number < 0) continue;
    document::withFigures(of.chapter.text, [&](const document::Figure& figure) {
      if (!isPublished(figure)) all.insert(document::figureNode(target, figure, of.number));
      return std::string();
    });
  }
  return all;
}

// States in the order of rows, each chapter's new ones together.
std::vector<Unfilled> chaptersOf(const document::Target& target, int node, const std::string& language,
                                 std::vector<int>& nodes) {
  std::vector<Unfilled> chapters;
  const History& h = target.history;
  std::vector<bool> wanted(h.nodes().size(), node == kWholeLesson), taken(h.nodes().size(), false);
  const std::vector<int> path = h.path(node == kWholeLesson ? 0 : node);
  for (int at : path) wanted[std::size_t(at)] = true;
  auto add = [&](Chapter& chapter, int end) {
    for (int at : h.path(end)) {
      if (!wanted[std::size_t(at)] || taken[std::size_t(at)]) continue;
      taken[std::size_t(at)] = true;
      chapter.steps.push_back(int(nodes.size()));
      nodes.push_back(at);
    }
  };
  if (target.lesson) {
    for (std::size_t c = 0; c < target.chapterNodes.size(); ++c) {
      const document::Chapter& from = target.lesson->chapters[c];
      const std::string text = document::withoutPointers(document::in(from.text, language));
      Chapter chapter{document::in(from.title, language), text, {}};
      add(chapter, target.chapterNodes[c]);
      if (chapter.steps.empty() && node != kWholeLesson) continue;
      chapters.push_back({std::move(chapter), int(c)});
    }
  }
  if (node != kWholeLesson || chapters.empty()) {
    Chapter own;
    add(own, node == kWholeLesson ? 0 : node);
    if (!own.steps.empty()) chapters.push_back({std::move(own)});
  }
  return chapters;
}

void takeResult(Step& step, document::KnownTime timed) {
  if (const gpu::Outcome* measured = timed.measured(); measured && timed.result->origin != gpu::ResultOrigin::Executed)
    step.microseconds = measured->timing.median;
  step.result = std::move(timed.result);
  step.device = std::move(timed.device);
}

void takeBinary(Step& step, const compile::Binary& binary) {
  if (binary.kernels.empty()) return;
  const auto& kernel = binary.kernels.front();
  step.registers = kernel.registers;
  step.spillBytes = kernel.spillStores + kernel.spillLoads;
}

}  // namespace

std::optional<double> Step::tflops() const {
  if (!microseconds || *microseconds <= 0 || nest.flops <= 0) return std::nullopt;
  return nest.flops / *microseconds / 1e6;
}

namespace {
std::optional<document::TimeOn> timeOf(const Step& step) {
  return step.microseconds ? std::optional(document::TimeOn{*step.microseconds, step.device}) : std::nullopt;
}
}  // namespace

const Step* Report::fastest() const {
  std::vector<std::optional<document::TimeOn>> times;
  for (const Step& step : steps) times.push_back(timeOf(step));
  const std::string device = document::deviceOfMost(times);
  const Step* best = nullptr;
  for (const Step& step : steps) {
    if (step.microseconds && step.device == device && (best == nullptr || *step.microseconds < *best->microseconds))
      best = &step;
  }
  return best;
}

Report collect(const document::Target& target, int node, document::Bench& bench, text::Language language,
               const Progress& progress) {
  Report report;
  report.language = language;
  report.title = target.title;
  report.headline = target.lesson ? document::in(target.lesson->title, text::codeOf(language)) : target.title;
  report.date = document::Bench::today();
  std::vector<int> nodes;
  if (node == kWholeLesson && !target.lesson) node = target.history.current();
  std::vector<Unfilled> chapters = chaptersOf(target, node, text::codeOf(language), nodes);
  States states(target, int(askedStates(target, nodes, chapters).size()), bench, progress);
  for (Unfilled& of : chapters) {
    if (of.number >= 0) of.chapter.text = filled(target, states, language, of.chapter.text, of.number);
    report.chapters.push_back(std::move(of.chapter));
  }
  const History& h = target.history;
  std::map<int, std::size_t> stepOf;
  for (int at : nodes) {
    const document::Node& n = h.node(at);
    const States::State& state = states.of(at);
    const document::KernelText& kernel = *state.kernel;
    Step step;
    step.model = state.model;
    step.node = at;
    step.parent = n.parent;
    step.number = n.number;
    step.name = n.name;
    step.note = n.note;
    for (const document::Line& line : n.lines) step.accessors.push_back(line.source);
    if (n.step()) {
      step.source = n.step()->source;
      step.accessors.pop_back();
    }
    step.problem = kernel.problem;
    step.script = script::splitLines(n.script->text);
    step.nest = session::loopNestOf(session::statePath(h, at), &kernel);
    if (!kernel.problem) {
      step.cuda = script::splitLines(kernel.source.text);
      step.singleThread =
          kernel.program && !kernel.program->kernels.empty() && kernel.program->kernels.front().singleThread;
      takeResult(step, state.timed);
      // What the compiler reports leaves out memory whose size only the launch says.
      if (kernel.program && !kernel.program->kernels.empty())
        step.sharedBytes = kernel.program->kernels.front().sharedBytes();
      if (state.binary) takeBinary(step, *state.binary);
    }
    if (auto before = stepOf.find(n.parent); before != stepOf.end()) {
      const Step& from = report.steps[before->second];
      step.scriptDiff = script::diffLines(from.script, step.script);
      if (!step.cuda.empty() && !from.cuda.empty()) step.cudaDiff = script::diffLines(from.cuda, step.cuda);
    }
    stepOf[at] = report.steps.size();
    report.steps.push_back(std::move(step));
  }
  report.compiled = bench.compiler().has_value();
  if (auto matmul = gpu::recognizeMatmul(document::functionAt(h.node(0).state, h.sizes()))) {
    report.workload = gpu::workloadKey(*matmul);
    report.vendor = bench.knownVendor(*matmul);
  }
  auto time = [&](int at) -> std::optional<document::TimeOn> {
    auto found = stepOf.find(at);
    return found == stepOf.end() ? std::nullopt : timeOf(report.steps[found->second]);
  };
  for (const document::TimeRow& row : document::timeRows(h, time, document::timeOn(report.vendor), {},
                                                         [&](int at) { return document::comparedEnd(target, at); })) {
    Step& step = report.steps[stepOf.at(row.node)];
    step.overPrevious = row.overPrevious;
    if (row.overPrevious) step.overFirst = row.overFirst;
    step.vendorShare = row.vendorShare;
  }
  return report;
}

const std::vector<std::string>& exportKinds() {
  static const std::vector<std::string> kKinds = [] {
    std::vector<std::string> kinds = document::exportKinds();
    kinds.insert(kinds.end(), {"report", "csv"});
    return kinds;
  }();
  return kKinds;
}

Result<std::map<std::string, std::string>> exportState(const document::Target& target, int node,
                                                       const std::string& kind, document::Bench& bench,
                                                       const schedule::Environment& environment,
                                                       text::Language language, const Progress& progress) {
  using Files = std::map<std::string, std::string>;
  if (kind == "report") return Files{{"", html(collect(target, node, bench, language, progress))}};
  if (kind == "csv") return Files{{"", csv(collect(target, node, bench, language, progress))}};
  return document::exportState(target, node, kind, bench, environment);
}

}  // namespace loom::report
