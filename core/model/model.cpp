#include "core/model/model.h"

#include "core/sass/countable.h"

namespace loom::model {
namespace {

Error neverRuns() {
  return fail("NotAKernel", message("only counted as written: without its tensor intrinsics it can't run"),
              Forbids::Program)
      .value();
}

Resources resourcesOf(const device::Kernel& kernel, const compile::KernelResources* compiled) {
  Resources wants;
  wants.threads = int(kernel.threads());
  wants.registers = compiled ? compiled->registers : 0;
  wants.shared = kernel.sharedBytes();
  return wants;
}

}  // namespace

KernelModel modelOf(const device::Kernel& kernel, const Device& device, const Machine& machine,
                    const CountOptions& options) {
  KernelModel m;
  m.kernel = kernel.name;
  m.accesses = accessesOf(kernel);
  m.count = countKernel(m.accesses, options);
  m.hierarchy = hierarchyOf(m.accesses, m.count);
  m.registersKnown = machine.resources != nullptr;
  m.occupancy = occupancy(device, resourcesOf(kernel, machine.resources));
  if (machine.sass && machine.source) {
    if (auto all = sass::checkCountable(*machine.sass); !all) m.machineProblem = all.error();
  }
  if (machine.sass && machine.source && !m.machineProblem) {
    m.sass = *machine.sass;
    m.compiled = countCompiled(m.accesses, m.count, *machine.sass, *machine.source, options);
    if (m.compiled->problem) {
      m.machineProblem = m.compiled->problem;
      m.compiled.reset();
      m.sass.reset();
    }
  }
  m.roofline = rooflineOf(m.accesses, m.count, m.hierarchy, device, m.compiled ? &*m.compiled : nullptr);
  if (!m.occupancy) {
    m.waves = Failure(m.occupancy.error());
    m.estimate = Failure(m.occupancy.error());
    m.timeline = Failure(m.occupancy.error());
    return m;
  }
  m.waves = waves(device, *m.occupancy, kernel.blocks(), kernel.blocksOfCluster());
  if (kernel.draft) {
    m.estimate = Failure(neverRuns());
    m.timeline = Failure(neverRuns());
    return m;
  }
  m.estimate = estimate(m.accesses, m.count, m.hierarchy, *m.occupancy, device, m.sass ? &*m.sass : nullptr,
                        m.compiled ? &*m.compiled : nullptr);
  m.timeline = timelineOf(m.accesses, m.count, m.occupancy, m.estimate, device, m.sass ? &*m.sass : nullptr,
                          machine.source, m.compiled ? &*m.compiled : nullptr);
  return m;
}

Result<Estimate> estimateOf(const KernelAccesses& accesses, const Device& device, const CountOptions& options) {
  const auto resident = occupancy(device, resourcesOf(*accesses.kernel, nullptr));
  if (!resident) return Failure(resident.error());
  if (accesses.kernel->draft) return Failure(neverRuns());
  const KernelCount count = countKernel(accesses, options);
  return estimate(accesses, count, hierarchyOf(accesses, count), *resident, device, nullptr, nullptr);
}

}  // namespace loom::model
