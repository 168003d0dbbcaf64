// Compiles in worker processes at low priority, so that a compiler that crashes or hangs costs one result and not the
// program. Results are kept in a cache on disk. `CompilerProcesses` is the side of the program, and `CompileServer` the
// side of a worker process.
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
    std::string command;           // command line for /bin/sh that starts a worker; empty: nothing can be compiled
    int processes = 0;             // the most at a time; 0: one less than there are cores, at least one
    double deadlineSeconds = 120;  // how long one compilation may take; its process is then ended
    int niceness = 19;             // added to the niceness of this process
    std::filesystem::path cache;   // the folder of the cache; empty: there is no cache
  };
  explicit CompilerProcesses(Options options);
  // Ends the processes. No call may be under way.
  ~CompilerProcesses();

  // All calls are thread-safe.

  // Returns the compiler that the processes have. The first call asks a process; after it has succeeded, calls return
  // its answer. Errors: "NoNvrtc", "NoCudaHeaders", "NoWorker" (there is no command), "Cancelled"; "CompileError" if
  // the process can't be started, ends, or gives no usable answer in time.
  Result<CompilerInfo> compiler(std::stop_token stop = {});
  // Returns the cubin of a request (a CUDA text, its architecture and options) from the cache, or else compiles it and
  // puts it there. The cache keeps cubins by compiler, so that this calls `compiler` first, and starts a process once
  // even for a cubin that is in the cache; without a command it fails for these, too. Errors, beside those of
  // `compiler`: "OldArchitecture" if the request needs operations that its architecture lacks; "CompileError" with the
  // compiler's log and line, or with what became of its process.
  Result<Binary> compile(const Request& request, std::stop_token stop = {});
  // Compiles all requests, at most `limit()` at a time, and returns their results in the same order, once all are
  // there. Once `stop` asks for it, requests without a result that aren't in the cache have the error "Cancelled".
  // `done`, which may be empty, is called from other threads, but never by two at once, with the index of a request and
  // its result, as soon as the result is there, "Cancelled" ones included.
  using Done = std::function<void(std::size_t, const Result<Binary>&)>;
  std::vector<Result<Binary>> compileAll(const std::vector<Request>& requests, std::stop_token stop = {},
                                         const Done& done = {});
  // Returns the PTX of a request, for the virtual architecture of `request.architecture`. It is never cached. Errors as
  // those of `compile`.
  Result<std::string> ptx(const Request& request, std::stop_token stop = {});

  int limit() const { return limit_; }  // the most processes at a time
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

// Answers two kinds of requests in a worker process, from one thread. A request and its answer are frames, each a JSON
// text and a blob of bytes.
// {"do": "compiler"} is answered by {"version": "13.0", "architectures": ["sm_75", …]}; {"do": "compile",
// "architecture", "line_info", "options", "ptx"}, with the source in the blob, by the binary's JSON (binary_json.h) and
// its cubin in the blob, or, if "ptx" is true, by {} and the PTX in the blob. The first request searches for the CUDA
// toolkit and loads NVRTC.
class CompileServer {
 public:
  explicit CompileServer(SearchPath path) : path_(std::move(path)) {}
  // Returns the answer to a request, whose "do" is `verb`, or its error; nothing for other verbs. Throws a
  // nlohmann::json exception if a member of the request is missing or of the wrong type.
  std::optional<Result<process::Frame>> answer(const std::string& verb, const process::Frame& request);

 private:
  const Result<std::shared_ptr<const Compiler>>& compiler();

  SearchPath path_;
  std::optional<Result<std::shared_ptr<const Compiler>>> compiler_;
};

}  // namespace loom::compile
