// States as text, small enough for the executor, and the commands that start workers.
#pragma once
#include <gtest/gtest.h>

#include "core/codegen/cuda.h"
#include "core/gpu/worker.h"
#include "core/lower/lower.h"
#include "core/script/parser.h"
#include "tests/process/self.h"

namespace loom::gpu {

inline std::string workerCommand(const std::string& mode) { return process::selfCommand("worker '" + mode + "'"); }

// C = A · B, one thread an element; `body` replaces the sum, for programs that are wrong.
inline std::string product(int m, int n, int k, const std::string& body = "C[vi, vj] + A[vi, vk] * B[vk, vj]") {
  auto buffer = [](const char* name, int rows, int columns) {
    return std::string(name) + ": T.Buffer((" + std::to_string(rows) + ", " + std::to_string(columns) +
           "), \"float32\")";
  };
  return "from tvm.script import tir as T\n\n\n@T.prim_func\ndef main(" + buffer("A", m, k) + ", " + buffer("B", k, n) +
         ", " + buffer("C", m, n) + "):\n    for i in T.thread_binding(" + std::to_string(m) +
         ", thread=\"blockIdx.x\"):\n        for j in T.thread_binding(" + std::to_string(n) +
         ", thread=\"threadIdx.x\"):\n            for k in range(" + std::to_string(k) +
         "):\n                with T.block(\"C\"):\n                    vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
         "                    with T.init():\n                        C[vi, vj] = T.float32(0)\n"
         "                    C[vi, vj] = " +
         body + "\n";
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
