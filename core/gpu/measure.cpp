#include "core/gpu/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "core/gpu/data.h"
#include "core/gpu/device_memory.h"
#include "core/gpu/kept_reference.h"
#include "core/gpu/protocol.h"
#include "core/gpu/vendor.h"

namespace loom::gpu {
namespace {

constexpr std::int64_t kMostKept = std::int64_t{1} << 30;  // bytes of the host's memory between two measurements

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  double at = q * double(values.size() - 1);
  std::size_t low = std::size_t(at);
  std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (at - double(low));
}

// Something that is timed: a candidate or one of the vendor's algorithms.
struct Runner {
  std::function<Result<void>()> once;    // puts one execution in stream order
  std::shared_ptr<Driver::Graph> graph;  // of `perSample` executions; null: launched one by one
  int perSample = 1;
  std::vector<double> samples;  // microseconds of one execution
  bool slow = false;
};

class Measurement {
 public:
  Measurement(Driver& driver, const Job& job, const std::string& vendorLibrary, const Progress& progress,
              KeptReference& kept)
      : driver_(driver), job_(job), vendorLibrary_(vendorLibrary), progress_(progress), kept_(kept), memory_(driver) {}

  Result<Report> run() {
    if (job_.candidates.empty()) return report_;
    if (auto s = prepareData(); !s) return Failure(s.error());
    if (!kept_.isComputed) {
      if (job_.reference && job_.matmul) {
        if (auto s = computeReference(); !s) return Failure(s.error());
      } else if (job_.naive && !job_.matmul) {
        if (auto s = runNaive(); !s) return Failure(s.error());
      }
      kept_.isComputed = true;
    }
    for (const Candidate& c : job_.candidates) {
      report_.outcomes.push_back(check(c));
      if (runners_.back().slow) report_.outcomes.back().timing = timingOf(runners_.back(), nullptr);
      if (runners_.back().slow || report_.outcomes.back().status == Outcome::Status::Wrong) {
        say(settled(report_.outcomes.back()));
      }
    }
    prepareVendor();
    timeAll();
    timeCold();
    collect();
    return report_;
  }

 private:
  void say(const Message& what) const {
    if (progress_) progress_(what);
  }

  // Parameters are shared by all candidates: one set of inputs, one output area each for the vendor and the candidates.
  Result<void> prepareData() {
    const auto& buffers = job_.candidates.front().buffers;
    for (std::size_t i = 0; i < buffers.size() && !buffers[i].temporary; ++i) {
      auto at = memory_.take(buffers[i].bytes());
      if (!at) return Failure(at.error());
      parameters_.push_back(*at);
      if (kept_.inputs.size() == i)
        kept_.inputs.push_back(
            randomData(buffers[i].dtype, buffers[i].elements(), job_.method.seed * 16 + i, buffers[i].values));
      if (auto s = driver_.upload(*at, kept_.inputs[i].data(), buffers[i].bytes()); !s) return s;
    }
    return driver_.synchronize();
  }

  Result<void> computeReference() {
    say(message("reference"));
    const Matmul& m = *job_.matmul;
    const std::int64_t count = m.results();
    auto sums = memory_.take(count * 8), sizes = memory_.take(count * 8);
    if (!sums) return Failure(sums.error());
    if (!sizes) return Failure(sizes.error());
    auto module = memory_.load(job_.reference->cubin);
    if (!module) return Failure(module.error());
    auto function = driver_.function(*module, "reference");
    if (!function) return Failure(function.error());
    Driver::Launch launch;
    launch.function = *function;
    launch.grid = {(count + 255) / 256, 1, 1};
    launch.block = {256, 1, 1};
    launch.arguments = {parameters_.at(std::size_t(m.a)), parameters_.at(std::size_t(m.b)), *sums, *sizes};
    if (auto s = driver_.launch(launch); !s) return s;
    kept_.expected.resize(std::size_t(count));
    kept_.size.resize(std::size_t(count));
    if (auto s = driver_.download(kept_.expected.data(), *sums, count * 8); !s) return s;
    if (auto s = driver_.download(kept_.size.data(), *sizes, count * 8); !s) return s;
    return {};
  }

