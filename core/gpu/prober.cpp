#include "core/gpu/prober.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace loom::gpu {
namespace {

class Prober {
 public:
  Prober(const Probing& with, const std::function<void(const Shown&)>& tell, std::stop_token stop)
      : with_(with), tell_(tell), stop_(std::move(stop)) {
    probed_.device = with.device.name;
    probed_.major = with.device.major;
    probed_.minor = with.device.minor;
    probed_.date = with.date;
    probed_.driver = with.device.driver;
    probed_.compiler = with.compiler;
    probed_.program = with.program;
  }

  Result<model::ProbeResults> all() {
    const std::vector<CeilingProbe> ceilings = ceilingProbes(with_.device);
    const std::vector<FragmentProbe> fragments = fragmentProbes();
    of_ = int(ceilings.size() + fragments.size());
    for (const CeilingProbe& c : ceilings)
      if (auto done = measure(c); !done) return Failure(done.error());
    for (const FragmentProbe& f : fragments)
      if (auto done = read(f); !done) return Failure(done.error());
    return std::move(probed_);
  }

 private:
  Result<ProbeAnswer> run(const ProbeKernel& kernel) {
    if (stop_.stop_requested()) return fail("Cancelled", message("cancelled"), Forbids::Environment);
    auto binary = with_.compilers->compile({kernel.source, with_.device.architecture(), false, {}}, stop_);
    if (!binary) return Failure(binary.error());
    return with_.worker->probe(with_.device.ordinal, kernel, binary->cubin, stop_);
  }

  Result<void> measure(const CeilingProbe& ceiling) {
    auto answer = run(ceiling.kernel);
    if (!answer) return Failure(answer.error());
    std::vector<double>& times = answer->milliseconds;
    std::sort(times.begin(), times.end());
    auto rate = [&](double milliseconds) { return ceiling.work / (milliseconds * 1e-3) / ceiling.unit; };
    Shown s;
    s.ceiling = &ceiling;
    s.median = rate(times[times.size() / 2]);
    s.least = rate(times.back());
    s.most = rate(times.front());
    s.launches = int(times.size());
    probed_.figures[ceiling.figure] = {std::round(s.median * 10) / 10,
                                       fmt::format("{}; median of {} launches", ceiling.how, times.size())};
    tell(s);
    return {};
  }

  Result<void> read(const FragmentProbe& fragment) {
    auto answer = run(fragment.kernel);
    if (!answer) return Failure(answer.error());
    std::vector<float> seen(answer->bytes.size() / sizeof(float));
    std::memcpy(seen.data(), answer->bytes.data(), answer->bytes.size());
    probed_.fragments[fragment.fragment].assign(seen.begin(), seen.end());
    Shown s;
    s.fragment = &fragment;
    s.layout = model::fragmentLayout(probed_, fragment.kind);
    tell(s);
    return {};
  }

  void tell(Shown& s) {
    s.done = ++done_;
    s.of = of_;
    if (tell_) tell_(s);
  }

  const Probing& with_;
  const std::function<void(const Shown&)>& tell_;
  std::stop_token stop_;
  model::ProbeResults probed_;
  int done_ = 0, of_ = 0;
};

}  // namespace

Result<model::ProbeResults> probeDevice(const Probing& with, const std::function<void(const Shown&)>& shown,
                                        std::stop_token stop) {
  return Prober(with, shown, std::move(stop)).all();
}

}  // namespace loom::gpu
