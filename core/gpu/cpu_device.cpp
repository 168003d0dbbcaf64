#include "core/gpu/cpu_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/exec/execute.h"
#include "core/gpu/data.h"
#include "core/gpu/protocol.h"
#include "core/lower/instance.h"
#include "core/lower/lower.h"
#include "core/script/parser.h"

namespace loom::gpu {
namespace {

constexpr std::int64_t kCompared = 4096;

using Contents = std::map<int, exec::InputValues>;

Contents contentsFor(const ir::Function& function, const Job& job, const Candidate& c) {
  Contents contents;
  bool narrow = job.matmul && job.matmul->accumulator.bytes() <= 2;
  std::size_t buffer = 0;  // numbers among the parameters have none
  for (std::size_t i = 0; i < function->params.size() && buffer < c.buffers.size(); ++i) {
    if (!function->params[i].buffer) continue;
    bool output = job.matmul && int(buffer) == job.matmul->d;
    const codegen::GlobalBuffer& b = c.buffers[buffer++];
    if (!b.read || output) continue;
    exec::InputValues& values = contents[int(i)] =
        exec::inputValues(job.method.seed, int(i), function->params[i].buffer->dtype, narrow);
    if (b.values) exec::drawFrom(values, {b.values->low, b.values->high, b.values->ascending}, b.elements());
  }
  return contents;
}

// The position of the function's n-th buffer among its parameters; −1: it has fewer.
int parameterOf(const ir::FunctionNode& f, int buffer) {
  for (std::size_t i = 0; i < f.params.size(); ++i) {
    if (f.params[i].buffer && buffer-- == 0) return int(i);
  }
  return -1;
}

double numberOf(exec::Value v, ir::DType dtype) { return dtype.isFloat() ? v.f : double(v.i); }

// D against the definition of the product, at elements spread over the whole of it.
void compareProduct(const Matmul& m, const ir::Function& f, const Contents& contents, const exec::Area& d,
                    Outcome& out) {
  const exec::InputValues &a = contents.at(parameterOf(*f, m.a)), &b = contents.at(parameterOf(*f, m.b));
  const ir::DType dtype = f->params[std::size_t(parameterOf(*f, m.d))].buffer->dtype;
  const MatrixPlaces placesA = m.placesA(), placesB = m.placesB(), placesD = m.placesD();
  std::int64_t count = m.results(), compared = std::min(count, kCompared);
  out.error = 0;
  for (std::int64_t s = 0; s < compared; ++s) {
    std::int64_t at = compared == 1 ? 0 : std::int64_t(double(s) * double(count - 1) / double(compared - 1));
    std::int64_t z = at / m.n / m.m, i = at / m.n % m.m, j = at % m.n;
    double sum = 0, size = 0;
    for (std::int64_t k = 0; k < m.k; ++k) {
      double product = numberOf(a.at(placesA.at(i, k, z)), m.input) * numberOf(b.at(placesB.at(k, j, z)), m.input);
      sum += product;
      size += std::abs(product);
    }
    double got = numberOf(d.values[placesD.at(i, j, z)], dtype), right = held(sum, dtype);
    double error = std::isfinite(got) ? std::abs(got - right) / std::max(size, 1.0) : INFINITY;
    if (error <= out.error) continue;
    out.error = error;
    out.message = message("element {} is {} instead of {}", at, got, right);
  }
  if (!(out.error <= out.tolerance)) out.status = Outcome::Status::Wrong;
}

// What the naive kernels write.
struct Written {
  std::map<int, std::vector<double>> elements;  // by the position of a parameter
  std::vector<ir::DType> temporaries;           // of what only passes values between kernels
};

std::vector<double> elementsOf(const exec::Area& area, ir::DType dtype) {
  std::vector<double> elements;
  for (std::int64_t i = 0; area.stored && i < area.elements; ++i) elements.push_back(numberOf(area.values[i], dtype));
  return elements;
}

// The largest difference of what the candidate wrote from what the naive kernels did.
void judgeByNaive(const ir::FunctionNode& f, const Written& naive, const exec::GlobalMemory& memory, Outcome& out) {
  for (const auto& [parameter, expected] : naive.elements) {
    const ir::Buffer& buffer = f.params[std::size_t(parameter)].buffer;
    const std::vector<double> got = elementsOf(memory.at(buffer->data.get()), buffer->dtype);
    const Accuracy a = compareWithNaive(got, expected);
    const double allowed = toleranceOfNaive(buffer->dtype, naive.temporaries);
    if (a.worst > out.error) {
      out.error = a.worst;
      out.tolerance = allowed;
    }
    if (a.worst <= allowed) continue;
    out.status = Outcome::Status::Wrong;
    out.message = message("element {} of {} is {} instead of {}: error {:.3g}, allowed {:.3g}", a.where, buffer->name,
                          a.got, a.expected, a.worst, allowed);
    return;
  }
}

// `written`, unless null, is given what the candidate writes.
Outcome runOne(const Job& job, const Candidate& c, const Written& naive, Written* written) {
  Outcome out;
  out.label = c.label;
  auto failed = [&](const Error& e) {
    out.message = message("{}: {}", e.code, e.message);
    return out;
  };
  auto module = script::parseModule(c.script, "state");
  if (!module) return failed(module.error());
  if (module->functions.empty()) return failed(fail("ParseError", message("the module has no function")).value());
  const auto at = lower::instance(module->functions.front(), c.numbers);
  if (!at) return failed(at.error());
  const ir::Function& function = *at;
  auto program = lower::lower(module->functions.front());
  if (program) program = lower::instance(*program, c.numbers);
  if (!program) return failed(program.error());
  auto executable = exec::prepare(*program);
  if (!executable) return failed(executable.error());
  const Contents contents = contentsFor(function, job, c);
  const exec::Plan whole;
  exec::GlobalMemory memory(*executable, contents, whole);
  auto start = std::chrono::steady_clock::now();
  auto findings = exec::execute(*executable, whole, memory);
  double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  if (!findings) return failed(findings.error());

  out.status = Outcome::Status::Measured;
  auto fault = std::find_if(findings->begin(), findings->end(), [](const auto& f) { return exec::isFault(f.kind); });
  if (fault != findings->end()) {
    out.status = Outcome::Status::Wrong;
    out.message = exec::describe(*fault);
    return out;
  }
  const auto inputs = [&](const Matmul& m) {
    return contents.count(parameterOf(*function, m.a)) && contents.count(parameterOf(*function, m.b));
  };
  if (const auto& m = job.matmul; m && inputs(*m)) {
    out.tolerance = 0;  // sums of small integers are exact
    const auto& d = function->params[std::size_t(parameterOf(*function, m->d))].buffer;
    compareProduct(*m, function, contents, memory.at(d->data.get()), out);
    if (out.status == Outcome::Status::Wrong) return out;
  }
  if (written != nullptr)
    for (const ir::Buffer& b : function->body->block->allocs) written->temporaries.push_back(b->dtype);
  for (std::size_t i = 0; written && i < function->params.size(); ++i) {
    const ir::Buffer& buffer = function->params[i].buffer;
    if (buffer && !contents.contains(int(i))) {
      written->elements.emplace(int(i), elementsOf(memory.at(buffer->data.get()), buffer->dtype));
    }
  }
  judgeByNaive(*function, naive, memory, out);
  if (out.status == Outcome::Status::Wrong) return out;
  out.timing.median = out.timing.low = out.timing.high = us;
  out.timing.samples = out.timing.launchesPerSample = 1;
  out.timing.all = {us};
  return out;
}

}  // namespace

DeviceInfo cpuDevice() {
  DeviceInfo d;
  d.name = kCpuDeviceName;
  d.cpu = true;
  return d;
}

Report measureOnCpu(const Job& job, const Progress& progress) {
  Report report;
  report.device = cpuDevice();
  report.vendor.message = message("the CPU executor's time isn't comparable with the vendor's library");
  Written naive;
  if (job.naive && !job.matmul) {
    Written written;
    if (runOne(job, *job.naive, {}, &written).status == Outcome::Status::Measured) naive = std::move(written);
  }
  for (const Candidate& c : job.candidates) {
    if (progress) progress(message("check {}", c.label));
    report.outcomes.push_back(runOne(job, c, naive, nullptr));
    if (progress) progress(settled(report.outcomes.back()));
  }
  return report;
}

}  // namespace loom::gpu