  // What each buffer holds that the naive kernels write. A buffer that they also read would hold something else the
  // second time: nothing is compared then.
  Result<void> runNaive() {
    const Candidate& naive = *job_.naive;
    for (std::size_t i = 0; i < parameters_.size() && i < naive.buffers.size(); ++i) {
      if (naive.buffers[i].read && naive.buffers[i].written) return {};
    }
    if (naive.buffers.size() < parameters_.size())
      return fail("ProtocolError", message("the naive kernels have fewer buffers"), Forbids::Environment);
    say(message("reference"));
    auto launches = prepare(naive);
    if (!launches) return Failure(launches.error());
    if (auto s = poisonOutputs(naive); !s) return s;
    for (const auto& launch : *launches) {
      if (auto s = driver_.launch(launch); !s) return s;
    }
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (!naive.buffers[i].written) continue;
      auto written = elementsOf(i, naive.buffers[i]);
      if (!written) return Failure(written.error());
      kept_.written[i] = std::move(*written);
    }
    return {};
  }

  Result<std::vector<double>> elementsOf(std::size_t parameter, const codegen::GlobalBuffer& buffer) {
    std::vector<unsigned char> bytes(std::size_t(buffer.bytes()));
    if (auto s = driver_.download(bytes.data(), parameters_[parameter], std::int64_t(bytes.size())); !s)
      return Failure(s.error());
    return elements(bytes, buffer.dtype);
  }

  // Of what the candidate has just written, the buffer that is furthest from the naive kernels'.
  Result<void> judgeByNaive(const Candidate& c, Outcome& out) {
    std::vector<ir::DType> temporaries;
    if (!kept_.written.empty())
      for (const codegen::GlobalBuffer& b : job_.naive->buffers)
        if (b.temporary) temporaries.push_back(b.dtype);
    for (const auto& [i, expected] : kept_.written) {
      auto result = elementsOf(i, c.buffers[i]);
      if (!result) return Failure(result.error());
      const Accuracy a = compareWithNaive(*result, expected);
      const double allowed = toleranceOfNaive(c.buffers[i].dtype, temporaries);
      if (a.worst > out.error) {
        out.error = a.worst;
        out.tolerance = allowed;
      }
      if (a.worst <= allowed) continue;
      out.status = Outcome::Status::Wrong;
      out.message = message("element {} of {} is {} instead of {}: error {:.3g}, allowed {:.3g}", a.where,
                            c.buffers[i].name, a.got, a.expected, a.worst, allowed);
      return {};
    }
    return {};
  }

  // The largest error of D as it is now; -1 without a reference.
  Result<Accuracy> accuracy() {
    const Matmul& m = *job_.matmul;
    const auto& memory = job_.candidates.front().buffers.at(std::size_t(m.d));
    std::vector<unsigned char> result(std::size_t(memory.bytes()));
    if (auto s = driver_.download(result.data(), parameters_.at(std::size_t(m.d)), std::int64_t(result.size())); !s) {
      return Failure(s.error());
    }
    if (m.placesD().at(m.m - 1, m.n - 1, m.batch - 1) >= memory.elements()) {
      return fail("ProtocolError", message("the product's result doesn't fit its buffer"), Forbids::Environment);
    }
    const MatrixPlaces places = m.placesD();
    return compare(result, m.output, kept_.expected, kept_.size,
                   [&](std::int64_t i) { return places.at(i / m.n % m.m, i % m.n, i / m.n / m.m); });
  }

