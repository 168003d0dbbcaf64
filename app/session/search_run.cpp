#include "app/session/search_run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <utility>

#include "app/session/winner_stalls.h"
#include "core/document/stalls.h"
#include "core/tune/rules/read_back.h"
#include "core/tune/search/bench_measurer.h"
#include "core/tune/search/pool_measurer.h"

namespace loom::session {

namespace {

// Runs something on the thread of the bench, and waits for it.
template <class Do>
auto onBench(Jobs& jobs, Do what) {
  auto task = std::make_shared<std::packaged_task<decltype(what())()>>(std::move(what));
  auto result = task->get_future();
  jobs[Queue::kBench].submit([task] { (*task)(); });
  return result.get();
}

// Measures on the thread of the bench, of which it has one at a time.
class QueuedMeasurer : public tune::Measurer {
 public:
  QueuedMeasurer(Jobs& jobs, tune::Measurer& measurer) : jobs_(jobs), measurer_(measurer) {}

  bool hasDevice() override {
    return onBench(jobs_, [&] { return measurer_.hasDevice(); });
  }
  std::vector<tune::CompiledKernel> compile(const Kernels& kernels, const gpu::Progress& progress) override {
    return onBench(jobs_, [&] { return measurer_.compile(kernels, progress); });
  }
  Result<tune::MeasuredBatch> measure(const Kernels& kernels, bool sideBySide, const gpu::Progress& progress) override {
    return onBench(jobs_, [&] { return measurer_.measure(kernels, sideBySide, progress); });
  }
  std::optional<document::VendorLine> vendor() override {
    return onBench(jobs_, [&] { return measurer_.vendor(); });
  }

 private:
  Jobs& jobs_;
  tune::Measurer& measurer_;
};

}  // namespace

struct SearchRun::Live {
  std::atomic<int> trials = 0;
  std::atomic<double> deviceSeconds = 0;
  std::stop_source stop;             // of the search
  std::stop_source explanation;      // of what explains its winner
  std::atomic<bool> isLeft = false;  // nobody wants its results any more
};

struct SearchRun::Request {
  std::vector<tune::Strategy> strategies;
  document::History history;
  schedule::Environment environment;
  std::string device;
  bool isOnCpu = false;
  int current = 0;  // the user's own state, an index in `history`
  tune::RuleChoices rules;
  std::string workers;
};

// A search, or an explanation, on the thread for that.
class SearchRun::Job {
 public:
  Job(SearchRun& run, std::shared_ptr<Live> live, std::shared_ptr<const Request> request, SearchState state)
      : run_(run), live_(std::move(live)), request_(std::move(request)), state_(std::move(state)) {}

  void search() {
    const auto start = std::chrono::steady_clock::now();
    const auto figures = run_.tools_.devices->of(request_->device);
    if (!*figures) return fail(figures->error());
    auto prepared =
        tune::prepareSearch(request_->history.node(0).state, **figures, request_->environment, {}, request_->rules);
    if (!prepared) return fail(prepared.error());
    state_.prepared = std::make_shared<const tune::PreparedSearch>(std::move(*prepared));
    state_.preparing = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    withMeasurer([&](tune::Measurer& measurer) {
      state_.hasDevice = measurer.hasDevice();
      publish();
      for (const tune::Strategy strategy : request_->strategies)
        if (!live_->stop.stop_requested()) searchBy(strategy, measurer);
      state_.isRunning = false;
      explainBy(measurer);
    });
  }

  void explain() {
    withMeasurer([&](tune::Measurer& measurer) { explainBy(measurer); });
  }

 private:
  template <class Do>
  void withMeasurer(Do what) {
    if (!request_->workers.empty()) return withWorkers(what);
    const bool races = request_->strategies.size() > 1;  // what another has measured must cost this one as much
    tune::BenchMeasurer bench(*run_.tools_.bench, state_.prepared->device, request_->history, races);
    QueuedMeasurer queued(run_.jobs_, bench);
    what(queued);
  }

