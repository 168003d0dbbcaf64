// The tests, or, as `test_profile worker MODE`, a worker: "cpu" on its CPU device; "hangs" never answers a measurement.
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/gpu/worker.h"
#include "core/process/serve.h"

using namespace loom;

namespace {

int worker(const std::string& mode) {
  process::endWithClient(STDOUT_FILENO);
  gpu::ServeOptions options;
  options.cpu = true;
  if (mode == "cpu") return gpu::serve(STDIN_FILENO, STDOUT_FILENO, options);
  return process::serve(
      STDIN_FILENO, STDOUT_FILENO,
      [](const std::string&, const process::Frame&, const process::Say& say) -> std::optional<Result<process::Frame>> {
        say("check 0");
        for (;;) pause();
      });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "worker") return worker(argv[2]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
