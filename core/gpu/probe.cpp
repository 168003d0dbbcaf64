#include "core/gpu/probe.h"

#include <nlohmann/json.hpp>

namespace loom::gpu {

using nlohmann::json;

Result<ProbeAnswer> runProbe(Driver& driver, const ProbeKernel& kernel, const std::vector<char>& cubin) {
  auto module = driver.loadModule(cubin);
  if (!module) return Failure(module.error());
  ProbeAnswer answer;
  auto runOn = [&](Address buffer) -> Result<void> {
    auto function = driver.function(*module, kernel.name);
    if (!function) return Failure(function.error());
    if (auto s = driver.fill(buffer, 0, kernel.bufferBytes); !s) return s;
    const Driver::Launch launch{*function, kernel.grid, kernel.block, 0, {buffer}};
    if (auto s = driver.launch(launch); !s) return s;
    if (auto s = driver.synchronize(); !s) return s;
    for (int i = 0; i < kernel.launches; ++i) {
      auto start = driver.mark();
      if (!start) return Failure(start.error());
      if (auto s = driver.launch(launch); !s) return s;
      auto end = driver.mark();
      if (!end) return Failure(end.error());
      auto took = driver.between(*start, *end);
      if (!took) return Failure(took.error());
      answer.milliseconds.push_back(*took);
    }
    answer.bytes.resize(std::size_t(kernel.answerBytes));
    return driver.download(answer.bytes.data(), buffer, kernel.answerBytes);
  };
  auto buffer = driver.allocate(kernel.bufferBytes);
  auto done = buffer ? runOn(*buffer) : Result<void>(Failure(buffer.error()));
  if (buffer) driver.release(*buffer);
  driver.unloadModule(*module);
  if (!done) return Failure(done.error());
  return answer;
}

json toJson(const ProbeKernel& k) {
  return {{"name", k.name},          {"grid", k.grid},          {"block", k.block},
          {"buffer", k.bufferBytes}, {"answer", k.answerBytes}, {"launches", k.launches}};
}

ProbeKernel probeFromJson(const json& j) {
  ProbeKernel k;
  k.name = j.at("name");
  k.grid = j.at("grid");
  k.block = j.at("block");
  k.bufferBytes = j.at("buffer");
  k.answerBytes = j.at("answer");
  k.launches = j.at("launches");
  return k;
}

}  // namespace loom::gpu
