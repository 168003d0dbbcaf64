#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/gui/bench.h"

namespace loom::window {

/// Index of the chapter of the lesson "tensor_core" at whose end the whole product is on tensor cores.
inline constexpr int kTensorized = 13;

/// A workbench with a fake compiler and a fake disassembler. The compiler is this test program as a worker
/// (tests/gui/main.cpp); the disassembler prints the same SASS, recorded for the lesson's last state, for every kernel,
/// or is absent if `disassembles` returns false. A `prepare` that overrides the one here must call it.
class CompilingBench : public Bench {
 protected:
  void prepare(WorkbenchOptions& options) override {
    options.model.bench.compilerCommand = ownCommand() + " worker";
    const std::filesystem::path toolkit = folder() / "toolkit";
    for (const char* part : {"bin", "lib64", "include"}) std::filesystem::create_directories(toolkit / part);
    std::ofstream(toolkit / "lib64" / "libnvrtc.so.13");
    std::ofstream(toolkit / "include" / "cuda_fp16.h");
    const std::filesystem::path program = toolkit / "bin" / "nvdisasm";
    if (disassembles()) {
      std::ofstream(program) << "#!/bin/sh\ncat '" << TILELOOM_SOURCE_DIR << "/" << disassembly() << "'\n";
      std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    }
    setenv("TILELOOM_CUDA", toolkit.c_str(), 1);
  }
  /// Returns whether there is a disassembler; a subclass may return false.
  virtual bool disassembles() const { return true; }
  /// Returns the path, from the source tree's root, of the SASS that the disassembler prints.
  virtual const char* disassembly() const { return "tests/gui/tensor_core.sass"; }
  void TearDown() override {
    Bench::TearDown();
    unsetenv("TILELOOM_CUDA");
  }
};

}  // namespace loom::window
