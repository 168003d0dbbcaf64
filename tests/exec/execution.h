// Executes, on the CPU, a device program that a test has made or broken, and compares its results with the reference.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/device/program.h"
#include "core/exec/execute.h"
#include "core/exec/reference.h"

namespace loom::exec {

// The outcome of executing a program once with each landing (exec::Landing: asynchronous operations happen when they
// are started, or only when they are awaited).
struct Execution {
  std::vector<std::string> faults;  // names of the faults found in all executions: races, accesses out of bounds, …
  int wrong = 0;                    // wrong elements of the first output, in the execution that has most of them
};

// Executes the program on the inputs of `reference`. An element of the first output is wrong if it differs from the
// reference by more than `tolerance`; 0, the default, is for results that must be equal. What the function doesn't
// write isn't looked at.
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
    const bool isFloat = program.params[std::size_t(output)].buffer->dtype.isFloat();
    for (std::int64_t e = 0; e < area.elements; ++e) {
      const std::optional<Value> wanted = reference.at(output, e);
      if (!wanted) continue;
      const double expected = numberOf(*wanted, isFloat), got = numberOf(area.values[e], isFloat);
      wrong += tolerance > 0 ? std::abs(expected - got) > tolerance : expected != got;
    }
    made.wrong = std::max(made.wrong, wrong);
  }
  return made;
}

// Returns the program with each statement of its first kernel replaced by what `change` returns for it: the statement
// itself to keep it, null to drop it. Then the statements within the result are changed in the same way; so `change`
// is also given a statement that it has put into its result itself.
inline device::Program changed(device::Program program,
                               const std::function<device::Stmt(const device::Stmt&)>& change) {
  const std::function<device::Stmt(const device::Stmt&)> walk = [&](const device::Stmt& s) -> device::Stmt {
    const device::Stmt own = change(s);
    return own ? device::mapChildren(own, walk) : own;
  };
  program.kernels[0].body = walk(program.kernels[0].body);
  return program;
}
// Returns whether a statement is a barrier of all threads of the block.
inline bool isBarrier(const device::Stmt& s) { return device::meetsBlock(device::effectsOf(s)); }

}  // namespace loom::exec
