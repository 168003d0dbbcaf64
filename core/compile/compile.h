// CUDA text → machine code, by NVRTC. Needs no GPU.
#pragma once
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/codegen/cuda.h"
#include "core/compile/toolkit.h"
#include "core/ir/result.h"

namespace loom::compile {

// What is to be compiled.
struct Request {
  std::string source;                // CUDA C++
  std::string architecture;          // "sm_75" … "sm_120", "sm_90a"
  bool lineInfo = true;              // -lineinfo, so that SASS leads back to lines
  std::vector<std::string> options;  // further ones, as NVRTC takes them
  device::Requirement needs{};       // of the architecture; an older one is refused before anything is compiled
};

// A CUDA text to compile, with what its operations need. Other people's texts need nothing that is known.
struct Text {
  std::string cuda;
  device::Requirement needs;
  Text(std::string text) : cuda(std::move(text)) {}
  Text(const codegen::Source& source) : cuda(source.text), needs(source.needs) {}
};
Request requestFor(const Text& text, const std::string& architecture);

// Returns the options of NVRTC that decide the machine code, beside the source, the architecture and the compiler's
// version.
std::vector<std::string> optionsOf(const Request& request);

// What the assembler reports about one kernel. Sizes are in bytes.
struct KernelResources {
  std::string name;
  int registers = 0;  // per thread
  int spillStores = 0, spillLoads = 0;
  int stack = 0;
  int staticShared = 0;  // per block
  int constant = 0;
};

// A compiled program.
struct Binary {
  std::vector<char> cubin;
  std::vector<KernelResources> kernels;
  std::string log;          // warnings; empty when there are none
  std::string compiler;     // "NVRTC 13.0"
  double milliseconds = 0;  // that the compilation took when it was done
  bool cached = false;      // read from disk now
};

// NVRTC, loaded. Thread-safe; one per process suffices. A crash of it is a crash of its process: only workers load it.
class Compiler {
 public:
  // Loads NVRTC. Error "NoNvrtc" if the library can't be loaded or lacks functions.
  static Result<std::shared_ptr<const Compiler>> load(const Toolkit& toolkit);
  ~Compiler();

  // Returns the version of NVRTC, such as "13.0".
  const std::string& version() const { return version_; }
  // Architectures the library can make code for, as "sm_75", ascending.
  std::vector<std::string> architectures() const;

  // Compiles a request to a cubin. Error "CompileError" with the compiler's log; place.line is the line of the source
  // with the first error.
  Result<Binary> compile(const Request& request) const;
  // Compiles a request to PTX, for the virtual architecture of `request.architecture`. Errors as those of `compile`.
  Result<std::string> ptx(const Request& request) const;

 private:
  struct Library;
  explicit Compiler(std::unique_ptr<Library> library);
  Result<std::string> run(const Request& request, bool ptx, std::string& log) const;

  std::unique_ptr<Library> library_;
  std::string version_;
  std::vector<std::string> includeOptions_;
};

// Reads "ptxas info" lines. Kernels in the order of the log.
std::vector<KernelResources> parseResources(const std::string& log);

// Results on disk, by everything that decides them: source without comments when line numbers don't matter, options,
// compiler. A folder that can't be written is no error: the result is computed each time. A file that is cut off, or
// has another text's result, counts as absent.
class Cache {
 public:
  explicit Cache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::optional<Binary> find(const Request& request, const std::string& compiler) const;
  void put(const Request& request, const Binary& binary) const;
  // Returns $XDG_CACHE_HOME/tileloom/cubin or ~/.cache/tileloom/cubin. Returns an empty path, with which nothing is
  // kept, if the user has no folder.
  static std::filesystem::path defaultFolder();

 private:
  std::filesystem::path file(const std::string& key) const;
  std::filesystem::path folder_;
};

// Returns SASS as nvdisasm prints it: with `//## File …, line N inlined at …` marks if it was compiled with lineInfo,
// and with the two words of each instruction if `encodings` is true. Errors "NoNvdisasm", "CompileError".
Result<std::string> disassemble(const Toolkit& toolkit, const Binary& binary, bool encodings = false);

}  // namespace loom::compile
