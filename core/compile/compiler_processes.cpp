#include "core/compile/compiler_processes.h"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/compile/binary_json.h"
#include "core/process/child.h"

namespace loom::compile {

using nlohmann::json;
using process::Frame;

namespace {

// The source travels as bytes.
Frame frameOf(const Request& r, bool ptx) {
  json j = {{"do", "compile"},
            {"architecture", r.architecture},
            {"line_info", r.lineInfo},
            {"options", r.options},
            {"ptx", ptx}};
  return {j.dump(-1, ' ', false, json::error_handler_t::replace), r.source};
}

Failure broken(Message why) { return fail("CompileError", std::move(why), Forbids::Environment); }

}  // namespace

CompilerProcesses::CompilerProcesses(Options options) : options_(std::move(options)) {
  int cores = int(std::thread::hardware_concurrency());
  limit_ = options_.processes > 0 ? options_.processes : std::max(1, cores - 1);
  if (!options_.cache.empty()) cache_.emplace(options_.cache);
}
CompilerProcesses::~CompilerProcesses() = default;

std::vector<int> CompilerProcesses::idle() const {
  std::lock_guard lock(mutex_);
  std::vector<int> ids;
  for (const auto& child : idle_) {
    if (child->running()) ids.push_back(child->process());
  }
  return ids;
}

Result<Frame> CompilerProcesses::ask(const Frame& request, std::stop_token stop) {
  if (options_.command.empty())
    return fail("NoWorker", message("there is no process to compile in"), Forbids::Environment);
  std::unique_ptr<process::Child> child;
  {
    std::unique_lock lock(mutex_);
    if (!freed_.wait(lock, stop, [&] { return busy_ < limit_; })) {
      return fail("Cancelled", message("cancelled"), Forbids::Environment);
    }
    ++busy_;
    if (!idle_.empty()) {
      child = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!child) child = std::make_unique<process::Child>(process::ChildOptions{options_.command, 60, options_.niceness});
  auto answer = child->ask(request, options_.deadlineSeconds, {}, stop);
  {
    std::lock_guard lock(mutex_);
    --busy_;
    if (child->running()) idle_.push_back(std::move(child));
  }
  freed_.notify_one();
  if (answer) return answer;
  const Error& e = answer.error();
  if (e.code == "WorkerLost" || e.code == "Timeout" || e.code == "ProtocolError" || e.code == "WorkerError") {
    return broken(message("the compiler's process failed: {}", e.message));
  }
  return answer;
}

Result<CompilerInfo> CompilerProcesses::compiler(std::stop_token stop) {
  {
    std::lock_guard lock(mutex_);
    if (compiler_) return *compiler_;
  }
  auto answer = ask({R"({"do":"compiler"})", ""}, stop);
  if (!answer) return Failure(answer.error());
  try {
    json j = json::parse(answer->text);
    CompilerInfo info{j.at("version"), j.at("architectures").get<std::vector<std::string>>()};
    std::lock_guard lock(mutex_);
    compiler_ = info;
    return info;
  } catch (const json::exception& e) {
    return broken(verbatim(e.what()));
  }
}

Request requestFor(const Text& text, const std::string& architecture) {
  Request request;
  request.source = text.cuda;
  request.architecture = architecture;
  request.needs = text.needs;
  return request;
}

Result<Binary> CompilerProcesses::compile(const Request& request, std::stop_token stop) {
  if (auto has = device::checkArchitecture(request.needs, request.architecture); !has) return Failure(has.error());
  auto known = compiler(stop);
  if (!known) return Failure(known.error());
  if (cache_) {
    if (auto found = cache_->find(request, known->name())) return std::move(*found);
  }
  auto answer = ask(frameOf(request, false), stop);
  if (!answer) return Failure(answer.error());
  try {
    Binary binary = binaryFrom(json::parse(answer->text));
    binary.cubin.assign(answer->blob.begin(), answer->blob.end());
    if (cache_) cache_->put(request, binary);
    return binary;
  } catch (const json::exception& e) {
    return broken(verbatim(e.what()));
  }
}

std::vector<Result<Binary>> CompilerProcesses::compileAll(const std::vector<Request>& requests, std::stop_token stop,
                                                          const Done& done) {
  std::vector<Result<Binary>> results(requests.size(), fail("Cancelled", message("cancelled"), Forbids::Environment));
  std::atomic<std::size_t> next = 0;
  std::mutex telling;
  auto work = [&] {
    for (std::size_t i; (i = next++) < requests.size();) {
      results[i] = compile(requests[i], stop);
      std::lock_guard lock(telling);
      if (done) done(i, results[i]);
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < std::min(requests.size(), std::size_t(limit_)); ++t) threads.emplace_back(work);
  threads.clear();
  return results;
}

Result<std::string> CompilerProcesses::ptx(const Request& request, std::stop_token stop) {
  if (auto has = device::checkArchitecture(request.needs, request.architecture); !has) return Failure(has.error());
  auto answer = ask(frameOf(request, true), stop);
  if (!answer) return Failure(answer.error());
  return std::move(answer->blob);
}

const Result<std::shared_ptr<const Compiler>>& CompileServer::compiler() {
  if (!compiler_) {
    if (auto toolkit = findToolkit(path_)) {
      compiler_ = Compiler::load(*toolkit);
    } else {
      compiler_.emplace(Failure(toolkit.error()));
    }
  }
  return *compiler_;
}

std::optional<Result<Frame>> CompileServer::answer(const std::string& verb, const Frame& frame) {
  if (verb != "compiler" && verb != "compile") return std::nullopt;
  const auto& loaded = compiler();
  if (!loaded) return Failure(loaded.error());
  const Compiler& compiler = **loaded;
  if (verb == "compiler") {
    json j = {{"version", compiler.version()}, {"architectures", compiler.architectures()}};
    return Frame{j.dump(), ""};
  }
  json j = json::parse(frame.text);
  Request request;
  request.source = frame.blob;
  request.architecture = j.at("architecture");
  request.lineInfo = j.at("line_info");
  request.options = j.at("options").get<std::vector<std::string>>();
  if (j.at("ptx").get<bool>()) {
    auto text = compiler.ptx(request);
    if (!text) return Failure(text.error());
    return Frame{"{}", std::move(*text)};
  }
  auto binary = compiler.compile(request);
  if (!binary) return Failure(binary.error());
  return Frame{toJson(*binary).dump(-1, ' ', false, json::error_handler_t::replace),
               std::string(binary->cubin.begin(), binary->cubin.end())};
}

}  // namespace loom::compile
