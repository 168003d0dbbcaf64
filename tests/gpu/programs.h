// Programs, as text and as jobs of a worker (the process that runs kernels), small enough for the CPU executor, and the
// command that starts a worker.
#pragma once
#include <gtest/gtest.h>

#include "core/codegen/cuda.h"
#include "core/gpu/worker.h"
#include "core/lower/lower.h"
#include "core/script/parser.h"
#include "tests/process/self.h"
#include "tests/schedules/schedule_text.h"

namespace loom::gpu {

// Returns the shell command that starts this test program as a worker. `mode` says how it behaves (tests/gpu/main.cpp):
// "cpu" runs jobs by the executor, other modes fail in various ways.
inline std::string workerCommand(const std::string& mode) { return process::selfCommand("worker '" + mode + "'"); }

// Returns a float32 product C = A · B as TVMScript, with a thread for each element and a block for each of the `m`
// rows, so that `n` is at most 1024. `body` is the value that each update of C[vi, vj] stores; another one makes a
// wrong program.
inline std::string product(int m, int n, int k, const std::string& body = "C[vi, vj] + A[vi, vk] * B[vk, vj]") {
  return tests::programText("product_by_threads", {{"M", m}, {"N", n}, {"K", k}, {"SUM", body}});
}

// Returns the candidate (a program to be measured) that Tileloom would send to a CPU worker for a program, which has at
// least one function. Throws std::runtime_error if the program can't be read or lowered.
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

// Returns a job without candidates for a float32 matrix product.
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

// Returns a candidate with about 10¹¹ multiplications, which would take the executor hours.
inline Candidate endless(const std::string& label) { return candidate(label, product(4096, 1024, 32768)); }

}  // namespace loom::gpu
