// A test fixture with a session, without a window and without a GPU, in which a matrix product is open.
#pragma once
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "app/panels/view/view_makers.h"
#include "app/session/session.h"
#include "tests/document/scheduled.h"

namespace loom::session {

/// Step lines that bind the product's rows to thread blocks and its columns to threads.
inline const std::string kBound =
    "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.bind(i, \"blockIdx.x\")\nsch.bind(j, \"threadIdx.x\")";

/// Returns step lines that split the product's reduction loop; `factor` is the extent of the inner loop.
inline std::string splitBy(int factor) {
  return "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nk0, k1 = sch.split(k, [None, " + std::to_string(factor) + "])";
}

class WithWorkbench : public testing::Test {
 protected:
  /// Opens `product`, and waits until its first state's program has been made and the search for devices has ended,
  /// which a test may check. `longest` is how often each `wait` polls at most, once in a ms or somewhat more.
  /// `compiler` is the command that starts a process that compiles (BenchOptions::compilerCommand); empty: nothing is
  /// compiled.
  WithWorkbench(const document::MatmulRequest& product, int longest, const std::string& compiler = {})
      : longest_(longest), bench_(options(compiler)) {
    bench_.documents().openMatmul(product);
    wait([&] {
      return bench_.documents().target() != nullptr && bench_.programs().of(0) != nullptr &&
             bench_.modelDevice().status().known;
    });
  }
  /// Polls the session, which takes in the results of background jobs, until `there` returns true, at most `longest`
  /// times. Returns what a last call of `there` returns.
  template <typename There>
  bool wait(There there) {
    for (int i = 0; i < longest_ && !there(); ++i) {
      bench_.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return there();
  }

 private:
  static Options options(const std::string& compiler) {
    Options options;
    options.assets = document::assets();
    options.bench.assets = document::assets();
    options.bench.device = "none";
    options.bench.compilerCommand = compiler;
    options.check = true;
    options.views = viewMakers();
    return options;
  }
  int longest_;

 protected:
  Session bench_;
};

}  // namespace loom::session
