#include <sys/prctl.h>
#include <signal.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/gpu/protocol.h"
#include "core/gpu/worker.h"

namespace loom::gpu {
namespace {

using nlohmann::json;

class Server {
 public:
  Server(int output, std::string vendorLibrary) : output_(output), vendorLibrary_(std::move(vendorLibrary)) {}

  // False: the client is gone or said goodbye.
  bool answer(const Frame& frame) {
    json request = json::parse(frame.text, nullptr, false);
    if (!request.is_object() || !request.contains("do") || !request["do"].is_string()) {
      return sendError("ProtocolError", "a request is an object with a key \"do\"");
    }
    std::string verb = request["do"];
    try {
      if (verb == "hello") return send({{"result", {{"protocol", kProtocolVersion}, {"process", int(getpid())}}}});
      if (verb == "quit") return false;
      if (verb == "devices") return devices();
      if (verb == "measure") return measure(request, frame.blob);
    } catch (const json::exception& e) {
      return sendError("ProtocolError", e.what());
    } catch (const std::exception& e) {
      return sendError("WorkerError", e.what());
    }
    return sendError("ProtocolError", "unknown request \"" + verb + "\"");
  }

 private:
  bool send(const json& answer) {
    std::string bytes = encode({answer.dump(-1, ' ', false, json::error_handler_t::replace), ""});
    for (std::size_t done = 0; done < bytes.size();) {
      ssize_t n = write(output_, bytes.data() + done, bytes.size() - done);
      if (n <= 0) return false;
      done += std::size_t(n);
    }
    return true;
  }
  bool sendError(const std::string& code, const std::string& message) {
    return send({{"error", {{"code", code}, {"message", message}}}});
  }

  Result<Driver*> driver() {
    if (!driver_) {
      auto loaded = Driver::load();
      if (!loaded) return Failure(loaded.error());
      driver_ = std::move(*loaded);
    }
    return driver_.get();
  }

  bool devices() {
    auto d = driver();
    if (!d) return sendError(d.error().code, d.error().message);
    json list = json::array();
    for (const DeviceInfo& info : (*d)->devices()) list.push_back(toJson(info));
    return send({{"result", list}});
  }

  bool measure(const json& request, const std::string& blob) {
    auto d = driver();
    if (!d) return sendError(d.error().code, d.error().message);
    int ordinal = request.at("device");
    if (opened_ != ordinal) {
      if (auto s = (*d)->open(ordinal); !s) return sendError(s.error().code, s.error().message);
      opened_ = ordinal;
    }
    Job job = jobFromJson(request.at("job"), blob);
    auto report = gpu::measure(**d, job, vendorLibrary_, [&](const std::string& what) { send({{"progress", what}}); });
    if (!report) return sendError(report.error().code, report.error().message);
    report->device = (*d)->devices()[std::size_t(ordinal)];
    return send({{"result", toJson(*report)}});
  }

  int output_;
  std::string vendorLibrary_;
  std::unique_ptr<Driver> driver_;
  int opened_ = -1;
};

}  // namespace

int serve(int input, int output, const std::string& vendorLibrary) {
  // A client that is killed must not leave a kernel running on its device.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Server server(output, vendorLibrary);
  FrameReader reader;
  std::vector<char> chunk(1 << 16);
  for (;;) {
    auto frame = reader.next();
    if (!frame) return 2;
    if (*frame) {
      if (!server.answer(**frame)) return 0;
      continue;
    }
    ssize_t n = read(input, chunk.data(), chunk.size());
    if (n <= 0) return 0;
    reader.append(chunk.data(), std::size_t(n));
  }
}

}  // namespace loom::gpu
