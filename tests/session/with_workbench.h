// A workbench without a window and without a device, that has opened a product and derived its first state.
#pragma once
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/panels/code/view/code.h"
#include "app/session/session.h"
#include "tests/document/scheduled.h"

namespace loom::session {

class WithWorkbench : public testing::Test {
 protected:
  /// `longest`: how often `wait` asks at most, a millisecond apart.
  WithWorkbench(const document::MatmulRequest& product, int longest) : longest_(longest), bench_(options()) {
    bench_.documents().openMatmul(product);
    wait([&] {
      return bench_.documents().target() != nullptr && bench_.programs().of(0) != nullptr &&
             bench_.modelDevice().status().known;
    });
  }
  /// Takes in what jobs finish until `there` holds; whether it does.
  template <typename There>
  bool wait(There there) {
    for (int i = 0; i < longest_ && !there(); ++i) {
      bench_.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return there();
  }

 private:
  static Options options() {
    Options options;
    options.assets = document::assets();
    options.bench.assets = document::assets();
    options.bench.device = "none";
    options.check = true;
    options.views = viewMakers();
    return options;
  }
  int longest_;

 protected:
  Session bench_;
};

}  // namespace loom::session
