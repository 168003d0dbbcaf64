// What comes of executing a kernel that a test has made, or has broken.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/device/program.h"
#include "core/exec/execute.h"
#include "core/exec/reference.h"

namespace loom::exec {

struct Execution {
  std::vector<std::string> faults;  // by name, of all landings
  int wrong = 0;                    // elements, of the worst landing
};

// Runs the program once with each landing of its asynchronous copies. An element is wrong that isn't the reference's,
// or is further from it than `tolerance`, where sums may be made in another order.
inline Execution executionOf(const device::Program& program, Reference& reference, double tolerance = 0) {
  Execution made;
  const auto executable = prepare(program).value();
  for (Landing landing : executable.landings()) {
    GlobalMemory memory(executable, reference.contents(), {});
    const auto findings = execute(executable, {}, memory, {}, landing).value();
    for (const Finding& f : findings)
      if (isFault(f.kind)) made.faults.emplace_back(nameOf(f.kind));
    const int output = reference.outputs().front();
    const Area& area = memory.at(program.params[std::size_t(output)].buffer->data.get());
    int wrong = 0;
    for (std::int64_t e = 0; e < area.elements; ++e) {
      const double expected = reference.at(output, e)->f, got = area.values[e].f;
      wrong += tolerance > 0 ? std::abs(expected - got) > tolerance : expected != got;
    }
    made.wrong = std::max(made.wrong, wrong);
  }
  return made;
}

// The program with each statement of its first kernel that `change` has another for; null drops it.
inline device::Program changed(device::Program program,
                               const std::function<device::Stmt(const device::Stmt&)>& change) {
  const std::function<device::Stmt(const device::Stmt&)> walk = [&](const device::Stmt& s) -> device::Stmt {
    const device::Stmt own = change(s);
    return own ? device::mapChildren(own, walk) : own;
  };
  program.kernels[0].body = walk(program.kernels[0].body);
  return program;
}
inline bool isBarrier(const device::Stmt& s) { return device::meetsBlock(device::effectsOf(s)); }

}  // namespace loom::exec
