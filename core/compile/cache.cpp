#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/codegen/cuda.h"
#include "core/compile/binary_json.h"
#include "core/compile/compile.h"
#include "core/compile/program_key.h"
#include "core/process/home.h"

namespace loom::compile {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

// The whole key is stored with the result and compared, so that a collision of the file name costs a compilation, never
// a wrong result.
std::string keyOf(const Request& r, const std::string& compiler) {
  std::string key = compiler + "\n" + r.architecture + "\n";
  for (const std::string& o : optionsOf(r)) key += o + "\n";
  return key + (r.lineInfo ? r.source : codegen::withoutComments(r.source));
}

constexpr std::size_t kMaxCubin = std::size_t{1} << 30;

}  // namespace

json toJson(const Binary& b) {
  json kernels = json::array();
  for (const KernelResources& k : b.kernels) {
    kernels.push_back({k.name, k.registers, k.spillStores, k.spillLoads, k.stack, k.staticShared, k.constant});
  }
  return {{"log", b.log}, {"compiler", b.compiler}, {"ms", b.milliseconds}, {"kernels", kernels}};
}

Binary binaryFrom(const json& j) {
  Binary b;
  b.log = j.at("log");
  b.compiler = j.at("compiler");
  b.milliseconds = j.at("ms");
  for (const json& k : j.at("kernels")) {
    b.kernels.push_back({k.at(0), k.at(1), k.at(2), k.at(3), k.at(4), k.at(5), k.at(6)});
  }
  return b;
}

fs::path Cache::defaultFolder() {
  const auto folder = process::userFolder("XDG_CACHE_HOME", ".cache");
  return folder ? *folder / "cubin" : fs::path();
}

fs::path Cache::file(const std::string& key) const { return folder_ / (contentHash(key) + ".cubin"); }

// A file: one line of JSON (sizes, resources, compiler, the cubin's hash), the key, the cubin.
std::optional<Binary> Cache::find(const Request& request, const std::string& compiler) const {
  std::string key = keyOf(request, compiler);
  std::ifstream in(file(key), std::ios::binary);
  std::string head;
  if (!in || !std::getline(in, head)) return std::nullopt;
  json j = json::parse(head, nullptr, false);
  if (j.is_discarded() || !j.is_object()) return std::nullopt;
  try {
    Binary b = binaryFrom(j);
    std::size_t size = j.at("cubin").get<std::size_t>();
    if (j.at("key").get<std::size_t>() != key.size() || size > kMaxCubin) return std::nullopt;
    // What the head promises must be there to the byte, before memory is taken for it.
    std::error_code error;
    if (fs::file_size(file(key), error) != head.size() + 1 + key.size() + size || error) return std::nullopt;
    std::string stored(key.size(), '\0');
    if (!in.read(stored.data(), std::streamsize(stored.size())) || stored != key) return std::nullopt;
    b.cubin.resize(size);
    if (!in.read(b.cubin.data(), std::streamsize(b.cubin.size()))) return std::nullopt;
    if (contentHash({b.cubin.data(), b.cubin.size()}) != j.at("hash").get<std::string>()) return std::nullopt;
    // Without what the assembler said, which NVRTC's own cache once withheld, it is worth a compilation.
    if (b.kernels.empty()) return std::nullopt;
    b.compiler = compiler;
    b.cached = true;
    return b;
  } catch (const json::exception&) {
    return std::nullopt;  // written by another version
  }
}

void Cache::put(const Request& request, const Binary& binary) const {
  std::string key = keyOf(request, binary.compiler);
  json head = toJson(binary);
  head["key"] = key.size();
  head["cubin"] = binary.cubin.size();
  head["hash"] = contentHash({binary.cubin.data(), binary.cubin.size()});
  std::error_code error;
  fs::create_directories(folder_, error);
  fs::path target = file(key);
  fs::path partial = target;
  partial += fmt::format(".{}.{}.tmp", ::getpid(), std::hash<std::thread::id>{}(std::this_thread::get_id()));
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

}  // namespace loom::compile
