// Finding the CUDA tools on this machine. Nothing is linked: libraries are loaded when first needed.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/result.h"

namespace loom::compile {

struct Toolkit {
  std::filesystem::path nvrtc;                    // libnvrtc.so.N
  std::vector<std::filesystem::path> includes;    // folders that hold cuda_fp16.h, mma.h, crt/…
  std::optional<std::filesystem::path> nvdisasm;  // program
  std::optional<std::filesystem::path> cublasLt;  // libcublasLt.so.N
  std::vector<Message> remarks = {};              // variables that name a folder without NVRTC, and what was taken
};

// Where to look, in this order: $TILELOOM_CUDA, $CUDA_HOME, $CUDA_PATH, the toolkit of the nvcc on $PATH,
// /usr/local/cuda, the pip packages of `pipSites`: each is a package's own folder (CUDA 13: lib, include, bin in one)
// or the folder over them (CUDA 12: nvidia/*/lib, …). Pieces may come from different places.
struct SearchPath {
  std::vector<std::filesystem::path> toolkits;
  std::vector<std::filesystem::path> pipSites;
  std::vector<std::pair<std::string, std::filesystem::path>> named = {};  // those of variables: "CUDA_HOME", its folder
};
// From the process's environment and the program's own folder (for `.deps`).
SearchPath defaultSearchPath();

// Error "NoNvrtc" (no NVRTC library) or "NoCudaHeaders" (no cuda_fp16.h), naming the places that were searched.
Result<Toolkit> findToolkit(const SearchPath& path);

}  // namespace loom::compile