  // The processes start with this and end with it.
  template <class Do>
  void withWorkers(Do what) {
    gpu::MeasuringPoolOptions options;
    for (std::size_t at = 0; at <= request_->workers.size();) {
      const std::size_t end = std::min(request_->workers.find(';', at), request_->workers.size());
      const auto commands = gpu::workerCommands(request_->workers.substr(at, end - at));
      if (!commands) return fail(commands.error());
      options.commands.insert(options.commands.end(), commands->begin(), commands->end());
      at = end + 1;
    }
    const gpu::MeasuringPool* seen = nullptr;
    auto last = std::chrono::steady_clock::now();
    options.turned = [&] {
      const auto now = std::chrono::steady_clock::now();
      if (!seen || now - last < std::chrono::milliseconds(100)) return;
      last = now;
      show(*seen, false);
    };
    gpu::MeasuringPool pool(std::move(options));
    seen = &pool;
    tell(message("{} workers are asked to start", pool.commands().size()));
    const auto device = pool.device(live_->stop.get_token());
    show(pool, !device);
    if (!device) return live_->stop.stop_requested() ? ended() : fail(device.error());
    state_.isOnCpu = device->cpu;
    tune::PoolMeasurer measurer(pool, *device, *run_.tools_.bench, state_.prepared->device, request_->history,
                                run_.tools_.database);
    QueuedMeasurer queued(run_.jobs_, measurer);
    what(queued);
    show(pool, true);
  }

  void show(const gpu::MeasuringPool& pool, bool isOver) {
    auto workers = std::make_shared<SearchWorkers>();
    workers->commands = pool.commands();
    workers->workers = pool.workers();
    workers->tallies = pool.tallies();
    workers->queue = pool.queue();
    workers->isOver = isOver;
    run_.jobs_.finish([run = &run_, live = live_, workers] {
      if (run->live_ == live) run->workers_ = workers;
    });
  }

  void ended() {
    state_.isRunning = state_.isExplaining = false;
    publish();
    tell({});
  }

  void searchBy(tune::Strategy strategy, tune::Measurer& measurer) {
    constexpr std::uint64_t kSeed = 1;
    const tune::PreparedSearch& p = *state_.prepared;
    tune::Search search(p.plan, p.counted, request_->history.node(0).state, p.device, request_->environment, strategy,
                        kSeed, p.built);
    state_.searches.emplace_back();
    tune::SearchObserver observer;
    observer.progress = [this](const Message& what) { tell(what); };
    observer.roundDone = [&](const tune::SearchTally& tally) {
      state_.searches.back() = std::make_shared<const StrategySearch>(foundBy(search, strategy, tally));
      publish();
    };
    observer.roundDone({});
    const auto limits = [this] { return tune::SearchLimits{live_->trials, live_->deviceSeconds}; };
    const auto tally = tune::runSearch(search, measurer, limits, observer, live_->stop.get_token());
    if (!tally && !live_->stop.stop_requested()) state_.problem = tally.error();
  }

  static StrategySearch foundBy(const tune::Search& search, tune::Strategy strategy, const tune::SearchTally& tally) {
    StrategySearch found;
    found.strategy = strategy;
    found.tally = tally;
    found.families = search.familyCount();
    found.formulaSeconds = search.formulaSeconds();
    found.formulaError = search.formulaError();
    found.best = search.best();
    for (const tune::Candidate& c : search.candidates())
      found.schedules.push_back({c.origin, c.sketch, c.assignment, c.lines, c.predictedAsWritten,
                                 c.asCompiled ? c.predicted : std::nullopt, c.measured, c.deviceSeconds, c.death});
    return found;
  }

  void explainBy(tune::Measurer& measurer) {
    const SearchedSchedule* best = state_.best().second;
    state_.isExplaining = best != nullptr && !live_->isLeft;
    publish();
    if (!state_.isExplaining) return tell({});
    const tune::PreparedSearch& p = *state_.prepared;
    const schedule::State& start = request_->history.node(0).state;
    tell(message("the path to the winner is looked for"));
    auto path = tune::pathTo(p, start, request_->environment, best->sketch, best->assignment,
                             tune::ownProgramOf(request_->history, request_->current));
    state_.isExplaining = false;
    if (!path) return fail(path.error());
    auto winner = std::make_shared<SearchedWinner>();
    winner->path = std::move(*path);
    winner->worth = tune::worthOfDecisions(p, start, request_->environment, winner->path);
    winner->binds = tune::whatBinds(*winner->path.states.back().kernel, p.device);
    if (const auto& own = winner->path.own) winner->bindsOwn = tune::whatBinds(*own->kernel, p.device);
    state_.isExplaining = true;
    state_.winner = winner;
    publish();
    // The CPU executor's times say nothing of a GPU: there the path stays predicted.
    if (measurer.hasDevice() && !state_.isOnCpu) {
      auto measured = std::make_shared<SearchedWinner>(*winner);
      const auto seconds =
          tune::measurePath(measured->path, measured->worth, measurer, [this](const Message& what) { tell(what); });
      if (!seconds) measured->unmeasured = seconds.error();
      measured->noise = state_.noiseOf(measuredTimes(*measured));
      tune::joinDetours(measured->path, p.plan.sketches[std::size_t(measured->path.sketch)].space);
      state_.winner = measured;
      publish();
    }
    modelWinner();
    sampleWinner();
    state_.isExplaining = false;
    publish();
    tell({});
  }

