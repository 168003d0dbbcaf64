// States as text, small enough for the executor, and the commands that start workers.
#pragma once
#include <gtest/gtest.h>

#include "core/codegen/cuda.h"
#include "core/gpu/worker.h"
#include "core/lower/lower.h"
#include "core/script/parser.h"
#include "tests/process/self.h"
#include "tests/schedules/schedule_text.h"

namespace loom::gpu {

inline std::string workerCommand(const std::string& mode) { return process::selfCommand("worker '" + mode + "'"); }

// C = A · B, one thread an element; `body` replaces the sum, for programs that are wrong.
inline std::string product(int m, int n, int k, const std::string& body = "C[vi, vj] + A[vi, vk] * B[vk, vj]") {
  return tests::programText("product_by_threads", {{"M", m}, {"N", n}, {"K", k}, {"SUM", body}});
}

// What the window and the terminal would send of it.
inline Candidate candidate(const std::string& label, const std::string& script) {
  Candidate c;
  c.label = label;
  c.script = script;
  auto module = script::parseModule(script, label);
  if (!module) throw std::runtime_error(module.error().message.english());
  auto program = lower::lower(module->functions.front());
  if (!program) throw std::runtime_error(program.error().message.english());
  const codegen::Source source = codegen::generate(*program);
  c.launches = source.launches;
  c.buffers = source.buffers;
  return c;
}

inline Job productJob(int m, int n, int k) {
  Job job;
  Matmul product;
  product.m = m;
  product.n = n;
  product.k = k;
  product.input = product.output = product.accumulator = *ir::DType::parse("float32");
  job.matmul = product;
  return job;
}

// A hundred thousand million multiplications: hours for the executor.
inline Candidate endless(const std::string& label) { return candidate(label, product(4096, 1024, 32768)); }

}  // namespace loom::gpu
