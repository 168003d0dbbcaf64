#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <regex>

#include "core/compile/compile.h"
#include "core/compile/source_name.h"

namespace loom::compile {

// The functions of NVRTC's C interface that we call, by their documented types (opaque program, int result).
struct Compiler::Library {
  using Program = void*;
  void* handle = nullptr;
  bool keepsCode = false;  // whether it has a cache of its own, and the option to do without
  int (*version)(int*, int*) = nullptr;
  int (*supportedCount)(int*) = nullptr;
  int (*supported)(int*) = nullptr;
  int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*compile)(Program, int, const char* const*) = nullptr;
  int (*logSize)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*cubinSize)(Program, std::size_t*) = nullptr;
  int (*cubin)(Program, char*) = nullptr;
  int (*ptxSize)(Program, std::size_t*) = nullptr;
  int (*ptx)(Program, char*) = nullptr;

  template <class F>
  bool bind(F& f, const char* name) {
    f = reinterpret_cast<F>(dlsym(handle, name));
    return f != nullptr;
  }
};

namespace {

// NVRTC opens this companion by name alone, which finds it beside NVRTC in a toolkit that the system's linker knows,
// but not among pip's packages: there it must be loaded already. (`libnvrtc-builtins.so.13.0` of `libnvrtc.so.13`.)
void loadCompanion(const std::filesystem::path& nvrtc) {
  const std::string name = nvrtc.filename().string();
  const std::string version = name.substr(std::min(name.size(), name.rfind(".so.") + 4));
  std::error_code error;
  for (std::filesystem::directory_iterator it(nvrtc.parent_path(), error), end; !error && it != end;
       it.increment(error))
    if (it->path().filename().string().starts_with("libnvrtc-builtins.so." + version.substr(0, version.find('.'))))
      dlopen(it->path().c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

}  // namespace

Compiler::Compiler(std::unique_ptr<Library> library) : library_(std::move(library)) {}
Compiler::~Compiler() = default;

Result<std::shared_ptr<const Compiler>> Compiler::load(const Toolkit& toolkit) {
  auto library = std::make_unique<Library>();
  loadCompanion(toolkit.nvrtc);
  // Never closed: NVRTC's own C++ runtime allocates memory when it is loaded and doesn't give it back.
  library->handle = dlopen(toolkit.nvrtc.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library->handle) {
    return fail("NoNvrtc", message("{} can't be loaded: {}", toolkit.nvrtc.string(), dlerror()), Forbids::Environment);
  }
  Library& l = *library;
  bool complete = l.bind(l.version, "nvrtcVersion") && l.bind(l.supportedCount, "nvrtcGetNumSupportedArchs") &&
                  l.bind(l.supported, "nvrtcGetSupportedArchs") && l.bind(l.create, "nvrtcCreateProgram") &&
                  l.bind(l.destroy, "nvrtcDestroyProgram") && l.bind(l.compile, "nvrtcCompileProgram") &&
                  l.bind(l.logSize, "nvrtcGetProgramLogSize") && l.bind(l.log, "nvrtcGetProgramLog") &&
                  l.bind(l.cubinSize, "nvrtcGetCUBINSize") && l.bind(l.cubin, "nvrtcGetCUBIN") &&
                  l.bind(l.ptxSize, "nvrtcGetPTXSize") && l.bind(l.ptx, "nvrtcGetPTX");
  int major = 0, minor = 0;
  if (!complete || l.version(&major, &minor) != 0) {
    return fail("NoNvrtc", message("{} is no usable NVRTC (11.1 or newer is needed)", toolkit.nvrtc.string()),
                Forbids::Environment);
  }
  std::shared_ptr<Compiler> compiler(new Compiler(std::move(library)));
  compiler->library_->keepsCode = std::pair(major, minor) >= std::pair(12, 9);
  compiler->version_ = fmt::format("{}.{}", major, minor);
  for (const auto& folder : toolkit.includes) compiler->includeOptions_.push_back("--include-path=" + folder.string());
  return std::shared_ptr<const Compiler>(std::move(compiler));
}

std::vector<std::string> Compiler::architectures() const {
  int count = 0;
  library_->supportedCount(&count);
  std::vector<int> numbers(std::max(count, 0));
  if (count > 0) library_->supported(numbers.data());
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::string> names;
  for (int n : numbers) names.push_back(fmt::format("sm_{}", n));
  return names;
}

std::vector<std::string> optionsOf(const Request& request) {
  std::vector<std::string> options = {"--std=c++17"};
  if (request.lineInfo) options.push_back("--generate-line-info");
  options.insert(options.end(), request.options.begin(), request.options.end());
  return options;
}

Result<std::string> Compiler::run(const Request& request, bool ptx, std::string& log) const {
  // NVRTC reads up to the first zero, and would compile half of it.
  if (request.source.find('\0') != std::string::npos) {
    return fail("CompileError", message("the source has a zero byte in it"), Forbids::Input);
  }
  std::string architecture = request.architecture;
  if (ptx && architecture.starts_with("sm_")) architecture = "compute_" + architecture.substr(3);
  std::vector<std::string> options = {"--gpu-architecture=" + architecture};
  if (!ptx) options.push_back("--ptxas-options=-v");
  // With a driver, NVRTC keeps machine code of its own, and answers from it without the assembler's log, which is where
  // registers and spills are read from.
  if (!ptx && library_->keepsCode) options.push_back("--no-cache");
  options.insert(options.end(), includeOptions_.begin(), includeOptions_.end());
  for (const std::string& option : optionsOf(request)) options.push_back(option);
  std::vector<const char*> pointers;
  for (const std::string& o : options) pointers.push_back(o.c_str());

  Library::Program program = nullptr;
  if (library_->create(&program, request.source.c_str(), kSourceName, 0, nullptr, nullptr) != 0) {
    return fail("CompileError", message("NVRTC can't take the source"), Forbids::Environment);
  }
  int status = library_->compile(program, int(pointers.size()), pointers.data());
  std::size_t size = 0;
  if (library_->logSize(program, &size) == 0 && size > 1) {
    log.resize(size);
    library_->log(program, log.data());
    log.resize(size - 1);
    std::erase(log, '\0');  // the assembler's part ends with one of its own
  }
  std::string code;
  if (status == 0) {
    bool sized = (ptx ? library_->ptxSize(program, &size) : library_->cubinSize(program, &size)) == 0;
    if (sized) {
      code.resize(size);
      status = ptx ? library_->ptx(program, code.data()) : library_->cubin(program, code.data());
    }
    if (!sized || code.empty()) status = -1;
  }
  library_->destroy(&program);
  if (status != 0) {
    auto failure =
        fail("CompileError", log.empty() ? message("NVRTC error {}", status) : verbatim(log), Forbids::Environment);
    static const std::regex kPlace(R"(kernel\.cu\((\d+)\): (?:catastrophic )?error)");
    std::smatch match;
    if (std::regex_search(log, match, kPlace)) failure.value().place.line = std::stoi(match[1]);
    return failure;
  }
  return code;
}

Result<Binary> Compiler::compile(const Request& request) const {
  auto start = std::chrono::steady_clock::now();
  Binary binary;
  auto code = run(request, false, binary.log);
  if (!code) return Failure(code.error());
  binary.cubin.assign(code->begin(), code->end());
  binary.kernels = parseResources(binary.log);
  // Only warnings stay in the log that people read, and what the assembler calls information but gives a number: that
  // it serialized products of a warpgroup, "ptxas info    : (C7511) Potential Performance Loss: …".
  std::string warnings;
  for (std::size_t at = 0; at < binary.log.size();) {
    std::size_t end = std::min(binary.log.find('\n', at), binary.log.size());
    std::string line = binary.log.substr(at, end - at);
    const bool information = line.starts_with("ptxas info") && line.find(": (C") == std::string::npos;
    if (!information && line.find("bytes stack frame") == std::string::npos &&
        line.find("Function properties") == std::string::npos && !line.empty()) {
      warnings += line + "\n";
    }
    at = end + 1;
  }
  binary.log = std::move(warnings);
  binary.compiler = "NVRTC " + version_;
  binary.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return binary;
}

Result<std::string> Compiler::ptx(const Request& request) const {
  std::string log;
  auto code = run(request, true, log);
  if (code && !code->empty() && code->back() == '\0') code->pop_back();
  if (code) return withSourceAlone(std::move(*code));
  return code;
}

std::vector<KernelResources> parseResources(const std::string& log) {
  static const std::regex kEntry(R"(Compiling entry function '([^']+)')");
  static const std::regex kFrame(R"((\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads)");
  static const std::regex kUsed(R"(Used (\d+) registers)");
  static const std::regex kShared(R"((\d+) bytes smem)");
  static const std::regex kConstant(R"((\d+) bytes cmem\[0\])");
  std::vector<KernelResources> found;
  for (std::size_t at = 0; at < log.size();) {
    std::size_t end = std::min(log.find('\n', at), log.size());
    std::string line = log.substr(at, end - at);
    at = end + 1;
    std::smatch m;
    if (std::regex_search(line, m, kEntry)) {
      found.push_back({});
      found.back().name = m[1];
    } else if (!found.empty() && std::regex_search(line, m, kFrame)) {
      found.back().stack = std::stoi(m[1]);
      found.back().spillStores = std::stoi(m[2]);
      found.back().spillLoads = std::stoi(m[3]);
    } else if (!found.empty() && std::regex_search(line, m, kUsed)) {
      found.back().registers = std::stoi(m[1]);
      if (std::regex_search(line, m, kShared)) found.back().staticShared = std::stoi(m[1]);
      if (std::regex_search(line, m, kConstant)) found.back().constant = std::stoi(m[1]);
    }
  }
  return found;
}

}  // namespace loom::compile
