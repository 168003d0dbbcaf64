// Compiling in other processes, at low priority: a compiler that crashes or hangs costs one result. The cache on disk
// stands in front. `CompileServer` is the processes' side.
#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/compile/compile.h"
#include "core/process/serve.h"

namespace loom::process {
class Child;
}

namespace loom::compile {

// The compiler that the processes have.
struct CompilerInfo {
  std::string version;                     // "13.0"
  std::vector<std::string> architectures;  // "sm_75" …, ascending
  std::string name() const { return "NVRTC " + version; }
};

// Compiles in processes of their own, several at a time, and keeps the results in a cache on disk.
class CompilerProcesses {
 public:
  struct Options {
    std::string command;           // starts a worker, by /bin/sh; empty: nothing can be compiled
    int processes = 0;             // at most; 0: one less than there are cores, at least one
    double deadlineSeconds = 120;  // of one compilation
    int niceness = 19;             // added to ours
    std::filesystem::path cache;   // folder; empty: everything is compiled
  };
  explicit CompilerProcesses(Options options);
  ~CompilerProcesses();

  // All calls are thread-safe.

  // Returns what the processes compile with. Found out by the first call that succeeds. Errors: "NoNvrtc",
  // "NoCudaHeaders", "NoWorker" (there is no command), "Cancelled"; "CompileError" if no process can be started.
  Result<CompilerInfo> compiler(std::stop_token stop = {});
  // Returns the cubin from the cache, or else compiles it and puts it there. Errors, beside those of `compiler`:
  // "OldArchitecture" as device::checkArchitecture; "CompileError" with the compiler's log and line, or with what
  // became of its process.
  Result<Binary> compile(const Request& request, std::stop_token stop = {});
  // The same for many, as many at a time as there may be processes. `done` is given each result as it comes with its
  // index, one at a time, from another thread.
  using Done = std::function<void(std::size_t, const Result<Binary>&)>;
  std::vector<Result<Binary>> compileAll(const std::vector<Request>& requests, std::stop_token stop = {},
                                         const Done& done = {});
  // Compiles to PTX, for the virtual architecture of the request's. Errors as those of `compile`.
  Result<std::string> ptx(const Request& request, std::stop_token stop = {});

  int limit() const { return limit_; }
  // Returns the ids of the processes that wait for work.
  std::vector<int> idle() const;

 private:
  Result<process::Frame> ask(const process::Frame& request, std::stop_token stop);

  Options options_;
  int limit_ = 1;
  std::optional<Cache> cache_;
  mutable std::mutex mutex_;
  std::condition_variable_any freed_;
  std::vector<std::unique_ptr<process::Child>> idle_;
  int busy_ = 0;
  std::optional<CompilerInfo> compiler_;
};

// Answers "compiler" and "compile" in a worker. The toolkit is looked for and loaded when first asked.
class CompileServer {
 public:
  explicit CompileServer(SearchPath path) : path_(std::move(path)) {}
  std::optional<Result<process::Frame>> answer(const std::string& verb, const process::Frame& request);

 private:
  const Result<std::shared_ptr<const Compiler>>& compiler();

  SearchPath path_;
  std::optional<Result<std::shared_ptr<const Compiler>>> compiler_;
};

}  // namespace loom::compile