  Result<void> poisonOutputs(const Candidate& c) {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (c.buffers[i].written && !(job_.matmul && (int(i) == job_.matmul->a || int(i) == job_.matmul->b))) {
        // All ones is a NaN in every floating-point format, and no sum of small integers.
        if (auto s = driver_.fill(parameters_[i], 0xff, c.buffers[i].bytes()); !s) return s;
      }
    }
    return driver_.synchronize();
  }

  Outcome check(const Candidate& c) {
    say(message("check {}", c.label));
    Outcome out;
    out.label = c.label;
    Runner runner;
    auto failed = [&](const Error& e) {
      out.status = Outcome::Status::Failed;
      out.message = message("{}: {}", e.code, e.message);
      runners_.push_back({});
      return out;
    };
    auto launches = prepare(c);
    if (!launches) return failed(launches.error());
    if (auto info = driver_.inspect(launches->front()); info) {
      out.registers = info->registers;
      out.localBytes = info->localBytes;
      out.blocksPerMultiprocessor = info->blocksPerMultiprocessor;
    }
    runner.once = [this, launches = *launches]() -> Result<void> {
      for (const auto& l : launches) {
        if (auto s = driver_.launch(l); !s) return s;
      }
      return {};
    };
    if (auto s = poisonOutputs(c); !s) return failed(s.error());
    auto first = timeOnce(runner);
    if (!first) return failed(first.error());
    if (job_.matmul && job_.reference) {
      auto a = accuracy();
      if (!a) return failed(a.error());
      out.error = a->worst;
      out.tolerance = tolerance(*job_.matmul);
      if (!(a->worst <= out.tolerance)) {
        out.status = Outcome::Status::Wrong;
        out.message = message("element {} is {} instead of {}: error {:.3g}, allowed {:.3g}", a->where, a->got,
                              a->expected, a->worst, out.tolerance);
        runners_.push_back({});
        return out;
      }
    }
    out.status = Outcome::Status::Measured;
    if (auto judged = judgeByNaive(c, out); !judged) return failed(judged.error());
    if (out.status == Outcome::Status::Wrong) {
      runners_.push_back({});
      return out;
    }
    runner.slow = *first / 1000 > job_.method.slowMilliseconds;
    if (runner.slow) {
      runner.samples.push_back(*first);
    } else {
      buildGraph(runner);
    }
    runners_.push_back(std::move(runner));
    return out;
  }

  Result<std::vector<Driver::Launch>> prepare(const Candidate& c) {
    auto module = memory_.load(c.cubin);
    if (!module) return Failure(module.error());
    std::vector<Address> addresses = parameters_;
    for (std::size_t i = parameters_.size(); i < c.buffers.size(); ++i) {
      auto at = memory_.take(c.buffers[i].bytes());
      if (!at) return Failure(at.error());
      addresses.push_back(*at);
    }
    std::vector<Driver::Launch> launches;
    for (const auto& l : c.launches) {
      auto function = driver_.function(*module, l.name);
      if (!function) return Failure(function.error());
      Driver::Launch launch;
      launch.function = *function;
      launch.grid = l.grid;
      launch.block = l.block;
      launch.sharedBytes = l.dynamicSharedBytes;
      for (int argument : l.arguments) launch.arguments.push_back(addresses.at(std::size_t(argument)));
      for (const auto& s : l.scalars) launch.arguments.push_back(bitsOf(s.value, s.dtype));
      for (const auto& m : l.maps) {
        const auto buffer = std::size_t(m.buffer);
        auto map = driver_.encode(m, c.buffers.at(buffer), addresses.at(buffer));
        if (!map) return Failure(map.error());
        launch.maps.push_back(*map);
      }
      launches.push_back(std::move(launch));
    }
    if (launches.empty()) return fail("DeviceError", message("the program launches nothing"), Forbids::Program);
    return launches;
  }

  // Microseconds of one execution, launched from the stream.
  Result<double> timeOnce(const Runner& r) {
    auto start = driver_.mark();
    if (!start) return Failure(start.error());
    if (auto s = r.once(); !s) return Failure(s.error());
    auto end = driver_.mark();
    if (!end) return Failure(end.error());
    auto ms = driver_.between(*start, *end);
    if (!ms) return ms;
    return *ms * 1000;
  }

  // As many executions as fill a sample, in one graph: the host's launch rate must not limit a short kernel.
  void buildGraph(Runner& r) {
    double one = 1e9;
    for (int i = 0; i < 2; ++i) {
      auto t = timeOnce(r);
      if (t) one = std::min(one, *t);
    }
    r.perSample = int(std::clamp(job_.method.sampleMilliseconds * 1000 / std::max(one, 1.0), 1.0, 500.0));
    auto graph = driver_.capture([&] { return launchSample(r); });
    if (graph) r.graph = *graph;
  }

  void prepareVendor() {
    VendorOutcome& v = report_.vendor;
    if (!job_.matmul || job_.method.vendorAlgorithms <= 0) {
      v.message = message("the function isn't a matrix product that the vendor's library knows");
      return;
    }
    say(message("vendor"));
    auto library = Vendor::load(vendorLibrary_);
    if (!library) {
      v.message = library.error().message;
      return;
    }
    vendor_ = std::move(*library);
    auto count = vendor_->prepare(*job_.matmul, job_.method.vendorAlgorithms);
    v.version = vendor_->version() + vendorMode(*job_.matmul);
    auto workspace = memory_.take(Vendor::kWorkspaceBytes);
    if (!count || !workspace) {
      v.message = count ? workspace.error().message : count.error().message;
      return;
    }
    const Matmul& m = *job_.matmul;
    for (int algorithm = 0; algorithm < *count; ++algorithm) {
      Runner r;
      r.once = [this, algorithm, &m, workspace = *workspace] {
        return vendor_->run(algorithm, parameters_.at(std::size_t(m.a)), parameters_.at(std::size_t(m.b)),
                            parameters_.at(std::size_t(m.d)), workspace, driver_.stream());
      };
      if (auto t = timeOnce(r); !t) continue;
      if (job_.reference) {
        const auto error = errorOf(algorithm);
        if (!error) continue;
        v.error = std::max(v.error, *error);
      }
      buildGraph(r);
      vendorRunners_.push_back(std::move(r));
    }
    v.algorithms = int(vendorRunners_.size());
    v.available = v.algorithms > 0;
    if (!v.available) v.message = message("none of cuBLASLt's algorithms ran correctly");
  }

  // The error of the vendor's algorithm that has just run; nothing: its result is wrong. Once for each function.
  std::optional<double> errorOf(int algorithm) {
    if (const auto known = kept_.algorithms.find(algorithm); known != kept_.algorithms.end()) return known->second;
    auto a = accuracy();
    if (!a || !(a->worst <= tolerance(*job_.matmul))) return std::nullopt;
    return kept_.algorithms[algorithm] = a->worst;
  }

  std::vector<Runner*> timed() {
    std::vector<Runner*> all;
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      if (report_.outcomes[i].status == Outcome::Status::Measured && !runners_[i].slow) all.push_back(&runners_[i]);
    }
    for (Runner& r : vendorRunners_) all.push_back(&r);
    return all;
  }

  // What can't be captured is launched as often from the stream.
  Result<void> launchSample(const Runner& r) {
    if (r.graph) return driver_.launch(*r.graph);
    for (int i = 0; i < r.perSample; ++i) {
      if (auto s = r.once(); !s) return s;
    }
    return {};
  }

  void sample(Runner& r) {
    auto start = driver_.mark();
    if (!start) return;
    Result<void> launched = launchSample(r);
    auto end = driver_.mark();
    if (!launched || !end) return;
    if (auto ms = driver_.between(*start, *end)) r.samples.push_back(*ms * 1000 / r.perSample);
  }

  void timeAll() {
    std::mt19937_64 order(job_.method.seed);
    std::vector<Runner*> all = timed();
    for (Runner* r : all) sample(*r);  // warm-up
    for (Runner* r : all) r->samples.clear();
    for (int round = 0; round < job_.method.rounds; ++round) {
      say(message("round {} of {}", round + 1, job_.method.rounds));
      std::shuffle(all.begin(), all.end(), order);
      for (Runner* r : all) {
        // Slow candidates get fewer samples, never fewer than three.
        bool slow = !r->samples.empty() && r->samples.front() > 20000;
        if (slow && round >= 3) continue;
        sample(*r);
      }
    }
  }

  void timeCold() {
    auto flush = memory_.take(std::int64_t(job_.method.coldBytes));
    if (!flush) return;
    std::vector<Runner*> all = timed();
    cold_.resize(all.size());
    for (int i = 0; i < job_.method.coldSamples; ++i) {
      say(message("cold {} of {}", i + 1, job_.method.coldSamples));
      for (std::size_t c = 0; c < all.size(); ++c) {
        if (all[c]->samples.empty() || all[c]->samples.front() > 100000) continue;
        if (!driver_.fill(*flush, std::uint8_t(i), std::int64_t(job_.method.coldBytes))) continue;
        if (auto t = timeOnce(*all[c])) cold_[c].push_back(*t);
      }
    }
  }

  Timing timingOf(const Runner& r, const std::vector<double>* cold) const {
    Timing t;
    t.median = quantile(r.samples, 0.5);
    t.low = quantile(r.samples, 0.25);
    t.high = quantile(r.samples, 0.75);
    t.samples = int(r.samples.size());
    t.all = r.samples;
    t.launchesPerSample = r.perSample;
    t.cold = cold ? quantile(*cold, 0.5) : 0;
    t.clocks = clocks_;
    return t;
  }

  void collect() {
    clocks_ = driver_.clocks();
    std::vector<Runner*> all = timed();
    auto coldOf = [&](const Runner* r) -> const std::vector<double>* {
      for (std::size_t i = 0; i < all.size() && i < cold_.size(); ++i) {
        if (all[i] == r) return &cold_[i];
      }
      return nullptr;
    };
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      if (report_.outcomes[i].status != Outcome::Status::Measured) continue;
      report_.outcomes[i].timing = timingOf(runners_[i], coldOf(&runners_[i]));
    }
    for (std::size_t i = 0; i < vendorRunners_.size(); ++i) {
      Timing t = timingOf(vendorRunners_[i], coldOf(&vendorRunners_[i]));
      if (i == 0 || t.median < report_.vendor.timing.median) {
        report_.vendor.timing = t;
        report_.vendor.best = int(i);
      }
    }
  }

  Driver& driver_;
  const Job& job_;
  std::string vendorLibrary_;
  const Progress& progress_;
  KeptReference& kept_;
  DeviceMemory memory_;
  Report report_;
  std::vector<Address> parameters_;
  std::vector<Runner> runners_;  // one per candidate; empty where it isn't timed
  std::vector<Runner> vendorRunners_;
  std::unique_ptr<Vendor> vendor_;
  std::vector<std::vector<double>> cold_;  // by position in timed()
  Clocks clocks_;
};

}  // namespace

std::string Method::name() const {
  return fmt::format("graph {} rounds {:g} ms, cold {:g} MiB, seed {}", rounds, sampleMilliseconds, coldBytes / 1048576,
                     seed);
}

Result<Report> measure(Driver& driver, const Job& job, const std::string& vendorLibrary, const Progress& progress,
                       KeptReference* kept) {
  KeptReference own;
  KeptReference& reference = kept != nullptr ? *kept : own;
  if (std::string key = referenceKey(job); reference.key != key) {
    reference = {};
    reference.key = std::move(key);
  }
  auto report = Measurement(driver, job, vendorLibrary, progress, reference).run();
  if (reference.bytes() > kMostKept) reference = {};
  return report;
}

}  // namespace loom::gpu
