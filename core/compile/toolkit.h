// Finding the CUDA tools on this machine. Nothing is linked: libraries are loaded when first needed.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/result.h"

namespace loom::compile {

// The parts of a CUDA toolkit that were found.
struct Toolkit {
  std::filesystem::path nvrtc;                    // the library libnvrtc.so.N
  std::vector<std::filesystem::path> includes;    // folders with cuda_fp16.h, mma.h, crt/…
  std::optional<std::filesystem::path> nvdisasm;  // the program nvdisasm; nothing: not found
  std::optional<std::filesystem::path> cublasLt;  // the library libcublasLt.so.N; nothing: not found
  std::vector<Message> remarks = {};              // on variables that name a folder without NVRTC
};

// The folders to search, in their order. Parts of a toolkit may come from different folders.
struct SearchPath {
  std::vector<std::filesystem::path> toolkits;  // folders of whole toolkits
  // Folders of pip packages: a package of its own (CUDA 13 has lib, include and bin in one), or the folder above
  // several (CUDA 12: nvidia/*/lib, …).
  std::vector<std::filesystem::path> pipSites;
  std::vector<std::pair<std::string, std::filesystem::path>> named = {};  // for remarks: environment variables
                                                                          // and the folders that they name
};
// Returns $TILELOOM_CUDA alone if that is set. Else returns $CUDA_HOME, $CUDA_PATH, the toolkit of each nvcc on $PATH
// and /usr/local/cuda, and after these, as pip packages, the folder `cuda` beside the program and the nearest
// `.deps/cuda` in a folder above it. Variables that aren't set are left out, and so are folders of pip packages that
// don't exist.
SearchPath defaultSearchPath();

// Searches for a toolkit. Errors, which name the folders searched: "NoNvrtc" without an NVRTC library, "NoCudaHeaders"
// without cuda_fp16.h.
Result<Toolkit> findToolkit(const SearchPath& path);

}  // namespace loom::compile
