// Device programs (kernels in the form that lowering leaves) built by hand, so that they can have faults that lowering
// would never make, and their execution on the CPU.
#pragma once
#include "core/device/build.h"
#include "core/exec/execute.h"
#include "core/ir/build.h"

namespace loom::exec {

namespace dev = loom::device;
using ir::intImm;

// Returns a buffer of one dimension. All have the same id, as the executor tells buffers apart by their data pointers.
inline ir::Buffer flat(const std::string& name, std::int64_t elements, const std::string& scope = "global",
                       ir::DType dtype = ir::DType::Float(32)) {
  return ir::makeBuffer(ir::Id{9, 1}, name, dtype, {intImm(elements)}, scope);
}

// Returns the statement b[index] = value, for as many lanes as `value` has; for more than one, `index` is a `ramp` with
// as many.
inline dev::Stmt store(const ir::Buffer& b, ir::Expr index, ir::Expr value) {
  auto s = std::make_shared<dev::StoreNode>();
  s->to = {b, {std::move(index)}, value->dtype.lanes, false};
  s->value = std::move(value);
  return s;
}
// Returns a loop of `v` from 0 to `extent` - 1.
inline dev::Stmt loop(const ir::Var& v, std::int64_t extent, dev::Stmt body) {
  auto s = std::make_shared<dev::LoopNode>();
  s->var = v;
  s->extent = intImm(extent);
  s->body = std::move(body);
  return s;
}
// Returns `if (condition) yes else no`; null `no`: without an else.
inline dev::Stmt onlyIf(ir::Expr condition, dev::Stmt yes, dev::Stmt no = nullptr) {
  auto s = std::make_shared<dev::IfNode>();
  s->condition = std::move(condition);
  s->yes = std::move(yes);
  s->no = std::move(no);
  return s;
}
// Returns `body` as a block of the program with this name, by which findings name it. Each has another id.
inline dev::Stmt block(const std::string& name, dev::Stmt body) {
  static std::uint32_t ordinal = 0;
  auto s = std::make_shared<dev::BlockNode>();
  s->name = name;
  s->block = ir::Id{7, ++ordinal};
  s->body = std::move(body);
  return s;
}
// Returns the index of `lanes` consecutive elements from `base` on.
inline ir::Expr ramp(ir::Expr base, int lanes) { return std::make_shared<ir::RampNode>(base, intImm(1), lanes); }
// Returns the load of `lanes` consecutive elements of `b` from `base` on.
inline ir::Expr vectorLoad(const ir::Buffer& b, ir::Expr base, int lanes) {
  return std::make_shared<ir::LoadNode>(b, std::vector<ir::Expr>{ramp(base, lanes)}, b->dtype.withLanes(lanes));
}

// A program of one kernel with the float32 parameters `in`, an input, and `out`.
struct Bench {
  ir::Buffer in, out;
  dev::Program program;

  // `inputs` and `outputs` are the numbers of elements of `in` and `out`; the kernel is launched with `blocks` blocks
  // along x of `threads` threads along x, y and z. Its body is empty.
  Bench(std::int64_t inputs, std::int64_t outputs, std::int64_t blocks, std::array<std::int64_t, 3> threads)
      : in(flat("in", inputs)), out(flat("out", outputs)) {
    program.name = "main";
    for (const ir::Buffer& b : {in, out}) program.params.push_back({b->data, b});
    dev::Kernel k;
    k.name = "main_kernel";
    k.grid = {blocks, 1, 1};
    k.block = threads;
    for (int axis = 0; axis < 3; ++axis) {
      k.threadIdx[axis] = ir::makeVar("threadIdx");
      k.blockIdx[axis] = ir::makeVar("blockIdx");
    }
    k.params = {in, out};
    program.kernels.push_back(std::move(k));
    program.host.launches = {0};
  }
  dev::Kernel& kernel() { return program.kernels[0]; }
  // Return threadIdx along an axis (0, 1, 2: x, y, z), and blockIdx.x.
  ir::Expr thread(int axis = 0) { return program.kernels[0].threadIdx[axis]; }
  ir::Expr blockIdx() { return program.kernels[0].blockIdx[0]; }
  // Adds an allocation of float32 elements to the kernel, in shared or local memory, and returns its buffer.
  ir::Buffer allocate(const std::string& name, dev::Memory memory, std::int64_t elements) {
    dev::Allocation a;
    a.buffer = flat(name, elements, memory == dev::Memory::Local ? "local" : "shared");
    a.memory = memory;
    a.elements = elements;
    kernel().allocations.push_back(a);
    return a.buffer;
  }
  ir::Expr load(const ir::Buffer& b, ir::Expr index) { return ir::load(b, {std::move(index)}); }

  // The outcome of an execution: what was found wrong, and for each element of `out` its value, which means nothing for
  // an element that wasn't written, and whether it was written.
  struct Outcome {
    std::vector<Finding> findings;
    std::vector<double> out;
    std::vector<bool> written;
  };
  // Makes `body` the kernel's body and executes the program.
  Outcome run(std::vector<dev::Stmt> body) {
    kernel().body = dev::seq(std::move(body));
    auto executable = prepare(program).value();
    GlobalMemory memory(executable, {{0, input()}}, {});
    Outcome o;
    o.findings = execute(executable, {}, memory).value();
    const Area& area = memory.at(out->data.get());
    for (std::int64_t e = 0; e < area.elements; ++e) {
      o.out.push_back(area.values[e].f);
      o.written.push_back(area.states[e] & kWritten);
    }
    return o;
  }
  // Returns the contents of `in`: pseudo-random values, the same in each call.
  static InputValues input() { return inputValues(1, 0, ir::DType::Float(32), false); }
};

}  // namespace loom::exec
