#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/codegen/cuda.h"
#include "core/compile/compile.h"

namespace loom::compile {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

// The whole key is stored with the result and compared, so that a collision of the file name costs a compilation, never
// a wrong result.
std::string keyOf(const Request& r, const std::string& compiler) {
  std::string key = compiler + "\n" + r.architecture + (r.lineInfo ? "\nlineinfo\n" : "\n");
  for (const std::string& o : r.options) key += o + "\n";
  return key + (r.lineInfo ? r.source : codegen::withoutComments(r.source));
}

std::uint64_t fnv1a(const std::string& text) {
  std::uint64_t hash = 1469598103934665603ull;
  for (unsigned char c : text) hash = (hash ^ c) * 1099511628211ull;
  return hash;
}

}  // namespace

fs::path Cache::defaultFolder() {
  if (const char* base = std::getenv("XDG_CACHE_HOME"); base && *base) return fs::path(base) / "tileloom" / "cubin";
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".cache" / "tileloom" / "cubin";
  return fs::temp_directory_path() / "tileloom-cubin";
}

fs::path Cache::file(const std::string& key) const { return folder_ / fmt::format("{:016x}.cubin", fnv1a(key)); }

// A file: one line of JSON (sizes, resources, compiler), the key, the cubin.
std::optional<Binary> Cache::find(const Request& request, const std::string& compiler) const {
  std::string key = keyOf(request, compiler);
  std::ifstream in(file(key), std::ios::binary);
  std::string head;
  if (!in || !std::getline(in, head)) return std::nullopt;
  json j = json::parse(head, nullptr, false);
  if (j.is_discarded() || !j.is_object()) return std::nullopt;
  try {
    std::string stored(j.at("key").get<std::size_t>(), '\0');
    Binary b;
    b.cubin.resize(j.at("cubin").get<std::size_t>());
    if (stored.size() != key.size() || b.cubin.size() > (std::size_t{1} << 30)) return std::nullopt;
    if (!in.read(stored.data(), std::streamsize(stored.size())) || stored != key) return std::nullopt;
    if (!in.read(b.cubin.data(), std::streamsize(b.cubin.size()))) return std::nullopt;
    b.log = j.at("log").get<std::string>();
    b.compiler = compiler;
    b.milliseconds = j.at("ms").get<double>();
    for (const json& k : j.at("kernels")) {
      b.kernels.push_back({k.at(0), k.at(1), k.at(2), k.at(3), k.at(4), k.at(5), k.at(6)});
    }
    b.cached = true;
    return b;
  } catch (const json::exception&) {
    return std::nullopt;  // written by another version
  }
}

void Cache::put(const Request& request, const Binary& binary) const {
  std::string key = keyOf(request, binary.compiler);
  json kernels = json::array();
  for (const KernelResources& k : binary.kernels) {
    kernels.push_back({k.name, k.registers, k.spillStores, k.spillLoads, k.stack, k.staticShared, k.constant});
  }
  json head = {{"key", key.size()},
               {"cubin", binary.cubin.size()},
               {"log", binary.log},
               {"ms", binary.milliseconds},
               {"kernels", kernels}};
  std::error_code error;
  fs::create_directories(folder_, error);
  fs::path target = file(key);
  fs::path partial = target;
  partial += fmt::format(".{}.tmp", ::getpid());
  {
    std::ofstream out(partial, std::ios::binary);
    out << head.dump(-1, ' ', false, json::error_handler_t::replace) << '\n' << key;
    out.write(binary.cubin.data(), std::streamsize(binary.cubin.size()));
    out.flush();
    if (!out) {
      fs::remove(partial, error);
      return;
    }
  }
  fs::rename(partial, target, error);
  if (error) fs::remove(partial, error);
}

Result<Binary> compileCached(const Compiler& compiler, const Cache& cache, const Request& request) {
  std::string name = "NVRTC " + compiler.version();
  if (auto found = cache.find(request, name)) return std::move(*found);
  auto binary = compiler.compile(request);
  if (binary) cache.put(request, *binary);
  return binary;
}

}  // namespace loom::compile
