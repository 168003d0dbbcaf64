// Compiles CUDA text to machine code by NVRTC, NVIDIA's run-time compiler, and keeps the results on disk. Needs no GPU.
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
  bool lineInfo = true;              // compile with -lineinfo, so that each SASS instruction has a line of the source
  std::vector<std::string> options;  // further options, as NVRTC takes them
  device::Requirement needs{};       // what the architecture must have; checked by CompilerProcesses, not by Compiler
};

// A CUDA text to compile, with what its operations need of the GPU. A text that was not generated here, given as a
// string, has no known needs.
struct Text {
  std::string cuda;
  device::Requirement needs;
  Text(std::string text) : cuda(std::move(text)) {}
  Text(const codegen::Source& source) : cuda(source.text), needs(source.needs) {}
};
// Returns the request to compile a text for an architecture, with line information and without further options.
Request requestFor(const Text& text, const std::string& architecture);

// Returns the options of NVRTC that, together with the source, the architecture and the compiler's version, decide the
// machine code. The option for the architecture isn't among them.
std::vector<std::string> optionsOf(const Request& request);

// What the assembler reports about one kernel. Sizes are in bytes.
struct KernelResources {
  std::string name;
  int registers = 0;                    // number per thread
  int spillStores = 0, spillLoads = 0;  // per thread: what register spills move to and from local memory
  int stack = 0;                        // per thread
  int staticShared = 0;                 // per block
  int constant = 0;                     // constant memory of bank 0
};

// A compiled program.
struct Binary {
  std::vector<char> cubin;               // the machine code, an ELF file
  std::vector<KernelResources> kernels;  // in the order of the assembler's log
  std::string log;                       // warnings, and the assembler's numbered remarks; empty without any
  std::string compiler;                  // "NVRTC 13.0"
  double milliseconds = 0;  // how long the compilation took, also for a binary that was read from the cache
  bool cached = false;      // whether the binary was read from the cache
};

// The library NVRTC, loaded at run time. Thread-safe; one object per process suffices. A crash of NVRTC ends the
// process, which is why only worker processes load it.
class Compiler {
 public:
  // Loads NVRTC from `toolkit`, the parts of a CUDA toolkit that were found. Error "NoNvrtc" if the library can't be
  // loaded or lacks functions.
  static Result<std::shared_ptr<const Compiler>> load(const Toolkit& toolkit);
  ~Compiler();

  // Returns the version of NVRTC, such as "13.0".
  const std::string& version() const { return version_; }
  // Returns the architectures that the library can make code for, such as "sm_75", in ascending order.
  std::vector<std::string> architectures() const;

  // Compiles a request to a cubin. Error "CompileError" with the compiler's log; place.line is the line of the source
  // with the first error, 0 if the log names none.
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

// Returns the kernels that the lines "ptxas info" of the assembler's log describe, in the order of the log.
// Binary::log no longer has these lines.
std::vector<KernelResources> parseResources(const std::string& log);

// A folder of compiled binaries. A binary is found by all that decides it: the source (without its comments if the
// request has no line information), the architecture, the options and the compiler. If the folder can't be written,
// nothing is stored and no error is given. A file that is damaged, or that belongs to another request, counts as
// absent. Threads and processes may use one folder at once.
class Cache {
 public:
  explicit Cache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // Returns the stored binary of a request for this compiler (Binary::compiler, "NVRTC 13.0"); nothing if there is
  // none.
  std::optional<Binary> find(const Request& request, const std::string& compiler) const;
  // Stores the binary of a request, in place of one that is there.
  void put(const Request& request, const Binary& binary) const;
  // Returns $XDG_CACHE_HOME/tileloom/cubin or ~/.cache/tileloom/cubin; an empty path if the user has no home folder.
  static std::filesystem::path defaultFolder();

 private:
  std::filesystem::path file(const std::string& key) const;
  std::filesystem::path folder_;
};

// Returns the SASS of a binary as nvdisasm prints it, followed by its constant banks (constant_banks.h). The text has
// marks `//## File …, line N inlined at …` if the binary was compiled with lineInfo, and the two 64-bit words of each
// instruction if `encodings` is true. Errors: "NoNvdisasm" if the toolkit has no nvdisasm; "CantWrite" if no temporary
// file can be made; "CompileError" if nvdisasm fails or takes over a minute.
Result<std::string> disassemble(const Toolkit& toolkit, const Binary& binary, bool encodings = false);

}  // namespace loom::compile
