#include "core/compile/toolkit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace loom::compile {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> listing(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    found.push_back(it->path());
  std::sort(found.begin(), found.end());
  return found;
}

// The library in the folder whose name starts with `stem`.so, the highest version first; NVRTC's helper libraries are
// skipped.
std::optional<fs::path> library(const fs::path& folder, const std::string& stem) {
  std::optional<fs::path> best;
  std::error_code error;
  for (const fs::path& p : listing(folder)) {
    std::string name = p.filename().string();
    if (name.starts_with(stem + ".so") && fs::is_regular_file(p, error)) best = p;
  }
  return best;
}

void addVariable(SearchPath& path, const char* name) {
  if (const char* value = std::getenv(name); value && *value) {
    path.toolkits.emplace_back(value);
    path.named.emplace_back(name, value);
  }
}

std::vector<fs::path> libraryFolders(const fs::path& toolkit) {
  return {toolkit / "lib64", toolkit / "lib", toolkit / "targets/x86_64-linux/lib"};
}

}  // namespace

SearchPath defaultSearchPath() {
  SearchPath path;
  addVariable(path, "TILELOOM_CUDA");
  if (!path.toolkits.empty()) return path;  // that one and no other
  addVariable(path, "CUDA_HOME");
  addVariable(path, "CUDA_PATH");
  std::error_code error;
  if (const char* value = std::getenv("PATH")) {
    std::string all = value;
    for (std::size_t at = 0; at <= all.size();) {
      std::size_t end = std::min(all.find(':', at), all.size());
      fs::path nvcc = fs::path(all.substr(at, end - at)) / "nvcc";
      if (fs::exists(nvcc, error)) path.toolkits.push_back(fs::canonical(nvcc, error).parent_path().parent_path());
      at = end + 1;
    }
  }
  path.toolkits.emplace_back("/usr/local/cuda");
  // Development builds live in build/<preset>/ of the checkout whose .deps holds the pieces from pip.
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (fs::is_directory(self.parent_path() / "cuda", error)) path.pipSites.push_back(self.parent_path() / "cuda");
  for (fs::path folder = self.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    fs::path cuda = folder / ".deps" / "cuda";
    if (fs::is_directory(cuda, error)) {
      path.pipSites.push_back(cuda);
      break;
    }
  }
  return path;
}

Result<Toolkit> findToolkit(const SearchPath& path) {
  std::vector<fs::path> libraries, includes, programs;
  for (const fs::path& t : path.toolkits) {
    for (const fs::path& folder : libraryFolders(t)) libraries.push_back(folder);
    for (const char* sub : {"include", "targets/x86_64-linux/include"}) includes.push_back(t / sub);
    programs.push_back(t / "bin");
  }
  for (const fs::path& site : path.pipSites) {
    std::vector<fs::path> packages = listing(site / "nvidia");
    packages.insert(packages.begin(), site);
    for (const fs::path& package : packages) {
      libraries.push_back(package / "lib");
      includes.push_back(package / "include");
      programs.push_back(package / "bin");
    }
  }
  Toolkit found;
  std::error_code error;
  for (const fs::path& folder : libraries) {
    if (found.nvrtc.empty()) {
      if (auto p = library(folder, "libnvrtc")) found.nvrtc = *p;
    }
    if (!found.cublasLt) found.cublasLt = library(folder, "libcublasLt");
  }
  bool fp16 = false;
  for (const fs::path& folder : includes) {
    if (!fs::is_directory(folder, error)) continue;
    bool useful = fs::exists(folder / "cuda_fp16.h", error) || fs::exists(folder / "crt" / "mma.h", error) ||
                  fs::exists(folder / "cuda_runtime.h", error) || fs::exists(folder / "cccl", error);
    if (!useful) continue;
    fp16 |= fs::exists(folder / "cuda_fp16.h", error);
    found.includes.push_back(folder);
    if (fs::exists(folder / "cccl", error)) found.includes.push_back(folder / "cccl");
  }
  for (const fs::path& folder : programs) {
    if (!found.nvdisasm && fs::exists(folder / "nvdisasm", error)) found.nvdisasm = folder / "nvdisasm";
  }
  std::string searched;
  for (const fs::path& t : path.toolkits) searched += (searched.empty() ? "" : ", ") + t.string();
  for (const fs::path& t : path.pipSites) searched += (searched.empty() ? "" : ", ") + t.string();
  if (found.nvrtc.empty()) {
    return fail("NoNvrtc", message("no NVRTC library found; looked in {}", searched), Forbids::Environment);
  }
  if (!fp16) {
    return fail("NoCudaHeaders", message("no CUDA headers (cuda_fp16.h) found; looked in {}", searched),
                Forbids::Environment);
  }
  for (const auto& [variable, folder] : path.named) {
    const std::vector<fs::path> there = libraryFolders(folder);
    const bool any =
        std::any_of(there.begin(), there.end(), [](const auto& f) { return library(f, "libnvrtc").has_value(); });
    if (any) continue;
    found.remarks.push_back(
        message("${} names {}, where no NVRTC is; {} is used", variable, folder.string(), found.nvrtc.string()));
  }
  return found;
}

}  // namespace loom::compile
