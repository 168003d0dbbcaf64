// The tests, or, as `test_compile compiler MODE`, a process that compiles or fails to. A source with the word CRASH or
// HANG makes a "faulty" one do so.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "core/compile/compiler_processes.h"

using loom::process::Frame;

namespace {

// No compiler at all, but the same answers.
std::optional<loom::Result<Frame>> fakeAnswer(const std::string& verb, const Frame& request) {
  if (verb == "compiler") return Frame{R"({"version":"0.0","architectures":["sm_90"]})", ""};
  if (verb != "compile") return std::nullopt;
  if (request.blob.find("CRASH") != std::string::npos) std::abort();
  if (request.blob.find("HANG") != std::string::npos) {
    for (;;) pause();
  }
  if (request.blob.find("ODD") != std::string::npos) return Frame{R"({"log":[]})", ""};
  if (request.blob.find("SLOW") != std::string::npos) usleep(300000);
  return Frame{R"({"log":"","compiler":"NVRTC 0.0","ms":1,"kernels":[["k",32,0,0,0,1024,0]]})",
               "cubin of " + request.blob};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "compiler") {
    loom::process::endWithClient(STDOUT_FILENO);
    const std::string mode = argv[2];
    loom::compile::SearchPath path = loom::compile::defaultSearchPath();
    if (mode == "none") path = {{"/nowhere"}, {}};
    loom::compile::CompileServer server(path);
    return loom::process::serve(STDIN_FILENO, STDOUT_FILENO,
                                [&](const std::string& verb, const Frame& request, const loom::process::Say&) {
                                  return mode == "fake" ? fakeAnswer(verb, request) : server.answer(verb, request);
                                });
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