  // µs by step lines.
  static std::map<std::string, double> measuredTimes(const SearchedWinner& winner) {
    std::map<std::string, double> times;
    const auto add = [&](const tune::PathState& state) {
      if (state.measured) times.emplace(state.lines, *state.measured);
    };
    for (const tune::PathState& state : winner.path.states) add(state);
    if (winner.path.construction) add(*winner.path.construction);
    for (const tune::DecisionWorth& one : winner.worth)
      for (const tune::NeighbourValue& value : one.values)
        if (value.state) add(*value.state);
    return times;
  }

  // By machine code, as measured states are compiled by now.
  void modelWinner() {
    tell(message("the states of the path are modelled"));
    auto modelled = std::make_shared<SearchedWinner>(*state_.winner);
    const auto add = [&](const std::shared_ptr<const document::KernelText>& kernel) {
      if (live_->explanation.stop_requested() || modelled->models.contains(kernel->key)) return;
      if (auto made = run_.models_.compiledModel(kernel, request_->device, state_.prepared->device.architecture()))
        modelled->models[kernel->key] = std::move(made);
    };
    tune::WinnerPath& path = modelled->path;
    for (const tune::PathState& state : path.states) add(state.kernel);
    if (path.construction) add(path.construction->kernel);
    if (path.own) add(path.own->kernel);
    if (!path.isMeasured) {
      for (const tune::DecisionWorth& one : modelled->worth)
        for (const tune::NeighbourValue& value : one.values)
          if (value.state) add(value.state->kernel);
      predictByCode(*modelled);
    }
    // What binds is told of the figures that stand beside it.
    const auto bindsBy = [&](const document::KernelText& kernel, std::vector<model::Advice>& binds) {
      if (const auto made = modelled->models.find(kernel.key); made != modelled->models.end())
        binds = made->second->advice;
    };
    bindsBy(*path.states.back().kernel, modelled->binds);
    if (path.own) bindsBy(*path.own->kernel, modelled->bindsOwn);
    modelled->hasModels = true;
    state_.winner = std::move(modelled);
  }

  // One after another, as each takes seconds. Workers elsewhere have no profiler.
  void sampleWinner() {
    if (!request_->workers.empty()) return;
    SearchedWinner winner = *state_.winner;
    const auto product =
        gpu::recognizeMatmul(document::functionAt(request_->history.node(0).state, request_->history.sizes()));
    for (const StallOrder& order : stallOrders(winner.path)) {
      if (live_->explanation.stop_requested()) break;
      winner.isSampling = true;
      state_.winner = std::make_shared<const SearchedWinner>(winner);
      publish();
      document::StallRequest request;
      request.kernel = order.kernel.get();
      request.matmul = product;
      request.workerCommand = run_.tools_.localWorkerCommand;
      request.interval = order.interval;
      auto sampled = onBench(run_.jobs_, [&] {
        return document::sampleStalls(
            *run_.tools_.bench, request, [this](const Message& what) { tell(what); }, live_->explanation.get_token());
      });
      if (sampled) {
        const profile::StateProfile& state = sampled->file.states.front();
        winner.stalls[order.kernel->key] = {state.total(), state.occupiedShare()};
        continue;
      }
      if (sampled.error().code != "Cancelled") winner.unsampled = sampled.error();
      break;
    }
    winner.isSampling = false;
    state_.winner = std::make_shared<const SearchedWinner>(std::move(winner));
  }

