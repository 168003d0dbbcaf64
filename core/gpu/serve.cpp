#include <nlohmann/json.hpp>

#include "core/compile/compiler_processes.h"
#include "core/gpu/cpu_device.h"
#include "core/gpu/kept_reference.h"
#include "core/gpu/probe.h"
#include "core/gpu/protocol.h"
#include "core/gpu/worker.h"
#include "core/process/serve.h"

namespace loom::gpu {
namespace {

using nlohmann::json;
using process::Frame;

class Server {
 public:
  explicit Server(const ServeOptions& options) : options_(options), compiling_(options.toolkit) {}

  std::optional<Result<Frame>> answer(const std::string& verb, const Frame& request, const process::Say& say) {
    if (verb == "devices") return devices();
    if (verb == "measure") return measure(json::parse(request.text), request.blob, say);
    if (verb == "probe") return probe(json::parse(request.text), request.blob);
    return compiling_.answer(verb, request);
  }

 private:
  static Frame frameOf(const json& j) { return {j.dump(-1, ' ', false, json::error_handler_t::replace), ""}; }

  Result<Driver*> driver() {
    if (!driver_) {
      auto loaded = Driver::load();
      if (!loaded) return Failure(loaded.error());
      driver_ = std::move(*loaded);
    }
    return driver_.get();
  }

  Result<Driver*> opened(int ordinal) {
    auto d = driver();
    if (d && opened_ != ordinal) {
      if (auto s = (*d)->open(ordinal); !s) return Failure(s.error());
      opened_ = ordinal;
      kept_ = {};  // the vendor's library may offer other algorithms there
    }
    return d;
  }

  Result<Frame> devices() {
    if (options_.cpu) return frameOf(json::array({toJson(cpuDevice())}));
    auto d = driver();
    if (!d) return Failure(d.error());
    json list = json::array();
    for (const DeviceInfo& info : (*d)->devices()) list.push_back(toJson(info));
    return frameOf(list);
  }

  Result<Frame> measure(const json& request, const std::string& blob, const process::Say& say) {
    const Job job = jobFromJson(request.at("job"), blob);
    if (options_.cpu) return frameOf(toJson(measureOnCpu(job, say)));
    const int ordinal = request.at("device");
    auto d = opened(ordinal);
    if (!d) return Failure(d.error());
    auto report = gpu::measure(**d, job, options_.vendorLibrary, say, &kept_);
    if (!report) return Failure(report.error());
    report->device = (*d)->devices()[std::size_t(ordinal)];
    return frameOf(toJson(*report));
  }

  Result<Frame> probe(const json& request, const std::string& cubin) {
    if (options_.cpu) return fail("NoDevice", message("the CPU device has no pipes to probe"), Forbids::Environment);
    auto d = opened(request.at("device"));
    if (!d) return Failure(d.error());
    auto answer = runProbe(**d, probeFromJson(request.at("kernel")), {cubin.begin(), cubin.end()});
    if (!answer) return Failure(answer.error());
    Frame frame = frameOf({{"milliseconds", answer->milliseconds}});
    frame.blob = std::move(answer->bytes);
    return frame;
  }

  const ServeOptions& options_;
  compile::CompileServer compiling_;
  std::unique_ptr<Driver> driver_;
  int opened_ = -1;
  KeptReference kept_;
};

}  // namespace

int serve(int input, int output, const ServeOptions& options) {
  Server server(options);
  return process::serve(input, output, [&](const std::string& verb, const Frame& request, const process::Say& say) {
    return server.answer(verb, request, say);
  });
}

}  // namespace loom::gpu