  // Takes the times of machine code for those of the program, if all that stand beside each other have one.
  static void predictByCode(SearchedWinner& winner) {
    std::vector<std::pair<std::optional<double>*, double>> times;
    bool areAll = true;
    const auto add = [&](auto& state) {
      const auto model = winner.models.find(state.kernel->key);
      const bool isWhole = state.kernel->program && state.kernel->program->kernels.size() == 1;
      const bool isDeep =
          model != winner.models.end() && model->second->isOfMachineCode() && model->second->estimate() != nullptr;
      areAll &= isWhole && isDeep;
      if (areAll) times.emplace_back(&state.predicted, model->second->estimate()->microseconds);
    };
    for (tune::PathState& state : winner.path.states) add(state);
    if (winner.path.construction) add(*winner.path.construction);
    if (winner.path.own) add(*winner.path.own);
    for (tune::DecisionWorth& one : winner.worth)
      for (tune::NeighbourValue& value : one.values)
        if (value.state) add(*value.state);
    winner.isByCode = areAll;
    if (!areAll) return;
    for (const auto& [predicted, time] : times) *predicted = time;
  }

  void fail(const Error& why) {
    state_.problem = why;
    ended();
  }
  void publish() {
    run_.jobs_.finish([run = &run_, live = live_, state = std::make_shared<const SearchState>(state_)] {
      if (run->live_ == live) run->state_ = state;
    });
  }
  void tell(const Message& what) {
    run_.jobs_.finish([run = &run_, live = live_, what] {
      if (run->live_ == live) run->progress_ = what;
    });
  }

  SearchRun& run_;
  std::shared_ptr<Live> live_;
  std::shared_ptr<const Request> request_;
  SearchState state_;
};

std::shared_ptr<const SearchRun::Request> SearchRun::request() const {
  const document::History& history = documents_.history();
  const int current = navigation_.current();
  const auto& here = device_.status().here;
  return std::make_shared<const Request>(Request{choice_.strategies, history, documents_.environment(),
                                                 modelledDevice(device_.status()), here && here->cpu, current,
                                                 choice_.rules, choice_.workers});
}

void SearchRun::choose(SearchChoice choice) {
  choice_ = std::move(choice);
  if (!live_) return;
  live_->trials = choice_.trials;
  live_->deviceSeconds = choice_.deviceSeconds;
}

void SearchRun::start() {
  if (documents_.target() == nullptr || !device_.status().known || choice_.strategies.empty()) return;
  end();
  live_ = std::make_shared<Live>();
  workers_.reset();
  choose(choice_);
  SearchState state;
  const auto asked = request();
  state.device = asked->device;
  state.isOnCpu = asked->isOnCpu;
  state.isRunning = true;
  state_ = std::make_shared<const SearchState>(state);
  jobs_[Queue::kSearch].submit([this, live = live_, asked, state = std::move(state)] {
    if (!live->isLeft) Job(*this, live, asked, state).search();
  });
  jobs_.touch();
}

void SearchRun::explain() {
  if (!state_ || isRunning() || state_->best().second == nullptr || documents_.target() == nullptr) return;
  auto live = std::make_shared<Live>();
  live_ = live;
  auto state = std::make_shared<SearchState>(*state_);
  state->isExplaining = true;
  state_ = state;
  jobs_[Queue::kSearch].submit([this, live, asked = request(), state] {
    if (!live->isLeft) Job(*this, live, asked, *state).explain();
  });
  jobs_.touch();
}

void SearchRun::stop() {
  if (!live_) return;
  live_->stop.request_stop();
  if (state_ && state_->isExplaining) live_->explanation.request_stop();
}

bool SearchRun::isStopping() const { return state_ && state_->isRunning && live_ && live_->stop.stop_requested(); }

void SearchRun::end() {
  if (!live_) return;
  live_->isLeft = true;
  live_->stop.request_stop();
  live_->explanation.request_stop();
  live_.reset();
  progress_ = {};
  if (isRunning()) {
    auto state = std::make_shared<SearchState>(*state_);
    state->isRunning = state->isExplaining = false;
    state_ = std::move(state);
  }
  jobs_.touch();
}

void SearchRun::reset() {
  end();
  workers_.reset();
  if (state_) jobs_.discard(std::exchange(state_, nullptr));
}

}  // namespace loom::session
